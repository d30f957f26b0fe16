"""fabai.formats.read, and the readers of Markdown, plain text, OpenDocument and HTML"""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fabai.errors import UnreadableFile
from fabai.formats.document import Document
from fabai.formats.read import read

from .server import listening

CASES = Path(__file__).parents[1] / "data" / "cases"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def headings(document: Document) -> list[tuple[str, int]]:
    return [(section.heading, section.level) for section in document.sections]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def odt(path: Path, body: str, styles: str = "", extra: dict[str, bytes] | None = None) -> Path:
    names = ("office", "text", "style", "fo", "dc")
    uris = [
        *(
            f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"
            for name in ("office", "text", "style", "xsl-fo-compatible")
        ),
        "http://purl.org/dc/elements/1.1/",
    ]
    spaces = " ".join(f'xmlns:{name}="{uri}"' for name, uri in zip(names, uris, strict=True))
    links = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"'
    content = (
        f"<office:document-content {spaces} {links}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", content)
        for name, data in (extra or {}).items():
            archive.writestr(name, data)
    return path


def test_markdown_becomes_a_tree_with_a_block_for_each_paragraph(tmp_path: Path) -> None:
    document = read(
        written(tmp_path / "a.md", "Antes.\n\n# Uno\n\nTexto.\n\n- a\n- b\n\n## Dos\n\n| a |\n|---|\n| 1 |\n")
    )
    assert headings(document) == [("", 0), ("Uno", 1), ("Dos", 2)]
    assert [block.markdown for block in document.sections[1].blocks] == ["Texto.", "- a\n- b"]
    assert document.title == "a"
    assert document.original is None


def test_two_lists_in_a_row_stay_two(tmp_path: Path) -> None:
    document = read(written(tmp_path / "a.md", "1. a\n2. b\n\n<!-- -->\n\n1. c\n"))
    again = read(written(tmp_path / "b.md", document.sections[0].text))
    assert again.sections == document.sections
    assert len(document.sections[0].blocks) == 2


def test_notes_numbered_anew_in_each_part_keep_their_texts(tmp_path: Path) -> None:
    text = "# Uno\n\nA[^1].\n\n[^1]: Nota de uno.\n\n# Dos\n\nB[^1].\n\n[^1]: Nota de dos.\n"
    document = read(written(tmp_path / "a.md", text))
    assert [section.text for section in document.sections] == [
        "A[^1].\n\n[^1]: Nota de uno.",
        "B[^2].\n\n[^2]: Nota de dos.",
    ]
    assert document.notices == ()


def test_metadata_gives_title_and_language(tmp_path: Path) -> None:
    document = read(written(tmp_path / "a.md", "---\ntitle: Memoria final\nlang: ca\n---\n\n# Uno\n\nx\n"))
    assert (document.title, document.language) == ("Memoria final", "ca")


