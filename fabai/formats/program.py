"""A foreign program, run to its end or to its time limit, with all that it started.

Knows processes. Does not know LibreOffice or ocrmypdf.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from fabai.errors import UnreadableFile


def run(
    command: Sequence[str], folder: Path, seconds: float, late: str, environment: Mapping[str, str] | None = None
) -> None:
    """Run it in `folder`, silent, in a process group of its own.

    UnreadableFile with the sentence `late` after `seconds`.
    """
    with subprocess.Popen(  # noqa: S603 - our own argument list, no shell
        command, cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise UnreadableFile(late) from None
        finally:
            _kill_group(process)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Ends the program with all its children: soffice starts soffice.bin, which outlives it."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return
    else:
        process.kill()
