"""The tables of a sheet: where a head stands, which rows are its lines, which are totals, titles or heads again.

Knows merged heads of several rows, tables under and beside each other, totals in the middle and hidden rows. Does not
know what a line means (fabai.dossier.listing).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from fabai.dossier.columns import Columns, ListKind, head_words, layout_of, propose
from fabai.dossier.written import amount_of, bare, date_of
from fabai.formats.sheet import Row, Sheet
from fabai.report import fold

_HEAD_ROWS = 3
"""Most rows of one head: a title over several columns, their names, their units."""
_TOTAL = re.compile(r"(?:importe |import |suma )?(?:sub ?)?total(?:s|es)?\b|sum(?:a|atori|atorio)?\b|grand total\b")
_INCOME = re.compile(r"\b(?:ingressos|ingresos|income|revenue|financament|financiacion|funding)\b")
AMOUNTS = ("base", "vat", "total", "charged", "hours", "cost", "attendees")
_NAMES_A_ROW = ("creditor", "nif", "number", "issued", "concept", "person", "name", "indicator", "activity")
_LEAST = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table. group: the title above it in the table, "" for none."""

    row: Row
    group: str = ""


@dataclass(frozen=True, slots=True)
class Total:
    """A row of sums. after: how many lines stand above it in the table; since: of these, how many above the last
    total.
    """

    row: Row
    values: Mapping[str, Decimal]
    since: int
    after: int


@dataclass(frozen=True, slots=True)
class Table:
    """One table. head: number of its last head row; left, right: columns, the last one excluded."""

    columns: Columns
    head: int
    left: int
    right: int
    lines: tuple[Line, ...] = ()
    totals: tuple[Total, ...] = ()


@dataclass(slots=True)
class _Open:
    """A table that is being read."""

    columns: Columns
    head: int
    left: int
    right: int
    top: int
    lines: list[Line] = field(default_factory=list)
    totals: list[Total] = field(default_factory=list)
    group: str = ""
    ended: bool = False

    def closed(self) -> Table:
        return Table(self.columns, self.head, self.left, self.right, tuple(self.lines), tuple(self.totals))


Known = Mapping[str, Mapping[str, int]]


def find_tables(
    sheet: Sheet, kind: ListKind, known: Known | None = None, wish: Mapping[str, int] | None = None
) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """The tables of that kind in a sheet, and sentences about what was not read. known: columns by layout, as persons
    confirmed them before. wish: the columns that a person names; they hold for the first table.
    """
    notices: list[str] = []
    current: list[_Open] = []
    found: list[_Open] = []
    heads = _heads(sheet, kind, known or {}, wish)
    titles = {number for tables in heads.values() for number in range(tables[0].top, tables[0].head)}
    last = 0
    for row in sheet.rows:
        if row.number in heads:
            new = heads[row.number]
            if not _again(current, new):
                current = new
                found += new
            last = row.number
            continue
        if row.number in titles:
            continue
        for table in current:
            _take(table, row, row.number - last > 1, sheet.name, notices)
        last = row.number
    return tuple(table.closed() for table in found), tuple(notices)


def _again(current: Sequence[_Open], new: Sequence[_Open]) -> bool:
    """Whether the head of the tables being read is only repeated, as at the top of each printed page."""
    return bool(current) and [one.columns for one in current] == [one.columns for one in new]


def _heads(sheet: Sheet, kind: ListKind, known: Known, wish: Mapping[str, int] | None) -> dict[int, list[_Open]]:
    """The head rows of a sheet and the tables that each begins."""
    if wish is not None:
        number, heads = _head_of_wish(sheet, wish)
        columns = Columns(kind, dict(wish), layout_of(heads))
        return {number: [_Open(columns, number, 0, len(heads) + 1, number)]}
    spread = _merged_texts(sheet)
    candidates: dict[int, list[_Open]] = {}
    for position, row in enumerate(sheet.rows):
        if not _may_be_head(row):
            continue
        tables = _best(sheet.rows, position, spread, kind, known)
        if tables:
            candidates[row.number] = tables
    # of rows that follow each other, the one that names most columns is the head; its titles above it are part of it
    for number in sorted(candidates):
        following = candidates.get(number + 1)
        if following is not None and number in candidates:
            more = sum(len(one.columns.fields) for one in following) > sum(
                len(one.columns.fields) for one in candidates[number]
            )
            del candidates[number if more else number + 1]
    return candidates


def _may_be_head(row: Row) -> bool:
    """Words in most cells, no amounts and no dates."""
    filled = [cell for cell in row.cells if cell.value is not None]
    words = [cell for cell in filled if isinstance(cell.value, str) and not re.fullmatch(r"[\d.,€%\s/-]+", cell.value)]
    return bool(filled) and len(words) >= 0.8 * len(filled)


def _best(
    rows: Sequence[Row], position: int, spread: Mapping[tuple[int, int], str], kind: ListKind, known: Known
) -> list[_Open]:
    best: list[_Open] = []
    for above in range(_HEAD_ROWS):
        start = position - above
        if start < 0 or (
            above and (not _may_be_head(rows[start]) or rows[start].number != rows[position].number - above)
        ):
            break
        heads = _joined(rows[start : position + 1], spread)
        tables = _side_by_side(rows[position].number, rows[start].number, heads, kind, known)
        if sum(len(one.columns.fields) for one in tables) > sum(len(one.columns.fields) for one in best):
            best = tables
    return best


def _joined(rows: Sequence[Row], spread: Mapping[tuple[int, int], str]) -> list[str]:
    """The heads of the columns: what stands in each row over a column, merged cells counted for all they cover."""
    width = max(len(row.cells) for row in rows)
    heads = []
    for column in range(width):
        parts: list[str] = []
        for row in rows:
            text = bare(row.cell(column)) or spread.get((row.number, column), "")
            if text and text not in parts:
                parts.append(text)
        heads.append(" ".join(parts))
    return heads


