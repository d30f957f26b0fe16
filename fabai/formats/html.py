"""Reads web pages saved as files.

Knows what of a page is not text: scripts, styles, hidden elements. Does not open any address, nor files outside the
page's folder."""

from __future__ import annotations

import re
from pathlib import Path

from lxml import etree
from lxml.html import document_fromstring

from fabai.errors import UnreadableFile
from fabai.formats import pandoc
from fabai.formats.encoding import decode
from fabai.formats.folder import Folder
from fabai.formats.parsed import Parsed
from fabai.settings import ReadingLimits

_NO_PROSE = "script style noscript template iframe object embed link base audio video select"
_NOT_TEXT = tuple(_NO_PROSE.split())
_LEFT_OUT = "left-out"
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:\D|$)", re.IGNORECASE
)
_DECLARED = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def parse_html(data: bytes, path: Path, limits: ReadingLimits) -> Parsed:
    """The tree of an HTML page; pictures are looked for in its folder only."""
    try:
        root = document_fromstring(_XML_DECLARATION.sub("", _decode(data)))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        raise UnreadableFile(
            f"{path.name} is not a web page that can be read; open it in a browser and save it again"
        ) from None
    notices = []
    etree.strip_elements(root, etree.Comment, etree.ProcessingInstruction, *_NOT_TEXT, with_tail=False)
    if _drop_hidden(root):
        notices.append("hidden text was left out: text that a browser does not show")
    reading = pandoc.read(etree.tostring(root, encoding="utf-8", method="html"), "html-raw_html-smart", limits)
    meta = reading.ast["meta"]
    language = root.get("lang") or root.get("xml:lang")
    if language:
        meta = {**meta, "lang": {"t": "MetaString", "c": language}}
    return Parsed(reading.ast["blocks"], meta, Folder(path.parent, limits).find, (*notices, *reading.notices))


def _decode(data: bytes) -> str:
    declared = _DECLARED.search(data[:4096])
    if declared is not None and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return data.decode(declared[1].decode("ascii"), "replace")
        except LookupError:
            return decode(data)
    return decode(data)


def _drop_hidden(root: etree._Element) -> bool:
    hidden = [
        element
        for element in root.iter(etree.Element)
        if element.get("hidden") is not None or _HIDDEN.search(element.get("style") or "")
    ]
    words = any("".join(map(str, element.itertext())).strip() for element in hidden)
    for element in hidden:
        element.tag = _LEFT_OUT
    etree.strip_elements(root, _LEFT_OUT, with_tail=False)
    return words
