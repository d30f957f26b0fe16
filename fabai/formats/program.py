"""A foreign program, run to its end or to its time limit, with all that it started.

Knows processes, and that a busy machine takes longer. Does not know LibreOffice or ocrmypdf.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from fabai.errors import UnreadableFile

_PATIENCE = 4.0
"""How many times longer a program may take on a machine that is busy."""
_BUSY = 1.5
"""Programs a processor from which the sentence says so."""


def run(
    command: Sequence[str],
    folder: Path,
    seconds: float,
    what: str,
    advice: str,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run it in `folder`, silent, in a process group of its own.

    UnreadableFile after `seconds` of a machine that is free, longer by its load where it is not; it says that `what`
    took longer, and `advice`.
    """
    with subprocess.Popen(  # noqa: S603 - our own argument list, no shell
        command, cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            share = wanted()
            allowed = seconds * min(max(share, 1.0), _PATIENCE)
            try:
                process.wait(allowed - seconds)
            except subprocess.TimeoutExpired:
                busy = f" (the machine is busy: {share:.1f} programs a processor; try again later)"
                took = f"{what} took longer than {allowed:.3g} s{busy if share >= _BUSY else ''}"
                raise UnreadableFile(f"{took}; {advice}") from None
        finally:
            _kill_group(process)


def wanted() -> float:
    """How many programs want each processor of this machine, over the last minute; 1.0 where nothing tells."""
    return os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 1.0


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Ends the program with all its children: soffice starts soffice.bin, which outlives it."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return
    else:
        process.kill()
