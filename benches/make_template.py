"""Makes fabai/templates/report.docx, the look of a report that is born here: python -m benches.make_template

Knows styles and page. The words (cover, header, footer, contents) are put in at export, in the report's language.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from lxml import etree

from fabai.formats.wordml import RELATION, Element, R, W, add, element

OUT = Path(__file__).resolve().parent.parent / "fabai" / "templates" / "report.docx"

FONT = "Calibri"
MONO = "Consolas"
INK = "1F2A44"
ACCENT = "2F5597"
GREY = "5A6270"
LINE = "B8C0CC"
SHADE = "E9EEF6"
PAGE = {"w": 11906, "h": 16838}
MARGIN = 1417
"""2.5 cm in twentieths of a point."""

_TYPES = {
    "document": "document.main",
    "styles": "styles",
    "settings": "settings",
    "numbering": "numbering",
    "footnotes": "footnotes",
    "header": "header",
    "footer": "footer",
    "fontTable": "fontTable",
}


def style(
    styles: Element,
    kind: str,
    identifier: str,
    name: str,
    based: str | None = "Normal",
    following: str | None = None,
    *,
    quick: bool = False,
    default: bool = False,
    priority: int | None = None,
) -> Element:
    """A style with its name and relations; paragraph and run properties are added by the caller."""
    made = add(styles, "style", type=kind, styleId=identifier)
    if default:
        made.set(W + "default", "1")
    add(made, "name", val=name)
    if based is not None:
        add(made, "basedOn", val=based)
    if following is not None:
        add(made, "next", val=following)
    if priority is not None:
        add(made, "uiPriority", val=priority)
    if quick:
        add(made, "qFormat")
    return made


def paragraph(made: Element, before: int = 0, after: int = 0, **more: object) -> Element:
    """Paragraph properties in the schema's order."""
    properties = add(made, "pPr")
    for flag in ("keepNext", "keepLines"):
        if more.get(flag):
            add(properties, flag)
    if more.get("left_border"):
        borders = add(properties, "pBdr")
        add(borders, "left", val="single", sz=18, space=12, color=LINE)
    if more.get("bottom_border"):
        borders = add(properties, "pBdr")
        add(borders, "bottom", val="single", sz=4, space=4, color=LINE)
    if more.get("shade"):
        add(properties, "shd", val="clear", color="auto", fill=str(more["shade"]))
    if more.get("tab"):
        tabs = add(properties, "tabs")
        add(tabs, "tab", val="right", leader=str(more.get("leader", "none")), pos=str(more["tab"]))
    spacing = add(properties, "spacing", before=before, after=after)
    if more.get("line"):
        spacing.set(W + "line", str(more["line"]))
        spacing.set(W + "lineRule", "auto")
    if more.get("left") or more.get("hanging") or more.get("right"):
        indent = add(properties, "ind", left=more.get("left", 0), right=more.get("right", 0))
        if more.get("hanging"):
            indent.set(W + "hanging", str(more["hanging"]))
    if more.get("contextual"):
        properties.insert(len(properties), element("contextualSpacing"))
    if more.get("align"):
        add(properties, "jc", val=more["align"])
    if more.get("outline") is not None:
        add(properties, "outlineLvl", val=more["outline"])
    return properties


def run(made: Element, size: int | None = None, **more: object) -> Element:
    """Run properties in the schema's order. size: points."""
    properties = add(made, "rPr")
    if more.get("font"):
        font = more["font"]
        add(properties, "rFonts", ascii=font, hAnsi=font, cs=font, eastAsia=font)
    for flag in ("b", "i", "caps"):
        if more.get(flag):
            add(properties, flag)
            if flag in ("b", "i"):
                add(properties, flag + "Cs")
    if more.get("color"):
        add(properties, "color", val=more["color"])
    if more.get("spacing"):
        add(properties, "spacing", val=more["spacing"])
    if size is not None:
        add(properties, "sz", val=size * 2)
        add(properties, "szCs", val=size * 2)
    if more.get("underline"):
        add(properties, "u", val="single")
    if more.get("raised"):
        add(properties, "vertAlign", val="superscript")
    return properties


