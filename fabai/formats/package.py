"""A Word package: the parts of a zip, their relationships and content types, parsed when asked for, saved again.

Knows the Open Packaging Conventions. Does not know paragraphs, styles or Markdown. Parts that nobody edits are written
back byte for byte; Strict parts are read as Transitional; no entity is resolved and nothing outside the zip is read.
"""

from __future__ import annotations

import hashlib
import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Mapping

from lxml import etree

from fabai.errors import UnreadableFile
from fabai.formats.safety import check_archive
from fabai.formats.strict import transitional
from fabai.formats.wordml import MC, RELATION, Element, M, W
from fabai.settings import ReadingLimits

_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
_RELATIONSHIP = f"{{{_PACKAGE}relationships}}Relationship"
_TYPES = f"{{{_PACKAGE}content-types}}"
CONTENT_TYPES = "[Content_Types].xml"
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.{}+xml"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_DOCTYPE = (b"<!DOCTYPE", "<!DOCTYPE".encode("utf-16-le"), "<!DOCTYPE".encode("utf-16-be"))
_DATE = (1980, 1, 1, 0, 0, 0)


class Package:
    """The parts of a .docx by name ("word/document.xml"); `document` names the main one."""

    def __init__(self, data: bytes, limits: ReadingLimits | None = None, name: str = "the file") -> None:
        """UnreadableFile where `data` is no Word package; `name` stands in that sentence."""
        self._name = name
        self._zip = _unzip(data, limits or ReadingLimits(), name)
        self._stored = {one.lower(): one for one in reversed(self._zip.namelist()) if not one.endswith("/")}
        self._data: dict[str, bytes] = {}
        self._trees: dict[str, Element] = {}
        self._edited: set[str] = set()
        self._names = [one for one in dict.fromkeys(self._zip.namelist()) if not one.endswith("/")]
        if CONTENT_TYPES.lower() not in self._stored:
            raise UnreadableFile(f"{name} is a zip but not a Word document; give a .docx file")
        self.document = self._main_part()

    @property
    def names(self) -> tuple[str, ...]:
        """Every part, in the order of the zip, new ones last."""
        return tuple(self._names)

    def has(self, name: str) -> bool:
        return name in self._data or name in self._trees or self._stored.get(name.lower()) in self._names

    def data(self, name: str) -> bytes:
        """A part's bytes as they would be saved."""
        if name in self._edited:
            return to_bytes(self._trees[name])
        if name not in self._data:
            stored = self._stored.get(name.lower())
            if stored is None:
                raise UnreadableFile(f"{self._name} lacks its part {name}; open it in Word and save it again")
            try:
                raw = self._zip.read(stored)
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
                raise UnreadableFile(
                    f"{self._name} is damaged ({name}: {error}); open it in Word or LibreOffice and save it again"
                ) from None
            self._data[name] = transitional(raw) if name.endswith((".xml", ".rels")) else raw
        return self._data[name]

    def xml(self, name: str) -> Element:
        """A part's root element, to read; use `edit` to change it."""
        if name not in self._trees:
            self._trees[name] = parse(self.data(name), f"{self._name} ({name})")
        return self._trees[name]

    def edit(self, name: str) -> Element:
        """A part's root element, to change: it is written anew on saving."""
        root = self.xml(name)
        self._edited.add(name)
        return root

    def put(self, name: str, part: bytes | Element, content_type: str | None = None) -> None:
        """Add or replace a part."""
        self._data.pop(name, None)
        self._trees.pop(name, None)
        self._edited.discard(name)
        if isinstance(part, bytes):
            self._data[name] = part
        else:
            self._trees[name] = part
            self._edited.add(name)
        if name not in self._names:
            self._names.append(name)
        if content_type is not None and self.content_type(name) != content_type:
            types = self.edit(CONTENT_TYPES)
            for old in types.findall(_TYPES + "Override"):
                if (old.get("PartName") or "").lower() == f"/{name}".lower():
                    types.remove(old)
            etree.SubElement(types, _TYPES + "Override", PartName=f"/{name}", ContentType=content_type)

    def remove(self, name: str) -> None:
        """Take a part out, with its relationships and content type; who refers to it is the caller's matter."""
        for one in (name, _relations_name(name)):
            self._data.pop(one, None)
            self._trees.pop(one, None)
            self._edited.discard(one)
            stored = self._stored.pop(one.lower(), None)
            self._names = [kept for kept in self._names if kept not in (one, stored)]
        types = self.edit(CONTENT_TYPES)
        for override in types.findall(_TYPES + "Override"):
            if (override.get("PartName") or "").lower() == f"/{name}".lower():
                types.remove(override)

    @property
    def body(self) -> Element:
        """The body of the main part."""
        body = self.xml(self.document).find(W + "body")
        if body is None:
            raise UnreadableFile(f"{self._name} has no document body; open it in Word and save it again")
        return body

    def relations(self, part: str) -> list[Element]:
        """The relationships of a part ("" for the package itself)."""
        name = _relations_name(part)
        return self.xml(name).findall(_RELATIONSHIP) if self.has(name) else []

    def relation(self, part: str, rid: str) -> Element | None:
        return next((one for one in self.relations(part) if one.get("Id") == rid), None)

    def target(self, part: str, relation: Element) -> str | None:
        """The part that a relationship leads to; None where it leads out of the package or nowhere."""
        if relation.get("TargetMode") == "External":
            return None
        target = (relation.get("Target") or "").split("#")[0]
        name = target.lstrip("/") if target.startswith("/") else posixpath.join(posixpath.dirname(part), target)
        name = posixpath.normpath(name)
        return (name if name in self._names else self._stored.get(name.lower(), name)) if self.has(name) else None

    def related(self, kind: str, part: str | None = None) -> str | None:
        """The first part of a kind ("styles", "numbering") that a part, the main one by default, relates to."""
        source = self.document if part is None else part
        for one in self.relations(source):
            if (one.get("Type") or "").endswith("/" + kind):
                target = self.target(source, one)
                if target is not None:
                    return target
        return None

    def add_relation(self, part: str, kind: str, target: str, external: bool = False) -> str:
        """The id of the relationship, an existing one where there is one. kind: "image", or a whole type."""
        name = _relations_name(part)
        if not self.has(name):
            empty = f'<Relationships xmlns="{_PACKAGE}relationships"/>'
            self.put(name, etree.fromstring(empty))
        full = kind if "/" in kind else RELATION + kind
        mode = "External" if external else None
        taken: set[str] = set()
        for one in self.relations(part):
            if (one.get("Type"), one.get("Target"), one.get("TargetMode")) == (full, target, mode):
                return one.get("Id") or ""
            taken.add(one.get("Id") or "")
        number = len(taken) + 1
        while f"rId{number}" in taken:
            number += 1
        made = etree.SubElement(self.edit(name), _RELATIONSHIP, Id=f"rId{number}", Type=full, Target=target)
        if mode is not None:
            made.set("TargetMode", mode)
        return f"rId{number}"

    def remove_relation(self, part: str, rid: str) -> None:
        for one in self.edit(_relations_name(part)).findall(_RELATIONSHIP):
            if one.get("Id") == rid:
                self.edit(_relations_name(part)).remove(one)

    def content_type(self, name: str) -> str | None:
        types = self.xml(CONTENT_TYPES)
        for one in types.findall(_TYPES + "Override"):
            if (one.get("PartName") or "").lower() == f"/{name}".lower():
                return one.get("ContentType")
        ending = name.rsplit(".", 1)[-1].lower()
        for one in types.findall(_TYPES + "Default"):
            if (one.get("Extension") or "").lower() == ending:
                return one.get("ContentType")
        return None

    def ensure(self, kind: str, root_tag: str) -> str:
        """The part of a kind ("numbering"), made with an empty `w:` root where the document has none."""
        found = self.related(kind)
        if found is not None:
            return found
        name = self.new_name(posixpath.join(posixpath.dirname(self.document), f"{kind}.xml"))
        self.put(name, etree.Element(W + root_tag, nsmap={"w": W[1:-1], "r": RELATION[:-1]}), WORD_TYPE.format(kind))
        self.add_relation(self.document, kind, posixpath.basename(name))
        return name

    def new_name(self, name: str) -> str:
        """The name, or the same with the next free number before its ending."""
        if not self.has(name):
            return name
        stem, ending = posixpath.splitext(name)
        stem = re.sub(r"\d+$", "", stem)
        number = 1
        while self.has(f"{stem}{number}{ending}"):
            number += 1
        return f"{stem}{number}{ending}"

    def digest(self, name: str) -> str:
        """A hash of a part's bytes, to recognise equal media."""
        return hashlib.sha256(self.data(name)).hexdigest()

    def pictures(self) -> frozenset[str]:
        """A hash of each picture, as `digest` gives it."""
        return frozenset(self.digest(name) for name in self._names if "/media/" in name)

    def save(self, instead: Mapping[str, bytes] | None = None) -> bytes:
        """The package as a zip; equal packages give equal bytes. instead: other bytes for some parts, this once."""
        other = instead or {}
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name in (CONTENT_TYPES, *(one for one in self._names if one.lower() != CONTENT_TYPES.lower())):
                entry = zipfile.ZipInfo(name, _DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o600 << 16
                zipped.writestr(entry, other[name] if name in other else self.data(name))
        return out.getvalue()

    def _main_part(self) -> str:
        for one in self.relations(""):
            if (one.get("Type") or "").endswith("/officeDocument"):
                target = self.target("", one)
                if target is not None:
                    return target
        if self.has("word/document.xml"):
            return "word/document.xml"
        raise UnreadableFile(f"{self._name} is not a Word document; give a .docx file")


def parse(part: bytes, name: str) -> Element:
    """The root of an XML part without comments; UnreadableFile where it is broken or declares a document type."""
    if any(mark in part for mark in _DOCTYPE):
        raise UnreadableFile(f"{name} declares a document type, which Word files never do; it was not opened")
    parser = etree.XMLParser(
        huge_tree=True, resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(part, parser)
    except etree.XMLSyntaxError as error:
        raise UnreadableFile(f"{name} is damaged ({error.msg}); open it in Word and save it again") from None


def declare_formulas(root: Element) -> None:
    """Put the prefix of formulas on the root: pandoc sees only those of the main part's root, for notes too."""
    if M[1:-1] in root.nsmap.values():
        return
    # prefixes that nothing but these attributes names must stay
    named = {prefix for one in root.iter(MC + "Choice") for prefix in (one.get("Requires") or "").split()}
    kept = [*named, "m", *(prefix for prefix in root.nsmap if prefix is not None)]
    etree.cleanup_namespaces(root, {"m": M[1:-1]}, kept)


def to_bytes(root: Element) -> bytes:
    """A part as Word writes it: UTF-8, standalone."""
    if next(root.iter(M + "oMath"), None) is not None:
        declare_formulas(root)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _relations_name(part: str) -> str:
    return posixpath.join(posixpath.dirname(part), "_rels", posixpath.basename(part) + ".rels")


def _unzip(data: bytes, limits: ReadingLimits, name: str) -> zipfile.ZipFile:
    if not data:
        raise UnreadableFile(f"{name} is empty; check that it was copied whole")
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise UnreadableFile(
                f"{name} is protected with a password; open it in Word, remove the password and save it again"
            )
        raise UnreadableFile(f"{name} is an old .doc or a damaged file; open it in Word and save it as .docx")
    try:
        zipped = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise UnreadableFile(
            f"{name} is not a Word document or is damaged; open it in Word or LibreOffice and save it as .docx"
        ) from None
    check_archive(name, zipped, limits)
    return zipped
