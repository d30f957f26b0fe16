"""Strict Open XML rewritten as Transitional, which is what every reader and Word itself understand.

Knows the two families of namespaces, and how each writes lengths, percentages, sides and the parts of a table that a
style singles out. Does not know packages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import etree

MARK = b"purl.oclc.org/ooxml"

_RULES: tuple[tuple[re.Pattern[bytes], bytes], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (
            rb"http://purl\.oclc\.org/ooxml/"
            rb"(wordprocessingml|drawingml|presentationml|spreadsheetml|schemaLibrary)/(\w+)",
            rb"http://schemas.openxmlformats.org/\1/2006/\2",
        ),
        (
            rb"http://purl\.oclc\.org/ooxml/officeDocument/relationships/metadata/core-properties",
            rb"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
        ),
        (
            rb"http://purl\.oclc\.org/ooxml/officeDocument/(\w+)",
            rb"http://schemas.openxmlformats.org/officeDocument/2006/\1",
        ),
        (rb"relationships/extendedProperties", rb"relationships/extended-properties"),
        (rb"relationships/customProperties", rb"relationships/custom-properties"),
        (rb'\s(?:\w+:)?conformance="strict"', rb""),
    )
)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_RELATIVE = "{http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing}pct"
_LENGTH = re.compile(r"(-?\d*\.?\d+)(mm|cm|in|pt|pc|pi)")
_POINTS = {"mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0, "pt": 1.0, "pc": 12.0, "pi": 12.0}
_PERCENT = re.compile(r"(-?\d*\.?\d+)%")
_HALF_POINTS = frozenset(_W + name for name in ("sz", "szCs", "kern", "position", "hps", "hpsRaise", "hpsBaseText"))
_WORDS = frozenset(("name", "descr", "title", _W + "name", _W + "instr"))
"""Attributes that hold a person's words."""
_WORDING = frozenset(_W + name for name in ("name", "aliases", "lvlText", "alias", "tag", "docPartGallery"))
"""Elements whose value is somebody's words."""
_ALIGNING = frozenset(_W + name for name in ("jc", "lvlJc", "tab"))
_SIDED = frozenset(_W + name for name in ("tblBorders", "tcBorders", "tblCellMar", "tcMar"))
_SIDES = {"start": "left", "end": "right", "startChars": "leftChars", "endChars": "rightChars"}
_LOOK = {
    "firstRow": 0x20, "lastRow": 0x40, "firstColumn": 0x80, "lastColumn": 0x100, "noHBand": 0x200, "noVBand": 0x400,
}  # fmt: skip
_CONDITIONS = (
    "firstRow", "lastRow", "firstColumn", "lastColumn", "oddVBand", "evenVBand", "oddHBand", "evenHBand",
    "firstRowLastColumn", "firstRowFirstColumn", "lastRowLastColumn", "lastRowFirstColumn",
)  # fmt: skip
"""In the order of the twelve digits of `w:cnfStyle`."""


def transitional(part: bytes) -> bytes:
    """The XML part with Transitional namespaces and values; unchanged where it has no Strict namespaces."""
    if MARK not in part:
        return part
    for pattern, replacement in _RULES:
        part = pattern.sub(replacement, part)
    if b"<!DOCTYPE" in part:
        # refused where it is opened
        return part
    try:
        root = etree.fromstring(part, etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return part
    for one in root.iter(etree.Element):
        _settle(one)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _settle(one: etree._Element) -> None:
    tag = str(one.tag)
    for key, value in one.attrib.items():
        if key not in _WORDS and tag not in _WORDING:
            one.set(key, _number(tag, str(key), str(value)))
    if tag.startswith(_RELATIVE) and (found := _PERCENT.fullmatch(one.text or "")):
        one.text = _whole(found[1], 1_000)
    if not tag.startswith(_W):
        return
    for old, new in _SIDES.items():
        if tag == _W + "ind" and _W + old in one.attrib:
            one.set(_W + new, one.attrib.pop(_W + old))
    parent = one.getparent()
    if parent is not None and parent.tag in _SIDED:
        one.tag = _W + _SIDES.get(tag.removeprefix(_W), tag.removeprefix(_W))
    if tag in _ALIGNING and (side := _SIDES.get(one.get(_W + "val") or "")):
        one.set(_W + "val", side)
    if tag == _W + "tblLook" and one.get(_W + "val") is None:
        one.set(_W + "val", f"{sum(_LOOK[name] for name in _on(one, tuple(_LOOK))):04X}")
    elif tag == _W + "cnfStyle" and one.get(_W + "val") is None:
        on = _on(one, _CONDITIONS)
        one.set(_W + "val", "".join("1" if name in on else "0" for name in _CONDITIONS))


def _number(tag: str, key: str, value: str) -> str:
    """A length or percentage in the unit that Transitional counts in; any other value as it is."""
    if found := _LENGTH.fullmatch(value):
        points = float(found[1]) * _POINTS[found[2]]
        if tag.startswith(_W):
            return _whole(points, 2 if tag in _HALF_POINTS else 20)
        return _whole(points, 12_700) if tag.startswith(_DRAWING) else value
    if found := _PERCENT.fullmatch(value):
        if tag.startswith(_W):
            # the widths of tables count in fiftieths, zoom and the scale of letters do not
            return _whole(found[1], 50 if key == _W + "w" else 1)
        if tag.startswith(_DRAWING):
            return _whole(found[1], 1 if tag.startswith(_CHART) else 1_000)
    return value


def _whole(number: str | float, factor: int) -> str:
    return str(round(float(number) * factor))


def _on(one: etree._Element, names: Sequence[str]) -> list[str]:
    return [name for name in names if one.get(_W + name) in ("1", "true", "on")]
