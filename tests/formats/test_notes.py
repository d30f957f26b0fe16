"""Notes of an edited paragraph: endnotes stay endnotes, and a note that nobody touched keeps its own text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.formats.wordml import W

from .word import check_sound, parts, report_of, text, xpath


def edit(path: Path, old: str, new: str) -> tuple[bytes, bytes]:
    document = read_docx(path)
    report, sources = report_of(document)
    section = next(one for one in report if old in one.text)
    report = report.with_section(replace(section, text=section.text.replace(old, new, 1)))
    assert document.original is not None
    data = export_docx(report, sources=sources, original=document.original, media=document.media)
    check_sound(data, document.original)
    return document.original, data


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("mammoth.js__endnotes", "Ouch", "Vaya"),
        ("mammoth.js__endnotes", "A tachyon", "Un taquión"),
        ("all2md__footnotes-endnotes-comments", "The first footnote will", "The first footnote shall"),
        ("all2md__footnotes-endnotes-comments", "Here’s an endnote", "This is an endnote"),
        ("tika__testWORD_endnote_table", "Endnote Test", "Endnote Probe"),
    ],
)
def test_the_notes_of_an_edited_paragraph_keep_their_kind(shared: Path, name: str, old: str, new: str) -> None:
    original, data = edit(shared / "data" / "docx" / f"{name}.docx", old, new)
    for kind in ("footnote", "endnote"):
        count = f"count(//w:{kind}Reference)"
        assert xpath(data, count) == xpath(original, count)
    assert new in text(data, "all")
    assert old not in text(data, "all")


def test_a_note_that_nobody_touched_keeps_its_own_xml(shared: Path) -> None:
    original, data = edit(shared / "data" / "docx" / "mammoth.js__endnotes.docx", "Ouch", "Vaya")
    assert xpath(data, "count(//*[local-name()='endnote'])", "word/endnotes.xml") == xpath(
        original, "count(//*[local-name()='endnote'])", "word/endnotes.xml"
    )
    assert W[1:-1].encode() in parts(data)["word/endnotes.xml"]


def test_a_new_note_in_a_document_of_endnotes_is_an_endnote(shared: Path) -> None:
    _, data = edit(shared / "data" / "docx" / "mammoth.js__endnotes.docx", "Ouch", "Ouch[^9]")
    assert xpath(data, "count(//w:footnoteReference)") == 0


def test_notes_of_a_heading_reach_the_template(shared: Path) -> None:
    folder = shared / "data" / "docx-memorias"
    document = read_docx(next(folder.glob("*Trayectorias*.docx")))
    report, sources = report_of(document)
    template = export_docx(replace(report, sections=()), sources={}, original=None, media={})
    data = export_docx(report, sources=sources, original=document.original, media=document.media, template=template)
    check_sound(data, document.original)
    assert document.original is not None
    assert xpath(data, "count(//w:footnoteReference)") == xpath(document.original, "count(//w:footnoteReference)")
