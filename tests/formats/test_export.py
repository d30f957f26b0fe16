"""Export: what nobody touched stays as it was, what changed is rendered in its place, and Word finds no fault."""

from __future__ import annotations

import io
import os
from dataclasses import replace
from pathlib import Path

import docx
import pytest
from lxml import etree
from PIL import Image

from fabai.formats import pandoc
from fabai.formats.document import Block, Document, DocumentSection
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.formats.package import Package
from fabai.formats.photo import LONGEST, scaled
from fabai.formats.read import read
from fabai.formats.wordml import M, W, text_of, value
from fabai.report import Report, Section
from fabai.settings import ReadingLimits

from .word import case, check_sound, exported, parts, report_of, squeezed, text, with_text, xml, xpath


def born(markdown: str, language: str = "es", **more: object) -> bytes:
    """A report of one section that was not imported from Word."""
    report = Report("Memoria", language, (Section("a", "Actividades", 1, markdown),))  # type: ignore[arg-type]
    data = export_docx(report, sources={}, original=None, media=more.get("media", {}))  # type: ignore[arg-type]
    check_sound(data)
    return data


def changed(path: Path, old: str, new: str) -> tuple[bytes, bytes]:
    """A Word file with one edit in its Markdown: the kept original and the export."""
    document = read_docx(path)
    report, sources = report_of(document)
    section = next(one for one in report if old in one.text)
    report = with_text(report, section.id, section.text.replace(old, new))
    assert document.original is not None
    data = export_docx(report, sources=sources, original=document.original, media=document.media)
    check_sound(data, document.original)
    return document.original, data


def same_children(one: bytes, other: bytes) -> int:
    """How many children of one body the other has too, byte for byte."""
    from lxml import etree

    left = [etree.tostring(child, with_tail=False) for child in xml(one)[0]]
    right = [etree.tostring(child, with_tail=False) for child in xml(other)[0]]
    return sum(child in right for child in left)


@pytest.mark.parametrize(
    "name",
    [("001", "memoria.docx"), ("005", "formulario.docx"), ("008", "presupuesto.docx"), ("024", "dos-secciones.docx")],
)
def test_an_unchanged_report_goes_out_as_the_file_it_came_from(name: tuple[str, str]) -> None:
    document = read_docx(case(*name))
    report, sources = report_of(document)
    data = export_docx(report, sources=sources, original=document.original, media=document.media)
    assert data == document.original


def test_one_edited_paragraph_leaves_every_other_element_as_it_was() -> None:
    original, data = changed(case("020", "cronologia.docx"), "consolidación", "asentamiento")
    assert "2023. Año de asentamiento del programa." in text(data)
    assert same_children(original, data) == len(xml(original)[0]) - 1


def test_typed_numbers_stay_text_after_an_edit() -> None:
    _, data = changed(case("020", "cronologia.docx"), "Personal contratado", "Personal contratado y voluntario")
    assert xpath(data, "count(//w:p[w:pPr/w:numPr])") == 0
    for wanted in (
        "2023. Año de consolidación del programa.",
        "1. Se amplía el horario de la sala.",
        "a) Personal contratado",
        "el convenio se prorrogó hasta finales de 2025. La prórroga",
    ):
        assert wanted in text(data)


def test_one_edited_cell_keeps_the_table_and_its_merges() -> None:
    original, data = changed(case("008", "presupuesto.docx"), "4.200,00", "4.300,00")
    assert xpath(data, "count(//w:tbl)") == 1
    assert xpath(data, "count(//w:gridSpan)") == xpath(original, "count(//w:gridSpan)")
    assert xpath(data, "count(//w:vMerge)") == xpath(original, "count(//w:vMerge)")
    assert xpath(data, "count(//w:tr[contains(., 'Coordinación')][contains(., '4.300,00')])") == 1
    assert xpath(data, "count(//w:tr[contains(., 'Talleristas')][contains(., '3.150,00')])") == 1


def test_an_untouched_merged_table_survives_the_round_trip() -> None:
    data = exported(case("008", "presupuesto.docx"))
    assert xpath(data, "count(//w:tbl)") == 1
    assert xpath(data, "count(//w:tr[contains(., 'Coordinación')][contains(., '4.200,00')])") == 1


