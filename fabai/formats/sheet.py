"""Spreadsheets and lists as rows of cells: .xlsx, .xlsm, .xls, .ods, .csv, .tsv.

Knows where each cell stands, what is hidden or merged, which cells are computed, encodings and separators. Runs no
macro, computes no formula and fetches nothing. Does not know what a column means, nor how people write dates and
amounts as text (fabai.dossier.written).
"""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from fabai.errors import UnreadableFile
from fabai.formats.encoding import decode
from fabai.formats.sheet_marks import Marks, marks_of
from fabai.formats.sheet_safety import SheetKind, sheet_kind
from fabai.ordinary import contents
from fabai.settings import ReadingLimits

Value = str | Decimal | datetime.date | bool | None

_LIMITS = ReadingLimits()
_SEPARATORS = ";,\t|"
_MIDNIGHT = datetime.time()
_DIGITS = 15
"""Figures of a number that Excel shows; what is stored behind them is the dust of binary fractions."""


class Cell(NamedTuple):
    """One cell. value: None where it is empty or its formula has no saved result; numbers are exact decimals, times
    of day and durations are hours. text: as a person reads it, "" where empty. formula: "=SUM(B2:B9)", "" for none.
    """

    ref: str
    value: Value
    text: str
    formula: str = ""

    @property
    def column(self) -> int:
        """From 0: the 2 of "C7"."""
        return column_number(self.ref)


class Row(NamedTuple):
    """number: as the spreadsheet counts, from 1. cells: from column A to the last that holds something."""

    number: int
    hidden: bool
    cells: tuple[Cell, ...]

    def cell(self, column: int) -> Cell:
        """The cell of a column counted from 0, an empty one beyond the last."""
        if column < len(self.cells):
            return self.cells[column]
        return Cell(f"{column_name(column)}{self.number}", None, "")


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet; rows that hold nothing are left out. merged: (first row, first column, last row, last column), rows
    from 1 and columns from 0. notices: sentences for the person.
    """

    name: str
    hidden: bool
    rows: tuple[Row, ...]
    merged: tuple[tuple[int, int, int, int], ...] = ()
    hidden_columns: frozenset[int] = frozenset()
    notices: tuple[str, ...] = field(default=())


def read_sheets(path: Path, limits: ReadingLimits = _LIMITS) -> tuple[Sheet, ...]:
    """Every sheet of a file, hidden ones too, in the file's order. UnreadableFile with one sentence otherwise."""
    path = Path(path)
    data = contents(path, limits.file_bytes, path.name)
    kind = sheet_kind(path, data, limits)
    if kind == "csv":
        return (_csv(path, data, limits),)
    return _workbook(path.name, data, kind, limits)


