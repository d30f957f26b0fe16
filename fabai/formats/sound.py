"""Faults in a Word file that Word answers with 'unreadable content', or with text that looks wrong.

Knows what validators of the schema do not see: ends of cells, balance of fields, styles and relationships that are
not there,
ids used twice. Reads only; an original may have faults of its own, so compare what
is new (`faults(new) - faults(original)`).
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator

from fabai.formats.package import CONTENT_TYPES, Package
from fabai.formats.revisions import text_parts
from fabai.formats.wordbody import styles_of
from fabai.formats.wordml import WP, Element, R, W, child

_STYLES = (("pStyle", "paragraph"), ("rStyle", "character"), ("tblStyle", "table"))


def faults(data: bytes) -> Counter[str]:
    """One sentence for each fault, counted."""
    package = Package(data)
    found: Counter[str] = Counter()
    for name in text_parts(package):
        root = package.xml(name)
        for checked in (
            _cells(root),
            _fields(root),
            _styles(root, package),
            _numbers(root, package),
            _notes(root, package),
        ):
            found.update(f"{name}: {fault}" for fault in checked)
        found.update(f"{name}: {fault}" for fault in _relations(root, package, name))
    found.update(_ids(package.xml(package.document)))
    found.update(_parts(package))
    found.update(_numbering_order(package))
    end = [one for one in package.body if one.tag != W + "sectPr"]
    if end and end[-1].tag == W + "tbl":
        found["the body ends in a table"] += 1
    return found


def _cells(root: Element) -> Iterator[str]:
    for cell in root.iter(W + "tc"):
        if len(cell) == 0 or cell[-1].tag not in (W + "p", W + "sdt"):
            yield "a table cell does not end in a paragraph"
    for table in root.iter(W + "tbl"):
        if next(table.iter(W + "tr"), None) is None:
            yield "a table has no rows"


def _fields(root: Element) -> Iterator[str]:
    depth = 0
    for mark in root.iter(W + "fldChar"):
        kind = mark.get(W + "fldCharType")
        depth += 1 if kind == "begin" else -1 if kind == "end" else 0
        if depth < 0:
            yield "a field ends that did not begin"
            depth = 0
    if depth > 0:
        yield "a field begins and does not end"


def _styles(root: Element, package: Package) -> Iterator[str]:
    styles = styles_of(package)
    for tag, kind in _STYLES:
        for reference in root.iter(W + tag):
            identifier = reference.get(W + "val")
            if identifier not in styles:
                yield f"the {kind} style {identifier} is not defined"


def _numbers(root: Element, package: Package) -> Iterator[str]:
    part = package.related("numbering")
    known = (
        {"0"} if part is None else {"0", *(one.get(W + "numId") or "" for one in package.xml(part).findall(W + "num"))}
    )
    for number in root.iter(W + "numId"):
        if number.get(W + "val") not in known:
            yield f"list number {number.get(W + 'val')} is not defined"


def _notes(root: Element, package: Package) -> Iterator[str]:
    for kind in ("footnote", "endnote"):
        part = package.related(kind + "s")
        known = set() if part is None else {one.get(W + "id") for one in package.xml(part).findall(W + kind)}
        for reference in root.iter(f"{W}{kind}Reference"):
            if reference.get(W + "id") not in known:
                yield f"{kind} {reference.get(W + 'id')} is not there"


def _relations(root: Element, package: Package, name: str) -> Iterator[str]:
    known = {one.get("Id") for one in package.relations(name)}
    for one in root.iter():
        for key, value in one.attrib.items():
            if str(key).startswith(R) and value and value not in known:
                yield f"relationship {value!s} is not there"


def _ids(root: Element) -> Iterator[str]:
    for tag, key, what in ((W + "bookmarkStart", W + "id", "bookmark"), (WP + "docPr", "id", "drawing")):
        counts = Counter(one.get(key) for one in root.iter(tag))
        for identifier, count in counts.items():
            if count > 1:
                yield f"{count} {what}s have the id {identifier}"
    names = Counter(one.get(W + "name") for one in root.iter(W + "bookmarkStart"))
    for name, count in names.items():
        if count > 1:
            yield f"{count} bookmarks have the name {name}"
    starts = {one.get(W + "id") for one in root.iter(W + "bookmarkStart")}
    ends = {one.get(W + "id") for one in root.iter(W + "bookmarkEnd")}
    for identifier in starts ^ ends:
        yield f"bookmark {identifier} has one end only"


def _parts(package: Package) -> Iterator[str]:
    for name in package.names:
        if name != CONTENT_TYPES and package.content_type(name) is None:
            yield f"{name} has no content type"
        if name.endswith(".rels"):
            source = posixpath.join(
                posixpath.dirname(posixpath.dirname(name)), posixpath.basename(name)[: -len(".rels")]
            )
            ids = Counter(one.get("Id") for one in package.relations(source))
            for identifier, count in ids.items():
                if count > 1:
                    yield f"{name}: {count} relationships have the id {identifier}"
            for one in package.relations(source):
                if one.get("TargetMode") != "External" and package.target(source, one) is None:
                    yield f"{name}: {one.get('Target')} is not in the package"
        if name.endswith(".xml"):
            package.xml(name)


def _numbering_order(package: Package) -> Iterator[str]:
    part = package.related("numbering")
    if part is None:
        return
    order = [one.tag for one in package.xml(part) if one.tag in (W + "abstractNum", W + "num")]
    if W + "num" in order and W + "abstractNum" in order[order.index(W + "num") :]:
        yield "numbering.xml: a definition stands after a number, where Word does not read it"
    known = {one.get(W + "abstractNumId") for one in package.xml(part).findall(W + "abstractNum")}
    for number in package.xml(part).findall(W + "num"):
        reference = child(number, "abstractNumId")
        if reference is None or reference.get(W + "val") not in known:
            yield f"numbering.xml: number {number.get(W + 'numId')} has no definition"
