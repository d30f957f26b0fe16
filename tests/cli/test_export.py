"""`fabai export`: a whole file or none, no edit of a person's lost, one sentence for whatever refuses."""

from __future__ import annotations

import resource
import shutil
import signal
from pathlib import Path

import docx
import pytest

from fabai.cli.export import markdown, write
from fabai.errors import ExportError
from fabai.formats.docx_in import read_docx
from fabai.report import Report, Section

from .conftest import Run

CASES = Path(__file__).parents[1] / "data" / "cases"


@pytest.fixture
def project(run: Run, folder: Path) -> Path:
    """A project that has read a Word file."""
    shutil.copy(next(CASES.glob("001-*")) / "memoria.docx", folder)
    assert run("new", "p.fabai", "--form", "generic", "--lang", "es").code == 0
    assert run("import", "p.fabai", "memoria.docx", "--as", "report").code == 0
    return folder / "p.fabai"


def test_the_word_file_holds_the_sections(run: Run, project: Path, folder: Path) -> None:
    ran = run("export", "p.fabai", "-o", "out.docx", "--json")
    assert ran.code == 0
    assert ran.json["sections"] == 3
    assert ran.json["backup"] is None
    headings = [one.heading for one in read_docx(folder / "out.docx").sections]
    assert headings == ["Resumen ejecutivo", "Objetivos alcanzados", "Resultados"]
    assert project.exists()


def test_without_a_name_the_file_lies_beside_the_project(run: Run, project: Path) -> None:
    assert run("export", "p.fabai").code == 0
    assert project.with_suffix(".docx").exists()


def test_an_export_over_its_own_unedited_file_makes_no_backup(run: Run, project: Path, folder: Path) -> None:
    run("export", str(project), "-o", "out.docx")
    assert run("export", "p.fabai", "-o", "out.docx").code == 0
    assert not list(folder.glob("*.bak*"))


def test_a_file_that_somebody_edited_is_kept_as_a_backup_and_said(run: Run, project: Path, folder: Path) -> None:
    run("export", str(project), "-o", "out.docx")
    edited = docx.Document(str(folder / "out.docx"))
    edited.add_paragraph("Frase añadida a mano.")
    edited.save(str(folder / "out.docx"))
    for number in ("", "2"):
        before = (folder / "out.docx").read_bytes()
        ran = run("export", "p.fabai", "-o", "out.docx")
        assert ran.code == 0
        assert f"out.bak{number}.docx" in ran.err
        assert (folder / f"out.bak{number}.docx").read_bytes() == before
        (folder / "out.docx").write_bytes(before)


def test_a_template_that_is_missing_or_no_word_file_is_one_sentence(run: Run, project: Path, folder: Path) -> None:
    assert "template no.docx does not exist" in run("export", str(project), "--template", "no.docx").err
    (folder / "t.docx").write_text("no")
    ran = run("export", "p.fabai", "-o", "out.docx", "--template", "t.docx")
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert not (folder / "out.docx").exists()


@pytest.mark.parametrize("slug", ["015-*/estricta.docx", "015-*/colgante.docx", "017-*/plantilla-minima.docx"])
def test_a_template_is_used(run: Run, project: Path, folder: Path, slug: str) -> None:
    template = next(CASES.glob(slug))
    ran = run("export", str(project), "-o", "out.docx", "--template", str(template))
    assert ran.code == 0, ran.err
    assert "Resultados" in [one.heading for one in read_docx(folder / "out.docx").sections]


def test_markdown_has_the_headings_and_their_pictures_beside_it(run: Run, project: Path, folder: Path) -> None:
    assert run("export", str(project), "-o", "out.md").code == 0
    text = (folder / "out.md").read_text()
    assert text.startswith("# Resumen ejecutivo\n\n")
    assert "\n## Objetivos alcanzados\n" in text


def test_notes_of_two_sections_stay_apart_in_markdown() -> None:
    sections = (Section("a", "A", 1, "Uno[^1].\n\n[^1]: De A."), Section("b", "B", 1, "Dos[^1].\n\n[^1]: De B."))
    text = markdown(Report("T", "es", sections))
    assert text.count("De A.") == text.count("De B.") == 1
    assert text.count("[^1]:") < 2


def test_what_the_ledger_knows_stands_on_the_cover(run: Run, folder: Path) -> None:
    (folder / "a.md").write_text("# Resumen\n\nTexto.\n")
    run("new", "q.fabai", "--form", "generic", "--lang", "es", "--title", "Memoria final")
    run("import", "q.fabai", "a.md", "--as", "report")
    run("facts", "q.fabai", "add", "Convocatoria", "Ayudas 2024", "--source", "bases")
    ran = run("export", "q.fabai", "-o", "out.docx", "--organisation", "Entidad Ficticia")
    assert ran.code == 0, ran.err
    front = read_docx(folder / "out.docx").sections[0].text
    assert "Ayudas 2024" in front
    assert "Entidad Ficticia" in front


def test_an_unknown_project_is_one_sentence(run: Run) -> None:
    ran = run("export", "no.fabai")
    assert ran.code == 1
    assert ran.err.count("\n") == 1


def test_a_folder_is_no_file_to_write(run: Run, project: Path, folder: Path) -> None:
    (folder / "d").mkdir()
    assert run("export", str(project), "-o", "d").code == 2


def test_a_name_under_a_file_is_refused_with_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a")
    with pytest.raises(ExportError, match="out"):
        write(tmp_path / "f" / "out.docx", b"data")
    assert [one.name for one in tmp_path.iterdir()] == ["f"]


def test_a_full_disk_is_one_sentence_and_the_old_file_stays(tmp_path: Path) -> None:
    target = tmp_path / "out.docx"
    target.write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(ExportError, match="cannot be read"):
            write(target, b"x" * 5000, keep=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert target.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["out.docx"]
