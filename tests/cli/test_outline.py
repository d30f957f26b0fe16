"""`fabai outline`"""

from __future__ import annotations

from pathlib import Path

from fabai.form import find_form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.store.project import Made, Project

from .conftest import Run

KEYS = ["id", "number", "heading", "level", "words", "tokens", "status", "limit"]


def _project(path: Path, *headings: tuple[str, int]) -> None:
    sections = tuple(DocumentSection(heading, level, (Block("dos palabras"),)) for heading, level in headings)
    with Project.create(path, find_form("generic"), "es", "T") as project:
        project.import_document(Document("T", "es", sections), "a.docx")
        project.save_version("s2", "tres palabras más", Made("scripted"))


def test_the_layout_for_scripts(run: Run, folder: Path) -> None:
    _project(folder / "p.fabai", ("", 0), ("Objetivos", 1), ("Generales", 2))
    sections = run("outline", "p.fabai", "--json").json["sections"]
    assert all(list(section) == KEYS for section in sections)
    assert [(one["id"], one["number"], one["heading"], one["level"]) for one in sections] == [
        ("s1", "", "", 0),
        ("s2", "1", "Objetivos", 1),
        ("s3", "1.1", "Generales", 2),
    ]
    assert [(one["words"], one["status"], one["limit"]) for one in sections] == [
        (2, "imported", None),
        (3, "drafted", None),
        (2, "imported", None),
    ]
    assert all(one["tokens"] is None or one["tokens"] > 0 for one in sections)


def test_limits_are_shown(run: Run, folder: Path) -> None:
    (folder / "f.toml").write_text(
        'id = "f"\nlanguages = ["es"]\nsource = "s"\ndate = 2026-01-02\nname = { es = "F" }\n[[sections]]\nid = "a"\n'
        'heading = { es = "Resumen" }\nlimits = [{ unit = "words", maximum = 800 }]\n'
    )
    assert run("new", "p", "--form", "f.toml").code == 0
    (section,) = run("outline", "p.fabai", "--json").json["sections"]
    assert section["limit"] == {"unit": "words", "maximum": 800, "minimum": None}
    assert "<= 800 words" in run("outline", "p.fabai").out


def test_a_project_without_sections_says_what_to_do(run: Run) -> None:
    run("new", "p")
    ran = run("outline", "p.fabai")
    assert "fabai import p.fabai FILE" in ran.out


def test_a_heading_cannot_move_the_cursor_nor_break_a_line(run: Run, folder: Path) -> None:
    _project(folder / "p.fabai", ("A\x1b[2J\x07B\u2028C", 1), ("[bold]x[/bold] {0} %s", 1), ("Muy " * 5000, 1))
    ran = run("outline", "p.fabai")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "\x07" not in ran.out
    assert "[bold]x[/bold] {0} %s" in ran.out
    assert len(ran.out.splitlines()) == 5


def test_every_bad_path_is_answered_with_one_sentence(run: Run, folder: Path) -> None:
    (folder / "dir.fabai").mkdir()
    (folder / "text.fabai").write_text("hola")
    (folder / "binary.fabai").write_bytes(bytes(range(256)) * 100)
    (folder / "loop.fabai").symlink_to("loop.fabai")
    (folder / "dangling.fabai").symlink_to("nowhere")
    for name in (
        "dir.fabai",
        "text.fabai",
        "binary.fabai",
        "loop.fabai",
        "dangling.fabai",
        "absent.fabai",
        "",
        "/dev/null",
        ".",
    ):
        ran = run("outline", name)
        assert (ran.code, ran.out) == (1, ""), name


def test_a_project_may_be_named_without_its_suffix(run: Run) -> None:
    run("new", "p")
    assert run("outline", "p", "--json").json == {"sections": []}
