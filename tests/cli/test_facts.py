"""`fabai facts`"""

from __future__ import annotations

import os
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from tests.conftest import DATA

from .conftest import Run


@pytest.fixture(autouse=True)
def project(run: Run, folder: Path) -> Path:
    assert run("new", "p").code == 0
    return folder / "p.fabai"


def test_a_fact_is_added_and_listed(run: Run) -> None:
    assert run("facts", "p.fabai", "add", "importe concedido", "18.500,00 €", "--source", "Resolución, p. 2").code == 0
    shown = run("facts", "p.fabai", "list", "--json").json
    (fact,) = shown["facts"]
    expected = {"name": "importe concedido", "value": "18.500,00 €", "source": "Resolución, p. 2", "kind": "amount"}
    assert expected.items() <= fact.items()
    assert (fact["number"], fact["unit"]) == ("18500", "EUR")
    assert run("facts", "p.fabai", "--json").json == shown
    assert run("facts", "p.fabai", "--json", "list").json == shown
    assert "importe concedido\t18.500,00 €\tResolución, p. 2" in run("facts", "p.fabai").out


def test_a_new_value_takes_the_place_of_the_old_one_and_says_so(run: Run) -> None:
    run("facts", "p.fabai", "add", "a", "1", "--source", "s")
    assert "it was 1" in run("facts", "p.fabai", "add", "a", "2", "--source", "s").out
    facts = run("facts", "p.fabai", "add", "b", "3", "--source", "s", "--json").json["facts"]
    assert [(fact["name"], fact["value"]) for fact in facts] == [("a", "2"), ("b", "3")]


def test_a_value_may_be_negative(run: Run) -> None:
    assert run("facts", "p.fabai", "add", "devolución", "-35,20 €", "--source", "s").code == 0
    assert run("facts", "p.fabai", "add", "--source", "s", "--", "ajuste", "-35,20").code == 0
    assert [fact["value"] for fact in run("facts", "p.fabai", "--json").json["facts"]] == ["-35,20 €", "-35,20"]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("add", "a", "1"), 2, "--source"),
        (("add", "a"), 2, "VALUE"),
        (("add", " ", "1", "--source", "s"), 1, "needs a name"),
        (("add", "a", "1", "--source", ""), 1, "needs a source"),
        (("add", "a", os.fsdecode(b"\xff"), "--source", "s"), 1, "UTF-8"),
        (("delete", "a"), 2, "invalid choice"),
        (("derive", "a", "{b}"), 1, "unknown fact"),
        (("derive", "a", "{a}"), 1, "computed from itself"),
        (("remove", "a"), 1, "unknown fact"),
        (("confirm", "1", "--by", "M"), 2, "no open proposal"),
        (("confirm", "uno", "--by", "M"), 2, "no number"),
        (("confirm", "1"), 2, "--by"),
        (("import", "no.csv"), 1, "does not exist"),
    ],
)
def test_what_is_no_fact_is_refused(run: Run, words: tuple[str, ...], code: int, sentence: str) -> None:
    ran = run("facts", "p.fabai", *words)
    assert (ran.code, sentence in ran.err) == (code, True)
    assert run("facts", "p.fabai", "--json").json == {"facts": [], "proposals": 0}


def test_an_empty_ledger_says_how_to_fill_it(run: Run) -> None:
    assert "fabai facts PROJECT add" in run("facts", "p.fabai").out


CASE = DATA / "cases" / "037-facts-from-spanish-csv"


def test_the_treasurers_csv_becomes_facts_once_somebody_stands_up_for_them(run: Run) -> None:
    proposed = run("facts", "p.fabai", "import", CASE / "presupuesto.csv", "--json").json
    assert len(proposed["proposals"]) == 6
    assert proposed["facts"] == []
    assert run("facts", "p.fabai", "confirm", "all", "--by", "Marta Soler").code == 0
    facts = {one["name"]: one for one in run("facts", "p.fabai", "list", "--json").json["facts"]}
    case = tomllib.loads((CASE / "case.toml").read_text(encoding="utf-8"))
    asserted = {one["op"]: one["value"] for one in case["assert"]}
    for name, number in asserted["values"].items():
        assert Decimal(facts[name]["number"]) == Decimal(number)
    for name, text in asserted["texts"].items():
        assert (facts[name]["value"], facts[name]["number"]) == (text, None)
    assert all(asserted["source_mentions"] in one["source"] for one in facts.values())
    assert {one["confirmed_by"] for one in facts.values()} == {"Marta Soler"}


