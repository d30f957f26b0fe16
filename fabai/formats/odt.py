"""Reads OpenDocument texts (LibreOffice, web editors).

Knows OpenDocument's styles, tracked changes, comments and hidden text; settles them in the XML before pandoc reads
it. Does not know other formats."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable

from lxml import etree

from fabai.errors import UnreadableFile
from fabai.formats import pandoc
from fabai.formats.parsed import Parsed
from fabai.formats.safety import parse_xml
from fabai.settings import ReadingLimits

_NS = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
}
_HEADING = re.compile(r"^(?:heading|encabezado|encapçalament|t[íi]tulo|t[íi]tol)[ _]*(\d{1,2})$", re.IGNORECASE)
_NO_STYLES = f'<office:document-styles xmlns:office="{_NS["office"]}"/>'
"""For a package without its styles: pandoc refuses one."""
_INDEXES = ("table-of-content", "alphabetical-index", "illustration-index", "table-index", "object-index", "user-index")
_LEFT_OUT = "left-out"
_NEEDLESS = ("Pictures/", "Thumbnails/", "Configurations2/", "Basic/", "Scripts/")


def _tag(name: str) -> str:
    prefix, _, local = name.partition(":")
    return f"{{{_NS[prefix]}}}{local}"


def parse_odt(data: bytes, limits: ReadingLimits) -> Parsed:
    """The tree of an .odt package (already found safe); headings by style name or outline level, changes taken as
    accepted."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = set(archive.namelist())
        try:
            content = parse_xml(archive.read("content.xml"))
            styles = parse_xml(archive.read("styles.xml")) if "styles.xml" in names else None
            meta = parse_xml(archive.read("meta.xml")) if "meta.xml" in names else None
        except etree.XMLSyntaxError:
            raise UnreadableFile("the text of this .odt is damaged; open it in LibreOffice and save it again") from None
        notices = [*_changes(content), *_comments(content)]
        if any(name.startswith(("Basic/", "Scripts/")) for name in names):
            notices.append("its macros were left out")
        chains = _Styles([root for root in (content, styles) if root is not None])
        if _drop_hidden(content, chains):
            notices.append("hidden text was left out: show it in LibreOffice if it belongs to the report")
        _drop(content, content.iter(*(_tag(f"text:{name}") for name in _INDEXES)))
        title = _settle_headings(content, chains) or _metadata(meta, "dc:title")
        reading = pandoc.read(_package(archive, content), "odt", limits)

    def find(address: str) -> bytes | None:
        address = address.removeprefix("./")
        if address not in names:
            return None
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.read(address)

    values = {"title": title, "lang": chains.language or _metadata(meta, "dc:language")}
    tree = {key: {"t": "MetaString", "c": value} for key, value in values.items() if value}
    return Parsed(reading.ast["blocks"], tree, find, (*notices, *reading.notices))


class _Styles:
    """Paragraph and text styles with the styles that they are based on."""

    def __init__(self, roots: Iterable[etree._Element]) -> None:
        self._styles: dict[str, etree._Element] = {}
        self.language = ""
        for root in roots:
            for style in root.iter(_tag("style:style")):
                self._styles.setdefault(style.get(_tag("style:name"), ""), style)
            for default in root.iter(_tag("style:default-style")):
                if default.get(_tag("style:family")) == "paragraph":
                    for properties in default.iter(_tag("style:text-properties")):
                        self.language = properties.get(_tag("fo:language"), "").replace("none", "")

    def chain(self, name: str | None) -> list[etree._Element]:
        """A style and its ancestors; a circle ends where it closes."""
        found: list[etree._Element] = []
        seen: set[str] = set()
        while name and name in self._styles and name not in seen:
            seen.add(name)
            found.append(self._styles[name])
            name = self._styles[name].get(_tag("style:parent-style-name"))
        return found

    def names(self, name: str | None) -> list[str]:
        """The readable names along the chain, the one of a built-in style that is not written out included."""
        chain = self.chain(name)
        found = [name or "", *(style.get(_tag("style:parent-style-name"), "") for style in chain)]
        found += [style.get(_tag("style:display-name"), "") for style in chain]
        return [re.sub(r"_([0-9a-f]{2})_", lambda match: chr(int(match[1], 16)), one) for one in found if one]

    def level(self, name: str | None) -> int | None:
        """The outline level that a paragraph style gives."""
        for style in self.chain(name):
            outline = style.get(_tag("style:default-outline-level"))
            if outline is not None:
                return int(outline) if outline.isdigit() and int(outline) else None
        for one in self.names(name):
            if match := _HEADING.match(one):
                return max(int(match[1]), 1)
        return None

    def hidden(self, name: str | None) -> bool:
        """Whether text in this style is not shown; the nearest style that says so decides."""
        for style in self.chain(name):
            for properties in style.findall(_tag("style:text-properties")):
                display = properties.get(_tag("text:display"))
                if display is not None:
                    return display == "none"
        return False


