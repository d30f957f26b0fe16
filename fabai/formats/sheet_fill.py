"""Rows written into somebody else's .xlsx: its formulas, styles and other sheets stay.

Knows how room is made in front of a total so that every formula still means the same cells. Does not compute formulas:
the program that opens the file does, and is told to. Does not know what the rows are.
"""

from __future__ import annotations

import copy
import datetime
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from fabai.errors import ExportError
from fabai.formats.sheet import column_name

Value = str | Decimal | datetime.date | int | None

_REFERENCE = re.compile(r"(\$?[A-Z]{1,3})?(\$?)(\d+)")
_LOST = (
    ("xl/charts/", "charts"),
    ("xl/pivotTables/", "pivot tables"),
    ("xl/ctrlProps/", "form controls"),
    ("xl/vbaProject.bin", "macros"),
    ("xl/slicers/", "slicers"),
)


def fill_rows(
    data: bytes, sheet: str, first: int, room: int, rows: Sequence[Mapping[int, Value]], name: str = "the sheet"
) -> tuple[bytes, tuple[str, ...]]:
    """The .xlsx with `rows` (column from 0 -> value) written from row `first` on, and sentences about what is lost.

    room: empty rows that wait there; what does not fit is made room for in front of the last of them, and formulas of
    the whole file follow. A cell with a formula is never written over; new rows get the formulas of the row above.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.namelist()
        book = load_workbook(io.BytesIO(data), rich_text=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise ExportError(f"{name} cannot be filled: open it in Excel or LibreOffice and save it as .xlsx") from error
    lost = [what for part, what in _LOST if any(one.startswith(part) for one in parts)]
    notices = (
        (f"the filled file lacks the {' and '.join(lost)} of {name}; copy the rows by hand where they matter",)
        if lost
        else ()
    )
    page = book[sheet]
    more = len(rows) - room
    if more > 0:
        _make_room(book, page, first + max(room, 1) - 1, more, first)
    for offset, values in enumerate(rows):
        for column, value in values.items():
            cell = page.cell(first + offset, column + 1)
            if value is None or (isinstance(cell.value, str) and cell.value.startswith("=")):
                continue
            # a text that begins with '=' would become a formula: whoever wrote the invoice's concept must not compute
            if isinstance(value, str) and value[:1] in "=+-@" and not re.fullmatch(r"[-+]?[\d.,]+", value):
                cell.value = value
                cell.data_type = "s"
                cell.quotePrefix = True
            else:
                cell.value = value
            if isinstance(value, datetime.date) and cell.number_format == "General":
                cell.number_format = "dd/mm/yyyy"
            elif isinstance(value, Decimal) and cell.number_format == "General":
                cell.number_format = "#,##0.00"
    book.calculation.fullCalcOnLoad = True
    out = io.BytesIO()
    book.save(out)
    return out.getvalue(), notices


def new_sheet(title: str, rows: Sequence[Sequence[str]]) -> bytes:
    """A new .xlsx with one sheet of texts; the first row is its head."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    page = book.active
    page.title = re.sub(r"[\\/*?:\[\]]", " ", title)[:31].strip() or "1"
    for number, row in enumerate(rows, start=1):
        for column, text in enumerate(row, start=1):
            cell = page.cell(number, column)
            cell.value, cell.data_type = text, "s"
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if number == 1:
                cell.font = Font(bold=True)
    for column in range(1, len(rows[0]) + 1):
        longest = max(len(row[column - 1]) for row in rows)
        page.column_dimensions[column_name(column - 1)].width = min(max(10, longest + 2), 60)
    page.freeze_panes = "A2"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _make_room(book: Any, page: Any, at: int, count: int, model: int) -> None:
    """Insert rows at row `at`: cells below move, formulas of all sheets follow, the new rows look like row `model`."""
    from openpyxl.formula.translate import Translator

    for other in book.worksheets:
        for row in other.iter_rows():
            for cell in row:
                if isinstance(cell.value, str) and cell.value.startswith("="):
                    cell.value = shifted(cell.value, page.title, other.title == page.title, at, count)
    for defined in (*book.defined_names.values(), *page.defined_names.values()):
        if defined.attr_text:
            defined.attr_text = shifted(f"={defined.attr_text}", page.title, False, at, count)[1:]
    merged = [(one.min_row, one.min_col, one.max_row, one.max_col) for one in page.merged_cells.ranges]
    for top, left, bottom, right in merged:
        if bottom >= at:
            page.unmerge_cells(start_row=top, start_column=left, end_row=bottom, end_column=right)
    heights = {number: page.row_dimensions[number].height for number in range(at, page.max_row + 1)}
    page.insert_rows(at, count)
    for top, left, bottom, right in merged:
        if bottom >= at:
            new_top = top + count if top >= at else top
            page.merge_cells(start_row=new_top, start_column=left, end_row=bottom + count, end_column=right)
    for number, height in heights.items():
        page.row_dimensions[number + count].height = height
    for number in range(at, at + count):
        page.row_dimensions[number].height = page.row_dimensions[model].height
        for column in range(1, page.max_column + 1):
            source, target = page.cell(model, column), page.cell(number, column)
            if source.has_style:
                target._style = copy.copy(source._style)
            if isinstance(source.value, str) and source.value.startswith("="):
                target.value = Translator(source.value, source.coordinate).translate_formula(target.coordinate)
    for ranges in (page.conditional_formatting, page.data_validations.dataValidation):
        for one in ranges:
            _extend(one, at, count)


def _extend(rule: Any, at: int, count: int) -> None:
    """A rule's ranges that reach to the new rows hold for them too."""
    from openpyxl.worksheet.cell_range import MultiCellRange

    parts = []
    for one in rule.sqref.ranges:
        top = one.min_row + count if one.min_row > at else one.min_row
        bottom = one.max_row + count if one.max_row >= at else one.max_row
        parts.append(f"{column_name(one.min_col - 1)}{top}:{column_name(one.max_col - 1)}{bottom}")
    rule.sqref = MultiCellRange(" ".join(parts))


def shifted(formula: str, sheet: str, own: bool, at: int, count: int) -> str:
    """A formula after `count` rows were put in at row `at` of a sheet; own: the formula stands in that sheet."""
    from openpyxl.formula import Tokenizer
    from openpyxl.formula.tokenizer import Token

    tokens = Tokenizer(formula)
    for token in tokens.items:
        if token.type != Token.OPERAND or token.subtype != Token.RANGE:
            continue
        where, mark, cells = token.value.rpartition("!")
        named = where.strip("'").replace("''", "'")
        if (mark and named.lower() == sheet.lower()) or (not mark and own):
            moved = ":".join(_moved(part, at, count) for part in cells.split(":"))
            token.value = f"{where}{mark}{moved}"
    return "=" + "".join(token.value for token in tokens.items)


def _moved(part: str, at: int, count: int) -> str:
    match = _REFERENCE.fullmatch(part)
    if match is None:
        return part
    row = int(match[3])
    return f"{match[1] or ''}{match[2]}{row + count if row >= at else row}"
