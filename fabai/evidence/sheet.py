"""A table as a spreadsheet that does nothing: every cell is text, whatever it begins with.

Knows .xlsx. Does not know what the rows say.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TITLE = re.compile(r"[\[\]:*?/\\']")
_LONGEST = 32_767
"""Characters of a cell in Excel."""
_WIDTHS = (9, 34)
"""The narrowest and the widest column, in letters."""
_LINE = 15
"""Points that a line of text takes."""


def workbook(rows: Sequence[Sequence[str]], title: str, marked: Sequence[int] = ()) -> bytes:
    """The .xlsx. The first row is the head. marked: numbers of rows, from 0 without the head, that stand out.

    No cell is a formula and none is read as one: cells are typed as text, and one that begins with =, +, -, @, a tab or
    a line end has Excel's mark for text in front, which also holds where it is saved as .csv and opened again.
    """
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = _TITLE.sub(" ", title)[:31].strip() or "1"
    heads, marks = Font(name="Calibri", bold=True), PatternFill("solid", start_color="FFF2CC")
    for number, row in enumerate(rows, start=1):
        for column, text in enumerate(row, start=1):
            cell = sheet.cell(number, column)
            cell.value = inert(text)
            cell.data_type = "s"
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if number == 1:
                cell.font = heads
            elif number - 2 in marked:
                cell.fill = marks
    widths = [min(max(max(len(row[one]) for row in rows) + 2, _WIDTHS[0]), _WIDTHS[1]) for one in range(len(rows[0]))]
    for column, width in enumerate(widths, start=1):
        sheet.column_dimensions[get_column_letter(column)].width = width
    for number, row in enumerate(rows, start=1):
        lines = max(_lines(text, width - 1) for text, width in zip(row, widths, strict=True))
        sheet.row_dimensions[number].height = lines * _LINE
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(rows[0]))}{len(rows)}"
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", "8"  # A3
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.print_title_rows = "1:1"
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _lines(text: str, width: int) -> int:
    """Lines that a text takes in a column, word by word as a spreadsheet breaks them."""
    lines, left = 1, width
    for word in text.split():
        if len(word) > left:
            lines += 1 + (len(word) - 1) // width if left < width else (len(word) - 1) // width
            left = width - (len(word) - 1) % width - 1
        else:
            left -= len(word)
        left -= 1
    return lines


def inert(text: str) -> str:
    """The text of a cell that no spreadsheet takes for a formula. A figure keeps its sign: "-35,20 €" is no formula."""
    plain = _FORBIDDEN.sub("\ufffd", text)[:_LONGEST]
    dangerous = plain[:1] in ("=", "@", "\t", "\r", "\n") or (
        plain[:1] in ("+", "-") and not re.fullmatch(r"[+-][\d.,  ]+(?:[€$£%]| ?[A-Za-z]{1,12})?", plain)
    )
    return f"'{plain}"[:_LONGEST] if dangerous else plain
