"""Drawings (SVG) as PNG, which every Word and LibreOffice's PDF show: newer Word alone shows an SVG, and a PDF lost it.

Knows how LibreOffice draws the pictures of a Word file, all in one run. Does not know where drawings stand.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence

from fabai.errors import FabaiError
from fabai.formats import libreoffice
from fabai.formats.package import Package
from fabai.formats.photo import as_png
from fabai.formats.wordml import A, R

_SHARPER = 2.5
"""Pixels for each of the drawing's own, which are 96 to an inch."""
_LARGEST = 2_400
_OUTSIDE = re.compile(
    rb"""(?ix) href\s*=\s*["'](?!\#|data:) | url\(\s*["']?(?!\#|data:) | @import | <!entity | <\s*(?:script|foreign)"""
)
_ROOT = re.compile(r"<svg\b[^>]*>", re.DOTALL)
_SIZE = re.compile(r"""\b(width|height)\s*=\s*["']\s*([\d.]+)\s*(px|pt|mm|cm|in|)\s*["']""")
_BOX = re.compile(r"""\bviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)""")
_PIXELS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_USUAL = (300.0, 150.0)
_EMU = 9525
_PICTURE = (
    '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="{0}" cy="{1}"/><wp:docPr id="{2}" name="p{2}"/><a:graphic>'
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr>'
    '<pic:cNvPr id="{2}" name="p{2}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="p{2}"/><a:stretch>'
    '<a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{0}" cy="{1}"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline>'
    "</w:drawing></w:r></w:p>"
)
_OPENXML = "http://schemas.openxmlformats.org/"
_DOCUMENT = (
    f'<w:document xmlns:w="{_OPENXML}wordprocessingml/2006/main" xmlns:a="{_OPENXML}drawingml/2006/main" '
    f'xmlns:r="{_OPENXML}officeDocument/2006/relationships" xmlns:pic="{_OPENXML}drawingml/2006/picture" '
    f'xmlns:wp="{_OPENXML}drawingml/2006/wordprocessingDrawing"><w:body>%s</w:body></w:document>'
)
_RELATIONS = f'<Relationships xmlns="{_OPENXML}package/2006/relationships">%s</Relationships>'
_RELATION = f'<Relationship Id="%s" Type="{_OPENXML}officeDocument/2006/relationships/%s" Target="%s"/>'
_TYPES = (
    f'<Types xmlns="{_OPENXML}package/2006/content-types"><Default Extension="svg" ContentType="image/svg+xml"/>'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)


def drawn(drawings: Sequence[bytes]) -> list[bytes | None]:
    """A PNG for each SVG; None where it names anything outside itself, or LibreOffice is missing or shows nothing."""
    sized = [None if _OUTSIDE.search(one) else _sharper(one) for one in drawings]
    wanted = [(number, *one) for number, one in enumerate(sized) if one is not None]
    out: list[bytes | None] = [None] * len(drawings)
    if not wanted or libreoffice.executable() is None:
        return out
    try:
        made = Package(libreoffice.convert(_document(wanted), "docx", "docx"))
    except FabaiError:
        return out
    shown = [made.relation(made.document, one.get(f"{R}embed") or "") for one in made.body.iter(f"{A}blip")]
    if len(shown) != len(wanted):
        return out
    for (number, *_), relation in zip(wanted, shown, strict=True):
        part = None if relation is None else made.target(made.document, relation)
        out[number] = None if part is None else as_png(made.data(part), round(96 * _SHARPER))
    return out


def _sharper(svg: bytes) -> tuple[bytes, float, float] | None:
    """The drawing with a size of its own, larger, and that size in pixels; None where it has no root to be read."""
    text = svg.decode("utf-8", "replace")
    root = _ROOT.search(text)
    if root is None:
        return None
    sizes = {name: float(number) * _PIXELS[unit] for name, number, unit in _SIZE.findall(root[0])}
    box = _BOX.search(root[0])
    natural = _USUAL if box is None else (float(box[1]), float(box[2]))
    width, height = sizes.get("width", natural[0]), sizes.get("height", natural[1])
    if width <= 0 or height <= 0:
        return None
    factor = min(_SHARPER, _LARGEST / max(width, height))
    bare = re.sub(r"""\s(?:width|height)\s*=\s*(?:"[^"]*"|'[^']*')""", "", root[0])
    more = "" if box is not None else f' viewBox="0 0 {width:g} {height:g}"'
    opening = bare.replace("<svg", f'<svg width="{width * factor:g}" height="{height * factor:g}"{more}', 1)
    return (text[: root.start()] + opening + text[root.end() :]).encode(), width * factor, height * factor


def _document(drawings: Sequence[tuple[int, bytes, float, float]]) -> bytes:
    """A Word file that shows the drawings, one under the other."""
    body = "".join(
        _PICTURE.format(round(width * _EMU), round(height * _EMU), number + 1) for number, _, width, height in drawings
    )
    links = "".join(_RELATION % (f"p{number + 1}", "image", f"media/{number}.svg") for number, *_ in drawings)
    main = _RELATION % ("main", "officeDocument", "word/document.xml")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS % main)
        archive.writestr("word/document.xml", _DOCUMENT % body)
        archive.writestr("word/_rels/document.xml.rels", _RELATIONS % links)
        for number, svg, _, _ in drawings:
            archive.writestr(f"word/media/{number}.svg", svg)
    return out.getvalue()
