"""Page limits: the true count with the right fonts, a warning without them, a notice where nothing can be counted."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from fabai.checks.pages import check_pages
from fabai.checks.violation import Violation
from fabai.errors import MissingPart
from fabai.form import Form, Limit, SectionSpec, read_form
from fabai.formats.libreoffice import to_pdf
from fabai.report import Report, Section
from tests.conftest import DATA

CASE = DATA / "cases" / "064-pages-depend-on-fonts"
DOCX = (CASE / "diez-paginas.docx").read_bytes()
REPORT = Report("T", "es", (Section("s1", "A", 1, "x"),))

needs_office = pytest.mark.skipif(
    shutil.which("soffice") is None, reason="LibreOffice (libreoffice-writer) is not installed"
)


def _has_arial() -> bool:
    listed = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=False).stdout
    return "Liberation Sans" in listed or "Arial" in listed


@needs_office
@pytest.mark.slow
def test_with_the_font_the_true_count_is_given() -> None:
    if not _has_arial():
        pytest.skip("neither Arial nor Liberation Sans (fonts-liberation) is installed")
    form = read_form(CASE / "formulario-paginas.toml")
    assert check_pages(REPORT, form, lambda _: DOCX, to_pdf).violations == ()
    nine = Form("f", {"es": "F"}, ("es",), "s", "2026-01-02", limits=(Limit("pages", 9),))
    found = check_pages(REPORT, nine, lambda _: DOCX, to_pdf).violations
    assert found == (Violation("limit-pages-maximum", None, "error", 10, 9),)


@needs_office
@pytest.mark.slow
def test_without_the_font_the_count_comes_with_a_warning_that_names_font_and_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = subprocess.run(
        ["fc-list", ":family=DejaVu Sans", "file"], capture_output=True, text=True, check=False
    ).stdout
    fonts = [Path(line.rstrip(": ")) for line in found.splitlines()]
    if not fonts:
        pytest.skip("DejaVu Sans (fonts-dejavu-core) is not installed")
    (tmp_path / "fonts").mkdir()
    for font in fonts:
        os.symlink(font, tmp_path / "fonts" / font.name)
    (tmp_path / "fonts.conf").write_text(
        f"<fontconfig><dir>{tmp_path}/fonts</dir><cachedir>{tmp_path}/cache</cachedir></fontconfig>"
    )
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    form = read_form(CASE / "formulario-paginas.toml")
    violations = check_pages(REPORT, form, lambda _: DOCX, to_pdf).violations
    assert [one.rule for one in violations] == ["limit-pages-maximum", "font-missing"]
    assert violations[0].found == 11
    warning = violations[1]
    assert (warning.severity, warning.expected) == ("warning", "Arial (package fonts-liberation)")
    assert "DejaVu" in str(warning.found)


def test_a_machine_that_cannot_count_says_so_and_reports_nothing() -> None:
    def missing(_: bytes) -> bytes:
        raise MissingPart("LibreOffice is needed")

    form = Form("f", {"es": "F"}, ("es",), "s", "2026-01-02", limits=(Limit("pages", 1),))
    findings = check_pages(REPORT, form, lambda _: DOCX, missing)
    assert findings.violations == ()
    assert findings.notices == ("the page limit was not checked: LibreOffice is needed",)


def test_excluded_sections_are_left_out_of_the_file_that_is_counted() -> None:
    counted: list[Report] = []

    def to_docx(report: Report) -> bytes:
        counted.append(report)
        return DOCX

    def missing(_: bytes) -> bytes:
        raise MissingPart("x")

    specs = (SectionSpec("a", {"es": "A"}), SectionSpec("b", {"es": "B"}))
    form = Form(
        "f", {"es": "F"}, ("es",), "s", "2026-01-02", sections=specs, limits=(Limit("pages", 1, excludes=("a",)),)
    )
    report = Report(
        "T", "es", (Section("a", "A", 1, "x", spec="a"), Section("b", "B", 1, "y", spec="b"), Section("c", "C", 1))
    )
    check_pages(report, form, to_docx, missing)
    assert [[section.id for section in one] for one in counted] == [["b", "c"]]


def test_without_a_page_limit_no_file_is_made() -> None:
    def never(_: object) -> bytes:
        raise AssertionError

    form = Form("f", {"es": "F"}, ("es",), "s", "2026-01-02", limits=(Limit("words", 1),))
    assert check_pages(REPORT, form, never, never).violations == ()


def test_the_page_limit_of_one_section_is_said_not_to_be_checked() -> None:
    spec = SectionSpec("a", {"es": "A"}, limits=(Limit("pages", 4),))
    form = Form("f", {"es": "F"}, ("es",), "s", "2026-01-02", sections=(spec,))
    report = Report("T", "es", (Section("a", "Excelencia", 1, "x", spec="a"),))
    findings = check_pages(report, form, lambda _: DOCX, to_pdf)
    assert findings.violations == ()
    assert "'Excelencia'" in findings.notices[0]
