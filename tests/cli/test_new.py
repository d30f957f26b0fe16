"""`fabai new`"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fabai.store.project import Project

from .conftest import Run

BRIEF = """
title = "Memoria 2025"
language = "ca"
instructions = "To sobri."
sources = ["resolució.md"]

[[fact]]
name = "import concedit"
value = "18.500,00 €"
source = "Resolució, p. 2"
"""


def test_a_project_is_made_with_the_suffix_and_the_form(run: Run, folder: Path) -> None:
    ran = run("new", "mi memoria", "--form", "memoria-justificativa", "--lang", "es", "--json")
    assert ran.json == {
        "project": "mi memoria.fabai",
        "form": "memoria-justificativa",
        "language": "es",
        "sections": 11,
    }
    with Project.open(folder / "mi memoria.fabai") as project:
        assert (project.form.id, project.language, project.title) == ("memoria-justificativa", "es", "")


def test_the_form_is_generic_where_none_is_given_and_the_next_step_is_said(run: Run) -> None:
    ran = run("new", "p.fabai")
    assert ran.code == 0
    assert "fabai import p.fabai" in ran.out


def test_a_brief_gives_title_language_instructions_facts_and_sources(run: Run, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "brief.toml").write_text(BRIEF, encoding="utf-8")
    (folder / "sub" / "resolució.md").write_text("# Resolució\n\nEs concedeix.\n", encoding="utf-8")
    assert run("new", "p", "--form", "memoria-justificativa", "--brief", "sub/brief.toml").code == 0
    with Project.open(folder / "p.fabai") as project:
        assert (project.title, project.language, project.instructions) == ("Memoria 2025", "ca", "To sobri.")
        assert [(fact.name, fact.value) for fact in project.ledger()] == [("import concedit", "18.500,00 €")]
        assert [(one.name, one.text) for one in project.sources()] == [("resolució.md", "# Resolució\n\nEs concedeix.")]


def test_the_command_line_outranks_the_brief(run: Run, folder: Path) -> None:
    (folder / "b.toml").write_text('title = "Uno"\nlanguage = "ca"\n')
    assert run("new", "p", "--brief", "b.toml", "--title", "Dos", "--lang", "en").code == 0
    with Project.open(folder / "p.fabai") as project:
        assert (project.title, project.language) == ("Dos", "en")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('titel = "x"', "did you mean 'title'"),
        ('title = "x', "not valid TOML"),
        ("title = 3", "must be text in quotes"),
        ('language = "fr"', "must be one of 'es', 'ca', 'en'"),
        ('[[fact]]\nname = "a"\nvalue = 18500\nsource = "s"', "must be text in quotes"),
        ('[[fact]]\nname = "a"\nvalue = " "\nsource = "s"', "a fact needs a value"),
        ('[[fact]]\nname = "a"\nvalue = "1"', "lacks the key 'source'"),
        ('sources = ["absent.docx"]', "absent.docx"),
        ('sources = ["."]', ""),
    ],
)
def test_a_mistake_in_the_brief_is_named_and_nothing_is_made(run: Run, folder: Path, text: str, sentence: str) -> None:
    (folder / "b.toml").write_text(text)
    ran = run("new", "p", "--brief", "b.toml")
    assert ran.code == 1
    assert sentence in ran.err
    assert [path.name for path in folder.iterdir()] == ["b.toml"]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("p", "--form", "memoria-justificatva"), 1, "did you mean 'memoria-justificativa'"),
        (("p", "--form", "absent.toml"), 1, "absent.toml does not exist"),
        (("p", "--form", "aei-informe-final", "--lang", "ca"), 1, "does not exist in 'ca'"),
        (("p", "--lang", "fr"), 2, "invalid choice"),
        (("p", "--brief", "absent.toml"), 1, "absent.toml does not exist"),
        (("absent/p",), 1, "folder does not exist"),
        (("",), 2, "no name for a project"),
        ((".",), 2, "no name for a project"),
        (("..",), 2, "no name for a project"),
        (("a/",), 1, "folder|a.fabai|"),
        (("x" * 300,), 1, "too long"),
        (("p", "--title", os.fsdecode(b"\xff")), 1, "UTF-8"),
        ((), 2, "required"),
    ],
)
def test_what_cannot_be_made_is_said_in_one_sentence_and_nothing_is_left(
    run: Run, folder: Path, words: tuple[str, ...], code: int, sentence: str
) -> None:
    ran = run("new", *words)
    if words == ("a/",):
        # a trailing slash is dropped, as for every other program
        assert ran.code == 0
        return
    assert ran.code == code
    assert sentence in ran.err
    assert list(folder.iterdir()) == []


def test_a_path_that_exists_is_refused_and_left_as_it_was(run: Run, folder: Path) -> None:
    (folder / "p.fabai").write_text("mine")
    (folder / "d.fabai").mkdir()
    (folder / "l.fabai").symlink_to("nowhere")
    for name in ("p", "d", "l"):
        ran = run("new", name)
        assert (ran.code, "exists already" in ran.err) == (1, True)
    assert (folder / "p.fabai").read_text() == "mine"
    assert sorted(path.name for path in folder.iterdir()) == ["d.fabai", "l.fabai", "p.fabai"]


@pytest.mark.parametrize(
    "name", ["con espacios", "ca·tà", "dos\nlíneas", "-guion.fabai", "a.b.c", "emoji😀", os.fsdecode(b"\xff\xfe")]
)
def test_any_file_name_works(run: Run, folder: Path, name: str) -> None:
    assert run("new", "--", name).code == 0
    (made,) = folder.iterdir()
    assert made.name == (name if name.endswith(".fabai") else f"{name}.fabai")
    assert run("outline", "--json", "--", made.name).json == {"sections": []}


def test_a_title_is_one_line_without_control_characters(run: Run, folder: Path) -> None:
    assert run("new", "p", "--title", " dos\nlíneas\x1b[31m ").code == 0
    with Project.open(folder / "p.fabai") as project:
        assert project.title == "dos líneas [31m"


def test_a_name_with_line_ends_is_answered_on_one_line(run: Run) -> None:
    assert run("new", "p", "--form", "a\nb\x1b").err.startswith("fabai: unknown form 'a b ';")
