"""What of a past report its prompt supports."""

from __future__ import annotations

import pytest
from fabai.corpus.support import Evidence, claims, statements
from hypothesis import given
from hypothesis import strategies as st

TEXT = (
    "La entidad es pequeña. Se gastaron 18.500 € en 12 talleres.\n\n- Vino Ana Ruiz.\n- Sin más.\n\n"
    "| Partida | Importe |\n|---|---|\n| Material | 300 € |\n\n```\nx = 1\n```\n"
)


def held(text: str, *prompt: str, language: str = "es") -> list[bool]:
    evidence = Evidence(language)  # type: ignore[arg-type]
    known = evidence.sets(prompt)
    return [not one.opaque and not evidence.missing(one, known) for one in statements(text, language)]  # type: ignore[arg-type]


def test_statements_are_sentences_items_rows_and_whole_blocks_of_code() -> None:
    found = statements(TEXT, "es")
    assert [TEXT[one.start : one.end].strip() for one in found] == [
        "La entidad es pequeña.", "Se gastaron 18.500 € en 12 talleres.", "- Vino Ana Ruiz.", "- Sin más.",
        "| Partida | Importe |\n|---|---|", "| Material | 300 € |", "```\nx = 1\n```",
    ]  # fmt: skip
    assert [one.opaque for one in found] == [False] * 6 + [True]


@given(st.text(st.sampled_from("aÁ1. \n-|`#*[]()€%{}")))
def test_the_statements_of_any_text_are_the_text(text: str) -> None:
    assert "".join(text[one.start : one.end] for one in statements(text, "ca")) == (text if text.strip() else "")


def test_a_sentence_is_held_where_every_figure_and_name_stands_in_the_prompt() -> None:
    sentence = "Ana Ruiz dirigió 12 talleres y gastó 18.500 € en mayo de 2025."
    ledger = "- directora: Ana Ruiz\n- talleres: 12\n- gasto: 18.500,00 euros\n- cierre: 30 de mayo de 2025"
    assert held(f"Así fue: {sentence}", ledger) == [True]
    for line in ledger.split("\n"):
        assert held(f"Así fue: {sentence}", ledger.replace(line, "")) == [False], line


@pytest.mark.parametrize(
    "sentence",
    [
        "Está en <https://ejemplo.test/a7>.", "Lo dice [el informe](https://ejemplo.test/b).",
        "Como dice [@doi:10.1/x].",
        "Firma {{persona_1}}.", "El código es MEM-2025x.", "Lo muestra la figura 3.",
        "Se llama con `orden --nivel 3`.", "Vale $x_{3} + 1$ siempre.",
    ],
)  # fmt: skip
def test_addresses_works_references_codes_and_numbers_of_figures_need_support_too(sentence: str) -> None:
    assert held(sentence, "nada") == [False]
    assert held(sentence, f"ya consta: {sentence}") == [True]


def test_a_word_of_the_vocabulary_is_nobodys_name() -> None:
    assert list(claims("Así vino de España.", "es"))
    assert not list(claims("Así vino de España.", "es", frozenset({"espana"})))


def test_the_number_of_another_thing_is_no_support() -> None:
    assert held("Hubo 12 talleres.", "Hubo 12 personas.") == [False]
    assert held("Hubo 12 talleres.", "12 de marzo de 2025") == [False]
