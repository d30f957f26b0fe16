"""WordprocessingML by name: namespaces, qualified names, and the few questions that every Word module asks of an
element.

Knows elements. Does not know packages, styles or Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from lxml import etree

Element = etree._Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
PIC = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
VML = "{urn:schemas-microsoft-com:vml}"
OFFICE = "{urn:schemas-microsoft-com:office:office}"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

_SHOWN = {W + "tab": "\t", W + "br": "\n", W + "cr": "\n", W + "noBreakHyphen": "-", W + "sym": "•"}
_SAID = (W + "t", M + "t", *_SHOWN)
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")
_OBJECTS = (*(W + name for name in ("drawing", "pict", "object", "txbxContent")), MC + "AlternateContent")


def element(tag: str, **attributes: object) -> Element:
    """A `w:` element with `w:` attributes."""
    made = etree.Element(W + tag, nsmap={"w": W[1:-1]})
    for name, value in attributes.items():
        made.set(W + name, str(value))
    return made


def add(parent: Element, tag: str, **attributes: object) -> Element:
    """A new last child, as `element`."""
    made = element(tag, **attributes)
    parent.append(made)
    return made


def add_text(parent: Element, text: str, tag: str = "t") -> Element:
    """A `w:t` (or `w:instrText`) with its spaces kept and without characters that XML forbids."""
    made = add(parent, tag)
    made.text = clean(text)
    made.set(XML_SPACE, "preserve")
    return made


def clean(text: str) -> str:
    """The text without characters that XML 1.0 forbids (form feeds, NUL, lone surrogates ...) or Unicode keeps out of
    text."""
    return _ILLEGAL.sub("", text)


def value(parent: Element | None, path: str) -> str | None:
    """`w:val` of the element at a path of `w:` names ("pPr/pStyle"), None where there is none."""
    found = child(parent, path)
    return None if found is None else found.get(W + "val")


def child(parent: Element | None, path: str) -> Element | None:
    """The element at a path of `w:` names, along the first of each name."""
    for name in _steps(path):
        if parent is None:
            return None
        parent = next(parent.iterchildren(name), None)
    return parent


@cache
def _steps(path: str) -> tuple[str, ...]:
    return tuple(W + name for name in path.split("/"))


def is_on(toggle: Element | None) -> bool:
    """A toggle such as `w:b`: on when present, unless its value says otherwise."""
    return toggle is not None and (toggle.get(W + "val") or "true").lower() not in ("0", "false", "off", "none")


def remove(one: Element) -> None:
    """Take an element out of its parent, its tail text included."""
    parent = one.getparent()
    if parent is not None:
        parent.remove(one)


def unwrap(one: Element) -> None:
    """Put an element's children in its place."""
    parent = one.getparent()
    if parent is None:
        return
    position = parent.index(one)
    for offset, inner in enumerate(list(one)):
        parent.insert(position + offset, inner)
    parent.remove(one)


def text_of(one: Element) -> str:
    """The text a reader sees in an element: runs, tabs, line breaks and formulas, spaces as they are."""
    pieces: list[str] = []
    for inner in one.iter(*_SAID):
        shown = _SHOWN.get(str(inner.tag))
        if shown is None:
            pieces.append(inner.text or "")
        elif not _is_tab_stop(inner):
            pieces.append(shown)
    return "".join(pieces)


def squeezed(text: str) -> str:
    """Single spaces, none at the ends; no-break spaces count as spaces."""
    return " ".join(text.replace("\u00a0", " ").split())


def holds_object(one: Element) -> bool:
    """Whether an element holds a drawing, picture, embedded object or text box."""
    return next(one.iter(*_OBJECTS), None) is not None


def is_rule(one: Element) -> bool:
    """Whether a body child is a horizontal line and nothing else, as Word and pandoc draw it: a VML rectangle."""
    rectangles = list(one.iter(VML + "rect")) if one.tag == W + "p" else []
    return len(rectangles) == 1 and rectangles[0].get(OFFICE + "hr") is not None and not squeezed(text_of(one))