def listed(markdown: str = "- primera\n- segunda\n- tercera\n") -> bytes:
    """A Word file with a list, made by fabai itself."""
    return born(f"Se hizo lo siguiente, con buen resultado y sin retrasos de ninguna clase:\n\n{markdown}")


def test_an_edited_list_item_keeps_the_marks_of_the_others_and_a_new_item_joins_the_list() -> None:
    document = read_docx(listed())
    report, sources = report_of(document)
    section = next(one for one in report if "primera" in one.text)
    lines = section.text.replace("segunda", "segunda, corregida").replace("tercera", "tercera\n- cuarta")
    data = export_docx(with_text(report, section.id, lines), sources=sources, original=document.original, media={})
    check_sound(data, document.original)
    items = xml(data).xpath("//w:p[w:pPr/w:numPr]", namespaces={"w": W[1:-1]})
    assert [text_of(one) for one in items] == ["primera", "segunda, corregida", "tercera", "cuarta"]
    assert len({one.find(f".//{W}numId").get(W + "val") for one in items}) == 1


def test_sections_are_added_removed_renamed_relevelled_and_moved() -> None:
    document = read_docx(case("001", "memoria.docx"))
    report, sources = report_of(document)
    first, second, third = report.sections
    sections = (
        replace(third, heading="Resultados e impacto"),
        replace(first, level=2),
        Section("new", "Presupuesto", 1, "Se gastaron **18.500 €**[^1].\n\n[^1]: Según la resolución."),
    )
    data = export_docx(
        replace(report, sections=sections), sources=sources, original=document.original, media=document.media
    )
    check_sound(data, document.original)
    back = read_docx(data)
    assert [(one.heading, one.level) for one in back.sections] == [
        ("Resultados e impacto", 1),
        ("Resumen ejecutivo", 2),
        ("Presupuesto", 1),
    ]
    assert second.heading not in text(data)
    assert "Según la resolución." in text(data, "all")
    for kept in (first, third):
        assert squeezed(kept.text)[:40] in text(data)


def test_a_removed_section_leaves_its_page_section_break() -> None:
    document = read_docx(case("024", "dos-secciones.docx"))
    report, sources = report_of(document)
    data = export_docx(
        replace(report, sections=report.sections[1:]), sources=sources, original=document.original, media={}
    )
    check_sound(data, document.original)
    assert xpath(data, "count(//w:sectPr)") == 2
    assert xpath(data, "count(//w:pgSz[@w:orient='landscape'])") == 1


def test_a_rewritten_section_takes_the_look_of_the_text_it_replaces(chess: Document) -> None:
    report, sources = report_of(chess)
    section = next(one for one in report if one.heading == "Resumen")
    data = export_docx(
        with_text(report, section.id, "Un resumen escrito de nuevo, que ocupa una línea."),
        sources=sources,
        original=chess.original,
        media=chess.media,
    )
    check_sound(data, chess.original)
    body = list(xml(data)[0])
    new = next(one for one in body if "escrito de nuevo" in text_of(one))
    models = [one for one in body if one.tag == W + "p" and len(text_of(one)) > 300]
    assert new.find(f"{W}pPr/{W}jc") is not None
    assert new.find(f"{W}pPr/{W}jc").get(W + "val") == models[0].find(f"{W}pPr/{W}jc").get(W + "val")


def test_amounts_in_dollars_are_no_formulas() -> None:
    data = exported(case("018", "dolares.md"))
    assert xpath(data, "count(//m:oMath)") == 1
    for wanted in (
        "costó 45$ por sesión y 60$ por taller",
        "de 20.000$/año a 35.000$/año",
        "US$5,000 a US$7,500-8,000$",
        "El índice es",
    ):
        assert wanted in text(data)
    bold = {squeezed(text_of(run)) for run in xml(data).xpath("//w:r[w:rPr/w:b]", namespaces={"w": W[1:-1]})}
    assert {"45$", "60$"} <= bold


