"""fabai.formats.headings"""

from __future__ import annotations

from typing import Any

from fabai.formats import ast
from fabai.formats.headings import LONGEST, recover


def words(text: str) -> list[dict[str, Any]]:
    return [{"t": "Str", "c": text}]


def para(text: str) -> dict[str, Any]:
    return {"t": "Para", "c": words(text)}


def bold(text: str) -> dict[str, Any]:
    return {"t": "Para", "c": [{"t": "Strong", "c": words(text)}]}


def header(level: int, text: str) -> dict[str, Any]:
    return {"t": "Header", "c": [level, ["", [], []], words(text)]}


def found(*blocks: dict[str, Any]) -> list[tuple[int, str]]:
    recovered = recover(blocks)
    assert len(recovered) == len(blocks)
    return [(block["c"][0], ast.text(block)) for block in recovered if block["t"] == "Header"]


def test_case_003_a_bold_typed_number_is_a_heading_and_gives_the_level() -> None:
    run_in = {"t": "Para", "c": [{"t": "Strong", "c": words("Nota:")}, *words(" el calendario se ajustó")]}
    assert found(
        header(1, "Contexto"),
        run_in,
        bold("1.2 Cronograma"),
        bold("Este informe no sustituye a la cuenta justificativa."),
    ) == [(1, "Contexto"), (2, "1.2 Cronograma")]


def test_the_level_follows_the_numbered_heading_above() -> None:
    assert found(header(2, "2. Proyecto"), bold("2.3 Plan de trabajo"), bold("2.3.1. Fases")) == [
        (2, "2. Proyecto"),
        (3, "2.3 Plan de trabajo"),
        (4, "2.3.1. Fases"),
    ]


def test_an_amount_or_a_sentence_in_bold_is_text() -> None:
    assert found(header(1, "Uno"), bold("18.500,00 euros"), bold("Total"), bold("3 de mayo: inicio:")) == [(1, "Uno")]


def test_bold_lines_count_without_numbers_only_where_there_is_no_other_heading() -> None:
    blocks = (
        bold("MEMORIA TÉCNICA"),
        bold("Fundación"),
        para("x"),
        bold("Objetivos"),
        para("y"),
        bold("Fin"),
        para("z"),
    )
    assert found(*blocks) == [(1, "Objetivos"), (1, "Fin")]
    assert found(header(1, "Uno"), *blocks) == [(1, "Uno")]


def test_numbered_bold_lines_taken_for_lists_are_headings() -> None:
    def item(text: str) -> dict[str, Any]:
        return {"t": "OrderedList", "c": [[1, {"t": "Decimal"}, {"t": "Period"}], [[bold(text)]]]}

    assert found(item("Objetivos"), para("x"), item("Resultados"), para("y")) == [(1, "Objetivos"), (1, "Resultados")]


def test_a_paragraph_in_a_headings_style_is_a_paragraph() -> None:
    assert found(header(1, "palabra " * 40), header(1, "Corto")) == [(1, "Corto")]
    assert LONGEST < 8 * 40
