"""Which facts a section may write."""

from __future__ import annotations

import pytest

from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.lock.choice import MOST, choose, seen
from fabai.report import Language
from fabai.window.piece import Piece, Window


def window(*pieces: tuple[str, str]) -> Window:
    shown = tuple(Piece(kind, text, 1, 1, "full", "r") for kind, text in pieces)
    return Window("s1", "fill", 100, 10, 10, shown)


@pytest.mark.parametrize(
    ("language", "text", "values"),
    [
        ("es", "Se gastaron 1.250,50 € en 12 talleres de lectura (92,5 %), según la Ley 38/2003, en 2024.",
         ["1.250,50 €", "12 talleres", "92,5 %", "Ley 38/2003", "2024"]),
        ("ca", "El 5 d'abril de 2025 hi van participar 180 persones.", ["5 d'abril de 2025", "180 persones"]),
        ("en", "It cost €1,250.50 for 12 workshops.", ["€1,250.50", "12 workshops"]),
        ("es", "| Concepto | Importe |\n|---|---|\n| Sala | 300,00 |", ["300,00 EUR"]),
        ("es", "El apartado 3 y la página 12; 28 de cada cien.", []),
    ],
)  # fmt: skip
def test_figures_of_a_passage_become_facts_with_what_they_are_of(
    language: Language, text: str, values: list[str]
) -> None:
    assert [fact.value for fact in seen(text, language)] == values


def test_a_passage_s_figures_come_first_then_facts_that_concern_the_section() -> None:
    near, far = (
        Fact("coste de los talleres", "900 €", "s"),
        [Fact(f"dato {n}", f"{n + 10} horas", "s") for n in range(400)],
    )
    shown = window(("retrieved", "Vinieron 45 familias."), ("instruction", "Escribe «Talleres»."))
    found = choose(shown, [*far, near, Fact("entidad", "Asociación Torvak", "s")], "es")
    assert [fact.value for fact in found[:2]] == ["45 familias", "900 €"]
    assert 6 <= len(found) <= 30


def test_a_section_has_no_more_facts_than_it_can_be_locked_with() -> None:
    facts = [Fact(f"coste {n}", f"{n + 10} horas", "s") for n in range(400)]
    assert len(choose(window(("instruction", "Escribe «Coste».")), facts, "es")) == MOST


def test_a_value_of_a_passage_may_be_written_with_its_year() -> None:
    shown = window(("retrieved", "En 2025 vinieron 180 personas."))
    lock = Constraint(choose(shown, [], "es"), "es")
    text = "Vinieron 180 personas en 2025."
    assert lock.automaton.accepts(text)
    assert lock.slips(text) == ()
    assert not lock.automaton.accepts("Vinieron 180 personas 2025.")


def test_slots_become_values_with_their_noun_and_a_year_s_word_once() -> None:
    facts = [Fact("personas", "180", "s"), Fact("importe", "18.500 €", "s"), Fact("año", "2025", "s")]
    lock = Constraint(facts, "es", "slots")
    text = "En {{año}} fueron {{personas}} personas y {{importe}} euros, {{otro}}."
    filled = lock.filled(text)
    assert filled == "En 2025 fueron 180 personas y 18.500 €, {{otro}}."
    assert lock.slips(filled) == ()
    assert lock.covered(filled) == 3