def _settle_headings(content: etree._Element, styles: _Styles) -> str:
    """Paragraphs in a heading's style become headings; gives the document's title, which is taken out, if it has
    one."""
    title = ""
    for paragraph in list(content.iter(_tag("text:p"))):
        name = paragraph.get(_tag("text:style-name"))
        level = styles.level(name)
        if level is not None:
            paragraph.tag = _tag("text:h")
            paragraph.set(_tag("text:outline-level"), str(level))
        elif not title and "Title" in styles.names(name):
            title = _text(paragraph)
            _drop(content, [paragraph])
    return title


def _changes(content: etree._Element) -> list[str]:
    regions = list(content.iter(_tag("text:changed-region")))
    if not regions:
        return []
    people = _people(region.iter(_tag("dc:creator")) for region in regions)
    _drop(content, content.iter(_tag("text:tracked-changes")))
    return [
        f"tracked changes taken as accepted: {len(regions)}{people}; look at them in LibreOffice if some are in doubt"
    ]


def _comments(content: etree._Element) -> list[str]:
    comments = list(content.iter(_tag("office:annotation")))
    if not comments:
        return []
    people = _people(comment.iter(_tag("dc:creator")) for comment in comments)
    _drop(content, comments)
    return [f"comments left out: {len(comments)}{people}"]


def _people(creators: Iterable[Iterable[etree._Element]]) -> str:
    names = sorted({(one.text or "").strip() for group in creators for one in group} - {""})
    return f" by {', '.join(names[:6])}" if names else ""


def _drop_hidden(content: etree._Element, styles: _Styles) -> bool:
    hidden: list[etree._Element] = []
    for element in content.iter(_tag("text:p"), _tag("text:h"), _tag("text:span"), _tag("text:a")):
        if styles.hidden(element.get(_tag("text:style-name"))):
            hidden.append(element)
    for element in content.iter(_tag("text:hidden-text"), _tag("text:hidden-paragraph"), _tag("text:section")):
        if element.tag == _tag("text:hidden-paragraph"):
            if element.get(_tag("text:is-hidden")) == "true" and (paragraph := _paragraph_of(element)) is not None:
                hidden.append(paragraph)
        elif element.tag == _tag("text:hidden-text") or element.get(_tag("text:display")) == "none":
            hidden.append(element)
    words = any(_text(element) for element in hidden)
    _drop(content, hidden)
    return words


def _text(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def _paragraph_of(element: etree._Element) -> etree._Element | None:
    return next(iter(element.iterancestors(_tag("text:p"), _tag("text:h"))), None)


def _drop(root: etree._Element, elements: Iterable[etree._Element]) -> None:
    """Takes elements out and leaves the text that follows them."""
    for element in list(elements):
        element.tag = _LEFT_OUT
    etree.strip_elements(root, _LEFT_OUT, with_tail=False)


def _metadata(meta: etree._Element | None, name: str) -> str:
    found = None if meta is None else next(meta.iter(_tag(name)), None)
    return "" if found is None else (found.text or "").strip()


def _package(archive: zipfile.ZipFile, content: etree._Element) -> bytes:
    """The package with the settled text and without what the text does not need."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as package:
        for entry in archive.infolist():
            if entry.filename == "content.xml":
                package.writestr("content.xml", etree.tostring(content, xml_declaration=True, encoding="UTF-8"))
            elif not entry.filename.startswith(_NEEDLESS) and not entry.is_dir():
                package.writestr(entry.filename, archive.read(entry))
        if "styles.xml" not in archive.namelist():
            package.writestr("styles.xml", _NO_STYLES)
    return out.getvalue()
