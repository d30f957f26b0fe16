"""Edits inside the cells of a Word table: what nobody touched stays, element by element."""

from __future__ import annotations

import io

import docx
from lxml import etree

from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.formats.wordml import W, text_of

from .word import check_sound, report_of, with_text, xml


def exported(old: str, new: str) -> tuple[list[bytes], list[bytes], bytes]:
    """A layout table with a long cell, one edit of its Markdown: the cell's children before and after, and the file."""
    made = docx.Document()
    made.add_heading("Boletín", 1)
    cell = made.add_table(1, 2).cell(0, 0)
    cell.paragraphs[0].add_run("Primera noticia. ").bold = True
    cell.add_paragraph("")
    cell.add_paragraph("Segunda", style="Heading 2")
    cell.add_paragraph("Tercera noticia del barrio.")
    out = io.BytesIO()
    made.save(out)
    document = read_docx(out.getvalue())
    report, sources = report_of(document)
    section = next(one for one in report if old in one.text)
    report = with_text(report, section.id, section.text.replace(old, new))
    assert document.original is not None
    data = export_docx(report, sources=sources, original=document.original, media={})
    check_sound(data, document.original)
    before, after = (list(next(xml(one).iter(W + "tc"))) for one in (document.original, data))
    return *([etree.tostring(one) for one in some] for some in (before, after)), data


def test_an_edited_paragraph_of_a_cell_leaves_its_neighbours_and_empty_lines_as_they_were() -> None:
    before, after, data = exported("Tercera noticia", "Tercera crónica")
    assert before[:-1] == after[:-1]
    assert "Tercera crónica del barrio." in text_of(xml(data))


def test_a_heading_in_a_cell_stays_one_when_its_words_change() -> None:
    before, after, _ = exported("Segunda ", "Sección ")
    assert len(before) == len(after)
    assert [b"Heading2" in one for one in after] == [b"Heading2" in one for one in before]
    assert sum(one == other for one, other in zip(before, after, strict=True)) == len(before) - 1