def test_html_tags_in_markdown_go_and_their_words_and_pictures_stay(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(PNG)
    document = read(
        written(tmp_path / "a.md", '<p align="center">\n<img src="logo.png" alt="L"/>\nHola<br>tal\n</p>\n')
    )
    assert document.media == {"media/logo.png": PNG}
    assert "<" not in document.sections[0].text
    assert "Hola" in document.sections[0].text


def test_case_018_an_imported_amount_is_text_and_a_formula_a_formula() -> None:
    text = read(CASES / "018-dollar-amounts-not-maths" / "dolares.md").sections[0].text
    assert "costó **45$** por sesión y **60$** por taller" in text
    assert r"$I = \frac{a}{b}$" in text
    assert "\\$" not in text


def test_case_021_control_characters_are_gone() -> None:
    text = read(CASES / "021-control-characters" / "sucio.md").text
    assert "Proporción 2/7 del presupuesto." in text
    assert not any(ord(sign) < 32 and sign != "\n" for sign in text)


def test_case_027_bullets_stand_inside_their_numbers() -> None:
    document = read(CASES / "027-numbered-list-after-bullets" / "mixta.md")
    assert document.sections[0].text.split("\n") == [
        "1.  Convocatoria",
        "    - carteles",
        "    - web",
        "2.  Selección",
        "    - entrevistas",
        "3.  Cierre",
    ]


def test_plain_text_keeps_every_character(tmp_path: Path) -> None:
    document = read(written(tmp_path / "a.txt", "# no es título\n1. tampoco *lista*\n\nSegundo.\n"))
    assert headings(document) == [("", 0)]
    assert len(document.sections[0].blocks) == 2


def test_text_in_the_windows_alphabet_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Memoria de actuación: 5 €".encode("cp1252"))
    assert read(tmp_path / "a.txt").sections[0].text == "Memoria de actuación: 5 €"


def test_case_014_headings_by_style_and_no_deleted_text() -> None:
    document = read(CASES / "014-odt-headings-by-style-name" / "memoria.odt")
    assert headings(document) == [("Presentación", 1), ("Destinatarias", 2), ("Balance", 1)]
    assert "BORRADO" not in document.text
    assert any("tracked changes" in notice for notice in document.notices)


def test_hidden_text_and_comments_of_an_odt_stay_out_and_are_told(tmp_path: Path) -> None:
    styles = (
        '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>'
        '<style:style style:name="H2" style:family="text" style:parent-style-name="H"/>'
    )
    body = (
        '<text:p>Visible<text:span text:style-name="H2">OCULTO</text:span>, sigue'
        "<office:annotation><dc:creator>Revisora</dc:creator><text:p>COMENTARIO</text:p></office:annotation>.</text:p>"
    )
    document = read(odt(tmp_path / "a.odt", body, styles, {"Basic/script.xml": b"<x/>"}))
    assert document.sections[0].text == "Visible, sigue."
    told = " ".join(document.notices)
    assert all(word in told for word in ("hidden text", "Revisora", "macros"))


def test_pictures_of_an_odt_travel(tmp_path: Path) -> None:
    body = '<text:p>x<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>'
    document = read(odt(tmp_path / "a.odt", body, extra={"Pictures/a.png": PNG}))
    assert document.media == {"media/a.png": PNG}
    assert "(media/a.png)" in document.sections[0].text


def test_a_web_page_loses_its_scripts_and_hidden_parts(tmp_path: Path) -> None:
    page = (
        '<html lang="ca"><head><title>Títol</title><style>p {}</style></head><body><div><section><h1>Un</h1>'
        '<p style="display: none">OCULT</p><p hidden>OCULT</p><p>Hola <b>tal</b><script>OCULT</script>.</p></section>'
        "<!-- OCULT --><h2>Dos</h2><p>x</p></div></body></html>"
    )
    document = read(written(tmp_path / "a.html", page))
    assert headings(document) == [("Un", 1), ("Dos", 2)]
    assert (document.title, document.language) == ("Títol", "ca")
    assert document.sections[0].text == "Hola **tal**."
    assert "OCULT" not in document.text
    assert any("hidden" in notice for notice in document.notices)


def test_a_picture_written_into_a_page_becomes_media(tmp_path: Path) -> None:
    data = base64.b64encode(PNG).decode()
    document = read(written(tmp_path / "a.html", f'<p>x <img src="data:image/png;base64,{data}" alt="y"></p>'))
    assert list(document.media.values()) == [PNG]


def test_pictures_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "fuera.png").write_bytes(PNG)
    (tmp_path / "dentro").mkdir()
    (tmp_path / "dentro" / "enlace.png").symlink_to(tmp_path / "fuera.png")
    text = f"x ![a](../fuera.png) ![b]({tmp_path}/fuera.png) ![c](enlace.png) y"
    document = read(written(tmp_path / "dentro" / "a.md", text))
    assert document.media == {}
    assert any("not found" in notice for notice in document.notices)


