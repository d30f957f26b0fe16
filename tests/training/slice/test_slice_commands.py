"""`fabai slice` and `fabai unslice` from the command line, and what a slice is for: it drafts a section."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabai.cli import main
from fabai.store.project import Project


@pytest.fixture(scope="module")
def sliced(small: Path, texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A slice made by the command."""
    target = tmp_path_factory.mktemp("commands") / "slice"
    assert main(["slice", str(small), "--text", *texts, "--coverage", "0.95", "-o", str(target)]) == 0
    return target


def test_the_report_is_shown_again_and_says_what_was_proven(sliced: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["slice", "--report", str(sliced)]) == 0
    text = capsys.readouterr().out
    assert "rows cut to" in text
    assert "| es |" in text
    assert "Proven: " in text
    assert main(["slice", "--report", str(sliced), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert all(one["identical_tokens"] >= 0.95 for one in table["languages"].values())


def test_unslice_finds_the_original_where_it_was_and_says_so(
    sliced: Path, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["unslice", str(sliced), "-o", str(tmp_path / "full")]) == 0
    assert "from the original model" in capsys.readouterr().out
    assert (tmp_path / "full" / "tokenizer.json").read_bytes() == (small / "tokenizer.json").read_bytes()


def test_unslice_of_something_else_is_one_sentence(
    small: Path, sliced: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["unslice", str(small), "-o", str(tmp_path / "full")]) == 1
    assert "is not a slice" in capsys.readouterr().err
    assert main(["unslice", str(sliced), "-o", str(tmp_path / "full"), "--original", str(sliced)]) == 1
    assert "is not the model that was sliced" in capsys.readouterr().err
    assert not (tmp_path / "full").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["model", "-o", "out"], "give --corpus DIR or --text FILE"),
        (["--text", "a.txt"], "needs a model and an output folder"),
        (["model", "--text", "a.txt", "-o", "out", "--languages", ","], "--languages is empty"),
    ],
)
def test_a_call_that_lacks_something_says_what(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["slice", *words]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.slow
def test_a_sliced_model_drafts_a_section(sliced: Path, tmp_path: Path) -> None:
    project = tmp_path / "memoria.fabai"
    assert main(["new", str(project), "--form", "memoria-justificativa", "--lang", "es", "--title", "Memoria"]) == 0
    with Project.open(project) as opened:
        section = list(opened.report())[-1].id
    words = ["draft", str(project), section, "--writer", f"transformers:{sliced}", "--cap", "6000", "--json"]
    assert main(words) == 0
    with Project.open(project) as opened:
        version = opened.versions(section)[-1]
    assert version.text
    assert version.made.model.startswith("transformers:")
