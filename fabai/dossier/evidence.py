"""Rows of the other lists of a dossier: hours, people, indicators, attendance.

Knows their fields. Does not know spreadsheets.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal

from fabai.dossier.place import Place


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of one person in one period (a month, mostly) or on one day."""

    place: Place
    person: str = ""
    nif: str = ""
    when: datetime.date | None = None
    hours: Decimal | None = None
    task: str = ""
    rate: Decimal | None = None
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """A member of the team. original: whether the proposal named them, as the row says it. dedication: 0-100."""

    place: Place
    name: str = ""
    role: str = ""
    start: datetime.date | None = None
    end: datetime.date | None = None
    original: str = ""
    dedication: Decimal | None = None
    gender: str = ""


@dataclass(frozen=True, slots=True)
class Indicator:
    """An indicator, promised and reached, as the cells have them."""

    place: Place
    indicator: str = ""
    unit: str = ""
    target: str = ""
    achieved: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Attendance:
    """One activity and how many came, or one person who came (attendees 1)."""

    place: Place
    activity: str = ""
    when: datetime.date | None = None
    attendees: int | None = None
    person: str = ""
    women: int | None = None
    men: int | None = None
    venue: str = ""
