"""The NVIDIA cards of this machine, as the driver's own program tells of them.

Knows nvidia-smi. Imports no torch, so it answers at once and cannot break. Does not know what runs on a card.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass

_QUERY = "name,memory.total,memory.free,compute_cap"


@dataclass(frozen=True, slots=True)
class Card:
    """memory, free: bytes. capability: (major, minor) of its instruction set, (0, 0) where the driver does not tell."""

    name: str
    memory: int
    free: int
    capability: tuple[int, int]


def cards() -> tuple[Card, ...]:
    """The cards that a program started here would see, in its order; none where there is no driver."""
    found = tuple(card for line in _lines() if (card := _card(line)) is not None)
    wish = os.environ.get("CUDA_VISIBLE_DEVICES")
    if wish is None:
        return found
    numbers = []
    for word in wish.split(","):
        # like CUDA itself: what stands behind a number that no card has does not count
        if not word.strip().isdigit() or int(word) >= len(found):
            break
        numbers.append(int(word))
    return tuple(found[number] for number in numbers)


def _lines() -> list[str]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    try:
        # a program of the system, by its full path, with words of our own
        done = subprocess.run(  # noqa: S603
            [program, f"--query-gpu={_QUERY}", "--format=csv,noheader,nounits"],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def _card(line: str) -> Card | None:
    words = [word.strip() for word in line.split(",")]
    if len(words) != 4 or not words[1].isdigit():
        return None
    major, _, minor = words[3].partition(".")
    capability = (int(major), int(minor)) if major.isdigit() and minor.isdigit() else (0, 0)
    free = int(words[2]) if words[2].isdigit() else int(words[1])
    return Card(words[0], int(words[1]) * 2**20, free * 2**20, capability)
