"""What benches.window measures of a prompt and of a replay.

Knows the measures' definitions. Does not know designs or cases.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Any

from fabai.report import Report
from fabai.window import layout
from fabai.window.counts import Counts
from fabai.window.segment import boundaries

BLOCK = 16
"""Tokens of a block of the server's prefix cache."""


@dataclass
class Seen:
    """One prompt of a replay. kept: tokens shown of each earlier section; shares: under `fill`; room: for all of them.

    full: the earlier text does not fit. ahead: what the server had read before anybody asked for the section.
    """

    text: str
    tokens: int
    kept: dict[str, int]
    shares: dict[str, int]
    room: int
    full: bool
    cuts: int
    headless: int
    ahead: str


@dataclass
class Tally:
    """Measures of a replay as it goes."""

    reuse: list[float] = field(default_factory=list)
    again: list[int] = field(default_factory=list)
    click: list[int] = field(default_factory=list)
    used: list[float] = field(default_factory=list)
    fidelity: list[float] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    headless: list[int] = field(default_factory=list)

    def add(self, before: Seen | None, seen: Seen, counts: Counts) -> None:
        """Compare a prompt with the one before."""
        if before is not None:
            again = shared(before.text, seen.text, counts)
            self.reuse.append(again / seen.tokens)
            self.again.append(seen.tokens - again)
        self.click.append(seen.tokens - shared(seen.ahead, seen.text, counts))
        self.cuts.append(seen.cuts)
        self.headless.append(seen.headless)
        if seen.full:
            ids = {*seen.kept, *seen.shares}
            apart = sum(abs(seen.kept.get(one, 0) - seen.shares.get(one, 0)) for one in ids)
            self.used.append(sum(seen.kept.values()) / seen.room)
            self.fidelity.append(1 - apart / (2 * seen.room))

    def result(self) -> dict[str, Any]:
        """The measures by name; None where no window was full."""
        return {
            "used": _mean(self.used),
            "reuse": _mean(self.reuse),
            "reuse_median": round(statistics.median(self.reuse), 3),
            "fidelity": _mean(self.fidelity),
            "fidelity_least": round(min(self.fidelity), 3) if self.fidelity else None,
            "prefill": round(statistics.fmean(self.again)),
            "click": sorted(self.click)[int(0.95 * (len(self.click) - 1))],
            "cuts": _mean(self.cuts),
            "headless": _mean(self.headless),
            "windows": len(self.cuts),
            "full": len(self.used),
        }


def _mean(values: list[float] | list[int]) -> float | None:
    return round(statistics.fmean(values), 3) if values else None


def shared(before: str, after: str, counts: Counts) -> int:
    """Tokens of the prefix that both prompts share, whole blocks only."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if before[:middle] == after[:middle] else (low, middle - 1)
    return counts.count(after[:low]) // BLOCK * BLOCK


def inside_sentence(shown: str, text: str, report: Report) -> int:
    """1 where what is shown of a text starts or ends inside a sentence of it, else 0."""
    core = shown.split(layout.GAP, 1)[-1] if shown.startswith("#") else shown
    core = core.replace("[…]", "").strip()
    start = text.find(core[:40])
    if not core or start < 0:
        return 0
    edges = {0, len(text), *boundaries(text, report.language)}
    edges |= {index + 1 for index, letter in enumerate(text) if letter == "\n"}
    end = start + len(core) if text[start : start + len(core)] == core else len(text)
    ends = any(not text[end:edge].strip() for edge in edges if edge >= end)
    return int(start not in edges or not ends)
