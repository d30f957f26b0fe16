"""A place in a text where personal data stand.

Knows what overlaps. Does not know how data are recognised.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """text[start:end] is of a kind from `corpus.document.KEY_KINDS`. value: the same for every way of writing it."""

    start: int
    end: int
    kind: str
    value: str


def apart(found: Iterable[Found]) -> list[Found]:
    """Those that do not overlap, by position; of two that do, the one that was given first."""
    kept: list[Found] = []
    for one in found:
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)
