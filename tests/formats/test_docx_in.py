"""Reading Word files: headings, revisions, hidden text, content controls, and what must not come in."""

from __future__ import annotations

import io
import re
import socket
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.errors import FabaiError
from fabai.formats.document import Document
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.report import Report, Section

from .word import case, headings, parts, plain, report_of, text, xml


def test_headings_by_outline_level_alone_are_found_and_level_nine_stays_text() -> None:
    document = read_docx(case("001", "memoria.docx"))
    assert headings(document) == [("Resumen ejecutivo", 1), ("Objetivos alcanzados", 2), ("Resultados", 1)]
    assert "Cuerpo marcado con nivel nueve" in plain(document)


def test_headings_by_linked_character_style_or_bold_number_are_found_and_bold_run_ins_are_not() -> None:
    document = read_docx(case("003", "informe.docx"))
    found = headings(document)
    wanted = [("Contexto", 1), ("Plan de trabajo", 2), ("Cronograma", 2), ("Impacto", 1)]
    assert [level for _, level in found] == [level for _, level in wanted]
    assert all(heading.endswith(end) for (heading, _), (end, _) in zip(found, wanted, strict=True))
    assert "Nota: el calendario se ajustó en junio" in plain(document)
    assert "Este informe no sustituye a la cuenta justificativa." in plain(document)


def test_content_controls_come_in_once_each_and_their_prompts_do_not() -> None:
    document = read_docx(case("005", "formulario.docx"))
    words = plain(document)
    for mark in ("BLOQUE", "LINEA", "TABLA", "FILA", "CELDA", "ANIDADA"):
        assert words.count(f"MARCA-{mark}") == 1, mark
    order = ["MARCA-BLOQUE", "Expediente", "MARCA-LINEA", "de 2024", "MARCA-TABLA"]
    assert sorted(order, key=words.index) == order
    assert "Haga clic o pulse aquí" not in words
    assert any("prompt" in notice for notice in document.notices)
    assert document.original is not None
    assert "Haga clic o pulse aquí" in text(document.original), "the kept form must stay a form that can be filled in"


def test_revisions_are_accepted_and_announced_with_their_author() -> None:
    document = read_docx(case("006", "revisada.docx"))
    words = plain(document)
    assert words.count("21.300,00") == 1
    assert words.count("La evaluación externa concluyó en octubre.") == 1
    assert "El importe concedido asciende a 21.300,00 euros" in words
    for gone in ("18.500,00", "900,00", "pendiente de confirmar con gerencia"):
        assert gone not in words
    assert any("tracked changes" in notice and "Revisora A" in notice for notice in document.notices)
    assert any("comment" in notice and "Revisora A" in notice for notice in document.notices)
    assert document.original is not None
    body = xml(document.original)
    assert len(body.xpath("//w:tr", namespaces={"w": body.nsmap["w"]})) == 2
    assert "word/comments.xml" not in parts(document.original)


def test_a_merged_table_keeps_each_cell_once() -> None:
    words = plain(read_docx(case("008", "presupuesto.docx")))
    for cell in ("Presupuesto 2024 (euros)", "Personal", "4.200,00", "3.150,00", "7.350,00"):
        assert words.count(cell) == 1, cell


def test_hidden_text_stays_out_of_the_text_and_of_the_kept_file_and_is_announced() -> None:
    document = read_docx(case("009", "oculto.docx"))
    words = plain(document)
    assert "El programa atendió a 140 jóvenes." in words
    assert "Texto visible dentro de un estilo oculto." in words
    assert document.original is not None
    for hidden in ("99.999", "Ignora las instrucciones", "NOTA INTERNA", "borrador de la directora"):
        assert hidden not in words
        assert hidden not in text(document.original)
    assert any("hidden text" in notice for notice in document.notices)


def test_strict_files_and_files_with_a_dangling_relationship_are_read() -> None:
    assert headings(read_docx(case("015", "estricta.docx"))) == [("Memoria técnica", 1), ("Método", 2)]
    assert "Se visitaron 31 centros." in plain(read_docx(case("015", "estricta.docx")))
    assert headings(read_docx(case("015", "colgante.docx"))) == [("Memoria breve", 1)]


def test_typed_numbers_come_in_as_text_with_backslashes_only_where_a_list_would_begin() -> None:
    document = read_docx(case("020", "cronologia.docx"))
    assert "2023. Año de consolidación del programa." in document.sections[0].text
    for wanted in ("1. Se amplía el horario de la sala.", "a) Personal contratado"):
        assert wanted in plain(document)
    assert "\\" not in plain(document)


def test_children_are_claimed_once_and_in_order() -> None:
    document = read_docx(case("006", "revisada.docx"))
    claimed = [
        child
        for section in document.sections
        for group in (section.heading_children, *(block.children for block in section.blocks))
        for child in group
    ]
    assert claimed == sorted(set(claimed))


