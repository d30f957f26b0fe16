from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

FORM = """
id = "f"
languages = ["es"]
source = "la convocatoria"
date = 2026-01-01
[name]
es = "Modelo"
[[sections]]
id = "uno"
[sections.heading]
es = "Objetivos"
[[sections]]
id = "dos"
[sections.heading]
es = "Plan"
"""


@pytest.fixture
def project(run: Run, folder: Path) -> str:
    (folder / "f.toml").write_text(FORM, encoding="utf-8")
    assert run("new", "p", "--form", "f.toml").code == 0
    return "p.fabai"


def script(folder: Path, answers: object) -> str:
    path = folder / "guion.json"
    path.write_text(json.dumps(answers), encoding="utf-8")
    return f"scripted:{path}"


def test_a_section_is_written_shown_and_kept(run: Run, folder: Path, project: str) -> None:
    ran = run("draft", project, "Objetivos", "--writer", script(folder, {"Objetivos": "La sala abrió."}))
    assert ran.code == 0
    assert "1 Objetivos" in ran.out
    assert "La sala abrió." in ran.out
    assert "saved as version 1: 3 words" in ran.out
    assert "not a model" in ran.err
    outline = run("outline", project, "--json").json
    assert outline["sections"][0]["status"] == "drafted"


def test_all_writes_the_empty_sections_in_order_and_json_tells_of_each(run: Run, folder: Path, project: str) -> None:
    writer = script(folder, {"1": "Uno.", "2": "<think>Hm"})
    ran = run("draft", project, "--all", "--writer", writer, "--json")
    assert ran.code == 0
    one, two = ran.json["versions"]
    assert (one["section"], one["text"], one["partial"]) == ("uno", "Uno.", False)
    assert (two["section"], two["text"], two["partial"]) == ("dos", "", True)
    assert two["note"]
    assert "section dos" in ran.err
    again = run("draft", project, "--all", "--writer", script(folder, ["Dos."]), "--json")
    assert [version["section"] for version in again.json["versions"]] == ["dos"]


@pytest.mark.parametrize("words", [[], ["1", "--all"]])
def test_which_sections_are_meant_must_be_said(run: Run, project: str, words: list[str]) -> None:
    ran = run("draft", project, *words)
    assert ran.code == 2
    assert "--all" in ran.err


def test_a_writer_that_is_not_there_is_answered_with_a_sentence(run: Run, project: str) -> None:
    ran = run("draft", project, "1", "--writer", "openai:http://127.0.0.1:9")
    assert ran.code == 1
    assert "does not answer" in ran.err


def test_an_unknown_section_is_answered_before_a_model_is_loaded(run: Run, project: str) -> None:
    ran = run("draft", project, "Presupuesto", "--writer", "llamacpp:/no/such.gguf")
    assert ran.code == 1
    assert "unknown section" in ran.err
