"""Dates, amounts, percentages and hours as people write them into the cells of a list.

Knows that one column is written in one way: whether its dates put the month first, and whether its shares stand between
0 and 1, is decided by the whole column. Does not know which column holds what (fabai.dossier.columns).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from fabai.errors import BadSetting
from fabai.figures import decimal, figures
from fabai.formats.sheet import Cell
from fabai.report import LANGUAGES

_EPOCH = datetime.date(1899, 12, 30)
"""Day 0 of Excel's numbers of days."""
_SERIALS = range(20_000, 80_000)
"""From 1954 to 2119: a number in a column of dates that lost its format."""

LARGEST = Decimal(10) ** 12
"""No amount of a grant is larger; what is comes of a broken cell."""

_DMY = re.compile(r"(\d{1,2})\s*[/.\-]\s*(\d{1,2})\s*[/.\-]\s*(\d{4}|\d{2})(?!\d)")
_YMD = re.compile(r"(\d{4})\s*[/.\-]\s*(\d{1,2})\s*[/.\-]\s*(\d{1,2})(?!\d)")
_MONTH = re.compile(r"(\d{1,2})\s*[/.\-]\s*(\d{4})|(\d{4})\s*[/.\-]\s*(\d{1,2})")
_NUMBER = re.compile(r"\d[\d.,'’\s\u00a0\u202f]*")
_CURRENCIES = (("€", "EUR"), ("eur", "EUR"), ("$", "USD"), ("usd", "USD"), ("£", "GBP"), ("gbp", "GBP"), ("chf", "CHF"))
_HOURS = re.compile(r"(\d{1,5})\s*[:h]\s*(\d{2})(?:\s*[:m'].*)?$", re.IGNORECASE)


def month_first(texts: Iterable[str]) -> bool:
    """Whether the dates of a column are written month/day/year: one has a second number above 12, none a first."""
    pairs = [(int(match[1]), int(match[2])) for text in texts if (match := _DMY.match(text.strip()))]
    return any(second > 12 for _, second in pairs) and not any(first > 12 for first, _ in pairs)


def date_of(cell: Cell, american: bool = False) -> datetime.date | None:
    """The date in a cell, None where it holds none. american: the month stands first."""
    value = cell.value
    if isinstance(value, datetime.date):
        return value
    if isinstance(value, Decimal):
        whole = int(value)
        return _EPOCH + datetime.timedelta(days=whole) if whole in _SERIALS else None
    return _date(value.strip(), american) if isinstance(value, str) else None


@lru_cache(maxsize=20_000)
def _date(text: str, american: bool) -> datetime.date | None:
    if match := _YMD.match(text):
        return _day(int(match[1]), int(match[2]), int(match[3]))
    if match := _DMY.match(text):
        first, second, year = int(match[1]), int(match[2]), int(match[3])
        day, month = (second, first) if american else (first, second)
        return _day(year if year > 99 else 2000 + year, month, day)
    if match := _MONTH.fullmatch(text):
        # a month alone, of an hours sheet say, is its first day
        return _day(int(match[2] or match[3]), int(match[1] or match[4]), 1)
    # a whole date in one language before a month in another: "3 d'abril de 2025" is "abril de 2025" in Spanish
    for pattern in (r"\d{4}-\d\d-\d\d", r"\d{4}-\d\d"):
        for language in LANGUAGES:
            for figure in figures(text, language):
                if figure.kind == "date" and re.fullmatch(pattern, figure.value):
                    return _day(*map(int, (*figure.value.split("-"), "1")[:3]))
    return None


def _day(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def typed_date(text: str) -> datetime.date:
    """A date as a person types it; BadSetting where it is none."""
    found = date_of(Cell("A1", text, text))
    if found is None:
        raise BadSetting(f"'{text[:40]}' is no date: write it as 2026-03-31 or 31/03/2026")
    return found


def typed_amount(text: str) -> Decimal:
    """An amount as a person types it; BadSetting where it is none, or below 0."""
    found = amount_of(Cell("A1", text, text))
    if found is None or found < 0:
        raise BadSetting(f"'{text[:40]}' is no amount: write it like 1.200,00")
    return found


def amount_of(cell: Cell) -> Decimal | None:
    """The amount in a cell, None where it holds none: '1.234,50 €', '(12,00)', '-3', '1 200'."""
    value = cell.value
    found = _amount(value) if isinstance(value, str) else value if isinstance(value, Decimal) else None
    return found if found is not None and abs(found) < LARGEST else None


@lru_cache(maxsize=50_000)
def _amount(text: str) -> Decimal | None:
    bare = text.replace("\u2212", "-").strip()
    found = _NUMBER.search(bare)
    if found is None or _letters(bare):
        return None
    written = re.sub(r"[\s\u00a0\u202f]", "", found[0]).rstrip(".,'’")
    try:
        number = decimal(re.sub(r"[’](?=\d\d?$)", ",", written.replace("'", "’")), "es", money=True)
    except InvalidOperation:
        return None
    before = bare[: found.start()]
    negative = "-" in before or bare.endswith("-") or (bare.startswith("(") and bare.endswith(")"))
    return -number if negative else number


def _letters(text: str) -> bool:
    """Whether words stand in the text that are no currency."""
    plain = text.lower()
    for written in ("euros", "euro", *(name for name, _ in _CURRENCIES)):
        plain = plain.replace(written, "")
    return re.search(r"[^\W\d_]", plain) is not None


def currency_of(text: str) -> str:
    """The currency that a cell or a heading names (ISO 4217), "" where it names none."""
    plain = text.lower()
    return next((code for name, code in _CURRENCIES if re.search(rf"(?<![a-z]){re.escape(name)}", plain)), "")


def shares(cells: Iterable[Cell]) -> bool:
    """Whether a column of percentages is written as shares of 1: 0.21 for 21 %."""
    values = [abs(cell.value) for cell in cells if isinstance(cell.value, Decimal)]
    return bool(values) and max(values) <= 1 and any(values)


def percent_of(cell: Cell, of_one: bool = False) -> Decimal | None:
    """The percentage in a cell, 0-100; of_one: the column's numbers are shares of 1."""
    if isinstance(cell.value, str):
        return _amount(cell.value.replace("%", "").replace("per cent", "").replace("por ciento", ""))
    found = amount_of(cell)
    return found * 100 if found is not None and of_one else found


def hours_of(cell: Cell) -> Decimal | None:
    """Hours: 7.5, '7,5 h', '7:30'."""
    if isinstance(cell.value, str) and (match := _HOURS.match(cell.value.strip())):
        return Decimal(int(match[1])) + Decimal(int(match[2])) / 60
    if isinstance(cell.value, str):
        return _amount(re.sub(r"\s*h(?:\.|ores|oras|ours|rs)?\s*$", "", cell.value.strip(), flags=re.IGNORECASE))
    return amount_of(cell)


def count_of(cell: Cell) -> int | None:
    """A whole number; of '3 ofertas' the number in front."""
    if isinstance(cell.value, bool):
        return None
    if isinstance(cell.value, str):
        found = re.match(r"\s*(\d{1,9})\b", cell.value)
        return int(found[1]) if found is not None else None
    value = amount_of(cell)
    return int(value) if value is not None and value == int(value) else None


def bare(cell: Cell) -> str:
    """The cell's words on one line."""
    return " ".join(cell.text.split())