def test_characters_that_xml_forbids_are_left_out_and_the_words_around_them_stay() -> None:
    path = case("021", "sucio.md")
    data = exported(path)
    docx.Document(io.BytesIO(data))
    for wanted in ("Proporción 2/7 del presupuesto", "Línea con salto vertical", "marca final", "carácter suelto"):
        assert wanted in text(data)
    dirty = case("021", "valor.txt").read_bytes().decode("utf-8", "replace")
    report = Report(f"Título\x0c con \x00salto {dirty}", "es", (Section("a", "Uno\x0b\ud800 dos", 1, "Texto."),))
    report = replace(report, meta={"organisation": f"Entidad {dirty}\x1f"})
    check_sound(export_docx(report, sources={}, original=None, media={}))


def test_the_document_has_the_language_of_the_report_and_quotations_theirs() -> None:
    data = exported(case("026", "catala.md"), "ca")
    assert xpath(data, "string(//w:docDefaults//w:lang/@w:val)", "word/styles.xml") == "ca-ES"
    tagged = xpath(data, "count(//w:r[w:rPr/w:lang[starts-with(@w:val,'en')]][contains(., 'leave no one behind')])")
    assert isinstance(tagged, float)
    assert tagged >= 1
    assert "Pàg. " in text(data, "all")


def test_only_pictures_of_the_project_are_put_in() -> None:
    pixel = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
        "0000000c4944415478da63606060000000040001f61738550000000049454e44ae426082"
    )
    markdown = "![Logotipo](media/a.png)\n\n![Otra](/etc/passwd)\n\n![Fuera](http://127.0.0.1:9/x.png)"
    data = born(markdown, media={"media/a.png": pixel})
    assert [one for one in parts(data).values() if one == pixel]
    assert len([name for name in parts(data) if "media/" in name]) == 1
    assert "Otra" in text(data)
    assert not any(b'TargetMode="External"' in one for name, one in parts(data).items() if name.endswith(".rels"))


def test_raw_blocks_of_word_do_not_reach_the_file() -> None:
    data = born("```{=openxml}\n<w:p><w:r><w:t>intruso</w:t></w:r></w:p>\n```\n\n<script>x</script>")
    assert xpath(data, "count(//w:t[.='intruso'])") == 0


def test_notes_with_the_same_mark_in_two_sections_stay_two_notes() -> None:
    sections = (
        Section("a", "A", 1, "Uno[^1].\n\n[^1]: Nota de A."),
        Section("b", "B", 1, "Dos[^1].\n\n[^1]: Nota de B."),
    )
    data = export_docx(Report("T", "es", sections), sources={}, original=None, media={})
    check_sound(data)
    assert "Nota de A." in text(data, "all")
    assert "Nota de B." in text(data, "all")


def test_a_fence_left_open_in_one_section_does_not_swallow_the_next() -> None:
    sections = (Section("a", "A", 1, "```\ncódigo sin cerrar"), Section("b", "B", 1, "Texto de B."))
    data = export_docx(Report("T", "es", sections), sources={}, original=None, media={})
    check_sound(data)
    assert xpath(data, "count(//w:p[.='Texto de B.'])") == 1


def test_a_section_without_blocks_and_a_report_without_sections_are_exported() -> None:
    check_sound(export_docx(Report("Vacía", "en"), sources={}, original=None, media={}))
    check_sound(export_docx(Report("", "en", (Section("a", "A", 1),)), sources={}, original=None, media={}))


def test_a_document_that_came_from_markdown_is_not_taken_for_a_word_file() -> None:
    document = read(case("027", "mixta.md"))
    report, sources = report_of(document)
    assert isinstance(next(iter(sources.values())), DocumentSection)
    assert all(isinstance(block, Block) for source in sources.values() for block in source.blocks)
    check_sound(export_docx(report, sources=sources, original=None, media={}, limits=ReadingLimits()))


def test_properties_carry_the_title_and_no_company() -> None:
    data = born("Texto.")
    assert b"Memoria" in parts(data)["docProps/core.xml"]
    assert not any(b"<Company>" in one for one in parts(data).values())


@pytest.mark.slow
def test_the_long_memoria_keeps_all_but_the_edited_paragraph(long_memoria: Document) -> None:
    report, sources = report_of(long_memoria)
    section = max(report, key=lambda one: one.words)
    first = next(line for line in section.text.split("\n") if len(line) > 80 and line[0].isalpha())
    report = with_text(report, section.id, section.text.replace(first, f"Añadido. {first}", 1))
    assert long_memoria.original is not None
    data = export_docx(report, sources=sources, original=long_memoria.original, media=long_memoria.media)
    check_sound(data, long_memoria.original)
    before, after = xml(long_memoria.original)[0], xml(data)[0]
    assert len(before) == len(after)
    assert "".join(after.itertext()).replace("Añadido. ", "", 1) == "".join(before.itertext())