def note_marks(one: Element) -> list[Element]:
    """The runs of an element that call a footnote or endnote."""
    calls = W + "footnoteReference", W + "endnoteReference"
    return [run for run in one.iter(W + "r") if any(inner.tag in calls for inner in run)]


def shown_paragraphs(one: Element) -> Iterator[Element]:
    """The paragraphs of a body child in order, those of text boxes and compatibility fallbacks left out."""
    for paragraph in one.iter(W + "p"):
        if not any(above.tag in (W + "txbxContent", MC + "Fallback") for above in paragraph.iterancestors()):
            yield paragraph


def _is_tab_stop(one: Element) -> bool:
    parent = one.getparent()
    return one.tag == W + "tab" and parent is not None and parent.tag == W + "tabs"


PARAGRAPH_ORDER = [
    "pStyle",
    "keepNext",
    "keepLines",
    "pageBreakBefore",
    "framePr",
    "widowControl",
    "numPr",
    "suppressLineNumbers",
    "pBdr",
    "shd",
    "tabs",
    "suppressAutoHyphens",
    "kinsoku",
    "wordWrap",
    "overflowPunct",
    "topLinePunct",
    "autoSpaceDE",
    "autoSpaceDN",
    "bidi",
    "adjustRightInd",
    "snapToGrid",
    "spacing",
    "ind",
    "contextualSpacing",
    "mirrorIndents",
    "suppressOverlap",
    "jc",
    "textDirection",
    "textAlignment",
    "textboxTightWrap",
    "outlineLvl",
    "divId",
    "cnfStyle",
    "rPr",
    "sectPr",
    "pPrChange",
]
RUN_ORDER = [
    "rStyle",
    "rFonts",
    "b",
    "bCs",
    "i",
    "iCs",
    "caps",
    "smallCaps",
    "strike",
    "dstrike",
    "outline",
    "shadow",
    "emboss",
    "imprint",
    "noProof",
    "snapToGrid",
    "vanish",
    "webHidden",
    "color",
    "spacing",
    "w",
    "kern",
    "position",
    "sz",
    "szCs",
    "highlight",
    "u",
    "effect",
    "bdr",
    "shd",
    "fitText",
    "vertAlign",
    "rtl",
    "cs",
    "em",
    "lang",
    "eastAsianLayout",
    "specVanish",
    "oMath",
]
SETTINGS_AFTER_UPDATE = [
    "hdrShapeDefaults",
    "footnotePr",
    "endnotePr",
    "compat",
    "docVars",
    "rsids",
    "mathPr",
    "attachedSchema",
    "themeFontLang",
    "clrSchemeMapping",
    "doNotIncludeSubdocsInStats",
    "doNotAutoCompressPictures",
    "forceUpgrade",
    "captions",
    "readModeInkLockDown",
    "smartTagType",
    "schemaLibrary",
    "shapeDefaults",
    "doNotEmbedSmartTags",
    "decimalSymbol",
    "listSeparator",
]


def insert_ordered(properties: Element, one: Element, order: list[str]) -> None:
    """Put a property among its siblings where the schema wants it, instead of one of the same name."""
    name = etree.QName(one).localname
    old = properties.find(one.tag)
    if old is not None:
        properties.remove(old)
    later = {W + after for after in order[order.index(name) + 1 :]} if name in order else set()
    place = next((index for index, sibling in enumerate(properties) if sibling.tag in later), len(properties))
    properties.insert(place, one)


def properties_of(paragraph: Element) -> Element:
    """The `w:pPr` of a paragraph, made where there is none."""
    found = child(paragraph, "pPr")
    if found is None:
        found = element("pPr")
        paragraph.insert(0, found)
    return found


def run_properties_of(run: Element) -> Element:
    """The `w:rPr` of a run, made where there is none."""
    found = child(run, "rPr")
    if found is None:
        found = element("rPr")
        run.insert(0, found)
    return found
