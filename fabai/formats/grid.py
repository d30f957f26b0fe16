"""Tables whose rows have fewer cells than their grid, or cells that continue a merge that never began, made whole for a
reader that would lose them.

Knows `w:tblGrid`, spans and vertical merges. Does not know what the cells say; only the copy that is read is changed.
"""

from __future__ import annotations

from fabai.formats.wordml import Element, W, add, child, element, value

_MOST = 64
"""Columns of a table that is looked at; a wider one is a fault of the file."""


def complete_rows(root: Element) -> None:
    """Give every row, in place, as many cells as the table has columns: empty ones, merged upwards where the row above
    and the row below belong together.
    """
    for table in root.iter(W + "tbl"):
        rows = [row for row in table.findall(W + "tr") if row.find(W + "tc") is not None]
        widths = [_width(row) for row in rows]
        columns = max(widths, default=0)
        if not 0 < columns <= _MOST or all(
            width == columns and not _gap(row) for row, width in zip(rows, widths, strict=True)
        ):
            continue
        if any(row.find(W + "sdt") is not None for row in rows):
            # cells inside controls are not counted above
            continue
        for row in rows:
            _complete(row, columns)
        _mend_merges(rows)


def begin_merges(root: Element) -> None:
    """Let a cell that continues a merge which no cell above it has begun begin it, in place, as Word shows it."""
    for table in root.iter(W + "tbl"):
        merged: set[int] = set()
        rows = table.findall(W + "tr")
        for row in rows if all(row.find(W + "sdt") is None for row in rows) else ():
            place = _gap(row)
            above, merged = merged, set()
            for cell in row.findall(W + "tc"):
                merge = child(cell, "tcPr/vMerge")
                if merge is not None:
                    if place not in above and _goes_on(cell):
                        merge.set(W + "val", "restart")
                    merged.add(place)
                place += _span(cell)


def _width(row: Element) -> int:
    return _gap(row) + sum(_span(cell) for cell in row.findall(W + "tc"))


def _gap(row: Element) -> int:
    return _number(value(row, "trPr/gridBefore"))


def _span(cell: Element) -> int:
    return max(_number(value(cell, "tcPr/gridSpan")), 1)


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdigit() else 0


def _complete(row: Element, columns: int) -> None:
    cells = row.findall(W + "tc")
    for _ in range(_gap(row)):
        cells[0].addprevious(_empty())
    settings = child(row, "trPr")
    for name in ("gridBefore", "gridAfter"):
        found = child(settings, name)
        if settings is not None and found is not None:
            settings.remove(found)
    for _ in range(columns - _width(row)):
        row.append(_empty())


def _empty() -> Element:
    cell = element("tc")
    add(cell, "p")
    return cell


def _mend_merges(rows: list[Element]) -> None:
    """A new cell under a merged one that goes on below belongs to it."""
    for index in range(1, len(rows) - 1):
        for cell, above, below in zip(
            *(rows[place].findall(W + "tc") for place in (index, index - 1, index + 1)), strict=False
        ):
            if child(cell, "tcPr") is None and child(above, "tcPr/vMerge") is not None and _goes_on(below):
                add(add(cell, "tcPr"), "vMerge", val="continue")
                cell.insert(0, cell[-1])


def _goes_on(cell: Element) -> bool:
    merge = child(cell, "tcPr/vMerge")
    return merge is not None and (merge.get(W + "val") or "continue") == "continue"
