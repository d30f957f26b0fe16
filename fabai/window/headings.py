"""The list of headings that stands in front of every window.

Knows which headings fit. The choice depends on nothing but the report's outline and the room, so the list is the same
for every section and the prefix stays warm.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabai.report import Report, Section
from fabai.window.candidates import heading_lines
from fabai.window.counts import Counts, Same
from fabai.window.shown import shown

GAP_MARK = "[…]"
_NUMBERED = 3
"""Levels that carry their outline number in the list: a deep number costs more tokens than the heading it stands
before.
"""


@dataclass(frozen=True, slots=True)
class Headings:
    """text: one heading a line, […] where some are left out. of: tokens of the whole list. missing: ids left out."""

    text: str
    tokens: int
    of: int
    missing: frozenset[str]


def headings(report: Report, room: int, counts: Counts) -> Headings:
    """The headings that fit into `room` tokens: upper levels first, in document order within a level."""
    lines = heading_lines(report)
    ids = tuple([one.id for one in report.sections])
    return counts.remember(
        ("headings", Same(lines), ids, room), lambda: _headings(_outline(report, lines), room, counts)
    )


def _outline(report: Report, lines: tuple[str, ...]) -> tuple[tuple[str, int, str], ...]:
    return tuple(
        (one.id, one.level, line if one.level <= _NUMBERED else _indented(one))
        for one, line in zip(report.sections, lines, strict=True)
        if line
    )


def _indented(section: Section) -> str:
    return f"{'  ' * (section.level - _NUMBERED)}{shown(section.heading)}"


def _headings(outline: tuple[tuple[str, int, str], ...], room: int, counts: Counts) -> Headings:
    lines = [(level, position, line) for position, (_, level, line) in enumerate(outline)]
    sizes = {position: counts.count(line + "\n") for _, position, line in lines}
    whole = sum(sizes.values())
    mark = counts.count(GAP_MARK + "\n")
    kept: set[int] = set()
    spent, gaps = 0, 1
    for _, position, _ in sorted(lines):
        left, right = position - 1 not in kept and position > 0, position + 1 not in kept and position + 1 < len(lines)
        # a heading amid left out ones parts a gap in two, one between two kept ones closes a gap
        gaps += left + right - 1
        spent += sizes[position]
        if whole > room and spent + max(0, gaps) * mark > room:
            break
        kept.add(position)
    chosen: list[str] = []
    for _, position, line in lines:
        if position in kept:
            chosen.append(line)
        elif chosen[-1:] != [GAP_MARK]:
            chosen.append(GAP_MARK)
    text = "\n".join(chosen) if kept else ""
    missing = frozenset(outline[position][0] for _, position, _ in lines if position not in kept)
    return Headings(text, counts.count(text), whole, missing)
