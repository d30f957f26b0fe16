"""Names in running text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.names import folded_words, name_words, names


def read(text: str) -> list[str]:
    return [one.text for one in names(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Firmó la Universidad de Granada con el Ajuntament d'Olot.", ["Universidad de Granada", "Ajuntament d'Olot"]),
        ("El proyecto usa GitHub y la API del CDTI.", ["GitHub", "API del CDTI"]),
        ("Los talleres. Después vino Ana Ruiz.", ["Ana Ruiz"]),
        ("- Primero se reunió Valdeluz\n- Luego no", ["Valdeluz"]),
        ("L'associació Col·legi Obert treballa.", ["Col·legi Obert"]),
        ("| Entidad | Importe |\n| Aula Abierta | 3 |", ["Abierta"]),
    ],
)
def test_names_are_told_by_capitals_inside_a_sentence(text: str, found: list[str]) -> None:
    assert read(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Todo empezó aquí. Nada más.",
        "ESTA LÍNEA ESTÁ EN MAYÚSCULAS",
        "`GitHub`",
        "<https://GitHub.com/X>",
        "{{persona_1}}",
    ],
)
def test_sentence_openings_shouted_lines_code_and_links_are_no_names(text: str) -> None:
    assert read(text) == []


def test_a_name_is_known_by_its_capitalised_words_without_accents() -> None:
    assert name_words("Universitat de Lleída") == ["universitat", "lleida"]
    assert "lleida" in folded_words("a Lleída")


@given(st.text())
def test_any_text_is_read_in_order(text: str) -> None:
    found = names(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
