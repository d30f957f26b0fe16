"""A new document has the page that its form demands."""

from __future__ import annotations

import pytest

from fabai.demands import Page
from fabai.form import Font, Form, Limit, SectionSpec
from fabai.formats.export import export_docx
from fabai.report import Report, Section

from .word import parts, text, xpath

PAGE = Page("letter", 1.5, 2.0, 1.5, 2.0, 1.5, {"en": "Call: {call}"}, {"en": "Part B – Page {page} of {pages}"})
TABLE = "| Town | Gauges |\n|---|---:|\n| Brackwell | 3 |\n\n: Gauges"
META = {"call": "HE-2025 — Water", "organisation": "Northmoor University"}


def made(form: Form, meta: dict[str, str] | None = None) -> bytes:
    sections = (Section("a", "Aims", 1, TABLE, spec="a"), Section("b", "Plan", 1, "Two winters.", spec="b"))
    report = Report("RIVERLINK", "en", sections, META if meta is None else meta)
    return export_docx(report, sources={}, original=None, media={}, form=form)


def form(page: Page | None = None, font: Font | None = None, limits: tuple[Limit, ...] = ()) -> Form:
    sections = (SectionSpec("a", {"en": "Aims"}), SectionSpec("b", {"en": "Plan"}))
    return Form("f", {"en": "F"}, ("en",), "s", "2026-01-01", True, sections, limits, font=font, page=page)


def test_paper_margins_header_and_footer_are_the_forms() -> None:
    data = made(form(PAGE))
    section = "//w:body/w:sectPr"
    assert xpath(data, f"string({section}/w:pgSz/@w:w)") == "12240"
    sides = [xpath(data, f"string({section}/w:pgMar/@w:{one})") for one in ("top", "right", "bottom", "left")]
    assert sides == ["850", "1134", "850", "1134"]
    # header and footer find room in narrow margins
    assert xpath(data, f"string({section}/w:pgMar/@w:header)") == "400"
    shown = text(data, "all")
    assert "Call: HE-2025 — Water" in shown
    footer = parts(data)["word/footer1.xml"].decode()
    assert "Part B – Page " in footer
    assert footer.index(" PAGE ") < footer.index(" NUMPAGES ")
    width = 12240 - 2 * 1134
    assert xpath(data, f"count(//w:style//w:tab[@w:leader='dot'][@w:pos='{width}'])", "word/styles.xml") == 9
    assert xpath(data, "count(//w:style//w:spacing[@w:line < 360])", "word/styles.xml") == 0


def test_a_header_that_names_what_nobody_said_stays_the_title() -> None:
    shown = text(made(form(PAGE), {"organisation": "Northmoor University"}), "all")
    assert "Call:" not in shown
    assert shown.count("RIVERLINK") == 2


@pytest.mark.parametrize(("names", "wanted"), [(("Arial",), "Arial"), (("Times New Roman", "Calibri"), "Calibri")])
def test_letters_are_of_a_font_that_the_form_takes_and_none_is_too_small(names: tuple[str, ...], wanted: str) -> None:
    data = made(form(font=Font(names, 12.0)))
    assert xpath(data, "string(//w:docDefaults//w:rFonts/@w:ascii)", "word/styles.xml") == wanted
    small = "//w:style[not(w:name[@w:val='header' or @w:val='footer' or starts-with(@w:val, 'footnote')])]"
    assert xpath(data, f"count({small}//w:sz[@w:val < 24])", "word/styles.xml") == 0


@pytest.mark.parametrize(("excluded", "pages"), [((), 0), (("cover", "index"), 2)])
def test_pages_that_would_count_are_not_spent_on_cover_and_contents(excluded: tuple[str, ...], pages: int) -> None:
    data = made(form(limits=(Limit("pages", 20, excludes=excluded),)))
    assert xpath(data, "count(//w:pageBreakBefore)") == pages
    assert ("Contents" in text(data)) == bool(pages)
    assert "RIVERLINK" in text(data)
    # without a cover the first page has its number too
    assert xpath(data, "count(//w:titlePg)") == (1 if pages else 0)


def test_a_cover_without_an_organisation_begins_as_far_down() -> None:
    data = made(form(), {"call": "Call"})
    assert xpath(data, "string((//w:body/w:p)[1]/w:pPr/w:spacing/@w:before)") == "3400"