def styles_part() -> Element:
    """styles.xml."""
    root = etree.Element(W + "styles", nsmap={"w": W[1:-1]})
    defaults = add(root, "docDefaults")
    base = add(add(defaults, "rPrDefault"), "rPr")
    add(base, "rFonts", ascii=FONT, hAnsi=FONT, cs=FONT, eastAsia=FONT)
    add(base, "sz", val=22)
    add(base, "szCs", val=22)
    add(base, "lang", val="es-ES", eastAsia="es-ES", bidi="ar-SA")
    add(add(defaults, "pPrDefault"), "pPr")
    made = style(root, "paragraph", "Normal", "Normal", None, default=True, quick=True)
    paragraph(made, 0, 120, line=269)
    made = style(root, "character", "DefaultParagraphFont", "Default Paragraph Font", None, default=True)
    made = style(root, "table", "TableNormal", "Normal Table", None, default=True)
    margins = add(add(made, "tblPr"), "tblCellMar")
    for side, width in (("top", 0), ("left", 108), ("bottom", 0), ("right", 108)):
        add(margins, side, w=width, type="dxa")
    add(root, "style", type="numbering", default=1, styleId="NoList")
    add(root[-1], "name", val="No List")
    made = style(root, "paragraph", "BodyText", "Body Text", quick=True)
    paragraph(made, 120, 120, line=269)
    style(root, "paragraph", "FirstParagraph", "First Paragraph", "BodyText", "BodyText")
    made = style(root, "paragraph", "Compact", "Compact", "BodyText")
    paragraph(made, 20, 40, line=250)
    sizes = (17, 14, 12, 11, 11, 11, 11, 11, 11)
    spaces = ((420, 140), (320, 100), (240, 80), (200, 60), *[(180, 60)] * 5)
    for level, (size, (before, after)) in enumerate(zip(sizes, spaces, strict=True), start=1):
        made = style(
            root, "paragraph", f"Heading{level}", f"heading {level}", "Normal", "BodyText", quick=True, priority=9
        )
        paragraph(made, before, after, keepNext=True, keepLines=True, line=252, outline=level - 1)
        run(made, size, b=level != 4, i=level == 4, color=ACCENT if level < 3 else INK)
    made = style(root, "paragraph", "Title", "Title", "Normal", "BodyText", quick=True)
    paragraph(made, 0, 200, keepNext=True, line=252)
    run(made, 28, b=True, color=INK)
    made = style(root, "paragraph", "Subtitle", "Subtitle", "Normal", "BodyText", quick=True)
    paragraph(made, 0, 120, line=264)
    run(made, 14, color=GREY)
    made = style(root, "paragraph", "CoverOrganisation", "Cover Organisation", "Normal")
    paragraph(made, 3400, 360, bottom_border=True)
    run(made, 13, b=True, caps=True, color=ACCENT, spacing=20)
    made = style(root, "paragraph", "CoverPeriod", "Cover Period", "Normal")
    paragraph(made, 200, 0)
    run(made, 12, color=GREY)
    made = style(root, "paragraph", "CoverDate", "Cover Date", "Normal")
    paragraph(made, 360, 0)
    run(made, 12, color=GREY)
    made = style(root, "paragraph", "TOCHeading", "TOC Heading", "Normal", "Normal", priority=39)
    paragraph(made, 360, 160, keepNext=True)
    run(made, 17, b=True, color=ACCENT)
    width = PAGE["w"] - 2 * MARGIN
    for level in range(1, 10):
        made = style(root, "paragraph", f"TOC{level}", f"toc {level}", "Normal", "Normal", priority=39)
        paragraph(made, 100 if level == 1 else 0, 40, tab=width, leader="dot", left=240 * (level - 1), line=250)
        run(made, b=level == 1)
    made = style(root, "paragraph", "BlockText", "Block Text", "BodyText", "BodyText", quick=True)
    paragraph(made, 160, 160, left_border=True, left=400, right=400)
    run(made, color=GREY)
    made = style(root, "paragraph", "SourceCode", "Source Code", "Normal")
    paragraph(made, 80, 160, shade="F4F6F9", line=240)
    run(made, 9, font=MONO)
    made = style(root, "paragraph", "Caption", "caption", "Normal", "BodyText", quick=True)
    paragraph(made, 80, 160)
    run(made, 10, i=True, color=GREY)
    made = style(root, "paragraph", "TableCaption", "Table Caption", "Caption")
    paragraph(made, 200, 80, keepNext=True)
    made = style(root, "paragraph", "ImageCaption", "Image Caption", "Caption")
    paragraph(made, 60, 220, align="center")
    made = style(root, "paragraph", "Figure", "Figure", "Normal")
    paragraph(made, 160, 80, align="center")
    made = style(root, "paragraph", "CaptionedFigure", "Captioned Figure", "Figure", "ImageCaption")
    paragraph(made, 160, 0, keepNext=True, align="center")
    made = style(root, "paragraph", "DefinitionTerm", "Definition Term", "BodyText", "Definition")
    paragraph(made, 80, 0, keepNext=True)
    run(made, b=True)
    made = style(root, "paragraph", "Definition", "Definition", "BodyText")
    paragraph(made, 0, 100, left=360)
    made = style(root, "paragraph", "Bibliography", "Bibliography", "BodyText")
    paragraph(made, 0, 80, left=360, hanging=360)
    made = style(root, "paragraph", "FootnoteText", "footnote text", "Normal")
    paragraph(made, 0, 40, line=240)
    run(made, 9)
    style(root, "paragraph", "FootnoteBlockText", "Footnote Block Text", "FootnoteText")
    made = style(root, "paragraph", "Header", "header", "Normal")
    paragraph(made, 0, 0, bottom_border=True, line=240)
    run(made, 9, color=GREY)
    made = style(root, "paragraph", "Footer", "footer", "Normal")
    paragraph(made, 0, 0, align="right", line=240)
    run(made, 9, color=GREY)
    made = style(root, "character", "FootnoteReference", "footnote reference", None)
    run(made, raised=True)
    made = style(root, "character", "Hyperlink", "Hyperlink", None)
    run(made, color=ACCENT, underline=True)
    made = style(root, "character", "VerbatimChar", "Verbatim Char", None)
    run(made, 10, font=MONO)
    table_style(root)
    return root


