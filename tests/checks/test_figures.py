"""Invented figures and right ones in the wrong place are found; what is no figure of the matter is left alone."""

from __future__ import annotations

import pytest

from fabai.report import Language
from tests.checks.desk import desk, found, quotes

COUNTS = (("talleres", "12 talleres"), ("asistentes", "180 personas"))
MONEY = (("importe concedido", "18.500,00 €"), ("importe ejecutado", "18.312,40 €"))


@pytest.mark.parametrize(
    ("language", "facts", "text"),
    [
        ("es", COUNTS, "Hubo 180 talleres y 12 personas."),
        ("ca", (("tallers", "12 tallers"), ("assistents", "180 persones")), "Hi va haver 180 tallers i 12 persones."),
        ("en", (("workshops", "12 workshops"), ("people", "180 people")), "There were 180 workshops and 12 people."),
    ],
)
def test_two_counts_that_changed_places_are_both_flagged(
    language: Language, facts: tuple[tuple[str, str], ...], text: str
) -> None:
    findings = found(desk(text, facts=facts, language=language), "figure-swapped")
    assert [(one.quote, one.suggestion) for one in findings] == [("180", "12"), ("12", "180")]
    assert all(facts[0][1] in one.evidence and facts[1][1] in one.evidence for one in findings)


def test_an_adjective_between_value_and_noun_changes_nothing() -> None:
    assert found(desk("Hubo 12 nuevos talleres para 180 personas mayores.", facts=COUNTS)) == []


def test_two_amounts_that_changed_places_are_flagged_by_the_words_around() -> None:
    text = "El importe ejecutado fue de 18.500 € y el concedido de 18.312,40 €."
    assert quotes(desk(text, facts=MONEY), "figure-swapped") == ["18.500 €", "18.312,40 €"]
    assert found(desk("El importe concedido fue de 18 500 euros; se ejecutó 18.312,40 €.", facts=MONEY)) == []


def test_people_are_not_held() -> None:
    (one,) = found(desk("Se realizaron 180 personas.", facts=COUNTS), "figure-role")
    assert (one.quote, one.found, one.expected) == ("180", "180", "realizaron")
    assert found(desk("Se realizaron 12 talleres con 180 personas.", facts=COUNTS)) == []


def test_a_slip_of_a_fact_is_shown_with_the_fact_and_its_source() -> None:
    (one,) = found(desk("Con un importe concedido de 18.050 € se pagó.", facts=MONEY))
    assert (one.rule, one.suggestion) == ("figure-varies", "18.500,00 €")
    assert one.evidence == "importe concedido: 18.500,00 € (Resolución, p. 2)"


def test_a_source_and_the_instructions_of_the_form_support_a_figure() -> None:
    assert found(desk("Asistieron 347 vecinos.", sources=("En el acta constan 347 vecinos.",)), "figure-unknown") == []
    assert quotes(desk("Asistieron 374 vecinos.", sources=("Constan 347 vecinos.",)), "figure-unknown") == ["374"]


@pytest.mark.parametrize(
    "text",
    [
        "Véase https://ejemplo.org/2037/1450 y [otro](https://ejemplo.org/998).",
        "Según el art. 75.2 de la Ley 38/2003, de 17 de noviembre, y el Real Decreto 887/2006.",
        "Teléfono: 600 123 456. Tel. 93 555 01 23.",
        "El 1.º de los objetivos y la 2a edición; la 3ª fase y el 4º trimestre.",
        "El capítulo XIV y el siglo XXI, la fase 37 y el núm. 4512.",
        "La sesión es a las 17:30 h, con el código AB-4512 y la versión 2.14.3.",
        "Los dos talleres y una de las tres líneas.",
        "Como dice la nota[^37] y la obra [41].",
    ],
)
def test_numbers_of_things_are_no_figures(text: str) -> None:
    assert found(desk(text, facts=COUNTS), "figure-unknown", "figure-swapped", "figure-varies") == []


def test_facts_that_are_prefixes_of_each_other_are_told_apart() -> None:
    facts = (("actas", "1 acta"), ("talleres", "12 talleres"), ("socios", "120 socios"))
    assert found(desk("Hay 120 socios, 12 talleres y 1 acta.", facts=facts)) == []
    assert quotes(desk("Hay 1200 socios.", facts=facts)) == ["1200"]


def test_negative_zero_and_range_are_read() -> None:
    facts = (("desviación", "-187,60 €"), ("reintegro", "0,00 €"), ("edad", "de 16 a 24 años"))
    text = "La desviación fue de -187,60 €, con 0 € de reintegro, y edades de 16–24 años."
    assert found(desk(text, facts=facts)) == []


def test_a_currency_without_an_amount_and_an_empty_ledger_break_nothing() -> None:
    assert found(desk("El gasto fue en euros (€).", facts=(("moneda", "euros"), ("signo", "€")))) == []
    assert found(desk("Fueron 345 personas.")) == []


def test_ten_thousand_facts_are_compared() -> None:
    facts = [(f"dato {at}", f"{at} unidades") for at in range(20_000, 30_000)]
    assert quotes(desk("Hay 20.417 unidades y 31.417 unidades.", facts=facts), "figure-unknown", "figure-varies") == [
        "31.417"
    ]


def test_two_values_for_one_fact_are_asked_about() -> None:
    (one,) = found(desk("Texto.", facts=(("Importe concedido", "1.000 €"), ("importe  concedido", "2.000 €"))))
    assert (one.rule, one.found, one.expected) == ("fact-conflict", "2.000 €", "1.000 €")


def test_one_thing_with_two_values_is_found_without_a_ledger() -> None:
    text = "La cuota anual por entidad socia es de {} €."
    (one,) = found(desk(text.format("1.250,00"), text.format("1.280,00")), "figure-differs")
    assert (one.quote, one.evidence, one.expected) == ("1.280,00 €", "1.250,00 €", "Apartado 0")
