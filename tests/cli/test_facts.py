"""`fabai facts`"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture(autouse=True)
def project(run: Run, folder: Path) -> Path:
    assert run("new", "p").code == 0
    return folder / "p.fabai"


def test_a_fact_is_added_and_listed(run: Run) -> None:
    assert run("facts", "p.fabai", "add", "importe concedido", "18.500,00 €", "--source", "Resolución, p. 2").code == 0
    facts = [{"name": "importe concedido", "value": "18.500,00 €", "source": "Resolución, p. 2"}]
    assert run("facts", "p.fabai", "list", "--json").json == {"facts": facts}
    assert run("facts", "p.fabai", "--json").json == {"facts": facts}
    assert run("facts", "p.fabai", "--json", "list").json == {"facts": facts}
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
    ],
)
def test_what_is_no_fact_is_refused(run: Run, words: tuple[str, ...], code: int, sentence: str) -> None:
    ran = run("facts", "p.fabai", *words)
    assert (ran.code, sentence in ran.err) == (code, True)
    assert run("facts", "p.fabai", "--json").json == {"facts": []}


def test_an_empty_ledger_says_how_to_fill_it(run: Run) -> None:
    assert "fabai facts PROJECT add" in run("facts", "p.fabai").out
