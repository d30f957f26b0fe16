"""The whole road with the real embedded model: the slowest test, and the one that the product stands on."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest

from fabai.store.project import Project
from tests.cli.conftest import Run


def words(path: Path) -> str:
    return "\n".join(paragraph.text for paragraph in docx.Document(str(path)).paragraphs)


@pytest.mark.slow
def test_the_demo_reads_drafts_and_exports_with_the_real_model(run: Run, folder: Path, base_model: Path) -> None:
    assert base_model.exists()
    ran = run("demo", "--json")
    assert ran.code == 0, ran.err
    told = ran.json
    assert told["sections"] >= 20
    assert len(told["drafted"]) >= 4
    text = words(folder / told["docx"])
    with Project.open(folder / told["project"]) as project:
        for one in told["drafted"]:
            imported, *_, drafted = project.versions(one["section"])
            window = drafted.made.settings["window"]
            assert 2_000 <= window["cap"] <= 4_000
            assert 1_500 <= window["tokens"] <= window["cap"]
            assert drafted.text == one["text"]
            assert drafted.words >= 15
            assert drafted.made.model.startswith("llamacpp:gemma3-270m")
            mine, theirs = _first(drafted.text), _first(imported.text)
            assert mine in text
            assert mine not in imported.text
            assert theirs not in text
        assert len(project.ledger()) >= 5


def test_the_demo_runs_again_over_its_own_files_with_another_writer_and_says_where_they_lie(
    run: Run, folder: Path
) -> None:
    script = folder / "guion.json"
    script.write_text('["Texto uno.", "Texto dos.", "Texto tres.", "Texto cuatro.", "Texto cinco."]', encoding="utf-8")
    for _ in range(2):
        ran = run("demo", "--writer", f"scripted:{script}", "--out", "salida")
        assert ran.code == 0, ran.err
    assert f"{Path('salida', 'memoria-demo.docx')}" in ran.out
    assert (folder / "salida" / "demo.bak.fabai").is_file()
    assert "Past report: " in ran.out
    text = words(folder / "salida" / "memoria-demo.docx")
    assert "Texto uno." in text
    assert "Texto cuatro." in text


def test_a_folder_that_cannot_be_written_is_answered_with_a_sentence(run: Run, folder: Path) -> None:
    (folder / "salida").write_bytes(b"")
    script = folder / "guion.json"
    script.write_text("[]", encoding="utf-8")
    ran = run("demo", "--writer", f"scripted:{script}", "--out", "salida")
    assert ran.code == 1
    assert "--out" in ran.err


def _first(text: str) -> str:
    """A stretch of plain words of a text, without the marks of Markdown."""
    return max((line.strip() for line in text.replace("*", "\n").replace("`", "\n").splitlines()), key=len)[:60].lstrip(
        "-1234567890. "
    )
