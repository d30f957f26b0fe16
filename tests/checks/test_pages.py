"""Page limits: the true count with the right fonts, a warning without them, a notice where nothing can be counted."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from pathlib import Path

import pypdf
import pytest

from fabai.checks.pages import check_pages
from fabai.checks.violation import Violation
from fabai.errors import MissingPart
from fabai.form import Form, Limit, SectionSpec, read_form
from fabai.formats.export import export_docx
from fabai.formats.libreoffice import to_pdf
from fabai.report import Report, Section
from tests.conftest import DATA

CASE = DATA / "cases" / "064-pages-depend-on-fonts"
DOCX = (CASE / "diez-paginas.docx").read_bytes()
WITH_CONTENTS = export_docx(
    Report("T", "es", (Section("a", "A", 1, "x"), Section("b", "B", 1, "y"))), sources={}, original=None, media={}
)
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


def test_the_whole_file_is_laid_out_once_whatever_a_limit_excludes() -> None:
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
    assert [[section.id for section in one] for one in counted] == [["a", "b", "c"]]


def test_without_a_page_limit_no_file_is_made() -> None:
    def never(_: object) -> bytes:
        raise AssertionError

    form = Form("f", {"es": "F"}, ("es",), "s", "2026-01-02", limits=(Limit("words", 1),))
    assert check_pages(REPORT, form, never, never).violations == ()


def test_the_page_limit_of_a_section_that_the_outline_lacks_is_said_not_to_be_checked() -> None:
    spec = SectionSpec("a", {"es": "A"}, limits=(Limit("pages", 4),))
    form = Form("f", {"es": "F"}, ("es",), "s", "2026-01-02", sections=(spec,))
    report = Report("T", "es", (Section("a", "Excelencia", 1, "x", spec="a"),))
    findings = check_pages(report, form, lambda _: DOCX, lambda _: outlined([[], []]))
    assert findings.violations == ()
    assert "'Excelencia'" in findings.notices[0]


def outlined(pages: list[list[tuple[str, float]]]) -> bytes:
    """A PDF of A4 pages whose outline names headings, each with its height on the page in points."""
    writer = pypdf.PdfWriter()
    for headings in pages:
        writer.add_blank_page(595, 842)
        for title, top in headings:
            writer.add_outline_item(
                title=title, page_number=len(writer.pages) - 1, fit=pypdf.generic.Fit.xyz(left=0, top=top)
            )
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


TOP = 842 - 72.0
"""Height of the first line of a page whose margin is an inch."""


def test_a_section_counts_from_its_heading_to_the_next_one_that_is_not_under_it() -> None:
    spec = SectionSpec("a", {"es": "A"}, limits=(Limit("pages", 1),))
    form = Form("f", {"es": "F"}, ("es",), "s", "2026-01-02", sections=(spec,))
    report = Report("T", "es", (Section("a", "A", 1, spec="a"), Section("b", "B", 2), Section("c", "C", 1)))
    half = 842 / 2
    within = outlined([[("A", half)], [("B", TOP), ("C", half + 20)]])
    assert check_pages(report, form, lambda _: DOCX, lambda _: within).violations == ()
    beyond = outlined([[("A", TOP)], [("B", half), ("C", half / 2)]])
    found = check_pages(report, form, lambda _: DOCX, lambda _: beyond).violations
    assert [(one.rule, one.section, one.found) for one in found if one.rule != "font-missing"] == [
        ("limit-pages-maximum", "a", 2)
    ]


@pytest.mark.parametrize(
    ("excludes", "pages"),
    [((), 6), (("cover",), 5), (("index",), 5), (("cover", "index"), 4), (("cover", "index", "a"), 3), (("a",), 5)],
)
def test_cover_index_and_sections_that_a_limit_excludes_do_not_count(excludes: tuple[str, ...], pages: int) -> None:
    pdf = outlined([[], [], [("A", TOP)], [("B", TOP)], [], []])
    form = Form(
        "f", {"es": "F"}, ("es",), "s", "2026-01-02",
        sections=(SectionSpec("a", {"es": "A"}), SectionSpec("b", {"es": "B"})),
        limits=(Limit("pages", 1, excludes=excludes),),
    )  # fmt: skip
    report = Report("T", "es", (Section("a", "A", 1, spec="a"), Section("b", "B", 1, spec="b")))
    found = check_pages(report, form, lambda _: WITH_CONTENTS, lambda _: pdf).violations
    assert [one.found for one in found if one.rule != "font-missing"] == [pages]
