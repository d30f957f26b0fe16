"""Tables in Markdown as rows of cells, each with its place in the text.

Knows pipe tables and pandoc's grid and simple tables. A cell that runs over several lines has the span of its first
line. Does not know what a table says.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

_MARKS = re.compile(
    r"\\(?=[^\w\s])|\*+|`+|(?<!\w)_+|_+(?!\w)|\[\^[^\]\s]+\]|\]\([^)\n]*\)(?:\{[^}\n]*\})?|\[(?!\^)|<br\s*/?>"
)
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:[|+]\s*:?-+:?\s*)*\|?\s*$")
_GRID = re.compile(r"\s*\+(?:[-=:]+\+)+\s*$")
_DASHES = re.compile(r"-{2,}")
_BAR = re.compile(r"(?<!\\)\|")


class Cell(NamedTuple):
    """text[start:end] of the section; plain: what a reader sees of it; raw: its first line as it stands there."""

    start: int
    end: int
    plain: str
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the first `heads` of which are its head. start, end: of the whole table in the section."""

    start: int
    end: int
    heads: int
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def columns(self) -> int:
        return max((len(row) for row in self.rows), default=0)

    @property
    def body(self) -> tuple[tuple[Cell, ...], ...]:
        return self.rows[self.heads :]

    def head(self, column: int) -> str:
        """What stands over a column, "" where the table has no head."""
        return " ".join(row[column].plain for row in self.rows[: self.heads] if column < len(row)).strip()


def table(text: str, start: int, end: int) -> Table | None:
    """The table in text[start:end]; None where it is none that can be read."""
    lines = list(_lines(text, start, end))
    first = text[lines[0][0] : lines[0][1]]
    found: tuple[int, tuple[tuple[Cell, ...], ...]] | None
    if _GRID.match(first):
        found = _grid(text, lines)
    elif _BAR.search(first):
        found = _pipe(text, lines)
    else:
        found = _simple(text, lines)
    if found is None:
        return None
    heads, rows = found
    return Table(start, end, heads, rows) if rows else None


def plain(cell: str) -> str:
    """The text of a cell without Markdown's marks."""
    return " ".join(_MARKS.sub(lambda mark: " " if mark[0].startswith("<") else "", cell).split())


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for line in text[start:end].split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _cell(text: str, start: int, end: int) -> Cell:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Cell(start, end, plain(text[start:end]), text[start:end])


def _pipe(text: str, lines: list[tuple[int, int]]) -> tuple[int, tuple[tuple[Cell, ...], ...]]:
    rows: list[tuple[Cell, ...]] = []
    heads = 0
    for start, end in lines:
        line = text[start:end]
        if _RULE.match(line) and "-" in line:
            heads = heads or len(rows)
            continue
        stripped_end = start + len(line.rstrip())
        bars = [start + bar.start() for bar in _BAR.finditer(line)]
        edges = ([] if line.lstrip().startswith("|") else [start - 1]) + bars
        if not edges or edges[-1] != stripped_end - 1:
            edges.append(stripped_end)
        rows.append(tuple(_cell(text, left + 1, right) for left, right in itertools.pairwise(edges)))
    return heads, tuple(rows)


def _grid(text: str, lines: list[tuple[int, int]]) -> tuple[int, tuple[tuple[Cell, ...], ...]]:
    rules = [text[start:end] for start, end in lines if _GRID.match(text[start:end])]
    edges = sorted({place for rule in rules for place, sign in enumerate(rule) if sign == "+"})
    rows: list[tuple[Cell, ...]] = []
    heads = 0
    parts: dict[int, list[Cell]] = {}
    for start, end in lines:
        line = text[start:end]
        if line.lstrip()[:1] == "+" and set(line.strip()) <= set("+-=:|"):
            if parts:
                rows.append(_joined(parts, len(edges) - 1))
            if "=" in line and not heads:
                heads = len(rows)
            parts = {}
            continue
        bars = [place for place in edges if line[place : place + 1] == "|"]
        for left, right in itertools.pairwise(bars):
            cell = _cell(text, start + left + 1, start + right)
            if cell.plain:
                parts.setdefault(edges.index(left), []).append(cell)
    return heads, tuple(rows)


def _joined(parts: dict[int, list[Cell]], columns: int) -> tuple[Cell, ...]:
    some = next(iter(parts.values()))[0]
    return tuple(
        Cell(found[0].start, found[0].end, " ".join(one.plain for one in found), found[0].raw)
        if (found := parts.get(column))
        else Cell(some.start, some.start, "")
        for column in range(columns)
    )


def _simple(text: str, lines: list[tuple[int, int]]) -> tuple[int, tuple[tuple[Cell, ...], ...]] | None:
    rule = next(
        (
            number
            for number, (start, end) in enumerate(lines)
            if set(text[start:end].strip()) <= {"-", " "} and " " in text[start:end].strip()
        ),
        None,
    )
    if rule is None:
        return None
    start, end = lines[rule]
    edges = [dash.start() for dash in _DASHES.finditer(text[start:end])]
    rows = []
    for number, (left, right) in enumerate(lines):
        line = text[left:right]
        if number == rule or not line.strip() or set(line.strip()) <= {"-", " "}:
            continue
        bounds = [*edges, len(line)]
        rows.append(
            tuple(
                _cell(text, left + min(one, len(line)), left + min(other, len(line)))
                for one, other in itertools.pairwise(bounds)
            )
        )
    heads = sum(1 for number in range(rule) if text[slice(*lines[number])].strip(" -"))
    return min(heads, len(rows)), tuple(rows)
