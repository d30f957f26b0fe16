"""What this machine's processor multiplies in hardware.

Knows Linux's /proc/cpuinfo. Does not know what runs on it.
"""

from __future__ import annotations

from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
_BFLOAT16 = frozenset({"avx512_bf16", "amx_bf16", "bf16"})
"""Flags of x86-64, and of ARM (the last)."""


def multiplies_bfloat16(cpuinfo: Path = _CPUINFO) -> bool:
    """False also where the machine does not tell."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    told = (line.partition(":")[2].split() for line in lines if line.startswith(("flags", "Features")))
    return not _BFLOAT16.isdisjoint(next(told, ()))
