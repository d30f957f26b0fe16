"""Parts that a funder's template needs: fields filled, captions numbered, landscape pages, guidance told from text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lxml import etree

from fabai.formats.captions import field, settle
from fabai.formats.controls import fill_controls
from fabai.formats.document import DocumentSection
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.formats.grid import complete_rows
from fabai.formats.guidance import is_guidance
from fabai.formats.landscape import is_landscape, turn_pages
from fabai.formats.newdocument import own_template
from fabai.formats.package import Package
from fabai.formats.sound import faults
from fabai.formats.wordml import MC, Element, W, add, add_text, element, text_of
from fabai.report import Report, Section
from fabai.settings import ExportSettings
from tests.conftest import DATA

NS = W[1:-1]
CONTROL = """<w:p xmlns:w="{ns}"><w:sdt><w:sdtPr><w:alias w:val="{alias}"/><w:showingPlcHdr/></w:sdtPr><w:sdtContent>
<w:r><w:rPr><w:rStyle w:val="Textodelmarcadordeposicin"/></w:rPr><w:t>Haga clic aquí para
</w:t></w:r><w:r><w:t>escribir.</w:t></w:r> </w:sdtContent></w:sdt></w:p>
"""


def template(*blocks: Element) -> bytes:
    """fabai's own template with blocks in its body."""
    package = Package(own_template())
    body = package.edit(package.document).find(W + "body")
    assert body is not None
    for one in [one for one in body if one.tag != W + "sectPr"]:
        body.remove(one)
    for place, one in enumerate(blocks):
        body.insert(place, one)
    return package.save()


def paragraph(*texts: str, style: str | None = None) -> Element:
    made = element("p")
    if style is not None:
        add(add(made, "pPr"), "pStyle", val=style)
    for text in texts:
        add_text(add(made, "r"), text)
    return made


def table(*rows: tuple[str, ...]) -> Element:
    made = element("tbl")
    for row in rows:
        line = add(made, "tr")
        for text in row:
            add(line, "tc").append(paragraph(text) if text else paragraph())
    return made


def poured(data: bytes, report: Report, **values: str) -> Package:
    out = export_docx(report, sources={}, original=None, media={}, template=data, values=values)
    assert not faults(out) - faults(data)
    return Package(out)


EMPTY = Report("Talleres", "es", (Section("a", "Resumen", 1, "Texto."),))


def test_content_controls_places_and_label_cells_are_filled_and_prompts_never_leave() -> None:
    data = template(
        etree.fromstring(CONTROL.format(ns=NS, alias="Título del proyecto")),
        etree.fromstring(CONTROL.format(ns=NS, alias="Teléfono")),
        paragraph("Importe: {{im", "porte conce", "dido}} y {{otro}}."),
        table(("Referencia:", ""), ("Otra cosa", "")),
        paragraph("Resumen", style="Heading1"),
    )
    notices: list[str] = []
    out = export_docx(
        EMPTY, sources={}, original=None, media={}, template=data, notices=notices,
        values={"importe concedido": "18.500,00 €", "referencia": "EXP-1"},
    )  # fmt: skip
    text = " ".join(str(one) for one in Package(out).body.itertext())
    assert "Talleres" in text
    assert "18.500,00 €" in text
    assert "EXP-1" in text
    assert "Haga clic" not in text
    assert "{{" not in text
    assert any("Teléfono" in one and "otro" in one for one in notices)


def test_what_a_person_filled_in_already_stays() -> None:
    filled = CONTROL.format(ns=NS, alias="Título del proyecto").replace("<w:showingPlcHdr/>", "")
    package = Package(template(etree.fromstring(filled), table(("Referencia", "ya puesta"))))
    assert fill_controls(package, {"titulo del proyecto": "X", "referencia": "Y"}) == (0, [])


CAPTIONED = Report("T", "es", (
    Section("a", "Uno", 1, "Véase la tabla 3 y la tabla 9.\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n: Tabla 3. "
        "Gasto por partida\n\n"
            "| C | D |\n|---|---|\n| 3 | 4 |\n\n: Personal"),
))  # fmt: skip


@pytest.mark.parametrize("fresh", [True, False])
def test_captions_get_real_numbers_and_mentions_become_references(fresh: bool) -> None:
    data = None if fresh else template(paragraph("Uno", style="Heading1"))
    out = export_docx(CAPTIONED, sources={}, original=None, media={}, template=data)
    assert not faults(out)
    body = Package(out).body
    captions = [text_of(one) for one in body.iter(W + "p") if "SEQ Tabla" in etree.tostring(one, encoding="unicode")]
    assert [one.replace("\u00a0", " ") for one in captions] == ["Tabla 1. Gasto por partida", "Tabla 2. Personal"]
    (mention,) = [one for one in body.iter(W + "p") if text_of(one).startswith("Véase")]
    assert text_of(mention) == "Véase la tabla 1 y la tabla 9."
    codes = [one.text or "" for one in mention.iter(W + "instrText")]
    name = codes[0].split()[1]
    assert name in {one.get(W + "name") for one in body.iter(W + "bookmarkStart")}


