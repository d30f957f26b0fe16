"""What the form asks of a section and its text does not say is named."""

from __future__ import annotations

import pytest

from fabai.form import Form, SectionSpec
from fabai.report import Language
from tests.checks.desk import desk, found

FORM = Form(
    "f",
    {"es": "F"},
    ("es",),
    "bases",
    "2026-01-02",
    sections=(
        SectionSpec(
            "a",
            {"es": "Ejecución"},
            guidance={
                "es": "Indique el importe concedido. Describa la perspectiva de género aplicada; "
                "explique los indicadores de sostenibilidad ambiental."
            },
            criteria={"es": "Calidad técnica del equipo docente."},
        ),
    ),
)
FACTS = (("importe concedido", "18.500,00 €"),)


def test_items_without_a_word_in_the_text_are_named() -> None:
    text = "La perspectiva de género se aplicó en los talleres con un importe concedido de 18.500 €."
    findings = found(desk(text, form=FORM, specs=("a",), facts=FACTS))
    assert [(one.rule, one.quote.split()[0]) for one in findings] == [
        ("criterion-uncovered", "Calidad"),
        ("guidance-uncovered", "explique"),
    ]


@pytest.mark.parametrize(
    ("language", "guidance"),
    [
        ("ca", "La taula s'omple amb les dades verificades, no es redacta."),
        ("ca", "Si no s'ha complert el pla de comunicació, digues-ho i explica per què."),
        ("es", "La tabla se rellena con los datos verificados, no se redacta."),
        ("en", "If there are none, say so."),
    ],
)
def test_how_a_form_asks_and_what_it_asks_in_some_cases_only_is_no_omission(language: Language, guidance: str) -> None:
    form = Form(
        "f",
        {language: "F"},
        (language,),
        "b",
        "2026-01-02",
        sections=(SectionSpec("a", {language: "A"}, guidance={language: guidance}),),
    )
    made = desk("Vam plantar 40 arbres al pati.", form=form, specs=("a",), language=language)
    assert found(made, "guidance-uncovered") == []


def test_a_fact_that_the_form_asks_for_must_be_carried() -> None:
    made = desk("Se gastó todo lo que se tenía.", form=FORM, specs=("a",), facts=FACTS)
    (one,) = found(made, "fact-missing")
    assert (one.found, one.expected) == ("importe concedido", "18.500,00 €")
    assert found(desk("Son 18 500 euros.", form=FORM, specs=("a",), facts=FACTS), "fact-missing") == []
