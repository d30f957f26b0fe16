"""`fabai import`"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fabai.store.project import Project

from .conftest import Run

CASES = Path(__file__).parents[1] / "data" / "cases"


@pytest.fixture
def project(run: Run, folder: Path) -> Path:
    run("new", "p", "--form", "generic", "--lang", "es")
    return folder / "p.fabai"


def written(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_layout_for_scripts(run: Run, project: Path) -> None:
    written("a.md", "# Uno\n\nDos palabras.\n\n## Dos\n\nx ![](http://127.0.0.1:1/a.png)\n")
    imported = run("import", project, "a.md", "--json").json["imported"]
    assert [list(one) for one in imported] == [
        ["file", "kind", "title", "language", "sections", "words", "media", "notices"]
    ]
    assert (imported[0]["file"], imported[0]["sections"], imported[0]["words"]) == ("a.md", 2, 3)
    assert "linked" in imported[0]["notices"][0]


def test_a_report_gives_the_project_its_sections(run: Run, project: Path) -> None:
    case = CASES / "011-latex-several-files" / "proyecto" / "main.tex"
    done = run("import", project, case, "--as", "report")
    assert done.code == 0
    assert "fuera.tex" in done.err
    assert "falta.tex" in done.err
    assert "\x1b" not in done.out + done.err
    with Project.open(project) as opened:
        headings = [section.heading for section in opened.report()]
    assert headings == ["Contexto", "Presupuesto ejecutado", "Desviaciones", "Conclusiones"]


def test_sources_are_kept_as_text_and_leave_the_sections_alone(run: Run, project: Path) -> None:
    files = [written("a.md", "# A\n\nuno"), written("b.txt", "dos")]
    assert run("import", project, *files, "--as", "source").code == 0
    with Project.open(project) as opened:
        assert len(opened.report()) == 0
        assert [(source.name, source.text) for source in opened.sources()] == [("a.md", "# A\n\nuno"), ("b.txt", "dos")]


def test_one_file_that_cannot_be_read_leaves_the_project_as_it_was(run: Run, project: Path) -> None:
    before = project.read_bytes()
    done = run("import", project, written("a.md", "uno"), written("b.docx", "no es Word"), "--as", "source")
    assert done.code == 1
    assert "b.docx is not what its ending says" in done.err
    assert project.read_bytes() == before


def test_two_reports_at_once_are_bad_usage(run: Run, project: Path) -> None:
    done = run("import", project, written("a.md", "uno"), written("b.md", "dos"))
    assert done.code == 2
    assert "--as source" in done.err


def test_without_a_project_nothing_is_made(run: Run, folder: Path) -> None:
    written("a.md", "uno")
    assert run("import", "no", "a.md").code == 1
    assert os.listdir(folder) == ["a.md"]


@pytest.mark.parametrize("name", ["no.md", ".", "vacio.docx"])
def test_a_missing_file_a_folder_and_an_empty_file_are_one_sentence(run: Run, project: Path, name: str) -> None:
    Path("vacio.docx").touch()
    assert run("import", project, name).code == 1
