"""What a row of measurements says about where it was taken: card, versions, commit, host memory.

Knows how to read these from the running process. Does not know what is measured.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGES = ("torch", "transformers", "peft", "bitsandbytes", "triton")
_OF_ENGINE = {"unsloth": ("unsloth", "unsloth_zoo"), "liger": ("liger_kernel",)}


def gib(size: float) -> float:
    """Bytes as GiB, to two digits."""
    return round(size / 2**30, 2)


def reset_host_peak() -> None:
    """From now on `host_peak` counts anew, where the system can."""
    reset = Path("/proc/self/clear_refs")
    if reset.exists():
        reset.write_text("5")


def host_peak() -> float | None:
    """The process's largest resident host memory since the last reset, GiB; None where the system does not say."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return None if found is None else gib(int(found[1]) * 1024)


def card() -> str:
    """The name of the graphics card, else of the processor."""
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else platform.processor() or platform.machine()


def commit() -> str:
    """The code's commit: FABAI_COMMIT where the code travels without its history, else what git says."""
    found = os.environ.get("FABAI_COMMIT")
    if found:
        return found
    asked = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)  # noqa: S607
    return asked.stdout.strip() or "unknown"


def versions(engine: str) -> dict[str, str]:
    """Versions of the packages that an engine's speed depends on, as far as they are installed."""
    found = {}
    for name in (*_PACKAGES, *_OF_ENGINE.get(engine, ())):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
