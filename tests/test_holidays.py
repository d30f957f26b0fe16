"""Working days of Spain, Catalonia and Andorra."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.holidays import PLACES, easter, holidays, next_working, works

DAY = datetime.date.fromisoformat


@pytest.mark.parametrize(
    ("year", "day"), [(2024, "2024-03-31"), (2025, "2025-04-20"), (2026, "2026-04-05"), (2038, "2038-04-25")]
)
def test_easter_falls_where_the_calendar_has_it(year: int, day: str) -> None:
    assert easter(year) == DAY(day)


@pytest.mark.parametrize(
    ("place", "number", "has", "lacks"),
    [
        ("ES", 10, "2025-04-18 2025-10-12 2025-12-06", "2025-04-21 2025-09-11"),
        ("CT", 14, "2025-04-21 2025-06-24 2025-09-11 2025-12-26", "2025-09-08"),
        ("AD", 14, "2025-03-03 2025-03-14 2025-06-09 2025-09-08", "2025-10-12 2025-12-06"),
    ],
)
def test_each_place_has_its_days(place: str, number: int, has: str, lacks: str) -> None:
    found = holidays(place, 2025)  # type: ignore[arg-type]
    assert len(found) == number
    assert {DAY(one) for one in has.split()} <= found
    assert not {DAY(one) for one in lacks.split()} & found


def test_a_day_of_the_town_is_added_by_a_person() -> None:
    day = DAY("2025-09-24")
    assert (works(day, "CT"), works(day, "CT", [day])) == (True, False)


@given(st.dates(datetime.date(2000, 1, 1), datetime.date(2100, 12, 31)), st.sampled_from(PLACES))
def test_the_next_working_day_is_the_first_from_a_day_on(day: datetime.date, place: str) -> None:
    found = next_working(day, place)  # type: ignore[arg-type]
    days = [day + datetime.timedelta(days=number) for number in range((found - day).days + 1)]
    assert [works(one, place) for one in days] == [False] * (len(days) - 1) + [True]  # type: ignore[arg-type]
