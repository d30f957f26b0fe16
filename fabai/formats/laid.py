"""A new table as it lies on the page: as wide as the text, columns that break no word, rows whole, small ones together.

Knows about how wide letters are, and what Word and LibreOffice do with a table's settings. Does not know what the table
says or where it goes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fabai.formats.wordml import (
    PARAGRAPH_ORDER,
    RUN_ORDER,
    Element,
    W,
    add,
    child,
    element,
    insert_ordered,
    properties_of,
    remove,
    run_properties_of,
    text_of,
    value,
)

_UPRIGHT, _LYING = 9072, 14_004
"""Between margins of 2.5 cm, in twentieths of a point; the table itself is as wide as whatever text it stands in."""
_PADDING = 230
"""Of a cell, both sides, with the lines."""
_POINTS, _LEAST_POINTS = 11, 8
"""Of a table's letters; the fewest, where the longest words of the columns would not stand side by side."""
_NARROWEST, _WIDEST = 9, 45
"""Characters that a column counts for, at least and at most."""
_ALIKE = 1.7
"""How many times wider than another a column must be before it counts as told: ':---:' beside '---' says nothing."""
_TOGETHER, _LONG = 12, 16
"""Rows of a table that is not parted by the end of a page, and of a list that is worth a page on its side."""
_THIN, _BROAD = "iljtfrI.,;:'’()[]/|-! \u00a0", "mwMW%@"
_PIECE = re.compile(r"-?\d[\d.,]*[ \u00a0]?(?:[%€]|EUR|USD)|(?:[^\s\u2013\u2014-]|\u00a0)+[\u2013\u2014-]?")
"""What stays on one line."""
_ROW_ORDER = [
    "cnfStyle",
    "divId",
    "gridBefore",
    "gridAfter",
    "wBefore",
    "wAfter",
    "cantSplit",
    "trHeight",
    "tblHeader",
    "tblCellSpacing",
    "jc",
    "hidden",
]


def lay(table: Element, *, may_turn: bool = False) -> None:
    """Finish a table of pandoc's, in place. may_turn: a list that is too wide for an upright page will lie on its side
    (`lists`).
    """
    properties = child(table, "tblPr")
    rows = table.findall(W + "tr")
    if properties is not None:
        stated = child(properties, "tblW")
        if stated is not None:
            properties.remove(stated)
        properties.insert(1 if child(properties, "tblStyle") is not None else 0, element("tblW", type="pct", w=5000))
        look = child(properties, "tblLook")
        if len(rows) == 1 and look is not None:
            # a table of one row has no heading row
            look.set(W + "firstRow", "0")
            look.set(W + "val", "0000")
            for mark in list(table.iter(W + "tblHeader")):
                remove(mark)
    _set_columns(table, _LYING if may_turn and _is_list(table) else _UPRIGHT)
    for row in rows:
        settings = child(row, "trPr")
        if settings is None:
            settings = element("trPr")
            place = next((index for index, one in enumerate(row) if one.tag != W + "tblPrEx"), len(row))
            row.insert(place, settings)
        insert_ordered(settings, element("cantSplit"), _ROW_ORDER)
    for cell in table.iter(W + "tc"):
        if len(cell) == 0 or cell[-1].tag != W + "p":
            add(cell, "p")
    # neither the head nor the sum of a long one stands alone
    for row in rows[:-1] if len(rows) <= _TOGETHER else (rows[0], rows[-2]):
        for paragraph in row.iter(W + "p"):
            insert_ordered(properties_of(paragraph), element("keepNext"), PARAGRAPH_ORDER)


def close_up(table: Element) -> None:
    """Little space around the lines of cells and a bold head, whatever a funder's ordinary text and plain grid have."""
    for paragraph in table.iter(W + "p"):
        properties = properties_of(paragraph)
        if child(properties, "spacing") is None:
            insert_ordered(properties, element("spacing", before=20, after=20), PARAGRAPH_ORDER)
    for row in table.iterchildren(W + "tr"):
        for run in row.iter(W + "r") if child(row, "trPr/tblHeader") is not None else ():
            insert_ordered(run_properties_of(run), element("b"), RUN_ORDER)


