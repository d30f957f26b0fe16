"""Takes a file in hand: what it is by its content, and whether it can be opened without harm.

Knows signatures, zip and XML bombs, passwords, bounds. Does not know what is inside a document. Every reason for not
reading a file is one sentence that says what to do."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lxml import etree

from fabai.errors import UnreadableFile
from fabai.formats.encoding import decode
from fabai.settings import ReadingLimits

Kind = Literal["docx", "odt", "doc", "rtf", "pdf", "html", "latex", "markdown", "plain"]

READABLE = ".docx, .docm, .odt, .doc, .rtf, .pdf, .html, .tex, .md and .txt"

_TEXT_KINDS: dict[str, Kind] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "plain",
    ".text": "plain",
    ".tex": "latex",
    ".latex": "latex",
    ".ltx": "latex",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
_SUFFIXES: dict[Kind, tuple[str, ...]] = {
    "docx": (".docx", ".docm", ".dotx", ".dotm"),
    "odt": (".odt", ".ott"),
    "doc": (".doc", ".dot"),
    "rtf": (".rtf",),
    "pdf": (".pdf",),
}
_NAMES: dict[Kind, str] = {
    "docx": "a Word file",
    "odt": "an OpenDocument text",
    "doc": "an old Word file",
    "rtf": "an RTF file",
    "pdf": "a PDF",
    "html": "a web page",
    "latex": "LaTeX",
    "markdown": "Markdown",
    "plain": "plain text",
}
_OTHER_ZIPS = (
    ("xl/", "a spreadsheet"),
    ("ppt/", "a presentation"),
    ("META-INF/container.xml", "an e-book"),
    ("Index/Document.iwa", "a Pages document"),
)
_RATIO = 500
_RATIO_FROM = 32 * 2**20
_ENTITY = (b"<!ENTITY", "<!ENTITY".encode("utf-16-le"), "<!ENTITY".encode("utf-16-be"))
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file whose content is `kind` and passed every check that needs no reading of the text."""

    path: Path
    data: bytes
    kind: Kind
    notices: tuple[str, ...] = ()


def load(path: Path, limits: ReadingLimits) -> Loaded:
    """The bytes of a file and what they are, whatever its name says; UnreadableFile with one sentence otherwise."""
    data = _bytes(path, limits)
    kind = _kind(path, data, limits)
    suffix = path.suffix.lower()
    named = next((known for known, endings in _SUFFIXES.items() if suffix in endings), _TEXT_KINDS.get(suffix))
    notices: tuple[str, ...] = ()
    if named is not None and named != kind and not {named, kind} <= {"markdown", "plain"}:
        notices = (f"{path.name} is {_NAMES[kind]}, whatever its ending says, and was read as such",)
    return Loaded(path, data, kind, notices)


def _bytes(path: Path, limits: ReadingLimits) -> bytes:
    try:
        if path.is_dir():
            raise UnreadableFile(f"{path} is a folder; name the file in it")
        if not path.exists():
            raise UnreadableFile(f"{path} does not exist")
        if not path.is_file():
            raise UnreadableFile(f"{path} is not a file")
        size = path.stat().st_size
        if size > limits.file_bytes:
            raise UnreadableFile(
                f"{path.name} has {size / 2**20:.0f} MiB and at most {limits.file_bytes / 2**20:.0f} are read; "
                "make its pictures smaller or split it"
            )
        data = path.read_bytes()
    except PermissionError:
        raise UnreadableFile(f"{path} may not be read by this user; ask its owner or copy it") from None
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{path} cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        raise UnreadableFile(f"{path.name} is empty")
    return data


def _kind(path: Path, data: bytes, limits: ReadingLimits) -> Kind:
    name = path.name
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(name, data, limits)
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _ole_kind(name, data)
    if data[:1024].lstrip().startswith(b"%PDF"):
        return "pdf"
    if data.startswith(b"{\\rtf"):
        return "rtf"
    return _text_kind(path, data)


def _ole_kind(name: str, data: bytes) -> Kind:
    def holds(stream: str) -> bool:
        return stream.encode("utf-16-le") in data

    if holds("EncryptedPackage"):
        raise _protected(name)
    if holds("WordDocument"):
        return "doc"
    raise UnreadableFile(f"{name} is an old Office file but no text document; save it as .docx in its own program")


def _protected(name: str) -> UnreadableFile:
    return UnreadableFile(
        f"{name} is protected by a password: open it in Word, remove the password (File, Info, Protect Document) and "
        "save it again"
    )


