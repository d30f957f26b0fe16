"""The table of contents: filled when the file is written, in the report's language, with true pages, and updated by
Word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from fabai.formats.document import Document
from fabai.formats.export import export_docx
from fabai.formats.pages import guessed_pages, heading_pages
from fabai.formats.read import read
from fabai.report import Report, Section

from .word import case, check_sound, exported, report_of, squeezed, text, xml, xpath

CATALAN = ("Activitats", "Indicadors", "Pressupost")


def test_the_contents_are_one_field_filled_in_the_language_of_the_report() -> None:
    data = exported(case("023", "llarga.md"), "ca")
    assert xpath(data, "count(//w:instrText[contains(., 'TOC')])") == 1
    assert xpath(data, "count(//w:updateFields)", "word/settings.xml") == 1
    for english in ("F9", "Update field", "right-click", "Table of Contents"):
        assert english not in text(data)
    assert "Índex" in text(data)
    assert all(text(data).count(heading) >= 2 for heading in CATALAN)


def test_every_entry_leads_to_a_bookmark_on_its_heading() -> None:
    data = exported(case("023", "llarga.md"), "ca")
    names = {"w": xml(data).nsmap["w"]}
    anchors = xml(data).xpath("//w:hyperlink/@w:anchor", namespaces=names)
    assert len(anchors) == 3
    for anchor, heading in zip(anchors, CATALAN, strict=True):
        marked = xml(data).xpath(f"//w:p[w:bookmarkStart/@w:name='{anchor}']", namespaces=names)
        assert [squeezed("".join(one.itertext())) for one in marked] == [heading]


def test_the_pages_in_the_contents_are_those_of_the_pdf(office: Callable[[bytes, str, str], bytes]) -> None:
    document = read(case("023", "llarga.md"))
    report, _ = report_of(document, "ca")
    data = export_docx(report, sources={}, original=None, media={}, to_pdf=lambda word: office(word, "docx", "pdf"))
    check_sound(data)
    printed = contents(data)
    assert list(printed) == list(CATALAN)
    true = heading_pages(office(data, "docx", "pdf"), CATALAN)
    assert list(printed.values()) == true
    assert None not in true
    assert true[0] == 2
    assert true[-1] != 2


def contents(data: bytes) -> dict[str, int]:
    """Heading and page of each entry."""
    names = {"w": xml(data).nsmap["w"]}
    entries = ["".join(one.itertext()) for one in xml(data).xpath("//w:p[w:hyperlink]", namespaces=names)]
    found: dict[str, int] = {}
    for entry in entries:
        match = re.search(r"([^\W\d]+) PAGEREF \S+ \\h (\d+)", entry)
        assert match is not None
        found[match[1].removeprefix(" TOC ")] = int(match[2])
    return found


def test_pages_are_guessed_by_words_where_nothing_can_lay_the_document_out() -> None:
    assert guessed_pages([0, 100, 900], 3) == [3, 3, 5]
    report = Report("T", "es", (Section("a", "Uno", 1, "palabra " * 2000), Section("b", "Dos", 1, "fin")))
    pages = list(contents(export_docx(report, sources={}, original=None, media={})).values())
    assert pages[0] < pages[1]


def test_a_cover_stands_on_a_page_of_its_own_where_there_is_something_to_put_on_it() -> None:
    sections = (Section("a", "Resumen", 1, "Texto."),)
    meta = {"organisation": "Entidad Ficticia", "call": "Convocatoria 2024", "date": "3 de mayo de 2025"}
    data = export_docx(Report("Memoria final", "es", sections, meta), sources={}, original=None, media={})
    check_sound(data)
    words = text(data)
    order = ["Entidad Ficticia", "Memoria final", "Convocatoria 2024", "3 de mayo de 2025", "Índice", "Resumen"]
    assert sorted(order, key=words.index) == order
    assert xpath(data, "count(//w:pageBreakBefore)") == 2
    for part in ("word/header1.xml", "word/footer1.xml"):
        assert xpath(data, "count(//w:p)", part) == 1
    assert "Memoria final" in squeezed("".join(xml(data, "word/header1.xml").itertext()))
    assert squeezed("".join(xml(data, "word/footer1.xml").itertext())).startswith("Pág. PAGE")


def test_the_contents_of_an_imported_file_stay_when_its_headings_stay(chess: Document) -> None:
    report, sources = report_of(chess)
    section = next(one for one in report if one.heading == "Resumen")
    data = export_docx(
        report.with_section(replace(section, text="Texto nuevo.")),
        sources=sources,
        original=chess.original,
        media=chess.media,
    )
    assert chess.original is not None
    query = "count(//w:instrText[contains(., 'TOC')])"
    assert xpath(data, query) == xpath(chess.original, query)


def test_a_new_heading_is_listed_in_the_contents_that_were_there(chess: Document) -> None:
    report, sources = report_of(chess)
    new = Section("new", "Capítulo añadido", 1, "Texto.")
    data = export_docx(
        replace(report, sections=(*report.sections, new)),
        sources=sources,
        original=chess.original,
        media=chess.media,
    )
    check_sound(data, chess.original)
    assert text(data).count("Capítulo añadido") == 2
    assert xpath(data, "count(//w:updateFields)", "word/settings.xml") == 1
