"""Templates: a funder's pages, headers and look stay, its guidance goes, and text stands under its headings."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace

import docx
import pytest

from fabai.errors import UnreadableFile
from fabai.formats.document import Document
from fabai.formats.export import export_docx
from fabai.formats.package import Package
from fabai.formats.read import read
from fabai.formats.wordml import W, add, add_text
from fabai.report import Report, Section

from .word import case, check_sound, exported, parts, report_of, squeezed, text, xml, xpath


def test_a_template_without_styles_and_numbering_gets_real_headings_lists_and_tables() -> None:
    data = exported(case("017", "seccion.md"), template=case("017", "plantilla-minima.docx").read_bytes())
    docx.Document(io.BytesIO(data))
    heading_1 = "count(//w:style[translate(w:name/@w:val,'H','h')='heading 1'])"
    assert xpath(data, heading_1, "word/styles.xml") == 1
    assert xpath(data, "count(//w:p[w:pPr/w:numPr])") == 2
    assert xpath(data, "string(//w:docDefaults//w:rFonts/@w:ascii)", "word/styles.xml") == "Garamond"
    assert xpath(data, "count(//w:tbl//w:tr)") == 3


def test_page_sections_headers_and_footers_of_a_template_stay_and_its_guidance_goes() -> None:
    data = exported(case("024", "cuerpo.md"), template=case("024", "dos-secciones.docx").read_bytes())
    assert xpath(data, "count(//w:sectPr)") == 2
    assert xpath(data, "count(//w:sectPr[w:pgSz/@w:orient='landscape'])") == 1
    assert xpath(data, "string((//w:sectPr)[1]/w:pgSz/@w:w)") == "11906"
    for gone in ("[Describa el proyecto]", "[Inserte la tabla]"):
        assert gone not in text(data)
    for kept in ("CABECERA VERTICAL", "CABECERA APAISADA", "PIE COMÚN"):
        assert kept in text(data, "all")
    assert headings_by_page(data) == {"Resumen": "portrait", "Anexo económico": "landscape"}
    footers = [part for name, part in parts(data).items() if name.startswith("word/footer")]
    assert footers
    assert all(b"PAGE" in part for part in footers)


def headings_by_page(data: bytes) -> dict[str, str]:
    waiting: list[str] = []
    found: dict[str, str] = {}
    for child in xml(data)[0]:
        if child.tag == W + "p" and child.find(f"{W}pPr/{W}pStyle") is not None:
            waiting.append(squeezed("".join(child.itertext())))
        section = child if child.tag == W + "sectPr" else child.find(f"{W}pPr/{W}sectPr")
        if section is not None:
            landscape = section.find(W + "pgSz").get(W + "orient") == "landscape"
            found |= dict.fromkeys((one for one in waiting if one), "landscape" if landscape else "portrait")
            waiting = []
    return {name: page for name, page in found.items() if name in ("Resumen", "Anexo económico")}


@pytest.mark.parametrize("name", ["estricta.docx", "colgante.docx"])
def test_a_strict_template_and_one_with_a_dangling_relationship_are_used(name: str) -> None:
    template = case("015", name).read_bytes()
    report = Report(
        "Memoria", "es", (Section("a", "Memoria técnica", 1, "Texto nuevo."), Section("b", "Otra", 1, "Más."))
    )
    data = export_docx(report, sources={}, original=None, media={}, template=template)
    assert "Texto nuevo." in text(data)
    assert "Más." in text(data)


def test_a_template_that_is_no_word_file_is_answered_with_a_sentence_that_names_it() -> None:
    with pytest.raises(UnreadableFile, match="the template"):
        export_docx(Report("T", "es"), sources={}, original=None, media={}, template=b"no")


def test_sections_that_a_template_lacks_follow_the_one_before_them() -> None:
    report, sources = report_of(read(case("024", "cuerpo.md")))
    extra = Section("x", "Calendario", 2, "De enero a junio.")
    report = replace(report, sections=(report.sections[0], extra, *report.sections[1:]))
    template = case("024", "dos-secciones.docx").read_bytes()
    data = export_docx(report, sources=sources, original=None, media={}, template=template)
    check_sound(data, template)
    words = text(data)
    assert words.index("Resumen") < words.index("Calendario") < words.index("Anexo económico")


def test_what_a_template_says_of_its_own_company_is_not_handed_in() -> None:
    template = with_app(case("017", "plantilla-minima.docx").read_bytes())
    report = Report("Memoria 2024", "ca", (Section("a", "Resum", 1, "Text."),), {"organisation": "Entitat Fictícia"})
    data = export_docx(report, sources={}, original=None, media={}, template=template)
    joined = b"".join(parts(data).values()).decode("utf-8", "replace")
    assert "Ministerio de Ejemplo" not in joined
    assert "Jefatura" not in joined
    assert "Memoria 2024" in parts(data)["docProps/core.xml"].decode()
    assert xpath(data, "string(//w:docDefaults//w:lang/@w:val)", "word/styles.xml") == "ca-ES"


def with_app(template: bytes) -> bytes:
    """The template with properties that name a company and a manager."""
    files = dict(parts(template))
    namespace = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
    files["docProps/app.xml"] = (
        f'<Properties xmlns="{namespace}"><Company>Ministerio de Ejemplo</Company>'
        "<Manager>Jefatura</Manager></Properties>"
    ).encode()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties"
    files["_rels/.rels"] = files["_rels/.rels"].replace(
        b"</Relationships>",
        f'<Relationship Id="app" Type="{kind}" Target="docProps/app.xml"/></Relationships>'.encode(),
    )
    files["[Content_Types].xml"] = files["[Content_Types].xml"].replace(
        b"</Types>",
        b'<Override PartName="/docProps/app.xml" '
        b'ContentType="application/vnd.openxmlformats-officedocument.extended-properties+xml"/></Types>',
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_an_imported_report_poured_into_a_template_keeps_its_tables_and_pictures(chess: Document) -> None:
    report, sources = report_of(chess)
    template = case("017", "plantilla-minima.docx").read_bytes()
    data = export_docx(report, sources=sources, original=chess.original, media=chess.media, template=template)
    check_sound(data, template)
    assert chess.original is not None
    assert len([one for one in parts(data) if "/media/" in one]) == 9
    assert xpath(data, "count(//w:tbl)") == xpath(chess.original, "count(//w:tbl)")


def test_numbered_items_go_on_after_bullets_and_a_second_list_begins_at_one(
    office: Callable[[bytes, str, str], bytes],
) -> None:
    data = exported(case("027", "mixta.md"))
    lines = [squeezed(line) for line in office(data, "docx", "txt").decode("utf-8-sig").splitlines()]
    wanted = [
        ("Convocatoria", "1"), ("carteles", "•"), ("web", "•"), ("Selección", "2"), ("entrevistas", "•"),
        ("Cierre", "3"), ("Otra lista", "1"), ("Segundo punto", "2"),
    ]  # fmt: skip
    for item, label in wanted:
        line = next(one for one in lines if item in one)
        mark = line[: line.index(item)].strip().rstrip(".)")
        assert (mark == label) if label.isdigit() else (mark and not mark[0].isalnum()), line


def test_what_a_report_has_still_to_fill_in_is_never_emptied_with_the_fields_of_the_template() -> None:
    template = exported(case("018", "dolares.md"))
    package = Package(template)
    body = package.edit(package.document).find(W + "body")
    assert body is not None
    paragraph = add(body, "p")
    body.insert(0, paragraph)
    add_text(add(paragraph, "r"), "Expediente {{ expediente }} de {{ entidad }}")
    report = Report("M", "es", (Section("a", "Gastos", 1, "Se gastaron {{ importe }} euros en {{ entidad }}."),))
    values = {"entidad": "Entidad Ficticia"}
    data = export_docx(report, sources={}, original=None, media={}, template=package.save(), values=values)
    words = text(data)
    assert "Expediente de Entidad Ficticia" in words
    assert "{{ importe }} euros en {{ entidad }}" in words