def lists(elements: Sequence[Element]) -> list[list[Element]]:
    """The long and wide tables among new elements of the body, each with the caption over it."""
    found = []
    for place, one in enumerate(elements):
        if one.tag == W + "tbl" and _is_list(one):
            over = elements[place - 1] if place else None
            caption = over is not None and value(over, "pPr/pStyle") == "TableCaption"
            found.append([*([over] if caption and over is not None else []), one])
    return found


def _is_list(table: Element) -> bool:
    columns = _columns(table)
    rows = table.findall(W + "tr")
    return len(rows) >= _LONG and len(columns) > 1 and _needs(_least(columns), _POINTS) > _UPRIGHT


def _columns(table: Element) -> list[list[Element]]:
    """The cells of each column, of the rows that have one for every column."""
    count = len(table.findall(f"{W}tblGrid/{W}gridCol"))
    rows = [cells for row in table.iterchildren(W + "tr") if len(cells := row.findall(W + "tc")) == count]
    return [[row[place] for row in rows] for place in range(count)]


def _least(columns: Sequence[Sequence[Element]]) -> list[float]:
    """The breadth of each column's longest word, in ems."""
    return [
        max((_breadth(one) for cell in column for one in _PIECE.findall(text_of(cell))), default=0.0)
        for column in columns
    ]


def _needs(least: Sequence[float], points: int) -> float:
    return sum(one * points * 20 + _PADDING for one in least)


def _set_columns(table: Element, width: int) -> None:
    """Widths that pandoc was told keep their proportions, others follow the longest text of each column; none is
    narrower than its longest word, and letters get smaller where all those would not fit.
    """
    grid = table.findall(f"{W}tblGrid/{W}gridCol")
    columns = _columns(table)
    if not grid:
        return
    weights = [float(one.get(W + "w") or "0") for one in grid]
    if max(weights) <= _ALIKE * min(weights):
        lengths = [[min(len(text_of(cell)), _WIDEST) for cell in column] for column in columns]
        weights = [float(max([_NARROWEST, *column])) for column in lengths]
    least = _least(columns)
    points = _POINTS
    while points > _LEAST_POINTS and _needs(least, points) > width:
        points -= 1
    if points < _POINTS:
        _resize(table, points)
    shares = _shared(weights, [(one * points * 20 + _PADDING) / width for one in least])
    for mark, column, share in zip(grid, columns, shares, strict=True):
        mark.set(W + "w", str(round(width * share)))
        for cell in column:
            settings = child(cell, "tcPr")
            if settings is None:
                settings = element("tcPr")
                cell.insert(0, settings)
            stated = child(settings, "tcW")
            if stated is not None:
                settings.remove(stated)
            settings.insert(0, element("tcW", type="pct", w=round(5000 * share)))


def _shared(weights: Sequence[float], least: Sequence[float]) -> list[float]:
    """Shares of the width by weights, after each column has its least; by the least alone where there is no more."""
    if sum(least) >= 1:
        return [one / sum(least) for one in least]
    free = set(range(len(weights)))
    while True:
        rest = 1 - sum(one for place, one in enumerate(least) if place not in free)
        whole = sum(weights[place] for place in free)
        narrow = {place for place in free if rest * weights[place] / whole < least[place]}
        if not narrow:
            return [rest * weights[at] / whole if at in free else least[at] for at in range(len(weights))]
        free -= narrow


def _breadth(word: str) -> float:
    """In ems of a font such as Calibri, with a little over: other fonts are wider."""
    return 1.1 * sum(
        0.3 if one in _THIN else 0.85 if one in _BROAD else 0.62 if one.isupper() else 0.51 for one in word
    )


def _resize(table: Element, points: int) -> None:
    for run in table.iter(W + "r"):
        properties = run_properties_of(run)
        for name in ("sz", "szCs"):
            insert_ordered(properties, element(name, val=points * 2), RUN_ORDER)