def test_a_long_report_is_converted_in_parts_that_read_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    section = "Uno.\n\nDos[^1].\n\n1. a\n2. b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n: Gasto\n\n[^1]: Nota {0}.\n"
    report = Report(
        "Memoria",
        "es",
        tuple(Section(f"s{at}", f"Apartado {at}", 1, section.replace("{0}", str(at))) for at in range(6)),
    )

    def shown() -> list[tuple[str, str | None]]:
        data = export_docx(report, sources={}, original=None, media={})
        check_sound(data)
        return [
            *((text_of(one), value(one, "pPr/pStyle")) for one in Package(data).body.iter(W + "p")),
            *((text_of(one), None) for one in xml(data, "word/footnotes.xml")),
        ]

    whole = shown()
    monkeypatch.setattr(pandoc, "_WORTHWHILE", 30)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    runs: list[int] = []
    converted = pandoc.from_json
    monkeypatch.setattr(pandoc, "from_json", lambda *given, **more: (runs.append(1), converted(*given, **more))[1])
    assert shown() == whole
    assert len(runs) == 4
    assert [one for one, _ in whole if one.endswith("Gasto")] == [f"Tabla\u00a0{at}. Gasto" for at in range(1, 7)]


def test_formulas_of_a_new_document_are_read_again_in_notes_and_cells_too() -> None:
    written = "Sea $x^{2}$.\n\n| A |\n|----|\n| $y_{1}$ |\n\nDe $n$[^1].\n\n[^1]: con $z_{1}$"
    assert [one for one in ("$x^{2}$", "$y_{1}$", "$n$", "$z_{1}$") if one not in read_docx(born(written)).text] == []
    only = read_docx(born("Texto[^1].\n\n[^1]: con $z_{1}$"))
    assert "$z_{1}$" in only.text


def test_the_formulas_of_an_edited_paragraph_are_those_of_the_original() -> None:
    report = Report("T", "es", (Section("a", "A", 1, "El ángulo es $x^{2} - 1$ y basta."),))
    package = Package(export_docx(report, sources={}, original=None, media={}))
    (formula,) = package.edit(package.document).iter(M + "oMath")
    next(formula.iter(M + "t")).text = "x\u2061"
    document = read_docx(package.save())
    known, sources = report_of(document)
    section = known.sections[-1]
    edited = with_text(known, section.id, section.text.replace("y basta", "y nada más"))
    data = export_docx(edited, sources=sources, original=document.original, media={})
    assert "y nada más" in text(data)
    assert etree.tostring(next(xml(data).iter(M + "oMath"))) == etree.tostring(formula)
    formulas = with_text(known, section.id, section.text.replace("- 1", "- 2"))
    data = export_docx(formulas, sources=sources, original=document.original, media={})
    assert "2" in "".join(one.text or "" for one in xml(data).iter(M + "t"))[2:]


def test_a_picture_that_the_document_holds_is_not_put_into_it_again_in_another_size() -> None:
    out = io.BytesIO()
    Image.effect_noise((LONGEST + 200, 900), 60).convert("RGB").save(out, "JPEG", quality=95)
    picture = out.getvalue()
    assert scaled(picture) != picture
    report = Report("T", "es", (Section("a", "A", 1, "Una foto ![vista](media/a.jpg) aquí."),))
    fresh = export_docx(report, sources={}, original=None, media={"media/a.jpg": picture})
    assert picture not in parts(fresh).values()
    package = Package(fresh)
    (name,) = (one for one in package.names if "/media/" in one)
    package.put(name, picture)
    document = read_docx(package.save())
    known, sources = report_of(document)
    section = known.sections[-1]
    edited = with_text(known, section.id, section.text.replace("Una foto", "Otra foto"))
    data = export_docx(edited, sources=sources, original=document.original, media=document.media)
    assert "Otra foto" in text(data)
    assert [part for one, part in parts(data).items() if "/media/" in one] == [picture]
