"""Retrieval: the right passages, always the same, each with its source, never stale."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benches import retrieval as bench
from fabai.ledger import Fact, Ledger
from fabai.report import LANGUAGES, Language
from fabai.settings import RetrievalSettings
from fabai.window.passages import Retriever
from fabai.window.retrieval import Bm25Retriever, passages, retriever, section_query
from fabai.window.words import language_of, stem, stems, words

SETTINGS = RetrievalSettings()


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    text: str


CALL = Document(
    "convocatoria.pdf",
    "# Objeto\n\nLa convocatoria financia huertos urbanos en barrios vulnerables.\n\n"
    "# Gastos subvencionables\n\n## Personal\n\n"
    "Se admite el salario de la persona coordinadora, hasta el 40 % de la ayuda.\n\n"
    "## Auditoría\n\nEl informe del auditor se admite hasta 2.000 euros.\n\n"
    "# Plazos\n\nLa justificación se presenta antes del 31 de marzo de 2025.\n",
)
PAST = Document(
    "memòria 2023.docx",
    "# Activitats\n\nEs van fer 12 tallers d'horticultura amb 140 participants al col·legi.\n\n"
    "# Despeses\n\nEl sou de la coordinadora va ser de 9.200 €.\n",
)
SOURCES = (CALL, PAST)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Cuánto se puede pagar al auditor", "informe del auditor"),
        ("plazo de las justificaciones", "31 de marzo"),
        ("salarios del personal coordinador", "persona coordinadora"),
        ("tallers i participants", "12 tallers"),
        ("importe 9200", "9.200 €"),
        ("col·legis", "12 tallers"),
    ],
)
def test_the_passage_that_answers_comes_first(query: str, found: str) -> None:
    first = retriever(SOURCES, "es").find(query, 3)[0]
    assert found in first.text


def test_a_passage_names_its_file_and_the_headings_above_it() -> None:
    first = retriever(SOURCES, "es").find("informe del auditor", 1)[0]
    assert first.source == "convocatoria.pdf — Gastos subvencionables › Auditoría"


def test_the_index_is_a_retriever() -> None:
    index: Retriever = retriever(SOURCES, "es")
    assert len(index.find("huertos", 5)) == 1


@pytest.mark.parametrize(
    "query", ["", "   ", "de la los", "¿?", '"', "AND OR NOT", "NEAR(", "a*", "zzzz", "'; DROP TABLE passage"]
)
def test_queries_of_nothing_find_nothing_and_break_nothing(query: str) -> None:
    assert list(retriever(SOURCES, "es").find(query, 3)) == []
    assert list(retriever(SOURCES, "es").find("huertos", 0)) == []


def test_no_sources_give_no_passages() -> None:
    assert list(retriever((), "ca").find("huertos", 3)) == []
    assert list(retriever((Document("vacío.txt", " \n "),), "es").find("huertos", 3)) == []


def test_another_text_under_the_same_name_is_another_index() -> None:
    before = retriever(SOURCES, "es")
    changed = Document("convocatoria.pdf", CALL.text.replace("2.000", "3.000"))
    after = retriever((changed, PAST), "es")
    assert "3.000" in after.find("informe del auditor", 1)[0].text
    assert retriever(SOURCES, "es") is before


def test_passages_nearly_alike_are_shown_once() -> None:
    rule = "El beneficiario presentará la justificación con facturas, nóminas, extractos y memoria de lo hecho en 2024."
    twins = (
        Document("ley.pdf", rule),
        Document("ley corregida.pdf", rule.replace("2024", "2025")),
        Document("copia.pdf", rule),
    )
    assert [passage.source for passage in retriever(twins, "es").find("justificación con facturas", 5)] == ["ley.pdf"]


def test_the_same_query_gives_the_same_passages_on_a_fresh_index() -> None:
    query = "gastos de personal y auditoría"
    assert list(Bm25Retriever(SOURCES, "es").find(query, 5)) == list(Bm25Retriever(SOURCES, "es").find(query, 5))


@given(
    st.lists(
        st.sampled_from([CALL.text, PAST.text, "| a | b |\n|---|---|\n| 1 | 2 |\n", "palabra " * 300, "- x\n- y", "# "])
    )
)
def test_passages_hold_all_the_text_but_headings(parts: list[str]) -> None:
    text = "\n\n".join(parts)
    kept = "".join("".join(body.split()) for _, body in passages(text, "es", SETTINGS))
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    assert kept == "".join("".join(line.split()) for line in lines)


def test_passages_end_at_sentences_and_have_their_size() -> None:
    text = "Se hizo una actividad con el Sr. Puig, núm. 4, en el centro cívico del barrio. " * 60
    found = [body for _, body in passages(text, "es", SETTINGS)]
    assert all(body.endswith(".") and body.startswith("Se hizo") for body in found)
    assert all(SETTINGS.least // 2 <= len(body) <= SETTINGS.most for body in found)


def test_the_query_of_a_section_takes_the_facts_that_it_names() -> None:
    ledger = Ledger((Fact("importe concedido", "18.500 €", "R"), Fact("talleres", "12", "A")))
    query = section_query(["Actividades", "Talleres realizados"], "Describa cada taller.", ledger)
    assert "talleres 12" in query
    assert "18.500" not in query


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("es", "subvenciones", "subvención"),
        ("ca", "subvencions", "subvenció"),
        ("en", "grants", "grant"),
        ("es", "18.500,00", "18500"),
    ],
)
def test_forms_of_a_word_have_one_stem(language: Language, one: str, other: str) -> None:
    assert stem(one, language) == stem(other, language) != ""


def test_stop_words_and_articles_have_no_stem() -> None:
    assert stems("de la l'ajut d'Olot", "ca") == stems("ajut Olot", "ca")
    assert words("L'ajut de 1.250,50 €") == ["l", "ajut", "de", "1.250,50"]


@pytest.mark.parametrize(
    ("text", "language"),
    [("los gastos de la entidad", "es"), ("les despeses de l'entitat amb els", "ca"), ("the costs of it", "en")],
)
def test_the_language_is_told_by_stop_words(text: str, language: Language) -> None:
    assert all(language_of(words(text), other) == language for other in LANGUAGES)
    assert language_of([], "ca") == "ca"


@pytest.mark.slow
def test_nine_of_ten_labelled_questions_are_answered_by_five_passages(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import json

    bench.main([str(shared)])
    found = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert found["queries"] == 20
    assert found["recall@5"] >= 0.85