def test_a_caption_in_a_text_box_counts_once_though_the_file_holds_the_box_twice() -> None:
    def box() -> Element:
        content = element("txbxContent")
        caption = add(content, "p")
        caption.extend(field("SEQ Figura \\* ARABIC", "9"))
        return content

    body = element("body")
    anchor = add(add(body, "p"), "r")
    both = etree.SubElement(anchor, MC + "AlternateContent")
    for kind in ("Choice", "Fallback"):
        etree.SubElement(both, MC + kind).append(box())
    add(body, "p").extend(field("SEQ Figura \\* ARABIC", "9"))
    settle(body, [])
    assert [text_of(one) for one in body.iter(W + "txbxContent")] == ["1", "1"]
    assert text_of(body[1]) == "2"


def test_a_new_table_repeats_its_heading_row() -> None:
    body = Package(export_docx(CAPTIONED, sources={}, original=None, media={})).body
    assert all(next(one.iter(W + "tblHeader"), None) is not None for one in body.iter(W + "tbl"))


def test_landscape_pages_of_the_original_are_kept_in_a_template() -> None:
    report, sources, original = two_sections()
    data = template(paragraph("Otra cosa", style="Heading1"))
    out = export_docx(report, sources=sources, original=original, media={}, template=data)
    assert [is_landscape(one) for one in Package(out).body.iter(W + "sectPr")] == [False, True, False]
    # its heading lies with it
    *_, heading = [one for one in Package(out).body if text_of(one) == "Anexo económico"]
    broken = heading.getprevious()
    assert broken is not None
    assert broken.find(f"{W}pPr/{W}sectPr") is not None


def never(_: Element) -> bool:
    return False