def _zip_kind(name: str, data: bytes, limits: ReadingLimits) -> Kind:
    damaged = UnreadableFile(
        f"{name} is damaged or was cut off; get a whole copy, or open it in its program and save it again"
    )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_archive(name, archive, limits)
            names = set(archive.namelist())
            kind = _package_kind(name, archive, names)
            for entry in archive.infolist():
                if entry.filename.lower().endswith((".xml", ".rels")):
                    content = archive.read(entry)
                    if any(mark in content for mark in _ENTITY):
                        raise UnreadableFile(
                            f"{name} declares XML entities, as no word processor does; save it again in Word"
                        )
                    _check_depth(name, content)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError) as error:
        raise damaged from error
    return kind


def check_archive(name: str, archive: zipfile.ZipFile, limits: ReadingLimits) -> None:
    """Refuses, before anything is unpacked, a package with too many parts, too much in them, or a password."""
    entries = archive.infolist()
    if len(entries) > limits.parts:
        raise UnreadableFile(
            f"{name} holds {len(entries)} parts and at most {limits.parts} are read; it is no ordinary document"
        )
    total = sum(entry.file_size for entry in entries)
    if total > limits.unpacked_bytes:
        raise UnreadableFile(
            f"{name} would unpack to {total / 2**20:.0f} MiB and at most {limits.unpacked_bytes / 2**20:.0f} are read; "
            "make its pictures smaller or split it"
        )
    for entry in entries:
        if entry.file_size > _RATIO_FROM and entry.file_size > _RATIO * max(entry.compress_size, 1):
            raise UnreadableFile(f"{name} is packed like a zip bomb ({entry.filename}); it was not opened")
        if entry.flag_bits & 1:
            raise _protected(name)


def _package_kind(name: str, archive: zipfile.ZipFile, names: set[str]) -> Kind:
    if "mimetype" in names:
        mimetype = archive.read("mimetype").decode("ascii", "replace").strip()
        if mimetype.startswith("application/vnd.oasis.opendocument.text"):
            if "META-INF/manifest.xml" in names and b"encryption-data" in archive.read("META-INF/manifest.xml"):
                raise UnreadableFile(
                    f"{name} is protected by a password: open it in LibreOffice and save it without the password"
                )
            if "content.xml" not in names:
                raise UnreadableFile(f"{name} has no text inside; open it in LibreOffice and save it again")
            return "odt"
        if mimetype.startswith("application/vnd.oasis.opendocument"):
            raise UnreadableFile(f"{name} is an OpenDocument file but no text; export its content as .odt or .docx")
    if any(part.startswith("word/") for part in names) or _main_part(archive, names):
        return "docx"
    for part, what in _OTHER_ZIPS:
        if any(one.startswith(part) for one in names):
            raise UnreadableFile(f"{name} is {what}, not a text document; files that are read: {READABLE}")
    raise UnreadableFile(f"{name} is a zip archive, not a document; unpack it and import the document inside")


def _main_part(archive: zipfile.ZipFile, names: set[str]) -> bool:
    return "[Content_Types].xml" in names and b"wordprocessingml.document" in archive.read("[Content_Types].xml")


def _check_depth(name: str, content: bytes) -> None:
    """Refuses XML nested deeper than any document: converters would run out of stack. libxml2 draws the line at 256."""
    try:
        etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except etree.XMLSyntaxError as error:
        # other faults are for the reader of that part to tell
        if "depth" in str(error).lower():
            raise UnreadableFile(f"{name} nests its content too deep; open it in Word and save it again") from None


def parse_xml(data: bytes) -> etree._Element:
    """The root of an XML part; no entity is resolved and no address opened. etree.XMLSyntaxError where it is not
    XML."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, remove_pis=True)
    return etree.fromstring(data, parser)


def _text_kind(path: Path, data: bytes) -> Kind:
    suffix = path.suffix.lower()
    nothing = UnreadableFile(f"{path.name} is not a document that can be read; files that are read: {READABLE}")
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if not wide and data[:65536].count(b"\x00") > len(data[:65536]) // 1000:
        raise nothing
    if any(suffix in endings for endings in _SUFFIXES.values()):
        if _HTML.match(decode(data[:4000])):
            return "html"
        raise UnreadableFile(
            f"{path.name} is not what its ending says, or is damaged; open it in its program and save it again"
        )
    kind = _TEXT_KINDS.get(suffix)
    if kind is None:
        raise nothing
    if kind in ("markdown", "plain") and _HTML.match(decode(data[:4000])):
        return "html"
    return kind
