"""Styles that pandoc's text needs and a document may lack, made plainly so that they take the document's own look.

Knows names of styles and what they do on a page. They are based on the document's default style and set no font or
colour.
"""

from __future__ import annotations

import re

from fabai.formats.graft_styles import new_style
from fabai.formats.wordml import Element, add

_HEADING_SIZES = (32, 28, 26, 24, 24, 22, 22, 22, 22)
"""Half points, by level."""


def make_style(kind: str, name: str) -> Element | None:
    """A style by type and lower-cased name; None for names that are not ours to make."""
    if kind == "paragraph":
        return _paragraph(name)
    if kind == "character":
        return _character(name)
    if kind == "table" and name == "table grid":
        return _grid()
    return None


def _paragraph(name: str) -> Element | None:
    if match := re.fullmatch(r"heading ([1-9])", name):
        return _heading(int(match[1]))
    if match := re.fullmatch(r"toc ([1-9])", name):
        return _toc(int(match[1]))
    if name not in _PARAGRAPHS:
        return None
    identifier, spacing, indent, properties, size = _PARAGRAPHS[name]
    style = new_style("paragraph", identifier, _TITLES.get(name, name), "default")
    holder = add(style, "pPr")
    if "keepNext" in properties:
        add(holder, "keepNext")
    add(holder, "spacing", before=spacing[0], after=spacing[1])
    if "hanging" in properties:
        add(holder, "ind", left=indent, hanging=indent)
    elif indent:
        add(holder, "ind", left=indent, right=indent)
    if "center" in properties:
        add(holder, "jc", val="center")
    run = add(style, "rPr")
    if "code" in properties:
        add(run, "rFonts", ascii="Liberation Mono", hAnsi="Liberation Mono", cs="Liberation Mono")
    if "bold" in properties:
        add(run, "b")
    if "italic" in properties:
        add(run, "i")
    if size:
        add(run, "sz", val=size)
    return style


_PARAGRAPHS: dict[str, tuple[str, tuple[int, int], int, tuple[str, ...], int]] = {
    "block text": ("BlockText", (100, 100), 480, (), 0),
    "source code": ("SourceCode", (80, 80), 0, ("code",), 18),
    "caption": ("Caption", (60, 120), 0, ("italic",), 20),
    "table caption": ("TableCaption", (120, 60), 0, ("italic", "keepNext"), 20),
    "image caption": ("ImageCaption", (60, 160), 0, ("italic", "center"), 20),
    "captioned figure": ("CaptionedFigure", (120, 0), 0, ("center", "keepNext"), 0),
    "figure": ("Figure", (120, 120), 0, ("center",), 0),
    "definition term": ("DefinitionTerm", (80, 0), 0, ("bold", "keepNext"), 0),
    "definition": ("Definition", (0, 80), 360, (), 0),
    "footnote text": ("FootnoteText", (0, 0), 0, (), 18),
    "footnote block text": ("FootnoteBlockText", (0, 0), 240, (), 18),
    "bibliography": ("Bibliography", (0, 80), 360, ("hanging",), 0),
    "title": ("Title", (0, 240), 0, ("bold", "center"), 44),
    "subtitle": ("Subtitle", (0, 240), 0, ("center",), 28),
    "toc heading": ("TOCHeading", (240, 120), 0, ("bold", "keepNext"), 28),
}
_TITLES = {
    "block text": "Block Text", "source code": "Source Code", "table caption": "Table Caption",
    "image caption": "Image Caption", "captioned figure": "Captioned Figure", "figure": "Figure",
    "definition term": "Definition Term", "definition": "Definition", "footnote block text": "Footnote Block Text",
    "bibliography": "Bibliography", "title": "Title", "subtitle": "Subtitle", "toc heading": "TOC Heading",
}  # fmt: skip


def _heading(level: int) -> Element:
    style = new_style("paragraph", f"Heading{level}", f"heading {level}", "default")
    add(style, "uiPriority", val=9)
    add(style, "qFormat")
    holder = add(style, "pPr")
    add(holder, "keepNext")
    add(holder, "keepLines")
    add(holder, "spacing", before=240, after=80)
    add(holder, "outlineLvl", val=level - 1)
    run = add(style, "rPr")
    add(run, "b")
    add(run, "bCs")
    add(run, "sz", val=_HEADING_SIZES[level - 1])
    return style


def _toc(level: int) -> Element:
    style = new_style("paragraph", f"TOC{level}", f"toc {level}", "default")
    add(style, "uiPriority", val=39)
    holder = add(style, "pPr")
    add(add(holder, "tabs"), "tab", val="right", leader="dot", pos=9000)
    add(holder, "spacing", before=0, after=60)
    add(holder, "ind", left=220 * (level - 1))
    return style


def _character(name: str) -> Element | None:
    if name == "footnote reference":
        style = new_style("character", "FootnoteReference", "footnote reference")
        add(add(style, "rPr"), "vertAlign", val="superscript")
    elif name == "hyperlink":
        style = new_style("character", "Hyperlink", "Hyperlink")
        add(add(style, "rPr"), "u", val="single")
    elif name == "verbatim char":
        style = new_style("character", "VerbatimChar", "Verbatim Char")
        add(add(style, "rPr"), "rFonts", ascii="Liberation Mono", hAnsi="Liberation Mono", cs="Liberation Mono")
    else:
        return None
    return style


def _grid() -> Element:
    style = new_style("table", "TableGrid", "Table Grid", "default")
    borders = add(add(style, "tblPr"), "tblBorders")
    for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
        add(borders, side, val="single", sz=4, space=0, color="auto")
    return style
