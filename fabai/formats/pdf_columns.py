"""The order in which the rows and tables of a page are read: from top to bottom, column after column.

Knows gutters. Does not know paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fabai.formats.pdf_page import Grid, Row, Word

_LEAST = 6
"""Rows that each column must have."""

_FULL = 0.6
"""Of a column's width: rows that are filled so far are running text."""

_GUTTER = 6.0


@dataclass(frozen=True, slots=True)
class Stream:
    """Rows of one column, or one table, in reading order; left and right: the column's bounds in points."""

    items: tuple[Row | Grid, ...]
    left: float
    right: float


def streams(rows: Sequence[Row], grids: Sequence[Grid]) -> list[Stream]:
    """The page's rows and tables in reading order."""
    gutter = _gutter(rows)
    if gutter is None:
        items: list[Row | Grid] = sorted([*rows, *grids], key=_top)
        return [_stream(items)] if items else []
    return list(_banded(rows, grids, gutter))


def _top(item: Row | Grid) -> float:
    return item.y if isinstance(item, Row) else item.top


def _stream(items: Sequence[Row | Grid]) -> Stream:
    rows = [item for item in items if isinstance(item, Row)]
    if not rows:
        return Stream(tuple(items), 0.0, 0.0)
    return Stream(tuple(items), min(row.x0 for row in rows), max(row.x1 for row in rows))


def _banded(rows: Sequence[Row], grids: Sequence[Grid], gutter: float) -> Iterator[Stream]:
    """Between two rows that go across: the left column, then the right one."""
    left: list[Row] = []
    right: list[Row] = []
    across: list[Row | Grid] = []

    def flush() -> Iterator[Stream]:
        for side in (left, right):
            if side:
                yield _stream(side)
            side.clear()

    items: list[Row | Grid] = sorted([*rows, *grids], key=_top)
    for item in items:
        parts = None if isinstance(item, Grid) else _parts(item, gutter)
        if parts is None:
            yield from flush()
            across.append(item)
            continue
        if across:
            yield _stream(across)
            across = []
        for side, words in zip((left, right), parts, strict=True):
            if words and isinstance(item, Row):
                side.append(Row(words, item.y, item.page))
    yield from flush()
    if across:
        yield _stream(across)


def _parts(row: Row, gutter: float) -> tuple[tuple[Word, ...], tuple[Word, ...]] | None:
    """The words left and right of the gutter; None where the row goes across it."""
    left = tuple(word for word in row.words if word.x1 <= gutter)
    right = tuple(word for word in row.words if word.x0 >= gutter)
    if len(left) + len(right) < len(row.words):
        return None
    if left and right and right[0].x0 - left[-1].x1 < _GUTTER:
        return None
    return left, right


def _gutter(rows: Sequence[Row]) -> float | None:
    """The x between two columns of running text, None on a page with one column."""
    if len(rows) < 2 * _LEAST:
        return None
    low, high = min(row.x0 for row in rows), max(row.x1 for row in rows)
    best: tuple[int, float] | None = None
    for step in range(30, 71, 2):
        gutter = low + (high - low) * step / 100
        parts = [found for row in rows if (found := _parts(row, gutter)) is not None]
        left = _full([one for one, _ in parts if one], gutter - low)
        right = _full([other for _, other in parts if other], high - gutter)
        if min(left, right) < _LEAST or len(parts) < 0.4 * len(rows):
            continue
        if best is None or min(left, right) > best[0]:
            best = (min(left, right), gutter)
    return None if best is None else best[1]


def _full(parts: Sequence[Sequence[Word]], width: float) -> int:
    """How many stretches of words fill a column, none of them broken by a gap as a table's row is."""
    full = 0
    for words in parts:
        gap = max((one.x0 - other.x1 for one, other in zip(words[1:], words, strict=False)), default=0.0)
        if words[-1].x1 - words[0].x0 >= _FULL * width and gap < 2.5 * words[0].size:
            full += 1
    return full if full >= 0.5 * len(parts) else 0
