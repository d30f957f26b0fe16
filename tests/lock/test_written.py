"""A fact's forms in a text."""

from __future__ import annotations

import unicodedata

import pytest

from fabai.ledger import Fact
from fabai.lock.written import slot, written
from fabai.report import Language


def forms(value: str, language: Language = "es", name: str = "dato", **more: str) -> tuple[str, ...]:
    return written(Fact(name, value, "s", **more), language)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("language", "value", "some"),
    [
        ("es", "18.500,00 €", {"18.500 euros", "18.500,00 €", "18.500\u00a0€"}),
        ("es", "18,500.50 EUR", {"18.500,50 euros"}),
        ("en", "18.500,00 €", {"€18,500", "EUR 18,500.00", "18,500 euros"}),
        ("es", "1.200.000 €", {"1,2 millones de euros", "1.200.000 €"}),
        ("es", "92,5 %", {"92,5 %", "92,5%", "92,5 por ciento"}),
        ("ca", "2025-04-01", {"1 d'abril de 2025", "abril de 2025", "l'any 2025", "01/04/2025"}),
        ("en", "14/03/2025", {"14 March 2025", "March 14, 2025", "March 2025", "in 2025"}),
        ("es", "0 €", {"0 €", "0,00 euros"}),
        ("es", "-500 €", {"-500 €", "−500 euros"}),
        ("es", "Ley 38/2003", {"Ley 38/2003", "ley 38/2003"}),
        ("es", "4500 horas", {"4.500 horas", "4500 horas"}),
        ("es", "1 €", {"1 euro"}),
    ],
)
def test_a_value_is_written_as_the_section_s_language_does(language: Language, value: str, some: set[str]) -> None:
    assert some <= set(forms(value, language))


def test_a_bare_count_takes_its_noun_from_the_fact_s_name() -> None:
    assert set(forms("180", name="número de personas participantes")) == {
        "180 personas participantes", "180\u00a0personas participantes", "180 personas", "180\u00a0personas",
    }  # fmt: skip
    assert "12 talleres" in forms("12", name="total", noun="talleres")


def test_no_form_is_a_bare_number() -> None:
    for value in ("180", "2025", "18.500,00 €", "0153", "900 123 456", "2023-2024", "3,5"):
        found = forms(value, name="expediente")
        assert found
        assert all(any(one.isalpha() or one in "€%/" for one in form) for form in found), found


def test_a_fact_without_a_figure_and_a_currency_without_an_amount_have_no_forms() -> None:
    assert forms("Asociación Torvak") == ()
    assert forms("€") == ()


def test_accents_that_came_apart_are_put_together() -> None:
    name = unicodedata.normalize("NFD", "sesiones de formación")
    assert all(form == unicodedata.normalize("NFC", form) for form in forms("12", name=name))
    assert slot(Fact(name, "12", "s")) == "{{sesiones_de_formación}}"
