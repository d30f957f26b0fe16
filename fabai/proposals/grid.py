"""Facts in a table, of a document or a spreadsheet: the row names them, the column says what they are.

Knows heads, columns of money, percentages and counts, and that a long list of rows is no ledger. Does not know files.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from fabai.facts import Reading, read_value
from fabai.facts.writing import write_amount, write_number, write_percent
from fabai.figures import currency_code
from fabai.ledger import Fact, FactKind
from fabai.proposals.candidate import Candidate
from fabai.proposals.wording import ProposalWords, proposal_words
from fabai.report import Language, fold

MOST_ROWS = 40
"""Rows of a table whose every row may be a fact; of a longer one only the totals are proposed."""

_CURRENCY = re.compile(r"€|\$|£|\b(?:EUR|USD|GBP|euros?)\b", re.IGNORECASE)
_NUMBER_OF = re.compile(r"^(?:n[º°.]*|núm\.?|number of|número de|nombre de)\s+(?:de\s+|d['’])?", re.IGNORECASE)
_WORDY = ("name", "acronym", "reference")


@dataclass(frozen=True, slots=True)
class GridCell:
    """value: None where the cell is text only. text: as it reads. where: its place ("B12"), "" where it has none."""

    text: str
    value: Decimal | datetime.date | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class _Column:
    head: str
    kind: FactKind
    currency: str


def of_grid(
    rows: Sequence[Sequence[GridCell]], heads: int | None, language: Language
) -> Iterator[tuple[Candidate, str]]:
    """Candidates and the place of the cell that each stands in. heads: rows of the head, None where nobody says."""
    rows = [row for row in rows if any(cell.text for cell in row)]
    if not rows:
        return
    heads = _heads(rows, language) if heads is None else heads
    body = rows[heads:]
    width = max(map(len, rows))
    head = [_head(rows[:heads], column) for column in range(width)]
    words = proposal_words(language)
    if heads == 0 and len(rows[0]) > 1 and width > 2:
        return
    label = _label(body, width, language)
    if label is None:
        return
    if len(body) > MOST_ROWS:
        body = [row for row in body if _is_total(_text(row, label), words)]
    columns = {
        number: _column(head[number], [row[number] for row in body if number < len(row)], words, language)
        for number in range(width)
        if number != label
    }
    telling = [number for number, one in columns.items() if one is not None and one.kind not in _WORDY]
    pairs = width == 2 or len(telling) == 1
    for row in body:
        named = _text(row, label)
        if not any(map(str.isalpha, named)):
            continue
        for number, column in columns.items():
            if column is None or number >= len(row) or not row[number].text:
                continue
            cell = row[number]
            written, kind = _written(cell, column, pairs, language)
            if written is None:
                continue
            name = named if pairs or not column.head else f"{named}, {column.head[0].lower()}{column.head[1:]}"
            fact = Fact(
                name,
                written,
                "?",
                kind,
                unit=column.currency if kind == "amount" and not _CURRENCY.search(written) else "",
            )
            yield Candidate(fact, " | ".join(one.text for one in row if one.text)[:300], table=True), cell.where


def _heads(rows: Sequence[Sequence[GridCell]], language: Language) -> int:
    """1 where the first row only names columns, else 0."""
    first = [cell for cell in rows[0] if cell.text]
    if len(rows) < 2 or len(first) < 2 or any(cell.value is not None for cell in first):
        return 0
    read = [read_value(cell.text, language) for cell in first]
    named = read[1].kind == "name" and " " in first[1].text and not _CURRENCY.search(first[1].text)
    if len(first) == 2 and (named or read[1].kind == "reference"):
        # "Entidad | Asociación Río Claro" is a name and its value
        return 0
    numbers = [one.number is not None for one in read]
    below = [cell for row in rows[1:4] for cell in row[1:] if cell.text]
    told = any(cell.value is not None or read_value(cell.text, language).number is not None for cell in below)
    return int(not any(numbers) and told)


def _head(heads: Sequence[Sequence[GridCell]], column: int) -> str:
    parts = [row[column].text for row in heads if column < len(row) and row[column].text]
    return " ".join(dict.fromkeys(parts))


def _label(body: Sequence[Sequence[GridCell]], width: int, language: Language) -> int | None:
    """The first column whose cells are words that differ from row to row; None where there is none."""
    for column in range(width):
        texts = [row[column].text for row in body if column < len(row) and row[column].text]
        wordy = [text for text in texts if any(map(str.isalpha, text)) and read_value(text, language).number is None]
        dates = [text for text in texts if read_value(text, language).kind == "date"]
        if len(wordy) - len(dates) > 0.6 * max(1, len(texts)) and len(set(texts)) > 0.6 * len(texts):
            return column
    return None


def _column(head: str, cells: Sequence[GridCell], words: ProposalWords, language: Language) -> _Column | None:
    """What a column holds; None where it is only words."""
    filled = [cell for cell in cells if cell.text and any(map(str.isalnum, cell.text))]
    readings = [_read(cell, language) for cell in filled]
    if not filled:
        return None
    mark = _CURRENCY.search(head)
    currencies = [one.unit for one in readings if one.kind == "amount"]
    numbers = sum(one.number is not None for one in readings)
    said = set(fold(head).split())
    if currencies or (mark is not None and numbers) or (said & set(words.money) and numbers and "%" not in head):
        code = currencies[0] if currencies else (currency_code(mark[0]) or "EUR") if mark is not None else "EUR"
        return _Column(head, "amount", code)
    if "%" in head or (numbers and all(one.kind == "percent" for one in readings)):
        return _Column(head, "percent", "")
    if numbers > 0.5 * len(filled):
        return _Column(head, "count", "")
    if sum(one.kind == "date" for one in readings) > 0.5 * len(filled):
        return _Column(head, "date", "")
    wordy = [one.kind for one in readings if one.kind in _WORDY]
    return _Column(head, "name", "") if len(wordy) > 0.5 * len(filled) else None


def _read(cell: GridCell, language: Language) -> Reading:
    if isinstance(cell.value, datetime.date):
        return read_value(cell.value.isoformat(), language)
    if cell.value is not None:
        return Reading("count", f"count {cell.value} ", cell.value)
    return read_value(cell.text, language)


def _written(cell: GridCell, column: _Column, pairs: bool, language: Language) -> tuple[str | None, FactKind]:
    """The value as a ledger has it; None where the cell is no fact of its column's kind."""
    reading = _read(cell, language)
    if isinstance(cell.value, datetime.date):
        return cell.value.isoformat(), "date"
    if cell.value is not None:
        return _number(cell.value, column, language)
    if reading.number is None:
        ours = reading.kind in (*_WORDY, "date") and (pairs or reading.kind == column.kind == "date")
        return (cell.text if ours else None), reading.kind
    if reading.kind == "count" and not reading.noun and column.kind in ("amount", "percent"):
        if column.kind == "amount":
            sign = column.currency if language == "en" or column.currency != "EUR" else "€"
            return (f"-{cell.text.strip('()-−– ')} {sign}" if reading.number < 0 else f"{cell.text} {sign}"), "amount"
        return f"{cell.text} %", "percent"
    if reading.kind == "count" and not reading.noun and column.kind == "count":
        return _counted(cell.text, column.head), "count"
    return cell.text, reading.kind