def test_two_values_for_one_fact_are_asked_about(run: Run, folder: Path) -> None:
    run("facts", "p.fabai", "add", "Total", "14.499,86 €", "--source", "Resolución, p. 2")
    (folder / "otra.csv").write_text("Concepto;Importe\nTotal;15.000 €\nPersonal;900 €\n", encoding="utf-8")
    assert "ledger has 14.499,86 €: which?" in run("facts", "p.fabai", "import", "otra.csv").out
    asked = run("facts", "p.fabai", "confirm", "1", "--by", "M")
    assert asked.code == 1
    assert "which is right?" in asked.err
    assert "Resolución, p. 2" in asked.err
    assert "1 confirmed" in run("facts", "p.fabai", "confirm", "all", "--by", "M").out
    assert run("facts", "p.fabai", "confirm", "1", "--by", "M", "--name", "Total de 2026").code == 0
    values = {one["name"]: one["value"] for one in run("facts", "p.fabai", "--json").json["facts"]}
    assert values == {"Total": "14.499,86 €", "Personal": "900 €", "Total de 2026": "15.000 €"}


def test_the_new_value_is_taken_where_a_person_says_so(run: Run, folder: Path) -> None:
    run("facts", "p.fabai", "add", "Total", "14.499,86 €", "--source", "Resolución")
    (folder / "otra.csv").write_text("Concepto;Importe\nTotal;15.000 €\nOtro;1 €\n", encoding="utf-8")
    run("facts", "p.fabai", "import", "otra.csv")
    run("facts", "p.fabai", "confirm", "1", "--by", "M", "--replace")
    run("facts", "p.fabai", "reject", "2", "--by", "M")
    shown = run("facts", "p.fabai", "--json").json
    assert [(one["value"], one["source"]) for one in shown["facts"]] == [("15.000 €", "otra.csv, fila 2")]
    assert shown["proposals"] == 0


def test_a_brief_with_two_values_for_a_fact_is_asked_about(run: Run, folder: Path) -> None:
    fact = '[[fact]]\nname = "importe"\nvalue = "{}"\nsource = "{}"\n'
    (folder / "b.toml").write_text(
        fact.format("18.500 €", "Resolución") + fact.format("18.050 €", "Acta"), encoding="utf-8"
    )
    ran = run("new", "q", "--brief", "b.toml")
    assert ran.code == 1
    assert "which is right?" in ran.err
    (folder / "c.toml").write_text(fact.format("18.500 €", "R") + fact.format("18,500.00 EUR", "A"), encoding="utf-8")
    assert run("new", "q", "--brief", "c.toml").code == 0


def test_a_derived_fact_follows_and_says_so(run: Run) -> None:
    run("facts", "p.fabai", "add", "personal", "10,00 €", "--source", "s")
    assert "doble = 20,00 €" in run("facts", "p.fabai", "derive", "doble", "{personal} * 2", "--by", "M").out
    assert (
        "computed from it: doble = 30,00 €"
        in run("facts", "p.fabai", "add", "Personal", "15,00 €", "--source", "s").out
    )
    refused = run("facts", "p.fabai", "remove", "personal")
    assert (refused.code, "computed from" in refused.err) == (1, True)


def test_all_may_be_confirmed_at_once_by_whoever_gives_a_name(run: Run) -> None:
    assert run("facts", "p.fabai", "import", CASE / "presupuesto.csv", "--confirm").code == 2
    assert (
        "6 confirmed by M" in run("facts", "p.fabai", "import", CASE / "presupuesto.csv", "--confirm", "--by", "M").out
    )
    assert "0 facts proposed" in run("facts", "p.fabai", "import", CASE / "presupuesto.csv").out