def pages_of(body: Element) -> dict[str, str]:
    """Which way the page of each text lies: upright or lying."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    for one in body:
        said = text_of(one)
        waiting += [said] if said else []
        section = one if one.tag == W + "sectPr" else one.find(f"{W}pPr/{W}sectPr")
        if section is not None:
            found |= dict.fromkeys(waiting, "lying" if is_landscape(section) else "upright")
            waiting = []
    return found


def two_sections() -> tuple[Report, dict[str, DocumentSection], bytes | None]:
    """An imported document whose second section, heading included, stands on a landscape page."""
    document = read_docx(DATA / "cases" / "024-landscape-section-kept" / "dos-secciones.docx")
    sections = tuple(
        Section(f"s{number}", one.heading, one.level, one.text) for number, one in enumerate(document.sections)
    )
    sources = {f"s{number}": one for number, one in enumerate(document.sections)}
    return Report("T", "es", sections), sources, document.original


def test_a_heading_of_the_template_lies_with_the_landscape_pages_that_are_poured_under_it() -> None:
    report, sources, original = two_sections()
    data = template(*(paragraph(one, style="Heading1") for one in ("Resumen", "Anexo económico", "Firma")))
    out = export_docx(report, sources=sources, original=original, media={}, template=data)
    found = pages_of(Package(out).body)
    assert [found[one] for one in ("Resumen", "Anexo económico", "Firma")] == ["upright", "lying", "upright"]


def test_every_heading_above_a_landscape_page_lies_with_it_and_a_text_between_them_does_not() -> None:
    body = element("body")
    for text in ("1 Cuentas", "texto", "2 Anexos", "2.1 Gastos", "ancho", "3 Fin"):
        body.append(paragraph(text))
    add(add(body, "sectPr"), "pgSz", w=11906, h=16838)
    turn_pages(body, [[body[4]]], lambda one: text_of(one)[:1].isdigit())
    found = pages_of(body)
    assert [name for name, page in found.items() if page == "lying"] == ["2 Anexos", "2.1 Gastos", "ancho"]
    assert len(list(body.iter(W + "sectPr"))) == 3


def test_a_heading_that_ends_a_page_section_stays_on_its_own_page() -> None:
    body = element("body")
    above = paragraph("1 Portada")
    add(add(add(above, "pPr"), "sectPr"), "pgSz", w=11906, h=16838)
    body.extend([above, paragraph("ancho")])
    add(add(body, "sectPr"), "pgSz", w=11906, h=16838)
    turn_pages(body, [[body[1]]], lambda one: text_of(one)[:1].isdigit())
    assert pages_of(body) == {"1 Portada": "upright", "ancho": "lying"}


def test_landscape_pages_of_the_original_are_kept_in_a_new_document_and_its_contents_stay_upright() -> None:
    report, sources, original = two_sections()
    settings = ExportSettings(keep_original=False)
    out = export_docx(report, sources=sources, original=original, media={}, settings=settings)
    assert not faults(out)
    found = pages_of(Package(out).body)
    lying = [name for name, page in found.items() if page == "lying"]
    assert "Anexo económico" in lying
    assert "Resumen" not in lying
    assert not any(name.startswith(("Índice", "Contenido")) or "\t" in name for name in lying)


def test_the_heading_of_a_section_that_is_one_long_wide_list_lies_with_the_list() -> None:
    columns = "| " + " | ".join(f"Columnaconnombrelargo{number}" for number in range(8)) + " |"
    rows = "\n".join(
        "| " + " | ".join(f"valorsinespacios{row}{number}" for number in range(8)) + " |" for row in range(20)
    )
    text = f"{columns}\n|{'---|' * 8}\n{rows}"
    sections = (Section("a", "Gastos", 1, ""), Section("b", "Facturas", 2, text), Section("c", "Fin", 1, "Texto."))
    found = pages_of(Package(export_docx(Report("T", "es", sections), sources={}, original=None, media={})).body)
    assert [found[one] for one in ("Gastos", "Facturas", "Fin")] == ["lying", "lying", "upright"]


def test_new_text_behind_a_landscape_block_lies_as_it_does() -> None:
    report, sources, original = two_sections()
    text = f"{report.sections[1].text}\n\nUna nota nueva al anexo."
    changed = report.with_section(replace(report.sections[1], text=text))
    data = template(paragraph("Otra cosa", style="Heading1"))
    out = export_docx(changed, sources=sources, original=original, media={}, template=data)
    assert pages_of(Package(out).body)["Una nota nueva al anexo."] == "lying"


def test_pages_turn_around_a_group_and_back() -> None:
    body = element("body")
    for text in ("uno", "ancho", "dos"):
        body.append(paragraph(text))
    section = add(body, "sectPr")
    add(section, "pgSz", w=11906, h=16838)
    turn_pages(body, [[body[1]]], never)
    marks = [one.find(f"{W}pPr/{W}sectPr") for one in body if one.tag == W + "p"]
    kinds = [None if one is None else is_landscape(one) for one in marks]
    assert kinds == [None, False, None, True, None]
    (turned,) = [one for one in marks if one is not None and is_landscape(one)]
    paper = turned.find(W + "pgSz")
    assert paper is not None
    assert (paper.get(W + "w"), paper.get(W + "h")) == ("16838", "11906")


def test_neighbours_share_their_landscape_pages_and_no_page_stays_empty() -> None:
    body = element("body")
    for text in ("ancho", "más ancho"):
        body.append(paragraph(text))
    add(add(body, "sectPr"), "pgSz", w=11906, h=16838)
    turn_pages(body, [[body[0]], [], [body[1]]], never)
    assert [is_landscape(one) for one in body.iter(W + "sectPr")] == [True]


def test_a_row_that_lacks_cells_loses_no_column() -> None:
    made = table(("A", "B"), ("C",))
    complete_rows(made)
    assert [len(row.findall(W + "tc")) for row in made.findall(W + "tr")] == [2, 2]


@pytest.mark.parametrize(
    ("text", "italic", "guidance"),
    [
        ("[Describa el proyecto]", False, True),
        ("Describa el proyecto en dos páginas.", True, True),
        ("Describa el proyecto en dos páginas.", False, False),
        ("El proyecto se llama Talleres.", True, False),
        ("[García, 2020]", False, False),
        ("", True, False),
    ],
)
def test_an_instruction_is_told_from_text(text: str, italic: bool, guidance: bool) -> None:
    made = element("p")
    run = add(made, "r")
    if italic:
        add(add(run, "rPr"), "i")
    add_text(run, text)
    assert is_guidance(made) is guidance


def test_guidance_under_a_heading_is_removed_in_italics_and_in_a_box_too() -> None:
    italic = element("p")
    run = add(italic, "r")
    add(add(run, "rPr"), "i")
    add_text(run, "Describa el proyecto en dos páginas.")
    data = template(paragraph("Resumen", style="Heading1"), italic, table(("[Máximo 300 palabras]",)))
    text = " ".join(str(one) for one in poured(data, EMPTY).body.itertext())
    assert "Describa" not in text
    assert "Máximo" not in text
    assert "Texto." in text