def _number(number: Decimal, column: _Column, language: Language) -> tuple[str, FactKind]:
    exponent = number.as_tuple().exponent
    decimals = min(4, max(0, -exponent)) if isinstance(exponent, int) else 0
    if column.kind == "amount":
        return write_amount(number, column.currency, 0 if decimals == 0 else 2, language), "amount"
    if column.kind == "percent":
        # a spreadsheet keeps 92,5 % as 0.925
        share = number * 100 if abs(number) <= 1 and "%" in column.head else number
        return write_percent(share, max(0, decimals - 2) if share != number else decimals, language), "percent"
    return _counted(write_number(number, decimals, language), column.head), "count"


def _counted(written: str, head: str) -> str:
    """ "126 participantes" where the head names what is counted in a word or two."""
    noun = re.sub(
        r"^(?:n[º°.]*|núm\.?|number of|número de|nombre de)\s+(?:de\s+|d['’])?", "", head, flags=re.IGNORECASE
    )
    plain = len(noun.split()) <= 2 and noun.replace(" ", "").isalpha() and noun.lower().rstrip().endswith("s")
    return f"{written} {noun.lower()}" if plain else written


def _is_total(text: str, words: ProposalWords) -> bool:
    return bool(set(fold(text).split()) & set(words.total))


def _text(row: Sequence[GridCell], column: int) -> str:
    return " ".join(row[column].text.split()) if column < len(row) else ""