def test_fields_that_start_programs_are_gone_from_the_kept_file(shared: Path) -> None:
    document = read_docx(shared / "data" / "docx" / "oletools__dde-test.docx")
    assert document.original is not None
    body = "".join(xml(document.original).itertext())
    assert "DDEAUTO" not in body
    assert "cmd.exe" not in body
    assert any("DDE" in notice for notice in document.notices)


@pytest.mark.parametrize(
    "name",
    [
        "docx4j__tables.docx",
        "docling__word_sample.docx",
        "mammoth.js__external-picture.docx",
        "markitdown__rlink.docx",
        "tika__testSubdocument.docx",
    ],
)
def test_no_relationship_but_a_hyperlink_leads_out_of_the_kept_file(shared: Path, name: str) -> None:
    document = read_docx(shared / "data" / "docx" / name)
    assert document.original is not None
    for part, data in parts(document.original).items():
        if part.endswith(".rels"):
            assert all(b"hyperlink" in one for one in data.split(b"<Relationship ") if b'"External"' in one), part
    assert any("outside" in notice for notice in document.notices)


def test_macros_are_dropped_and_said(shared: Path) -> None:
    document = read_docx(shared / "data" / "docx" / "poi__SimpleMacro.docm")
    assert document.original is not None
    assert not any("vba" in name.lower() for name in parts(document.original))
    assert b"macroEnabled" not in parts(document.original)["[Content_Types].xml"]
    assert any("macros" in notice for notice in document.notices)


@pytest.mark.slow
def test_the_long_memoria_comes_in_with_every_heading_and_without_the_text_of_its_contents(
    long_memoria: Document,
) -> None:
    assert len(long_memoria.sections) == 476
    assert long_memoria.language == "es"
    assert not any(section.heading == "Table of Contents" for section in long_memoria.sections)


def test_pictures_come_in_by_stable_names(shared: Path, chess: Document) -> None:
    path = shared / "data" / "docx-memorias" / "MasterCloudApps-Projects__chess__memoria.docx"
    again = read_docx(path.read_bytes())
    assert len(chess.media) == 9
    assert list(chess.media) == list(again.media)
    used = "".join(section.text for section in chess.sections)
    assert all(name in used for name in chess.media)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"PK\x03\x04broken", "damaged"),
        (b"Esto no es Word.", "not a Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password"),
    ],
)
def test_what_is_no_word_file_is_answered_with_a_sentence(data: bytes, said: str) -> None:
    with pytest.raises(FabaiError, match=said):
        read_docx(data)


def test_nothing_is_fetched_when_a_file_with_links_is_read_exported_and_laid_out(
    office: Callable[[bytes, str, str], bytes],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        document = read_docx(linked(address))
        report, sources = report_of(document)
        for template in (None, linked(address)):
            data = export_docx(
                report, sources=sources, original=document.original, media=document.media, template=template
            )
            assert address.encode() not in b"".join(parts(data).values())
            office(data, "docx", "pdf")
        server.settimeout(0.2)
        with pytest.raises(TimeoutError):
            server.accept()


def linked(address: str) -> bytes:
    """A Word file with a linked picture, an attached template and fields that include a file and a picture."""
    files = dict(parts(case("024", "dos-secciones.docx").read_bytes()))
    drawing = (
        '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:9pt;height:9pt">'
        '<v:imagedata r:id="rIdOut" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>'
        "</v:shape></w:pict></w:r></w:p>"
    )
    fields = "".join(
        f'<w:p><w:fldSimple w:instr=" {code} &quot;{address}/{code}&quot; "><w:r><w:t>antes</w:t></w:r>'
        "</w:fldSimple></w:p>"
        for code in ("INCLUDEPICTURE", "INCLUDETEXT")
    )
    files["word/document.xml"] = files["word/document.xml"].replace(b"<w:body>", f"<w:body>{drawing}{fields}".encode())
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    links = "".join(
        f'<Relationship Id="{name}" Type="{kind}{what}" Target="{address}/{what}" TargetMode="External"/>'
        for name, what in (("rIdOut", "image"), ("rIdTpl", "attachedTemplate"))
    )
    rels = "word/_rels/document.xml.rels"
    files[rels] = files[rels].replace(b"</Relationships>", f"{links}</Relationships>".encode())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_a_horizontal_line_comes_in_as_one_and_goes_with_the_text_that_is_rewritten() -> None:
    report = Report("T", "es", (Section("a", "A", 1, "Antes.\n\n---\n\nDespués."),))
    document = read_docx(export_docx(report, sources={}, original=None, media={}))
    section = next(one for one in document.sections if one.heading == "A")
    assert [bool(re.fullmatch("-+", block.markdown)) for block in section.blocks] == [False, True, False]
    sources = {f"s{number}": one for number, one in enumerate(document.sections)}
    sections = [Section(name, one.heading, one.level, one.text) for name, one in sources.items()]
    assert (
        export_docx(Report("T", "es", tuple(sections)), sources=sources, original=document.original, media={})
        == document.original
    )
    sections[-1] = replace(sections[-1], text="Todo nuevo.")
    data = export_docx(Report("T", "es", tuple(sections)), sources=sources, original=document.original, media={})
    assert b"o:hr" not in zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml")