def _side_by_side(number: int, top: int, heads: Sequence[str], kind: ListKind, known: Known) -> list[_Open]:
    """One table, or several where empty columns part heads that each make a list."""
    parts = list(_parts(heads))
    several = [
        table for left, right in parts if (table := _table(number, top, heads, left, right, kind, known)) is not None
    ]
    if len(several) > 1:
        return several
    whole = _table(number, top, heads, 0, len(heads), kind, known)
    return [whole] if whole is not None else several


def _parts(heads: Sequence[str]) -> Iterator[tuple[int, int]]:
    start: int | None = None
    for column, head in enumerate([*heads, ""]):
        if head and start is None:
            start = column
        elif not head and start is not None:
            yield start, column
            start = None


def _table(
    number: int, top: int, heads: Sequence[str], left: int, right: int, kind: ListKind, known: Known
) -> _Open | None:
    own = ["" if not left <= column < right else head for column, head in enumerate(heads)]
    remembered = known.get(layout_of(own))
    if remembered is not None:
        columns = Columns(kind, dict(remembered), layout_of(own))
    else:
        proposed = propose(kind, own)
        if proposed is None or not _is_list(proposed):
            return None
        columns = proposed
    return _Open(columns, number, left, right, top)


def _is_list(columns: Columns) -> bool:
    """Whether the head tells what each row is about; 'Concept | Amount' alone is a budget or an income."""
    named = [one for one in _NAMES_A_ROW if one in columns.fields]
    least = _LEAST if columns.kind == "expenses" else 2
    return bool(named) and len(columns.fields) >= least


def _head_of_wish(sheet: Sheet, wish: Mapping[str, int]) -> tuple[int, list[str]]:
    """The last row in front of the first one with an amount or date in the columns that a person named."""
    last = sheet.rows[0]
    for row in sheet.rows:
        cells = [row.cell(column) for field, column in wish.items() if field in (*AMOUNTS, "issued", "paid")]
        if any(cell.value is not None and (amount_of(cell) is not None or date_of(cell)) for cell in cells):
            break
        last = row
    return last.number, [bare(cell) for cell in last.cells]


def _merged_texts(sheet: Sheet) -> dict[tuple[int, int], str]:
    """The text that a merged cell shows, at every other place that it covers in its first row and below."""
    rows = {row.number: row for row in sheet.rows}
    found: dict[tuple[int, int], str] = {}
    for top, left, bottom, right in sheet.merged:
        if top not in rows or (bottom - top) > _HEAD_ROWS or right - left > 60:
            continue
        text = bare(rows[top].cell(left))
        if text:
            for column in range(left, right + 1):
                for number in range(top, bottom + 1):
                    found[(number, column)] = text
    return found


def _take(table: _Open, row: Row, gap: bool, sheet: str, notices: list[str]) -> None:
    """Sort one row below a table's head."""
    if table.ended:
        return
    fields = table.columns.fields
    cells = {name: row.cell(column) for name, column in fields.items()}
    amounts = {name: value for name in AMOUNTS if name in cells and (value := amount_of(cells[name])) is not None}
    texts = [
        cell
        for cell in row.cells[table.left : table.right]
        if isinstance(cell.value, str) and re.search(r"\w", cell.text)
    ]
    filled = [name for name, cell in cells.items() if cell.value is not None]
    if not filled and not texts:
        return
    if _is_total(table, row, cells, texts, amounts):
        since = table.totals[-1].after if table.totals else 0
        if amounts:
            table.totals.append(Total(row, amounts, since, len(table.lines)))
        return
    dated = any(name in cells and date_of(cells[name]) is not None for name in ("issued", "paid", "when", "start"))
    if amounts or dated or len(filled) >= _LEAST:
        table.lines.append(Line(row, table.group))
        return
    words = " ".join(head_words(bare(cell)) for cell in texts)
    if (gap and table.lines and len(texts) > 1) or _INCOME.search(words):
        table.ended = True
        notices.append(
            f"sheet '{sheet}': what stands from row {row.number} on ('{bare(texts[0])[:40]}') is no list of "
            f"{table.columns.kind} and was not read"
        )
    elif len(filled) > 1 and any(name in filled for name in _NAMES_A_ROW):
        # a row whose amount is missing or cannot be read is not lost
        table.lines.append(Line(row, table.group))
    elif len(texts) == 1:
        table.group = bare(texts[0])


def _is_total(
    table: _Open, row: Row, cells: Mapping[str, object], texts: Sequence[object], amounts: Mapping[str, Decimal]
) -> bool:
    own = [
        name
        for name in ("nif", "issued", "paid", "number")
        if name in cells and row.cell(table.columns.fields[name]).text
    ]
    if texts and any(_TOTAL.match(fold(getattr(cell, "text", ""))) for cell in texts[:2]):
        # a supplier may be called Total
        return not own or (
            len(own) == 1 and _TOTAL.match(fold(row.cell(table.columns.fields[own[0]]).text)) is not None
        )
    # sums without a word: nothing but amounts, one of them computed
    filled = [cell for cell in row.cells[table.left : table.right] if cell.value is not None or cell.formula]
    numbers = [cell for cell in filled if isinstance(cell.value, Decimal) or cell.formula]
    return (
        bool(amounts or any(cell.formula for cell in filled))
        and len(numbers) == len(filled)
        and bool(table.lines)
        and any(re.match(r"=(?:SUM|SUBTOTAL)\(", cell.formula, re.IGNORECASE) for cell in filled)
    )
