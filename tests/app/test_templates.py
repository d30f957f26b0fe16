"""Grants that begin with a document or an earlier grant: a funder's template, a request for clarification, a period."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docx import Document as Word

from fabai.errors import BadSetting, UsageError
from fabai.store.project import Project

from .conftest import HORT, Desk


@pytest.fixture
def model(tmp_path: Path) -> Path:
    word = Word()
    word.add_heading("Memoria final de actividades", 0)
    for heading, text in (
        ("1. Resumen", "Describa el proyecto (máximo 300 palabras)."),
        ("2. Actividades realizadas", "Detalle las actividades. Máximo 3.500 caracteres."),
        ("3. Resultados", "Explique los resultados."),
    ):
        word.add_heading(heading, 1)
        word.add_paragraph(text)
    word.save(str(tmp_path / "modelo.docx"))
    return tmp_path / "modelo.docx"


def kept(sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: one[key] for key in ("id", "heading", "level", "limits")} for one in sections]


def test_a_funders_document_becomes_a_template_that_the_person_corrects(desk: Desk, model: Path) -> None:
    read = desk.bring("template", model, "")
    part = read["parts"][0]
    assert [one["heading"] for one in part["sections"]][-1].endswith("Resultados")
    limits = [limit for one in part["sections"] for limit in one["limits"]]
    assert {"unit": "words", "maximum": 300, "minimum": None} in limits
    sections = kept(part["sections"])
    sections[-1] |= {"heading": "Resultados e impacto", "limits": [{"unit": "words", "maximum": 500, "minimum": None}]}
    sections.append({"heading": "Lo que aprendimos", "level": 1, "limits": []})
    made = desk.ask(
        "create-from-template", "", token=read["token"], part=0, sections=sections, limits=[], name="Modelo propio",
        language="ca", title="Con su modelo",
    )  # fmt: skip
    rows = desk.ask("outline", made["project"])["sections"]
    assert [one["heading"] for one in rows][-2:] == ["Resultados e impacto", "Lo que aprendimos"]
    assert rows[-2]["limits"][0]["maximum"] == 500
    with Project.open(desk.space.path(made["project"])) as project:
        assert project.language == "ca"
        assert [one.name for one in project.sources()] == ["modelo.docx"]


def test_a_template_without_sections_or_headings_is_refused(desk: Desk, model: Path) -> None:
    read = desk.bring("template", model, "")
    given = {"token": read["token"], "part": 0, "limits": [], "name": "", "language": "es", "title": "X"}
    with pytest.raises(BadSetting, match="keep one"):
        desk.ask("create-from-template", "", **given, sections=[])
    with pytest.raises(BadSetting, match="no heading"):
        desk.ask("create-from-template", "", **given, sections=[{"heading": " ", "level": 1}])
    with pytest.raises(UsageError):
        desk.ask("create-from-template", "", **{**given, "part": 7}, sections=[{"heading": "A", "level": 1}])
    assert desk.space.names() == ("memoria",)


def test_a_request_becomes_a_grant_with_a_section_for_each_question(desk: Desk) -> None:
    read = desk.bring("request", HORT / "request.md", "")
    assert len(read["questions"]) == 3
    assert (read["days"], read["working"]) == (10, True)
    made = desk.ask("create-answer", "", token=read["token"], title="Esmena", notified="2026-03-02")
    assert len(desk.ask("outline", made["project"])["sections"]) == 3
    assert desk.ask("open", made["project"])["deadline"] == "2026-03-16"


def test_the_next_period_carries_texts_that_wait_for_a_review(hort: Desk) -> None:
    section = next(one["id"] for one in hort.ask("outline", "hort")["sections"] if one["level"] > 0)
    token = hort.ask("section", "hort", section=section)["token"]
    hort.ask("save", "hort", section=section, text="Es van fer 18 tallers.", token=token)
    made = hort.ask("next-period", "hort", title="Hort 2026", start="2026-01-01", end="2026-12-31")
    assert (made["period"], made["texts"]) == (2, 1)
    (one,) = hort.ask("paragraphs", made["project"], section=section)["paragraphs"]
    assert one["origin"] == "inherited"
    assert hort.ask("open", made["project"])["period"] == 2
    with pytest.raises(BadSetting, match="period 1"):
        hort.ask("next-period", "hort", title="Otra vez", period=1)
    with pytest.raises(BadSetting, match="a title"):
        hort.ask("next-period", "hort", title=" ")
