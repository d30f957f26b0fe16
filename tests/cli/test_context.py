"""`fabai context`: the JSON that others script against, the table, the page."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from fabai.cli import main

CASES = Path(__file__).parents[1] / "data" / "cases"


@pytest.fixture
def script(tmp_path: Path) -> str:
    """--writer: one that recites, for its tokenizer."""
    path = tmp_path / "guion.json"
    path.write_text('["Texto."]', encoding="utf-8")
    return f"scripted:{path}"


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project with three imported sections and one fact."""
    path = tmp_path / "p.fabai"
    source = shutil.copy(CASES / "044-prompt-prefix-stable" / "tres.md", tmp_path)
    assert main(["new", str(path), "--form", "generic", "--lang", "es"]) == 0
    assert main(["facts", str(path), "add", "ayuda", "18.500 €", "--source", "Resolución"]) == 0
    assert main(["import", str(path), str(source), "--as", "report"]) == 0
    capsys.readouterr()
    return path


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["context", *words]) == 0
    return capsys.readouterr().out


def test_json_has_the_agreed_keys_and_the_cap_holds(
    project: Path, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found: dict[str, Any] = json.loads(shown(capsys, str(project), "3", "--writer", script, "--json"))
    assert {"section", "cap", "tokens", "reserve", "pieces"} <= set(found)
    assert all({"kind", "section", "state", "tokens", "of", "reason"} <= set(piece) for piece in found["pieces"])
    assert found["tokens"] + found["reserve"] <= found["cap"]


@pytest.mark.parametrize("mode", ["fill", "tiers", "warm"])
def test_case_044_a_second_run_has_the_same_bytes_and_a_new_fact_keeps_four_fifths_of_them(
    project: Path, script: str, capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    words = (str(project), "3", "--writer", script, "--json", "--mode", mode)
    first = shown(capsys, *words)
    assert shown(capsys, *words) == first
    assert not re.search(r"\b(20\d\d-\d\d-\d\d|\d\d:\d\d)\b", first)
    main(["facts", str(project), "add", "talleres", "12", "--source", "Acta"])
    capsys.readouterr()
    if mode == "fill":
        edited = shown(capsys, *words)
        same = next(at for at, (one, other) in enumerate(zip(first, edited, strict=False)) if one != other)
        assert same / len(edited) >= 0.8


def test_case_035_the_model_is_shown_composed_text(
    tmp_path: Path, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.fabai"
    source = shutil.copy(CASES / "035-decomposed-accents" / "descompuesto.md", tmp_path)
    main(["new", str(path), "--form", "generic", "--lang", "ca"])
    main(["import", str(path), str(source), "--as", "report"])
    capsys.readouterr()
    found = shown(capsys, str(path), "1", "--writer", script, "--json")
    assert not re.search("[\u0300-\u036f]", found)


def test_the_table_says_what_is_shown_and_how_full_the_window_is(
    project: Path, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = shown(capsys, str(project), "Tres", "--writer", script, "--cap", "3000")
    assert "1 Uno\tcut" in table
    assert re.search(r"\d+ tokens of prompt and 1500 kept for the answer, of 3000 \(\d+%\)", table)


def test_the_page_is_written_and_stands_alone(
    project: Path, script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "window.html"
    shown(capsys, str(project), "3", "--writer", script, "--html", str(page))
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert not re.search(r"(?:src|href)=.https?:", text)


def test_a_cap_that_the_fixed_parts_exceed_is_one_sentence(
    project: Path, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["context", str(project), "3", "--writer", script, "--cap", "300"]) == 1
    assert "the fixed parts of the prompt take" in capsys.readouterr().err


def test_an_embedding_model_that_is_none_is_answered_in_one_sentence(
    project: Path, script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "acta.txt").write_text("La auditoría costó 300 €.", encoding="utf-8")
    assert main(["import", str(project), str(tmp_path / "acta.txt"), "--as", "source"]) == 0
    capsys.readouterr()
    for wish, said in (("no-such", "unknown model 'no-such'"), (str(tmp_path / "no.gguf"), "there is no model file")):
        assert main(["context", str(project), "3", "--writer", script, "--embedder", wish]) == 1
        error = capsys.readouterr().err
        assert said in error
        assert "Traceback" not in error


def test_passages_are_found_by_meaning_with_an_embedding_model(
    project: Path, script: str, english_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "acta.txt").write_text("Zzz qqq.", encoding="utf-8")
    assert main(["import", str(project), str(tmp_path / "acta.txt"), "--as", "source"]) == 0
    capsys.readouterr()
    without = json.loads(shown(capsys, str(project), "3", "--writer", script, "--json"))
    found = json.loads(shown(capsys, str(project), "3", "--writer", script, "--embedder", str(english_model), "--json"))
    assert "retrieved" not in {piece["kind"] for piece in without["pieces"]}
    assert [piece["text"] for piece in found["pieces"] if piece["kind"] == "retrieved"] == ["Zzz qqq."]
