"""fabai shorten: what changed is shown, what fits may be taken, what does not is said with exit code 3."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabai.cli.shorten import difference
from fabai.formats import libreoffice
from fabai.store.project import Made, Project

from .conftest import Run


def test_a_section_over_its_limit_is_written_shorter_and_the_difference_shown(run: Run, folder: Path) -> None:
    assert run("new", "p.fabai", "--form", "barcelona-activa-seguiment", "--lang", "ca").code == 0
    long = "La memòria explica el projecte. Hi ha hagut deu tallers. Tothom hi ha vingut."
    with Project.open(folder / "p.fabai") as project:
        section = next(iter(project.report()))
        project.accept(project.save_version(section.id, long, Made("person")).id)
    (folder / "w.json").write_text(json.dumps(["La memòria explica el projecte. Deu tallers."]))
    ran = run("shorten", "p.fabai", section.id, "--words", "8", "--writer", "scripted:w.json", "--accept")
    assert ran.code == 0, ran.err
    assert "- Hi ha hagut deu tallers." in ran.out
    assert "+ Deu tallers." in ran.out
    assert "- La memòria explica el projecte." not in ran.out
    with Project.open(folder / "p.fabai") as project:
        assert project.report().find(section.id).text == "La memòria explica el projecte. Deu tallers."


def test_what_stays_too_long_ends_with_three_and_keeps_the_text(run: Run, folder: Path) -> None:
    assert run("new", "p.fabai", "--form", "generic", "--lang", "es").code == 0
    (folder / "a.md").write_text("# Actividades\n\nSe hicieron muchos talleres con las familias.\n")
    assert run("import", "p.fabai", "a.md").code == 0
    (folder / "w.json").write_text(json.dumps(["Se hicieron muchos talleres con familias."] * 3))
    ran = run("shorten", "p.fabai", "Actividades", "--words", "3", "--writer", "scripted:w.json", "--json")
    assert ran.code == 3
    assert ran.json["sections"][0]["within"] is False


def one_page(run: Run, folder: Path, text: str) -> None:
    """A project with one section, whose text may take a page."""
    (folder / "f.toml").write_text(
        'id = "f"\nname = { es = "F" }\nlanguages = ["es"]\nsource = "bases"\ndate = "2026-01-02"\n'
        '[[sections]]\nid = "a"\nheading = { es = "Actividades" }\nlimits = [{ unit = "pages", maximum = 1 }]\n'
    )
    assert run("new", "p.fabai", "--form", folder / "f.toml", "--lang", "es").code == 0
    with Project.open(folder / "p.fabai") as project:
        project.accept(project.save_version("a", text, Made("person")).id)


@pytest.mark.slow
@pytest.mark.skipif(libreoffice.executable() is None, reason="LibreOffice is not installed")
def test_a_section_over_its_pages_is_laid_out_shortened_and_laid_out_again(run: Run, folder: Path) -> None:
    sentence = "Se hicieron muchos talleres con las familias del barrio y con las escuelas. "
    one_page(run, folder, sentence * 60)
    (folder / "w.json").write_text(json.dumps([(sentence * 30).strip()]))
    ran = run("shorten", "p.fabai", "--writer", "scripted:w.json", "--accept", "--json")
    assert ran.code == 0, ran.err
    (one,) = ran.json["sections"]
    assert one["within"] is True
    assert run("shorten", "p.fabai").err.strip().endswith("every section is within its limits")


@pytest.mark.slow
@pytest.mark.skipif(libreoffice.executable() is None, reason="LibreOffice is not installed")
def test_a_section_over_its_pages_is_asked_for_no_more_often_than_the_person_says(run: Run, folder: Path) -> None:
    # lines of one word fill a page with few words, so that the second answer is within its words and not on one page
    sentence, items = "Va y ve. ", "\n\n" + "\n".join(f"- a{number}" for number in range(60))
    one_page(run, folder, sentence * 100 + items)
    # the script has no third answer: a third asking would be an error
    (folder / "w.json").write_text(json.dumps([sentence * 60 + items, sentence + items]))
    ran = run("shorten", "p.fabai", "--writer", "scripted:w.json", "--rounds", "2", "--json")
    assert (ran.code, ran.json["sections"][0]["within"]) == (3, False)


def test_words_without_a_section_and_a_report_within_its_limits_are_told(run: Run) -> None:
    assert run("new", "p.fabai", "--form", "generic", "--lang", "es").code == 0
    assert run("shorten", "p.fabai", "--words", "10").code == 2
    ran = run("shorten", "p.fabai")
    assert (ran.code, "within its limits" in ran.err) == (0, True)


def test_the_difference_of_equal_texts_is_empty() -> None:
    assert list(difference("Uno. Dos.", "Uno. Dos.", "es")) == []
