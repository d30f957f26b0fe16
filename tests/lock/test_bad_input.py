"""Facts that are hard to lock: each is written whole or not at all, and never with another digit."""

from __future__ import annotations

import pytest

from fabai.ledger import Fact
from fabai.lock import Constraint


def locked(*values: str) -> Constraint:
    return Constraint([Fact("dato", value, "s") for value in values], "es")


@pytest.mark.parametrize(
    "value",
    [
        "-500 €", "0 €", "0 personas", "1850 €", "2023 personas", "2000 %", "10-12 personas", "entre 10 y 12 personas",
        "Ley 38/2003", "art. 75.2", "PID2023-123456NB-I00", "Expediente 2025/123", "https://ejemplo.org/2023/12?n=1200",
        "600 000 012", "+34 600 000 012", "1.º", "2a edición", "2023-2024", "siglo 21",
    ],
)  # fmt: skip
def test_a_hard_value_is_written_whole_and_with_no_other_digit(value: str) -> None:
    lock = locked(value)
    assert lock.forms
    for form in lock.forms:
        text = f"Consta {form}."
        assert lock.automaton.accepts(text), form
        assert not lock.slips(text), form
        for place, one in enumerate(form):
            if one.isdigit():
                other = f"Consta {form[:place]}{(int(one) + 1) % 10}{form[place + 1 :]}."
                assert not lock.automaton.accepts(other) or other[7:-1] in lock.forms, other


@pytest.mark.parametrize("value", ["€", "EUR", "XIV", "III Plan", "siglo XXI"])
def test_a_currency_without_an_amount_and_roman_numerals_open_no_digit(value: str) -> None:
    lock = locked(value)
    assert lock.forms == ()
    assert lock.automaton.accepts("El III Plan costó mucho.")
    assert not lock.automaton.accepts("Costó 3 €.")


def test_facts_that_begin_alike_are_each_written_whole() -> None:
    lock = locked("1 taller", "12 talleres", "120 talleres")
    for text in ("1 taller y 12 talleres, 120 talleres", "120 talleres; 1 taller"):
        assert lock.automaton.accepts(text)
        assert not lock.slips(text)
    for text in ("1 talleres", "12 taller y", "1120 talleres", "121 talleres", "12", "1 2 talleres", "12120 talleres"):
        assert not lock.automaton.accepts(text), text
