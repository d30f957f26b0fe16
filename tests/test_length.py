from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.checks.limits import measure
from fabai.checks.plain import plain
from fabai.form import Limit, Unit
from fabai.length import Length

SENTENCES = [f"El grupo {n} abrió la sala y acogió a {n} familias." for n in range(1, 30)]
TEXT = " ".join(SENTENCES)


@pytest.mark.parametrize("unit", ["words", "characters", "characters_without_spaces"])
def test_a_text_within_its_limit_stays_as_it_is(unit: Unit) -> None:
    exact = Limit(unit, maximum=measure(TEXT, unit))
    assert Length([exact], "es").land(TEXT) == (TEXT, True)


@pytest.mark.parametrize("unit", ["words", "characters", "characters_without_spaces"])
def test_a_longer_one_ends_at_its_last_whole_sentence_within_the_limit(unit: Unit) -> None:
    wanted = " ".join(SENTENCES[:7])
    for over in (0, 3):
        limit = Limit(unit, maximum=measure(wanted, unit) + over)
        assert Length([limit], "es").land(TEXT) == (wanted, True)


def test_marks_of_markdown_do_not_count_against_the_text() -> None:
    text = " ".join(f"El **grupo {n}** abrió [la sala](https://ejemplo.test/sala/{n})." for n in range(9))
    limit = Limit("characters", maximum=len(plain(text)))
    assert Length([limit], "es").land(text) == (text, True)


def test_a_first_sentence_past_the_limit_is_kept_and_told() -> None:
    assert Length([Limit("words", maximum=4)], "es").land(TEXT) == (TEXT, False)


def test_an_introduction_does_not_stay_without_its_list() -> None:
    text = "La sala abrió en octubre. Se hizo lo siguiente:\n\n- Un taller de lectura.\n- Un taller de escritura."
    assert Length([Limit("words", maximum=10)], "es").land(text) == ("La sala abrió en octubre.", True)


def test_pages_and_minima_stop_nothing() -> None:
    free = Length([Limit("pages", maximum=1), Limit("words", minimum=9)], "es")
    assert not free.passed(TEXT * 99)
    assert free.land(TEXT) == (TEXT, True)


@given(st.integers(1, 400), st.integers(1, 29))
def test_what_is_stopped_while_it_is_written_was_past_the_limit(maximum: int, count: int) -> None:
    text = " ".join(SENTENCES[:count])
    if Length([Limit("words", maximum=maximum)], "es").passed(text):
        assert measure(text, "words") > maximum
