"""What a form demands beside text: tables with columns and sums, pages, files, annexes, deadlines, values of a year.

Knows the records and the arithmetic of deadlines. Does not know sections, reports or how a demand is checked.
"""

from __future__ import annotations

import datetime
import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fabai.errors import BadSetting
from fabai.holidays import works

_PATTERN_NAMES = ("form", "title", "organisation", "call", "project", "date", "language", "page", "pages")
_HOLE = re.compile(r"\{([^{}]*)\}")

Kind = Literal["text", "amount", "date", "count", "percent"]
Filling = Literal[
    "expenses",
    "budget",
    "deviations",
    "hours",
    "people",
    "researchers",
    "support",
    "workpackages",
    "deliverables",
    "milestones",
    "risks",
    "indicators",
    "publications",
    "income",
    "ledger",
]
Start = Literal["end", "notification", "payment", "award", "fixed"]
PAGE_SIZES: dict[str, tuple[float, float]] = {"A4": (21.0, 29.7), "letter": (21.59, 27.94)}
"""Width and height in centimetres."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a required table; total: its last row adds the column up."""

    heading: dict[str, str]
    kind: Kind = "text"
    total: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table that a section must hold. filled: what of the project fills it; rows: fewest rows under the heading."""

    columns: tuple[Column, ...]
    title: dict[str, str] | None = None
    filled: Filling | None = None
    rows: int = 1
    required: bool = True

    def __post_init__(self) -> None:
        if not self.columns:
            raise BadSetting("a required table needs columns")
        if not 0 <= self.rows <= 10_000:
            raise BadSetting(f"a table asks for {self.rows} rows; take 0 to 10,000")
        if any(column.total and column.kind == "text" for column in self.columns):
            raise BadSetting("a column of text cannot be added up: give it a kind (amount, count or percent)")

    def described(self) -> dict[str, str]:
        """In one line per language: 'Title: first column; second column'."""
        out: dict[str, str] = {}
        for language in dict.fromkeys(one for column in self.columns for one in column.heading):
            names = "; ".join(column.heading.get(language, "") for column in self.columns)
            title = (self.title or {}).get(language, "")
            out[language] = f"{title}: {names}" if title else names
        return out


@dataclass(frozen=True, slots=True)
class Page:
    """The paper and its frame. Lengths in cm, the least allowed; spacing in lines (1.0 is single).

    header, footer: what must stand there per language; '{page}' and '{pages}' are fields, other '{…}' any words.
    """

    size: Literal["A4", "letter"] | None = None
    top: float | None = None
    right: float | None = None
    bottom: float | None = None
    left: float | None = None
    spacing: float | None = None
    header: dict[str, str] | None = None
    footer: dict[str, str] | None = None
    source: str | None = None

    def __post_init__(self) -> None:
        for name in ("top", "right", "bottom", "left"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 10:
                raise BadSetting(f"the {name} margin is {value:g} cm; it must lie between 0 and 10")
        if self.spacing is not None and not 0.5 <= self.spacing <= 4:
            raise BadSetting(f"the line spacing is {self.spacing:g}; it must lie between 0.5 and 4 lines")
        for text in (*(self.header or {}).values(), *(self.footer or {}).values()):
            check_pattern(text)


@dataclass(frozen=True, slots=True)
class File:
    """The file to hand in. types: endings without dot; megabytes: the most; name: a pattern such as
    '{project}_memoria'.
    """

    types: tuple[str, ...] = ("pdf",)
    megabytes: float | None = None
    name: str | None = None
    source: str | None = None

    def __post_init__(self) -> None:
        if self.megabytes is not None and self.megabytes <= 0:
            raise BadSetting(f"a file of at most {self.megabytes:g} MB cannot be handed in: give a size above 0")
        if self.name is not None:
            check_pattern(self.name)


@dataclass(frozen=True, slots=True)
class Annex:
    """A document that goes with the report; id names it, megabytes is its own limit."""

    id: str
    name: dict[str, str]
    required: bool = True
    megabytes: float | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the report is due: so many months or days after an event, at the latest on a date.

    starts: the event ('fixed': the date `latest` alone). working: the days are working days. extendable None: the form
    does not say.
    """

    starts: Start
    source: str
    date: str
    months: int | None = None
    days: int | None = None
    working: bool = False
    latest: str | None = None
    extendable: bool | None = None

    def __post_init__(self) -> None:
        if self.starts == "fixed":
            if self.latest is None or self.months is not None or self.days is not None:
                raise BadSetting("a fixed deadline has the date `latest` and neither months nor days")
        elif (self.months is None) == (self.days is None):
            raise BadSetting("a deadline needs months or days, one of them")
        for number in (self.months, self.days):
            if number is not None and not 0 < number <= 1000:
                raise BadSetting(f"a deadline of {number} months or days; take 1 to 1000")
        for text in (self.date, self.latest):
            if text is not None:
                day(text)


@dataclass(frozen=True, slots=True)
class Value:
    """A number of the funder's that changes with the year of the call: 'deviation' is '10 %' in 2022."""

    id: str
    value: str
    years: tuple[int, ...]
    source: str
    date: str


def day(text: str) -> datetime.date:
    """A date written as 2026-03-31; BadSetting where it is none."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise BadSetting(f"'{text}' is no date: write it as 2026-03-31") from None


def due(
    deadline: Deadline, start: datetime.date | None, working: Callable[[datetime.date], bool] = works
) -> datetime.date | None:
    """The last day, None where the event's date is not known. Months run from date to date, and end with a shorter
    month (Ley 39/2015, art. 30.4). working: which days count where the term is of working days; without it only
    weekends are left out.
    """
    capped = None if deadline.latest is None else day(deadline.latest)
    if deadline.starts == "fixed" or start is None:
        return capped if deadline.starts == "fixed" else None
    if deadline.months is not None:
        found = _months_later(start, deadline.months)
    elif deadline.working:
        found = _working_days_later(start, deadline.days or 0, working)
    else:
        found = start + datetime.timedelta(days=deadline.days or 0)
    return found if capped is None else min(found, capped)


def _months_later(start: datetime.date, months: int) -> datetime.date:
    years, month = divmod(start.month - 1 + months, 12)
    year = start.year + years
    return datetime.date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def _working_days_later(start: datetime.date, days: int, working: Callable[[datetime.date], bool]) -> datetime.date:
    found = start
    while days > 0:
        found += datetime.timedelta(days=1)
        days -= working(found)
    return found


def check_pattern(text: str) -> None:
    """BadSetting where a pattern has a hole that nothing fills."""
    for name in _HOLE.findall(text):
        if name not in _PATTERN_NAMES:
            raise BadSetting(f"'{{{name}}}' in '{text}' is filled by nothing; known: {', '.join(_PATTERN_NAMES)}")


def values_of(values: tuple[Value, ...], year: int | None) -> dict[str, Value]:
    """The value of each id that holds in a year; the newest where the year is not known."""
    found: dict[str, Value] = {}
    for one in sorted(values, key=lambda one: max(one.years)):
        if year is None or year in one.years:
            found[one.id] = one
    return found
