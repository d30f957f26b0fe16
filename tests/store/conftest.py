"""Small documents and projects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fabai.form import Form, find_form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.store.project import Made, Project

Build = Callable[..., Document]


def build_document(*sections: tuple[str, int, str], **more: object) -> Document:
    """(heading, level, text) of each section; paragraphs become blocks with positions of their own."""
    made = []
    child = 0
    for heading, level, text in sections:
        blocks = []
        for paragraph in text.split("\n\n") if text else ():
            child += 1
            blocks.append(Block(paragraph, (child,)))
        made.append(DocumentSection(heading, level, tuple(blocks)))
    return Document("Memoria", "es", tuple(made), **more)  # type: ignore[arg-type]


@pytest.fixture
def document() -> Document:
    return build_document(
        ("", 0, "Portada"),
        ("1. Objetivos", 1, "Texto de objetivos."),
        ("1.1 Generales", 2, "Uno."),
        ("2. Resultados", 1, "Dos."),
    )


@pytest.fixture
def generic() -> Form:
    return find_form("generic")


@pytest.fixture
def made() -> Made:
    return Made("scripted", "m", "abc", {"seed": 0}, "2026-01-02T03:04:05+00:00")


@pytest.fixture
def project(tmp_path: Path, generic: Form) -> Iterator[Project]:
    with Project.create(tmp_path / "p.fabai", generic, "es", "") as opened:
        yield opened


@pytest.fixture
def filled(project: Project, document: Document) -> Project:
    project.import_document(document, "anterior.docx")
    return project
