"""The Word file of a project: how it is made where its pages are only counted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fabai.checks.pages import Laid
from fabai.form import Form, SectionSpec
from fabai.formats.libreoffice import to_pdf
from fabai.formats.package import Package
from fabai.store.project import Project
from fabai.store.versions import Made
from fabai.submission.document import word_file

FORM = Form(
    "f", {"es": "F"}, ("es",), "bases", "2026-01-02",
    sections=tuple(SectionSpec(f"s{number}", {"es": f"Apartado {number}"}) for number in range(12)),
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.create(tmp_path / "barrio.fabai", FORM, "es", "Memoria del barrio")
    for number in range(12):
        text = f"Las familias vinieron a los talleres de la sesión {number}. " * 12 * (number + 1)
        made.accept(made.save_version(f"s{number}", text, Made("person")).id)
    return made


@pytest.mark.slow
def test_pages_that_are_only_counted_need_no_true_numbers_in_the_contents_and_are_the_same(project: Project) -> None:
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice (libreoffice-writer) is not installed")
    files = {paged: word_file(project, paged=paged) for paged in (True, False)}
    # the guesses of the contents are others than what LibreOffice finds
    assert files[True] != files[False]
    laid = {paged: Laid(project.report(), Package(data), to_pdf(data)) for paged, data in files.items()}
    lengths = {paged: [one.length(index) for index in range(12)] for paged, one in laid.items()}
    assert laid[True].pages == laid[False].pages
    assert lengths[True] == lengths[False]
    assert None not in lengths[True]
