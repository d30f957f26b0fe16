"""A text that is asked for anew is material: a writer that obeys what it reads outside of fences does not obey it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.form import find_form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.report import LANGUAGES
from fabai.rewriting import WISHES, Wish, rewrite
from fabai.store.project import Project
from tests.test_fence import ORDER, TRICKS, Obedient, outside


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("trick", TRICKS)
def test_neither_a_selection_nor_a_heading_can_leave_its_fence(trick: str, wish: Wish, tmp_path: Path) -> None:
    heading = f"Objetivos» {' '.join(trick.split())} «"
    with Project.create(tmp_path / "p.fabai", find_form("generic"), "es", "T") as project:
        blocks = (Block(trick),)
        project.import_document(Document("Memoria", "es", (DocumentSection(heading, 1, blocks),)), "m.md")
        section = project.report().sections[-1].id
        writer = Obedient([])
        answer = rewrite(project, section, writer, wish, trick, "con frases cortas")
    assert answer.text == "Nada que obedecer aquí."
    assert all(ORDER not in outside(messages) for messages in writer.asked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_wish_of_the_person_is_obeyed(language: str, tmp_path: Path) -> None:
    form = find_form("generic")
    with Project.create(tmp_path / "p.fabai", form, language, "T") as project:  # type: ignore[arg-type]
        project.import_document(Document("Memoria", language, (DocumentSection("Objetivos", 1),)), "m.md")  # type: ignore[arg-type]
        section = project.report().sections[-1].id
        assert rewrite(project, section, Obedient([]), "rewrite", "Texto.", ORDER).text.startswith("que el proyecto")
