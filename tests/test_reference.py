"""References to facts in a drafted text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.draft import draft
from fabai.form import find_form
from fabai.ledger import Fact, Ledger
from fabai.reference import references, resolve
from fabai.report import Language
from fabai.store.project import Project
from fabai.writers.scripted import Scripted

LEDGER = Ledger((Fact("Importe concedido", "18.500,00 €", "Resolución"), Fact("persona_1", "Ana Ruiz Prats", "Acta")))


def test_a_reference_becomes_the_value_of_its_fact() -> None:
    text = resolve("{{persona_1}} firmó por {{importe concedido}}.", LEDGER, "es")
    assert text == "Ana Ruiz Prats firmó por 18.500,00 €."


@pytest.mark.parametrize("key", ["Importe concedido", " importe_concedido ", "IMPORTE CONCEDIDO"])
def test_a_key_is_found_however_it_is_cased_and_spaced(key: str) -> None:
    assert resolve(f"{{{{{key}}}}}", LEDGER, "es") == "18.500,00 €"


@pytest.mark.parametrize(("language", "hole"), [("es", "[falta: {}]"), ("ca", "[falta: {}]"), ("en", "[missing: {}]")])
def test_an_unknown_key_leaves_a_hole_that_a_person_sees(language: Language, hole: str) -> None:
    assert resolve("Firma {{persona_7}}.", LEDGER, language) == f"Firma {hole.format('persona 7')}."


@pytest.mark.parametrize(
    "text", ["$x^{{2}}$", r"\frac{{ab}}{{cd}}", "{{a}}", "{{{ab}}}", "{{}}", "{{ab", "{ab}", "{{a\nb}}"]
)
def test_the_braces_of_formulas_and_unfinished_ones_stay(text: str) -> None:
    assert resolve(text, LEDGER, "es") == text
    assert references(text) == []


def test_two_references_side_by_side_are_two() -> None:
    assert resolve("{{persona_1}}{{persona_1}}", LEDGER, "ca") == "Ana Ruiz PratsAna Ruiz Prats"


def test_a_value_that_looks_like_a_reference_is_not_resolved_again() -> None:
    ledger = Ledger((Fact("uno", "{{dos}}", "x"), Fact("dos", "2", "x")))
    assert resolve("{{uno}}", ledger, "es") == "{{dos}}"


@given(st.text())
def test_a_text_without_double_braces_is_never_changed(text: str) -> None:
    assert resolve(text.replace("{{", "{"), LEDGER, "en") == text.replace("{{", "{")


def test_a_draft_is_saved_with_its_references_resolved(tmp_path: Path) -> None:
    with Project.create(
        tmp_path / "p.fabai", find_form("memoria-justificativa"), "es", "Memoria", facts=LEDGER
    ) as project:
        writer = Scripted(["La directora es {{persona_1}} y la secretaria {{persona_2}}."])
        version = draft(project, "actividades", writer)
    assert version.text == "La directora es Ana Ruiz Prats y la secretaria [falta: persona 2]."