def table_style(root: Element) -> None:
    """The style of every table: thin lines, a shaded bold heading row."""
    made = style(root, "table", "Table", "Table", "TableNormal", quick=True)
    paragraph(made, 40, 40, line=245)
    properties = add(made, "tblPr")
    borders = add(properties, "tblBorders")
    for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
        add(borders, side, val="single", sz=4, space=0, color=LINE)
    margins = add(properties, "tblCellMar")
    for side, width in (("top", 30), ("left", 100), ("bottom", 30), ("right", 100)):
        add(margins, side, w=width, type="dxa")
    head = add(made, "tblStylePr", type="firstRow")
    run(head, b=True, color=INK)
    add(add(head, "tcPr"), "shd", val="clear", color="auto", fill=SHADE)


def document_part() -> Element:
    """document.xml: an empty body with the page, its header and footer; the first page has none."""
    root = etree.Element(W + "document", nsmap={"w": W[1:-1], "r": R[1:-1]})
    body = add(root, "body")
    section = add(body, "sectPr")
    for tag, rid in (("headerReference", "rId4"), ("footerReference", "rId5")):
        add(section, tag, type="default").set(R + "id", rid)
    add(section, "pgSz", **PAGE)
    add(section, "pgMar", top=MARGIN, right=MARGIN, bottom=MARGIN, left=MARGIN, header=709, footer=709, gutter=0)
    add(section, "titlePg")
    return root


def frame_part(tag: str, style_id: str) -> Element:
    """A header or footer with one empty paragraph."""
    root = etree.Element(W + tag, nsmap={"w": W[1:-1], "r": R[1:-1]})
    add(add(add(root, "p"), "pPr"), "pStyle", val=style_id)
    return root


def settings_part() -> Element:
    """settings.xml for the present Word."""
    root = etree.Element(W + "settings", nsmap={"w": W[1:-1]})
    add(root, "zoom", percent=100)
    add(root, "defaultTabStop", val=709)
    add(root, "characterSpacingControl", val="doNotCompress")
    notes = add(root, "footnotePr")
    add(notes, "footnote", id=-1)
    add(notes, "footnote", id=0)
    compat = add(root, "compat")
    add(compat, "compatSetting", name="compatibilityMode", uri="http://schemas.microsoft.com/office/word", val=15)
    add(root, "themeFontLang", val="es-ES")
    return root


def footnotes_part() -> Element:
    """footnotes.xml with the two lines that Word asks for."""
    root = etree.Element(W + "footnotes", nsmap={"w": W[1:-1], "r": R[1:-1]})
    for number, name in enumerate(("separator", "continuationSeparator"), start=-1):
        note = add(root, "footnote", type=name, id=number)
        add(add(add(note, "p"), "r"), name)
    return root


def font_table() -> Element:
    """fontTable.xml."""
    root = etree.Element(W + "fonts", nsmap={"w": W[1:-1]})
    for name, family in ((FONT, "swiss"), (MONO, "modern")):
        add(add(root, "font", name=name), "family", val=family)
    return root


def _bytes(root: Element) -> bytes:
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def make() -> bytes:
    """The whole package; the same bytes each time."""
    parts = {
        "document": document_part(),
        "styles": styles_part(),
        "settings": settings_part(),
        "footnotes": footnotes_part(),
        "header": frame_part("hdr", "Header"),
        "footer": frame_part("ftr", "Footer"),
        "fontTable": font_table(),
        "numbering": etree.Element(W + "numbering", nsmap={"w": W[1:-1]}),
    }
    names = {kind: f"word/{kind}{'1' if kind in ('header', 'footer') else ''}.xml" for kind in parts}
    overrides = "".join(
        f'<Override PartName="/{names[kind]}" '
        f'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.{_TYPES[kind]}+xml"/>'
        for kind in parts
    )
    relations = "".join(
        f'<Relationship Id="rId{number}" Type="{RELATION}{kind}" Target="{names[kind][5:]}"/>'
        for number, kind in enumerate(
            ("styles", "settings", "fontTable", "header", "footer", "footnotes", "numbering"), 1
        )
    )
    package = "http://schemas.openxmlformats.org/package/2006/"
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    files = {
        "[Content_Types].xml": f'{head}<Types xmlns="{package}content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>',
        "_rels/.rels": f'{head}<Relationships xmlns="{package}relationships">'
        f'<Relationship Id="rId1" Type="{RELATION}officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'{head}<Relationships xmlns="{package}relationships">'
        f"{relations}</Relationships>",
        **{names[kind]: _bytes(root) for kind, root in parts.items()},
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            zipped.writestr(entry, content)
    return out.getvalue()


if __name__ == "__main__":
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_bytes(make())
    print(f"{OUT.name}: {OUT.stat().st_size} bytes")