def column_name(column: int) -> str:
    """ "A" for 0, "AB" for 27."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def column_number(ref: str) -> int:
    """0 for "A" and "A7"."""
    number = 0
    for letter in ref:
        if not letter.isalpha():
            break
        number = number * 26 + ord(letter) - 64
    return number - 1


def _workbook(name: str, data: bytes, kind: SheetKind, limits: ReadingLimits) -> tuple[Sheet, ...]:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

    marks = marks_of(name, data, kind, limits)
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        found = []
        for meta in book.sheets_metadata:
            if meta.typ not in (SheetTypeEnum.WorkSheet, SheetTypeEnum.DialogSheet):
                continue
            sheet = book.get_sheet_by_name(meta.name)
            hidden = meta.visible != SheetVisibleEnum.Visible
            found.append(_sheet(name, meta.name, hidden, sheet, marks.get(meta.name, Marks()), limits))
    except PasswordError:
        raise UnreadableFile(
            f"{name} is protected by a password: open it in its program, remove the password and save it again"
        ) from None
    except (CalamineError, OSError, ValueError) as error:
        raise UnreadableFile(
            f"{name} is damaged or was cut off; get a whole copy, or open it in its program and save it again"
        ) from error
    if not any(sheet.rows for sheet in found):
        raise UnreadableFile(f"{name} holds no filled cells; is it the right file?")
    return tuple(found)


def _sheet(file: str, name: str, hidden: bool, sheet: Any, marks: Marks, limits: ReadingLimits) -> Sheet:
    if sheet.total_height * sheet.total_width > limits.cells:
        raise UnreadableFile(
            f"sheet '{name}' of {file} has {sheet.total_height * sheet.total_width:,} cells and at most "
            f"{limits.cells:,} are read; delete the empty ones around its table or split it"
        )
    # an empty sheet has no first cell
    top, left = sheet.start or (0, 0)
    lines = (list(line) for line in sheet.to_python(skip_empty_area=True))
    rows = _rows(lines, top + 1, left, marks.hidden_rows, marks.formulas)
    unsaved = [cell.ref for row in rows for cell in row.cells if cell.formula and cell.value is None]
    notices = list(marks.notices)
    if unsaved:
        notices.append(
            f"sheet '{name}' of {file} has {len(unsaved)} formulas without a saved result ({', '.join(unsaved[:4])}"
            f"{' …' if len(unsaved) > 4 else ''}): open it in its program and save it, so that the results are there"
        )
    merged = marks.merged or tuple((a + 1, b, c + 1, d) for (a, b), (c, d) in sheet.merged_cell_ranges or ())
    return Sheet(name, hidden, rows, tuple(merged), marks.hidden_columns, tuple(notices))


def _rows(
    lines: Iterable[list[Any]],
    first: int,
    left: int,
    hidden: frozenset[int] = frozenset(),
    formulas: Mapping[str, str] | None = None,
) -> tuple[Row, ...]:
    computed = formulas or {}
    names: list[str] = []
    rows: list[Row] = []
    beyond = _columns_by_row(computed)
    for number, line in enumerate(lines, start=first):
        while line and line[-1] in ("", None):
            line.pop()
        # the reader ends a row in front of a formula without a saved result
        last = beyond.pop(number, -1)
        line += [""] * (last + 1 - left - len(line))
        if not line:
            continue
        while len(names) < left + len(line):
            names.append(column_name(len(names)))
        cells = [Cell(f"{name}{number}", None, "") for name in names[:left]]
        for name, raw in zip(names[left:], line, strict=False):
            ref = f"{name}{number}"
            value, text = _value(raw)
            cells.append(Cell(ref, value, text, computed.get(ref, "")) if computed else Cell(ref, value, text))
        rows.append(Row(number, number in hidden, tuple(cells)))
    for number, last in beyond.items():
        cells = [Cell(f"{column_name(one)}{number}", None, "") for one in range(last + 1)]
        cells = [cell._replace(formula=computed.get(cell.ref, "")) for cell in cells]
        rows.append(Row(number, number in hidden, tuple(cells)))
    if beyond:
        rows.sort()
    return tuple(rows)


def _columns_by_row(formulas: Mapping[str, str]) -> dict[int, int]:
    """The last column with a formula, by row."""
    found: dict[int, int] = {}
    for ref in formulas:
        letters = ref.rstrip("0123456789")
        row = int(ref[len(letters) :])
        found[row] = max(found.get(row, -1), column_number(letters))
    return found


def _value(raw: Any) -> tuple[Value, str]:
    if isinstance(raw, str):
        text = raw.strip("\x00 \t\r\n\u00a0")
        return (text or None), text
    if isinstance(raw, bool):
        return raw, "true" if raw else "false"
    if isinstance(raw, int | float):
        value = Decimal(f"{raw:.{_DIGITS}g}")
        return (value, f"{value:f}") if value.is_finite() else (None, str(raw))
    if isinstance(raw, datetime.datetime):
        return raw.date(), raw.date().isoformat() if raw.time() == _MIDNIGHT else raw.isoformat(" ", "minutes")
    if isinstance(raw, datetime.date):
        return raw, raw.isoformat()
    if isinstance(raw, datetime.time):
        raw = datetime.timedelta(hours=raw.hour, minutes=raw.minute, seconds=raw.second)
    if isinstance(raw, datetime.timedelta):
        minutes = round(raw.total_seconds() / 60)
        return Decimal(minutes) / 60, f"{minutes // 60}:{minutes % 60:02}"
    return None, ""


def _csv(path: Path, data: bytes, limits: ReadingLimits) -> Sheet:
    text = decode(data)
    told = re.match(r"sep=(.)\r?\n", text)
    if told is not None:
        # Excel's own line; the lines keep their numbers
        text = text[told.start(1) + 1 :]
    separator = told[1] if told is not None else _separator(text)
    lines: list[list[str]] = []
    cells = 0
    try:
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            cells += len(line)
            if cells > limits.cells:
                raise UnreadableFile(f"{path.name} has more than {limits.cells:,} cells; split it")
            lines.append(line)
    except csv.Error:
        raise UnreadableFile(
            f"{path.name} has a cell too long for a list; is its quotation mark closed? Save it again as .csv"
        ) from None
    rows = _rows(lines, 1, 0)
    if not rows:
        raise UnreadableFile(f"{path.name} holds no filled cells; is it the right file?")
    notices = []
    if "\ufffd" in text:
        notices.append(f"some letters of {path.name} could not be read: save it as CSV UTF-8")
    return Sheet(path.stem, False, rows, notices=tuple(notices))


def _separator(text: str) -> str:
    """The mark that parts most lines into the same number of cells, two at least; ';' where none does."""
    sample = text[:65_536]
    if len(text) > len(sample):
        sample = sample[: sample.rfind("\n") + 1] or sample

    def worth(mark: str) -> tuple[float, int]:
        widths = [len(line) for line in _lines(sample, mark) if any(line)]
        (width, times) = Counter(widths).most_common(1)[0] if widths else (1, 0)
        return (times / len(widths) * min(width, 3), width) if width > 1 else (0.0, 1)

    return max(_SEPARATORS, key=worth)


def _lines(sample: str, mark: str) -> Iterator[Sequence[str]]:
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=mark)
    try:
        yield from reader
    except csv.Error:
        return
