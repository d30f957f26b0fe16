"""Working days: weekends and public holidays of Spain, Catalonia and Andorra.

Knows the days that return every year, and Easter. Does not know the two days of each town, nor what a region sets for
one year alone (a national day that falls on a Sunday may be moved): those a person adds. Sources: Estatuto de los
Trabajadores, art. 37.2 with Real Decreto 2001/1983, art. 45; Catalonia's yearly order on holidays; Andorra's calendar
of holidays. What is a working day for a term: Ley 39/2015, art. 30.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection
from functools import lru_cache
from typing import Literal, get_args

Place = Literal["ES", "CT", "AD"]
PLACES: tuple[Place, ...] = get_args(Place)
_SPAIN = ("01-01", "01-06", "05-01", "08-15", "10-12", "11-01", "12-06", "12-08", "12-25")
_FIXED: dict[Place, tuple[str, ...]] = {
    "ES": _SPAIN,
    "CT": (*_SPAIN, "06-24", "09-11", "12-26"),
    "AD": ("01-01", "01-06", "03-14", "05-01", "08-15", "09-08", "11-01", "12-08", "12-25", "12-26"),
}
_AFTER_EASTER: dict[Place, tuple[int, ...]] = {"ES": (-2,), "CT": (-2, 1), "AD": (-48, -2, 1, 50)}
"""Good Friday; Easter Monday; in Andorra the Mondays of Carnival and Whitsun too."""


@lru_cache(maxsize=128)
def holidays(place: Place, year: int) -> frozenset[datetime.date]:
    """The public holidays of a year."""
    fixed = (datetime.date.fromisoformat(f"{year}-{one}") for one in _FIXED[place])
    sunday = easter(year)
    return frozenset([*fixed, *(sunday + datetime.timedelta(days=one) for one in _AFTER_EASTER[place])])


def easter(year: int) -> datetime.date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm, as Meeus gives it)."""
    century, rest = divmod(year, 100)
    golden = year % 19
    leap, over = divmod(century, 4)
    moon = (19 * golden + century - leap - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * over + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * late + 114, 31)
    return datetime.date(year, month, day + 1)


def works(day: datetime.date, place: Place | None = None, closed: Collection[datetime.date] = ()) -> bool:
    """Whether a day is a working day. place None: only weekends are known. closed: days of a town or of one year."""
    return day.weekday() < 5 and day not in closed and (place is None or day not in holidays(place, day.year))


def next_working(
    day: datetime.date, place: Place | None = None, closed: Collection[datetime.date] = ()
) -> datetime.date:
    """The day itself, or the first working day after it."""
    while not works(day, place, closed):
        day += datetime.timedelta(days=1)
    return day
