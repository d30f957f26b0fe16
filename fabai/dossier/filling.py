"""The expenses of a project written into the funder's own sheet.

Knows which of its columns takes which field, where its empty rows are and where its total stands. Does not know how a
spreadsheet is changed (fabai.formats.sheet_fill).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fabai.dossier.expense import Expense
from fabai.dossier.table import Table, find_tables
from fabai.errors import BadSetting, ExportError
from fabai.formats.sheet import Sheet, read_sheets
from fabai.formats.sheet_fill import Value, fill_rows
from fabai.ordinary import contents
from fabai.settings import ReadingLimits

_LIMITS = ReadingLimits()


@dataclass(frozen=True, slots=True)
class Filled:
    """sheet, first: where the rows stand. empty: columns of the sheet that no expense fills."""

    sheet: str
    first: int
    rows: int
    notices: tuple[str, ...] = ()


def fill(template: Path, output: Path, expenses: Sequence[Expense]) -> Filled:
    """Write every expense into a copy of the funder's .xlsx. ExportError or UnreadableFile with one sentence."""
    if not expenses:
        raise BadSetting("there are no expenses to fill in: fabai import PROJECT FILE --as expenses")
    if output.exists() and output.samefile(template):
        raise ExportError(f"{output} is the funder's own sheet: give another name, so that it stays as it was sent")
    found = [
        (sheet, table)
        for sheet in read_sheets(template)
        if not sheet.hidden and sheet.rows
        for table in find_tables(sheet, "expenses")[0]
    ]
    if not found:
        raise ExportError(f"{template.name} has no table whose columns are known as a list of expenses")
    sheet, table = max(found, key=lambda pair: len(pair[1].columns.fields))
    if table.lines:
        raise ExportError(f"{template.name} is filled already in sheet '{sheet.name}': take the funder's empty one")
    first = table.head + 1
    data, notices = fill_rows(
        contents(template, _LIMITS.file_bytes, template.name),
        sheet.name,
        first,
        _room(sheet, table),
        [_values(expense, table, number) for number, expense in enumerate(expenses, start=1)],
        template.name,
    )
    output.write_bytes(data)
    left_out = [name for name in ("charged", "total", "base") if name in table.columns.fields]
    if not left_out:
        notices = (*notices, f"{template.name} has no column for amounts")
    return Filled(sheet.name, first, len(expenses), notices)


def _room(sheet: Sheet, table: Table) -> int:
    """Empty rows between the head and what stands below it: a total, a signature."""
    columns = table.columns.fields.values()
    for row in sheet.rows:
        if row.number <= table.head:
            continue
        computed = [cell for cell in row.cells if cell.formula]
        own = [cell for cell in row.cells if cell.value is not None and not cell.formula]
        sums = any(re.match(r"=(?:SUM|SUBTOTAL)\(", cell.formula, re.IGNORECASE) for cell in computed)
        # a running number in front of an empty row is no content
        filled = [cell for cell in own if cell.column in columns or not re.fullmatch(r"\d+\.?", cell.text)]
        if sums or filled:
            return row.number - table.head - 1
    return 10**6


def _values(expense: Expense, table: Table, number: int) -> dict[int, Value]:
    fields = table.columns.fields
    out: dict[int, Value] = {}
    for name, column in fields.items():
        value = number if name == "order" else expense.amount if name == "charged" else getattr(expense, name)
        if name == "total" and value is None:
            value = expense.cost
        if value not in ("", None):
            out[column] = value
    return out
