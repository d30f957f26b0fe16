"""`fabai export`: a whole file or none, no edit of a person's lost, one sentence for whatever refuses."""

from __future__ import annotations

import resource
import shutil
import signal
import zipfile
from pathlib import Path

import docx
import pytest

from fabai.cli.export import write_media
from fabai.cli.outfile import write
from fabai.errors import ExportError
from fabai.formats.document import Block, Document, DocumentSection
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.report import Report, Section
from fabai.store.project import Project
from fabai.submission.document import markdown

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
    assert "no.docx does not exist" in run("export", str(project), "--template", "no.docx").err
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


def test_a_picture_of_a_persons_own_is_kept_when_markdown_brings_one_of_the_same_name(tmp_path: Path) -> None:
    report = Report("T", "es", (Section("a", "A", 1, "![](foto.png)"),))
    (tmp_path / "foto.png").write_bytes(b"mine")
    for _ in range(2):
        said = write_media(report, {"foto.png": b"theirs", "other.png": b"unused"}, tmp_path)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {
        "foto.png": b"theirs",
        "foto.bak.png": b"mine",
    }
    assert said == []


def test_a_link_stays_one_and_the_file_behind_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to("real.md")
    write(tmp_path / "link.md", b"text")
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_bytes() == b"text"


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


def test_a_macro_template_is_used_without_its_macros_and_says_so(run: Run, project: Path, folder: Path) -> None:
    template = document_with_macros(folder)
    ran = run("export", str(project), "-o", "out.docx", "--template", template)
    assert ran.code == 0, ran.err
    assert "macros" in ran.err
    with zipfile.ZipFile(folder / "out.docx") as written:
        assert not [name for name in written.namelist() if "vba" in name.lower()]


def document_with_macros(folder: Path) -> Path:
    """A Word file with a part of macros."""
    path = folder / "plantilla.docm"
    source = next(CASES.glob("017-*")) / "plantilla-minima.docx"
    kind = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"
    with zipfile.ZipFile(source) as read, zipfile.ZipFile(path, "w") as written:
        for name in read.namelist():
            data = read.read(name)
            if name == "word/_rels/document.xml.rels":
                data = data.replace(
                    b"</Relationships>",
                    f'<Relationship Id="rIdVba" Type="{kind}" Target="vbaProject.bin"/></Relationships>'.encode(),
                )
            if name == "[Content_Types].xml":
                data = data.replace(
                    b"</Types>",
                    b'<Override PartName="/word/vbaProject.bin" '
                    b'ContentType="application/vnd.ms-office.vbaProject"/></Types>',
                )
            written.writestr(name, data)
        written.writestr("word/vbaProject.bin", b"\xd0\xcf\x11\xe0macros")
    return path


@pytest.mark.parametrize("name", ["../fuera.png", "media/../../fuera.png"])
def test_a_picture_whose_name_leaves_the_folder_is_not_written(run: Run, folder: Path, name: str) -> None:
    (folder / "d").mkdir()
    assert run("new", "d/h.fabai", "--form", "generic", "--lang", "es").code == 0
    section = DocumentSection("A", 1, (Block(f"![x]({name})"),))
    with Project.open(folder / "d" / "h.fabai") as opened:
        opened.import_document(Document("T", "es", (section,), {name: b"\x89PNG\r\n\x1a\n"}), "a.docx")
    ran = run("export", "d/h.fabai", "--md")
    assert ran.code == 0, ran.err
    assert "outside the folder" in ran.err
    assert not list(folder.glob("**/fuera.png"))


def test_a_report_of_many_sections_in_deep_levels_and_from_right_to_left_is_exported_whole() -> None:
    text = "هذا تقرير **مهم** عن البرنامج."
    sections = [Section(f"s{number}", f"Apartado {number}", 1 + number % 9, text) for number in range(400)]
    data = export_docx(Report("تقرير", "es", tuple(sections)), sources={}, original=None, media={})
    found = [one for one in read_docx(data).sections if one.heading.startswith("Apartado")]
    assert [(one.heading, one.level) for one in found] == [(one.heading, one.level) for one in sections]
    assert {one.text for one in found} == {text}
