"""A spreadsheet of a dossier read as a list: expenses, hours, people, indicators or attendance, row by row.

Knows which field each column gives and how its cells are written; rows keep file, sheet and row, and the sheet's own
totals are compared with the rows. Does not know the rules that rows must keep (fabai.dossier.rules), nor projects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

from fabai.dossier.columns import Columns, ListKind
from fabai.dossier.evidence import Attendance, Hours, Indicator, Person
from fabai.dossier.expense import Expense
from fabai.dossier.place import Place
from fabai.dossier.table import AMOUNTS, Known, Table, Total, find_tables
from fabai.dossier.written import (
    amount_of,
    bare,
    count_of,
    currency_of,
    date_of,
    hours_of,
    month_first,
    percent_of,
    shares,
)
from fabai.errors import UnreadableFile
from fabai.formats.sheet import Cell, Sheet, read_sheets

Entry = Expense | Hours | Person | Indicator | Attendance

_CLASSES: dict[ListKind, Callable[..., Entry]] = {
    "expenses": Expense,
    "hours": Hours,
    "people": Person,
    "indicators": Indicator,
    "attendance": Attendance,
}
_DATES = ("issued", "paid", "when", "start", "end")
_AMOUNTS = ("base", "vat", "total", "charged", "rate", "cost")
_PERCENTS = ("percent", "vat_rate", "dedication")
_COUNTS = ("quotes", "attendees", "women", "men")
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class SumCheck:
    """One total of the sheet against the rows. stated: the sheet's own. summed: what the rows give, the nearest
    reading (all rows above, those since the last total, shown rows only).
    """

    place: Place
    field: str
    stated: Decimal
    summed: Decimal

    @property
    def ok(self) -> bool:
        return abs(self.stated - self.summed) < _CENT


@dataclass(frozen=True, slots=True)
class Listing:
    """What a file holds as a list of one kind. sums: every total of the sheets. american: dates read month first."""

    kind: ListKind
    file: str
    sha256: str
    entries: tuple[Entry, ...]
    columns: tuple[Columns, ...]
    sums: tuple[SumCheck, ...] = ()
    notices: tuple[str, ...] = ()


def read_list(path: Path, kind: ListKind, known: Known | None = None, wish: Mapping[str, int] | None = None) -> Listing:
    """The list in a spreadsheet. UnreadableFile where no table of that kind is found, with the heads that were seen."""
    path = Path(path)
    sheets = read_sheets(path)
    digest = sha256(path.read_bytes()).hexdigest()
    shown = [sheet for sheet in sheets if not sheet.hidden]
    notices = [notice for sheet in sheets for notice in sheet.notices]
    left_out = [sheet.name for sheet in sheets if sheet.hidden and sheet.rows] if shown else []
    if left_out:
        names = ", ".join(f"'{name}'" for name in left_out[:4])
        notices.append(f"hidden sheets of {path.name} were not read: {names}; show them and import again if they count")
    entries: list[Entry] = []
    columns: list[Columns] = []
    sums: list[SumCheck] = []
    for sheet in shown or sheets:
        if not sheet.rows:
            continue
        tables, said = find_tables(sheet, kind, known, wish if not columns else None)
        if not any(table.lines for table in tables):
            continue
        notices += said
        kept = _without_summary(tables, columns)
        for table in kept:
            place = Place(path.name, digest, sheet.name)
            rows = _entries(kind, table, place, notices)
            entries += rows
            columns.append(replace(table.columns, sheet=sheet.name))
            sums += _sums(table, place)
        hidden = sum(line.row.hidden for table in kept for line in table.lines)
        if hidden:
            notices.append(f"{hidden} hidden rows of sheet '{sheet.name}' were read like the others")
    if not entries:
        raise UnreadableFile(_nothing(path.name, kind, shown or sheets))
    return Listing(kind, path.name, digest, tuple(entries), tuple(columns), tuple(sums), tuple(dict.fromkeys(notices)))


def _without_summary(tables: Sequence[Table], before: Sequence[Columns]) -> list[Table]:
    """Tables with lines; one that names far fewer columns than another of the file only sums it up."""
    most = max((len(one.fields) for one in (*before, *(table.columns for table in tables))), default=0)
    return [table for table in tables if table.lines and 2 * len(table.columns.fields) >= most]


def _nothing(name: str, kind: ListKind, sheets: Sequence[Sheet]) -> str:
    widest = max((row for sheet in sheets for row in sheet.rows[:60]), key=lambda row: len(row.cells), default=None)
    seen = "" if widest is None else ", ".join(bare(cell) for cell in widest.cells if cell.text)[:120]
    return (
        f"{name} holds no list of {kind} whose columns are known (seen: {seen}); name them with --columns, such as "
        "'creditor=B, total=H'"
    )


def _entries(kind: ListKind, table: Table, place: Place, notices: list[str]) -> list[Entry]:
    fields = table.columns.fields
    cells: dict[str, list[Cell]] = {
        field: [line.row.cell(column) for line in table.lines] for field, column in fields.items()
    }
    american = {field: month_first(cell.text for cell in cells[field]) for field in _DATES if field in cells}
    of_one = {field: shares(cells[field]) for field in _PERCENTS if field in cells}
    unread: dict[str, list[str]] = {}
    out: list[Entry] = []
    for index, line in enumerate(table.lines):
        values: dict[str, Any] = {}
        for field in fields:
            cell = cells[field][index]
            if cell.value is None or field == "order":
                continue
            value = _read(field, cell, american.get(field, False), of_one.get(field, False))
            if value is None:
                unread.setdefault(field, []).append(cell.ref)
            else:
                values[field] = value
                if kind == "expenses" and field in _AMOUNTS and isinstance(cell.value, str) and currency_of(cell.text):
                    values.setdefault("currency", currency_of(cell.text))
        if kind == "expenses" and not values.get("heading") and line.group:
            values["heading"] = line.group
        if kind == "attendance" and "place" in values:
            values["venue"] = values.pop("place")
        if kind == "attendance" and "attendees" not in fields:
            values["attendees"] = 1
        row = Place(place.file, place.sha256, place.sheet, line.row.number)
        out.append(_CLASSES[kind](place=row, **values))
    for field, refs in unread.items():
        some = f"{', '.join(refs[:4])}{' …' if len(refs) > 4 else ''}"
        what = "no date" if field in _DATES else "no number"
        notices.append(
            f"{len(refs)} cells of column '{field}' in sheet '{place.sheet}' hold {what} and were left empty ({some})"
        )
    return out


def _read(field: str, cell: Cell, american: bool, of_one: bool) -> Any:
    if field in _DATES:
        return date_of(cell, american)
    if field == "hours":
        return hours_of(cell)
    if field in _AMOUNTS:
        return amount_of(cell)
    if field in _PERCENTS:
        return percent_of(cell, of_one)
    if field in _COUNTS:
        return count_of(cell)
    return bare(cell)


def _sums(table: Table, place: Place) -> list[SumCheck]:
    """Each total against the rows above it: all of them, those since the last total, with and without hidden ones."""
    out = []
    amounts: dict[str, list[Decimal]] = {
        field: [amount_of(line.row.cell(column)) or Decimal(0) for line in table.lines]
        for field, column in table.columns.fields.items()
        if field in AMOUNTS
    }
    for position, total in enumerate(table.totals):
        for field, stated in total.values.items():
            if field not in amounts or total.after == 0:
                continue
            readings = _readings(table, total, position, amounts[field], field)
            nearest = min(readings, key=lambda value: abs(value - stated))
            cell = total.row.cell(table.columns.fields[field]).ref
            where = Place(place.file, place.sha256, place.sheet, total.row.number, cell)
            out.append(SumCheck(where, field, stated, nearest))
    return out


def _readings(table: Table, total: Total, position: int, values: Sequence[Decimal], field: str) -> list[Decimal]:
    shown = [Decimal(0) if line.row.hidden else value for line, value in zip(table.lines, values, strict=True)]
    readings = [sum(values[: total.after], Decimal(0)), sum(shown[: total.after], Decimal(0))]
    if total.after > total.since:
        readings += [
            sum(values[total.since : total.after], Decimal(0)),
            sum(shown[total.since : total.after], Decimal(0)),
        ]
    else:
        # a total right under another one adds up the subtotals
        before = [one.values[field] for one in table.totals[:position] if field in one.values]
        readings.append(sum(before, Decimal(0)))
    return readings
