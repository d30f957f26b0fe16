"""Derived facts: computed from others, never typed, one sentence where that cannot be."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import BadSetting, FabaiError, UnknownName
from fabai.facts.derived import dependants, settle
from fabai.facts.writing import write_amount
from fabai.ledger import Fact, Ledger

BASE = (
    Fact("personal", "12.400,50 €", "s"),
    Fact("viajes", "1.234,56 €", "s"),
    Fact("mujeres", "70 personas", "s"),
    Fact("hombres", "56 personas", "s"),
    Fact("talleres", "12 talleres", "s"),
    Fact("ayuda en dólares", "3.000 USD", "s"),
    Fact("tasa", "15 %", "s"),
    Fact("nada", "0 €", "s"),
    Fact("lema", "adelante", "s"),
)


def computed(formula: str) -> str:
    (fact,) = settle(Ledger((*BASE, Fact("x", "", "s", derived=formula))), "es")
    return fact.value


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("{personal} + {viajes}", "13.635,06 €"),
        ("suma({personal}; {viajes})", "13.635,06 €"),
        ("sum({personal}; {viajes}; {viajes})", "14.869,62 €"),
        ("{viajes} − {personal}", "-11.165,94 €"),
        ("diferència({personal}; {viajes})", "11.165,94 €"),
        ("porcentaje({viajes}; {personal})", "9,96 %"),
        ("desviación({personal}; {viajes})", "-90,04 %"),
        ("{tasa} * {personal}", "1.860,08 €"),
        ("{personal} / 2", "6.200,25 €"),
        ("{personal} / {mujeres}", "177,15 €"),
        ("15 % * {personal}", "1.860,08 €"),
        ("{mujeres} + {hombres}", "126 personas"),
        ("({mujeres} + {hombres}) / {talleres}", None),
        ("-{personal}", "-12.400,50 €"),
        ("0,5 * {mujeres}", "35 personas"),
        ("{nada}", "0 €"),
    ],
)
def test_a_formula_gives_a_value_in_the_ledgers_own_form(formula: str, value: str | None) -> None:
    if value is None:
        with pytest.raises(BadSetting, match="cannot be divided"):
            computed(formula)
    else:
        assert computed(formula) == value


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("{personal} + {mujeres}", "cannot be added"),
        ("{personal} + {ayuda en dólares}", "EUR and USD cannot be added"),
        ("{mujeres} + {talleres}", "personas and talleres cannot be added"),
        ("{personal} * {viajes}", "cannot be multiplied"),
        ("{personal} / {nada}", "divides by zero"),
        ("percent({personal}; {nada})", "divides by zero"),
        ("{personal} +", "ends too early"),
        ("({personal}", "not closed"),
        ("{personal} {viajes}", "where an operation should"),
        ("personal + viajes", "names no fact"),
        ("{personal} + viajes", "names of facts stand in braces"),
        ("{personal} + #", "not understood"),
        ("media({personal})", "no function"),
        ("percent({personal})", "takes two facts"),
        ("{lema} + {personal}", "is no number"),
        ("1 + 1", "names no fact"),
        ("{x}", "computed from itself"),
        ("{personal} + {perdido}", "unknown fact"),
        ("(" * 200 + "{personal}" + ")" * 200, "nested too deeply"),
        ("{personal}" + " + {personal}" * 500, "too long"),
    ],
)
def test_a_broken_formula_gets_one_sentence(formula: str, sentence: str) -> None:
    with pytest.raises((BadSetting, UnknownName), match=sentence) as raised:
        computed(formula)
    assert "\n" not in str(raised.value)


def test_a_circle_over_several_facts_is_named() -> None:
    ledger = Ledger(
        (Fact("a", "", "s", derived="{b}"), Fact("b", "", "s", derived="{c}"), Fact("c", "", "s", derived="{a}"))
    )
    with pytest.raises(BadSetting, match="computed from itself"):
        settle(ledger, "es")


def test_a_chain_of_a_thousand_is_computed_in_any_order() -> None:
    chain = [Fact(f"f{n}", "", "s", derived=f"{{f{n - 1}}} + {{f0}}") for n in range(1, 1_000)]
    settled = {fact.name: fact for fact in settle(Ledger((*reversed(chain), Fact("f0", "2 €", "s"))), "es")}
    assert settled["f999"].value == "2.000 €"


@given(st.lists(st.decimals(-(10**6), 10**6, places=2), min_size=1, max_size=8))
def test_a_sum_is_exact_to_the_cent(amounts: list[Decimal]) -> None:
    facts = [Fact(f"p{n}", write_amount(amount, "EUR", 2, "ca"), "s") for n, amount in enumerate(amounts)]
    total = Fact("total", "", "s", derived=" + ".join(f"{{{fact.name}}}" for fact in facts))
    (fact,) = settle(Ledger((*facts, total)), "ca")
    assert fact.value == write_amount(sum(amounts, Decimal(0)), "EUR", 2, "ca")


@given(st.text(alphabet="{}ab+-*/();%1 ,.sum", max_size=30))
def test_any_formula_is_computed_or_refused_with_a_sentence(formula: str) -> None:
    facts = (Fact("a", "2 €", "s"), Fact("b", "3 €", "s"))
    if not formula.strip():
        return
    said = ""
    try:
        settle(Ledger((*facts, Fact("x", "", "s", derived=formula))), "es")
    except FabaiError as error:
        said = str(error)
    assert "\n" not in said


def test_who_needs_a_fact_is_known() -> None:
    ledger = Ledger((*BASE, Fact("x", "1 €", "s", derived="{personal} + {viajes}")))
    assert [fact.name for fact in dependants(ledger, "viajes")] == ["x"]
    assert dependants(ledger, "tasa") == []
