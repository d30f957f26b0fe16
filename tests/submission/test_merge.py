"""Edits made by hand in an exported file come back: alone, beside the project's own, or kept apart where both clash."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fabai.dossier.references import add_references, literature, read_references
from fabai.form import Form, SectionSpec
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.report import Report, Section
from fabai.store.project import Made, Project
from fabai.submission.document import word_file
from fabai.submission.merge import merge, remember, take_back

FORM = Form(
    "f", {"es": "F"}, ("es",), "bases", "2026-01-02",
    sections=(SectionSpec("a", {"es": "Actividades"}), SectionSpec("b", {"es": "Resultados"})),
)  # fmt: skip
FIRST = "Se hicieron dos talleres.\n\nVinieron cuarenta personas.\n\nFue en mayo."


def word(**texts: str) -> bytes:
    sections = tuple(
        Section(one.id, one.heading["es"], 1, texts.get(one.id, "")) for one in FORM.sections
    )  # fmt: skip
    return export_docx(Report("T", "es", sections), sources={}, original=None, media={})


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.create(tmp_path / "p.fabai", FORM, "es", "T")
    made.accept(made.save_version("a", FIRST, Made("person")).id)
    remember(made)
    return made


def edited(project: Project, text: str) -> str:
    """What a section says after the file with that text was taken back."""
    take_back(project, read_docx(word(a=text)), "memoria.docx")
    return project.report().find("a").text


def test_an_untouched_file_changes_nothing(project: Project) -> None:
    before = len(project.versions("a"))
    assert take_back(project, read_docx(word(a=FIRST)), "m.docx").same == ("a", "b")
    assert len(project.versions("a")) == before


def test_an_edit_in_word_becomes_a_version_made_by_a_person(project: Project) -> None:
    assert "tres talleres" in edited(project, FIRST.replace("dos", "tres"))
    assert project.versions("a")[-1].made.writer == "person"


def test_edits_of_both_sides_in_different_places_are_both_kept(project: Project) -> None:
    project.accept(project.save_version("a", FIRST.replace("mayo", "junio"), Made("person")).id)
    text = edited(project, FIRST.replace("dos", "tres"))
    assert "tres talleres" in text
    assert "junio" in text


def test_a_clash_keeps_the_projects_text_and_the_files_as_a_version(project: Project) -> None:
    project.accept(project.save_version("a", FIRST.replace("dos", "cinco"), Made("person")).id)
    found = take_back(project, read_docx(word(a=FIRST.replace("dos", "tres"))), "m.docx")
    assert found.conflicts == ("a",)
    assert "cinco" in project.report().find("a").text
    assert "tres" in project.versions("a")[-1].text


def test_new_headings_and_missing_sections_are_told(project: Project) -> None:
    sections = (Section("x", "Otra cosa", 1, "Texto."),)
    data = export_docx(Report("T", "es", sections), sources={}, original=None, media={})
    found = take_back(project, read_docx(data), "m.docx")
    assert found.unknown == ("Otra cosa",)
    assert found.absent == ("a", "b")
    assert project.report().find("a").text == FIRST


def test_what_was_not_touched_in_word_keeps_the_projects_own_marks(project: Project) -> None:
    text = "* uno\n* dos\n\nVinieron __cuarenta__ personas.\n\nFue en mayo."
    project.accept(project.save_version("a", text, Made("person")).id)
    remember(project)
    assert edited(project, text.replace("mayo", "junio")) == text.replace("mayo", "junio")


def test_pictures_keep_their_names_and_new_ones_come_in(project: Project) -> None:
    first, second = picture("red"), picture("blue")
    name = project.workbench.add_media("media/acto.png", first)
    text = f"Antes.\n\n![El acto]({name})\n\nDespués."
    project.accept(project.save_version("a", text, Made("person")).id)
    remember(project)
    changed = text.replace("Después.", "Después, otra:\n\n![](media/nueva.png)")
    sections = (Section("a", "Actividades", 1, changed), Section("b", "Resultados", 1, ""))
    media = {"media/acto.png": first, "media/nueva.png": second}
    data = export_docx(Report("T", "es", sections), sources={}, original=None, media=media)
    assert take_back(project, read_docx(data), "m.docx").taken == ("a",)
    now = project.report().find("a").text
    assert now.startswith(f"Antes.\n\n![El acto]({name})\n\nDespués, otra:")
    assert sorted(project.media().values()) == sorted([first, second])
    assert all(f"]({one})" in now or f"]({one}){{" in now for one in project.media())


def test_a_locked_paragraph_that_the_file_changed_is_a_clash(project: Project) -> None:
    project.workbench.set_locked("a", "Fue en mayo.", locked=True)
    assert take_back(project, read_docx(word(a=FIRST.replace("mayo", "junio"))), "m.docx").conflicts == ("a",)
    assert project.report().find("a").text == FIRST


def test_the_version_says_who_brought_the_file(project: Project) -> None:
    take_back(project, read_docx(word(a=FIRST.replace("dos", "tres"))), "m.docx", "Ana Ferrer")
    assert project.versions("a")[-1].made.settings["by"] == "Ana Ferrer"


def picture(colour: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (24, 24), colour).save(file, "PNG")
    return file.getvalue()


WORDS = st.lists(st.sampled_from(["uno", "dos", "tres", "cuatro", "cinco"]), max_size=6, unique=True)


@given(WORDS, WORDS)
def test_one_side_alone_always_wins(base: list[str], new: list[str]) -> None:
    assert merge(base, base, new) == new
    assert merge(base, new, base) == new
    assert merge(base, new, new) == new


def test_citations_come_back_by_their_keys_and_the_bibliography_is_no_section(tmp_path: Path, project: Project) -> None:
    bib = tmp_path / "a.bib"
    bib.write_text("@book{smith, author={Smith, Ann}, title={Uno}, year=2019}", encoding="utf-8")
    add_references(project, read_references(bib).entries)
    text = "Dice [@smith, p. 3] que sí.\n\nVinieron cuarenta personas según @smith."
    project.accept(project.save_version("a", text, Made("person")).id)
    remember(project)
    data = word_file(project, fresh=True)
    found = take_back(project, read_docx(data), "m.docx")
    assert (found.same, found.unknown) == (("a", "b"), ())
    out = project.report().with_section(replace(project.report().find("a"), text=text.replace("cuarenta", "30")))
    edited = export_docx(out, sources={}, original=None, media={}, literature=literature(project))
    assert take_back(project, read_docx(edited), "m.docx").taken == ("a",)
    assert project.report().find("a").text == text.replace("cuarenta", "30")
