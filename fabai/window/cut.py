"""Cutting a Markdown text to a number of tokens: at a paragraph, else at a sentence, never inside what would break.

Knows room and gaps. Table rows, list items, equations, code, citations, notes, links and images stay whole; a table
larger than the room is cut between rows and keeps its header; only a sentence longer than `long_sentence` tokens is cut
between words. Does not know which section deserves how much room (fabai.window.fill, tiers, warm).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Literal

from fabai.message import TokenCounter
from fabai.report import Language
from fabai.settings import CuttingSettings
from fabai.window.counting import CachedCounter, cached
from fabai.window.units import Unit, Units, units

Keep = Literal["start", "end"]

GAP = "[…]"


@dataclass(frozen=True, slots=True)
class Cut:
    """What was kept. tokens: never below the model's own count of `text`, and at most a few above. gap: something is
    missing.

    text is "" where not even one unit fits.
    """

    text: str
    tokens: int
    gap: bool


def cut(
    text: str,
    max_tokens: int,
    counter: TokenCounter,
    keep: Keep = "end",
    language: Language = "es",
    settings: CuttingSettings = CuttingSettings(),  # noqa: B008  (frozen)
) -> Cut:
    """The end (or the start) of `text` in at most `max_tokens` tokens, with […] where the rest was; the whole if it
    fits.

    Pass the same CachedCounter every time and each text is parted and counted once.
    """
    counts = cached(counter)
    whole = counts.count(text)
    if whole <= max_tokens:
        return Cut(text, whole, gap=False)
    parted = units(text, language, counts, settings)
    return _end(text, parted, max_tokens, counts) if keep == "end" else _start(text, parted, max_tokens, counts)


def _end(text: str, parted: Units, room: int, counter: CachedCounter) -> Cut:
    costs = parted.costs
    for index in range(bisect_left(costs, costs[-1] - room), len(parted.units)):
        unit = parted.units[index]
        front = _front(text, unit)
        tokens = counter.count(front) + costs[-1] - costs[index]
        if tokens <= room and text[unit.start :].strip():
            return Cut(front + text[unit.start :], tokens, gap=True)
    return Cut("", 0, gap=True)


def _start(text: str, parted: Units, room: int, counter: CachedCounter) -> Cut:
    costs = parted.costs
    for index in range(bisect_right(costs, room) - 1, 0, -1):
        last = parted.units[index - 1]
        if last.bare:
            continue
        following = parted.units[index] if index < len(parted.units) else None
        back = f" {GAP}" if following is not None and following.inside else f"\n\n{GAP}"
        kept = text[: last.end].rstrip()
        tokens = costs[index] + counter.count(back)
        if tokens <= room and kept:
            return Cut(kept + back, tokens, gap=True)
    return Cut("", 0, gap=True)


def _front(text: str, unit: Unit) -> str:
    """What stands before a kept end: the mark, and above a table's rows its header with the mark as first row."""
    if unit.header is not None:
        header = text[slice(*unit.header)]
        row = f"| {GAP} |\n" if header.lstrip().startswith("|") else ""
        return f"{header}{row}" if row else f"{GAP}\n\n{header}"
    return f"{GAP} " if unit.inside else f"{GAP}\n\n"