def test_nothing_that_a_document_links_is_fetched(tmp_path: Path) -> None:
    with listening() as server:
        url = server.url
        page = (
            f'<link rel="stylesheet" href="{url}/a.css"><p>x <img src="{url}/a.png"><iframe src="{url}"></iframe></p>'
        )
        frame = f'<text:p>x<draw:frame><draw:image xlink:href="{url}/a.png"/></draw:frame></text:p>'
        texts = (
            read(written(tmp_path / "a.html", page)),
            read(written(tmp_path / "a.md", f"x ![]({url}/a.png) <img src='{url}/b.png'>")),
            read(odt(tmp_path / "a.odt", frame)),
            read(written(tmp_path / "a.tex", f"x \\input{{{url}/a}} \\includegraphics{{{url}/b.png}}")),
        )
    assert server.calls == []
    assert all(not document.media for document in texts)
    assert all("linked" in " ".join(document.notices) for document in texts)


def test_nothing_that_a_word_file_links_is_fetched(tmp_path: Path) -> None:
    namespaces = (
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
        'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"'
    )
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    with listening() as server:
        relation = f'<Relationship Id="rId{{}}" Type="{base}/{{}}" Target="{server.url}/{{}}" TargetMode="External"/>'
        head = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        drawing = (
            '<w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="1" name="a"/><a:graphic><a:graphicData '
            'uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill>'
            '<a:blip r:link="rId1"/>'
            "</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>"
        )
        field = f'<w:fldSimple w:instr=" INCLUDEPICTURE {server.url}/c.png "><w:r><w:t>campo</w:t></w:r></w:fldSimple>'
        parts = {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.'
            'document.main+xml"/></Types>',
            "_rels/.rels": f'{head}<Relationship Id="rId1" Type="{base}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
            "word/document.xml": f"<w:document {namespaces}><w:body><w:p><w:r><w:t>Hola</w:t></w:r>"
            f"<w:r>{drawing}</w:r>{field}</w:p></w:body></w:document>",
            "word/_rels/document.xml.rels": head + relation.format(1, "image", "a.png") + "</Relationships>",
            "word/settings.xml": f'<w:settings {namespaces}><w:attachedTemplate r:id="rId1"/></w:settings>',
            "word/_rels/settings.xml.rels": head
            + relation.format(1, "attachedTemplate", "b.dotm")
            + "</Relationships>",
        }
        with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
            for name, text in parts.items():
                archive.writestr(name, text)
        document = read(tmp_path / "a.docx")
    assert server.calls == []
    assert "Hola" in document.text
    assert document.media == {}
    assert document.original is not None
    with zipfile.ZipFile(io.BytesIO(document.original)) as archive:
        assert not any(server.url.encode() in archive.read(name) for name in archive.namelist())


def test_a_document_without_words_is_answered_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="holds no text"):
        read(odt(tmp_path / "a.odt", "<text:p/>"))


def test_a_pdf_with_nothing_in_it_is_answered_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\n...")
    with pytest.raises(UnreadableFile, match=r"a\.pdf is damaged or was cut off; get a whole copy"):
        read(tmp_path / "a.pdf")


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["doc", "rtf"])
def test_old_word_files_come_through_libreoffice(
    tmp_path: Path, office: Callable[[bytes, str, str], bytes], ending: str
) -> None:
    source = CASES / "003-heading-as-character-style" / "informe.docx"
    (tmp_path / f"a.{ending}").write_bytes(office(source.read_bytes(), "docx", ending))
    document = read(tmp_path / f"a.{ending}")
    assert [heading.split(maxsplit=1)[1] for heading, _ in headings(document)][1:3] == ["Plan de trabajo", "Cronograma"]
    assert document.original is not None
    assert zipfile.is_zipfile(io.BytesIO(document.original))


def test_the_words_of_html_lists_in_table_cells_are_kept(tmp_path: Path) -> None:
    table = "| a | b |\n|---|---|\n| x | <ul><li>uno</li><li>otro</li></ul> |\n| y | fin <p>de año</p> |\n"
    text = read(written(tmp_path / "a.md", f"# T\n\n{table}\n```\n| <li>programa</li> |\n```\n")).sections[0].text
    for word in ("uno", "otro", "fin de año", "| <li>programa</li> |"):
        assert word in text
