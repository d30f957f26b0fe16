"""A table as numbers: its cells read, the rows that sum, what its columns are called; and numbers written as it writes.

Knows heads and labels by the lists of words.toml. Does not know which numbers should add up (fabai.checks.arithmetic).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate

from fabai.checks.lists import fold_phrase, folded, lists
from fabai.checks.money import Amount, amount, comma_of
from fabai.checks.tables import Cell, Table
from fabai.report import Language


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table's numbers by row and column of its body, None where a cell holds none. totals: rows that sum."""

    table: Table
    numbers: tuple[tuple[Amount | None, ...], ...]
    totals: tuple[bool, ...]
    language: Language

    def cell(self, row: int, column: int) -> Cell:
        return self.table.body[row][column]

    def at(self, row: int, column: int) -> Amount | None:
        return self.numbers[row][column] if column < len(self.numbers[row]) else None


def sheet_of(table: Table, language: Language) -> Sheet:
    """The numbers of a table, read in the style of the whole table."""
    comma = comma_of([cell.plain for row in table.body for cell in row])
    numbers = tuple(tuple(amount(cell.plain, language, comma) for cell in row) for row in table.body)
    totals = tuple(_is_total(row, language) for row in table.body)
    return Sheet(table, numbers, totals, language)


def _is_total(row: Sequence[Cell], language: Language) -> bool:
    label = next((fold_phrase(cell.plain) for cell in row if re.search(r"[^\W\d_]", cell.plain)), "")
    return is_sum(label, language)


def is_sum(label: str, language: Language) -> bool:
    """Whether a folded label or head is that of a total."""
    words = folded(lists(language).total) | folded(lists("en").total)
    first = label.split(" ")[0] if label else ""
    return label in words or first in ("total", "totals", "totales", "subtotal", "sub-total", "suma", "sum")


def written_like(model: str, right: Amount, language: Language, sheet: Sheet | None = None) -> str:
    """A number in the manner of another: its decimals, its marks, its currency."""
    digits = re.search(r"\d[\d.,'’ \u00a0\u202f\u2009]*\d|\d|,\d+", model)
    pattern = digits[0] if digits is not None else ""
    places = max(right.places, len(tail[1]) if (tail := re.search(r"[.,](\d{1,2})$", pattern)) is not None else 0)
    body = f"{abs(right.value):,.{places}f}"
    comma = comma_of([cell.plain for row in sheet.table.body for cell in row]) if sheet is not None else None
    if comma is None:
        told = comma_of([pattern])
        comma = language != "en" if told is None else told
    grouped = re.search(r"\d([.,'’ \u00a0\u202f\u2009])\d{3}", pattern)
    group = grouped[1] if grouped is not None else "" if re.search(r"\d{4}", pattern) else "." if comma else ","
    body = body.replace(",", "\0").replace(".", "," if comma else ".").replace("\0", group)
    if right.value < 0:
        body = f"({body})" if model.strip("* ").startswith("(") else f"{'−' if '−' in model else '-'}{body}"
    if digits is None:
        return body
    behind = model[digits.end() :].strip("*) ")
    front = model[: digits.start()].strip("*(-−–+ ")
    return f"{front}{body}{f' {behind}' if behind else ''}".strip()


def heads(sheet: Sheet, column: int, rows: Sequence[int]) -> list[int]:
    """The rows without those that a row above them sums: of 70, 32, 38, 30, 18, 12 the 70 and the 30."""
    values = [one.value if (one := sheet.at(row, column)) is not None else Decimal(0) for row in rows]
    found, at = [], 0
    while at < len(rows):
        found.append(rows[at])
        sums = accumulate(values[at + 1 :])
        ends = [end for end, one in enumerate(sums, at + 1) if end > at + 1 and values[at] and one == values[at]]
        at = ends[-1] + 1 if ends else at + 1
    return found


def column_called(heads: Sequence[str], words: tuple[str, ...]) -> int | None:
    """The one column with such a head, None where there is none or more than one."""
    exact = [column for column, head in enumerate(heads) if head in folded(words)]
    found = exact or [column for column, head in enumerate(heads) if head and has_word(head, words)]
    return found[0] if len(found) == 1 else None


def is_unsummed(head: str, language: Language) -> bool:
    """'Precio' and 'Nota media' are not added up; 'Año 1' and 'Primer año' are columns of amounts."""
    bare = fold_phrase(head)
    words = lists(language)
    first = bare.split(" ")[0]
    named = first in folded(words.unsummed) and not any(map(str.isdigit, bare))
    return bare in folded(words.unsummed) or bare in folded(words.price) or named or "%" in bare


def has_word(head: str, words: tuple[str, ...]) -> bool:
    """Whether a head is, or holds, one of a list's entries."""
    bare = fold_phrase(head)
    tokens = set(re.findall(r"[\w%]+", bare))
    return any(
        word == bare or (" " not in word and word in tokens) or (" " in word and word in bare) for word in folded(words)
    )
