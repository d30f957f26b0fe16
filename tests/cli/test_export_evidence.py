"""`fabai export --evidence`, `--ai-record` and `fabai doctor --record`"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from openpyxl import load_workbook

from fabai.store.project import Made, Project

from .conftest import Run


@pytest.fixture(autouse=True)
def project(run: Run, folder: Path, past: Path) -> Path:
    run("new", "p")
    run("import", "p", past)
    run("facts", "p", "add", "talleres", "12 talleres", "--source", "Acta", "--by", "Marta Soler")
    with Project.open(folder / "p.fabai") as opened:
        made = Made("llamacpp", "llamacpp:qwen3-4b:x", "w" * 64)
        opened.accept(opened.save_version("s1", "Hubo 12 talleres y 77 € de gasto.", made).id)
    return folder / "p.fabai"


@pytest.mark.parametrize("suffix", ["xlsx", "docx", "md"])
def test_evidence_is_written_as_auditors_take_it(run: Run, folder: Path, suffix: str) -> None:
    told = run("export", "p", "--evidence", f"cifras.{suffix}", "--json").json
    assert (told["figures"], told["without evidence"]) == (2, 1)
    assert (folder / f"cifras.{suffix}").stat().st_size == told["bytes"]
    if suffix == "md":
        text = (folder / "cifras.md").read_text(encoding="utf-8")
        assert text.index("77 €") < text.index("Marta Soler")
    if suffix == "xlsx":
        sheet = load_workbook(folder / "cifras.xlsx").active
        assert sheet is not None
        assert [cell.value for cell in sheet["B"]] == ["Cifra", "77 €", "12"]


@pytest.mark.parametrize("suffix", ["docx", "xlsx", "md", "txt"])
def test_ai_use_is_told_when_it_is_asked_for(run: Run, folder: Path, suffix: str) -> None:
    told = run("export", "p", "--ai-record", f"ia.{suffix}", "--json").json
    assert len(told["head"]) == 64
    if suffix in ("md", "txt"):
        assert "qwen3-4b" in (folder / f"ia.{suffix}").read_text(encoding="utf-8")
    assert run("export", "p", "--md").code == 0
    assert "inteligencia artificial" not in (folder / "p.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--evidence", "cifras.odt"), "end its name"),
        (("--evidence", "."), "end its name"),
        (("--ai-record", "ia.csv"), "end its name"),
        (("--evidence", "c.md", "-o", "x.md"), "leave out -o"),
        (("--evidence", "c.md", "--ai-record", "d.md"), "not allowed with"),
    ],
)
def test_what_cannot_be_written_is_refused(run: Run, words: tuple[str, ...], sentence: str) -> None:
    ran = run("export", "p", *words)
    assert (ran.code, sentence in ran.err) == (2, True)


def test_doctor_finds_what_was_changed_in_the_record(run: Run, project: Path) -> None:
    fine = run("doctor", "--record", project, "--json")
    assert (fine.code, fine.json["ok"]) == (0, True)
    head = fine.json["head"]
    assert run("doctor", "--record", project, "--head", head[:16]).code == 0
    with closing(sqlite3.connect(project, isolation_level=None)) as db:
        db.execute("DROP TRIGGER record_never_deleted")
        db.execute("DELETE FROM record WHERE id = (SELECT max(id) FROM record)")
    broken = run("doctor", "--record", project, "--head", head)
    assert broken.code == 3
    assert "missing" in broken.out
    assert "handed out" in broken.out
    assert run("doctor", "--head", head).code == 2
    assert run("doctor", "--record", project, "--head", "xyz").code == 2
