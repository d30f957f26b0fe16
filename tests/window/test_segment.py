"""Sentences: nothing is lost, and the hand-marked boundaries are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benches.segment import paragraphs, score
from fabai.report import LANGUAGES, Language
from fabai.window.segment import boundaries, sentences

DATA = Path(__file__).parents[1] / "data"

LANGUAGE = st.sampled_from(LANGUAGES)
PROSE = st.lists(
    st.sampled_from(
        [
            "Sr. ",
            "núm. 4 ",
            "p. ej., ",
            "Casa. ",
            "¿Sí? ",
            "fin… ",
            "l·l",
            "1.250,50 € ",
            "«No.» ",
            "J. ",
            "\n\n",
            "\n- ",
        ]
    )
    | st.sampled_from(
        ["\n- ", " ", "é\u0301", "😀", "∯", "(a) ", "[^1] ", "S. L. ", "et al. ", "A.\t", "?! ", "\u2028"]
    ),
    max_size=40,
).map("".join)


@given(st.text() | PROSE, LANGUAGE)
def test_the_sentences_joined_are_the_input(text: str, language: Language) -> None:
    assert "".join(sentences(text, language)) == text


@given(PROSE, LANGUAGE)
def test_boundaries_ascend_and_end_with_the_text(text: str, language: Language) -> None:
    found = boundaries(text, language)
    assert found == sorted(set(found))
    assert (found[-1] if found else 0) == len(text)


@given(PROSE.filter(str.strip), LANGUAGE)
def test_no_sentence_is_white_space_alone(text: str, language: Language) -> None:
    assert all(sentence.strip() for sentence in sentences(text, language))


@pytest.mark.parametrize(("language", "least"), [("es", 0.99), ("ca", 0.98), ("en", 0.98)])
def test_marked_boundaries_are_found(language: Language, least: float) -> None:
    marked = list(paragraphs(language))
    assert sum(len(paragraph.starts) + 1 for paragraph in marked) >= 300
    found = score(lambda text: sentences(text, language), marked)
    assert found["precision"] >= least
    assert found["recall"] >= least


def test_the_nine_spanish_sentences_of_a_justification() -> None:
    folder = DATA / "cases" / "040-spanish-abbreviations"
    text = (folder / "texto.txt").read_text(encoding="utf-8")
    assert [one.strip() for one in sentences(text, "es")] == json.loads(
        (folder / "sentences.json").read_text(encoding="utf-8")
    )


def test_odd_punctuation_survives_byte_for_byte() -> None:
    text = (DATA / "cases" / "042-cutting-loses-nothing" / "raro.txt").read_text(encoding="utf-8")
    assert "".join(sentences(text, "es")) == text


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("es", "", 0),
        ("es", "   ", 1),
        ("es", "Sin punto final", 1),
        ("es", "Vino el Sr. García. Se fue.", 2),
        ("es", "Cobró 1.250,50 €. Pagó.", 2),
        ("es", "Pesa 10 kg. El otro, 3.", 2),
        ("es", "Lo firma J. M. Robles en EE. UU. y vuelve.", 1),
        ("es", "Dicho.[^3] Y hecho.", 2),
        ("es", "Dicho [@ruiz2020]. Y hecho.", 2),
        ("ca", "El Sr. Puig és al col·legi. Torna demà.", 2),
        ("ca", "Vegeu l'art. 3. L'ap. 5 diu el mateix.", 2),
        ("ca", "Article 10. Presència judicial en les vistes\n\nCapítol IV. Dels terminis", 2),
        ("es", "Desde 2010. Luego no. En el capítulo 10. Después vino otro.", 4),
        ("en", "See Fig. 3 and No. 4. It cost $3.5 million.", 2),
        ("en", "Smith et al. (2020) agree. In the U.S. Army they do not.", 2),
    ],
)
def test_abbreviations_do_not_end_sentences(language: Language, text: str, count: int) -> None:
    assert len(sentences(text, language)) == count


def test_a_blank_line_and_a_list_item_end_a_sentence() -> None:
    assert sentences("Uno\n\ndos\n- tres\n- cuatro", "es") == ["Uno\n\n", "dos\n", "- tres\n", "- cuatro"]


def test_a_long_text_without_a_full_stop_is_one_sentence() -> None:
    text = "palabra " * 50_000
    assert sentences(text, "es") == [text]
