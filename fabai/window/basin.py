"""Pouring many rooms over the same sections quickly: what `fabai.window.fill.pour` gives without floors.

Knows sizes and weights. Does not know what the sections are, nor which pouring is wanted. Sums are of integers or run
in a fixed order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from operator import sub


class Basin:
    """The last sections, to be poured into many rooms: what `pour` gives, sorted once by when each is full."""

    def __init__(self, sizes: list[int], weights: list[float], ideal: list[int]) -> None:
        """known: what `pour` gave, by room."""
        self._sizes, self._weights, self._ideal = sizes, weights, ideal
        self.known: dict[int, tuple[list[int], int, int]] = {}
        self._sum = sum(sizes)
        pairs = sorted(
            [
                (size / weight if weight > 0.0 else float("inf"), size, weight)
                for size, weight in zip(sizes, weights, strict=True)
            ]
        )
        self._full = list(accumulate([size for _, size, _ in pairs], initial=0))
        self._open = list(accumulate([weight for _, _, weight in reversed(pairs)]))[::-1]
        self._rooms = [
            full + ratio * open_ if open_ > 0.0 else float("inf")
            for (ratio, _, _), full, open_ in zip(pairs, self._full, self._open, strict=False)
        ]

    def pour(self, room: int) -> tuple[list[int], int, int]:
        """Tokens of each, their sum, how far they are from the ideal."""
        sizes = self._sizes
        if self._sum <= room:
            tokens = sizes
        else:
            full = min(bisect_right(self._rooms, room), len(sizes) - 1)
            # summed from those that are full last: their weights may be tiny next to the others
            open_ = self._open[full]
            level = (room - self._full[full]) / open_ if open_ > 0.0 else 0.0
            tokens = [
                int(share) if (share := level * weight) < size else size
                for size, weight in zip(sizes, self._weights, strict=True)
            ]
        found = tokens, sum(tokens), sum(map(abs, map(sub, tokens, self._ideal)))
        self.known[room] = found
        return found


def pour(sizes: Sequence[int], weights: Sequence[float], room: int) -> list[int]:
    """Water-filling with ceilings and no floors: as `fabai.window.fill.pour`, exact and quick."""
    return list(Basin(list(sizes), list(weights), list(sizes)).pour(room)[0])


def enough(sizes: list[int], weights: list[float], newest: int) -> list[float]:
    """Room that brings the last section to `newest` tokens, poured over the last one, two, three ... sections."""
    level = newest / weights[-1] if weights[-1] > 0.0 else 0.0
    return list(
        accumulate(
            [
                size if size < (share := level * weight) else share
                for size, weight in zip(reversed(sizes), reversed(weights), strict=True)
            ]
        )
    )
