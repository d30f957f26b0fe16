"""A Word package made inert: no macros, nothing that fetches a file, an address or another program's data.

Knows relationships and field codes. Hyperlinks stay: they are followed by a person's click only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabai.formats.package import WORD_TYPE, Package
from fabai.formats.wordml import Element, R, W, remove, unwrap

_MACRO_KINDS = ("vbaProject", "wordVbaData", "keyMapCustomizations")
_FETCHING = ("DDE", "DDEAUTO", "INCLUDETEXT", "INCLUDEPICTURE", "INCLUDE", "LINK", "IMPORT", "RD", "DATABASE")
_OBJECTS = tuple(W + name for name in ("drawing", "pict", "object"))
_OUTSIDE = re.compile(r"(?i)^(?:https?|ftp|file|smb):|^\\\\")
_NEEDED = tuple(
    W + name for name in ("document", "settings", "hdr", "ftr", "footnotes", "endnotes", "p", "r", "body", "tc")
)


def make_inert(package: Package) -> list[str]:
    """Strip in place what could run or fetch; a sentence for each kind of thing that went."""
    said = _drop_macros(package)
    said += _drop_outside(package)
    kinds: list[str] = []
    for name in package.names:
        if not name.startswith("word/") or not name.endswith(".xml"):
            continue
        data = package.data(name)
        if b"fldSimple" in data:
            _drop_simple_fields(package, name, kinds)
        if b"instrText" in data:
            _drop_fields(package, name, kinds)
    if kinds:
        said.append(
            "fields that fetch other files or programs were turned into their last result "
            f"({', '.join(sorted(set(kinds)))})"
        )
    return said


def _drop_macros(package: Package) -> list[str]:
    found = False
    for source in package.names:
        if not source.startswith("word/") or source.endswith(".rels"):
            continue
        for one in list(package.relations(source)):
            if (one.get("Type") or "").rsplit("/", 1)[-1] in _MACRO_KINDS:
                found = found or (one.get("Type") or "").endswith("/vbaProject")
                target = package.target(source, one)
                package.remove_relation(source, one.get("Id") or "")
                if target is not None:
                    for inner in package.relations(target):
                        belonging = package.target(target, inner)
                        if belonging is not None:
                            package.remove(belonging)
                    package.remove(target)
    if package.content_type(package.document) != WORD_TYPE.format("document.main"):
        package.put(package.document, package.xml(package.document), WORD_TYPE.format("document.main"))
    return ["the file holds macros; they were left out and were not run"] if found else []


def _drop_outside(package: Package) -> list[str]:
    counts: dict[str, int] = {}
    for source in ("", *package.names):
        if source.endswith(".rels"):
            continue
        for one in list(package.relations(source)):
            kind = (one.get("Type") or "").rsplit("/", 1)[-1]
            if one.get("TargetMode") != "External" or kind == "hyperlink":
                continue
            counts[kind] = counts.get(kind, 0) + 1
            rid = one.get("Id") or ""
            package.remove_relation(source, rid)
            if source.endswith(".xml"):
                _drop_references(package.edit(source), rid)
    for name in package.names:
        if name.startswith("word/") and name.endswith(".xml") and b"imagedata" in package.data(name):
            for picture in package.xml(name).iter("{urn:schemas-microsoft-com:vml}imagedata"):
                for key in ("src", "{urn:schemas-microsoft-com:office:office}href"):
                    if _OUTSIDE.match(picture.get(key) or ""):
                        package.edit(name)
                        del picture.attrib[key]
                        counts["image"] = counts.get("image", 0) + 1
    if not counts:
        return []
    names = {
        "image": "image",
        "attachedTemplate": "template",
        "subDocument": "subdocument",
        "oleObject": "linked object",
    }
    kinds: dict[str, int] = {}
    for kind, number in counts.items():
        word = names.get(kind, "file")
        kinds[word] = kinds.get(word, 0) + number
    listed = ", ".join(f"{number} {word}{'' if number == 1 else 's'}" for word, number in kinds.items())
    return [
        f"links to things outside the file were removed and not fetched ({listed}); insert them in Word to keep them"
    ]


def _drop_references(root: Element, rid: str) -> None:
    """Take out the elements that refer to a relationship that is gone, with the drawing around them."""
    for one in list(root.iter()):
        for key in [key for key, given in one.attrib.items() if str(key).startswith(R) and given == rid]:
            del one.attrib[key]
            if any(str(other).startswith(R) for other in one.attrib):
                continue
            around = next(one.iterancestors(*_OBJECTS), None)
            if around is not None:
                remove(around)
            elif one.tag not in _NEEDED:
                parent = one.getparent()
                # data of a mail merge is useless without its source
                remove(parent if parent is not None and parent.tag == W + "mailMerge" else one)


def _drop_simple_fields(package: Package, name: str, said: list[str]) -> None:
    for simple in list(package.xml(name).iter(W + "fldSimple")):
        kind = _kind(simple.get(W + "instr") or "")
        if kind in _FETCHING:
            said.append(kind)
            package.edit(name)
            unwrap(simple)


@dataclass
class Field:
    """A complex field: the elements that make it, what it says, and whether its code is still being read."""

    marks: list[Element] = field(default_factory=list)
    code: str = ""
    nested_first: bool = False
    in_code: bool = True

    @property
    def kind(self) -> str:
        return _kind(self.code)


def fields(root: Element) -> Iterator[Field]:
    """The complex fields of a part, each when its end is met (so inner ones first); unbalanced ones are left out."""
    open_fields: list[Field] = []
    for one in root.iter(W + "fldChar", W + "instrText"):
        if one.tag == W + "instrText":
            if open_fields and open_fields[-1].in_code:
                open_fields[-1].code += one.text or ""
                open_fields[-1].marks.append(one)
            continue
        kind = one.get(W + "fldCharType")
        if kind == "begin":
            if open_fields and open_fields[-1].in_code and not open_fields[-1].code.strip():
                open_fields[-1].nested_first = True
            open_fields.append(Field([one]))
        elif open_fields and kind == "separate":
            open_fields[-1].marks.append(one)
            open_fields[-1].in_code = False
        elif open_fields and kind == "end":
            open_fields[-1].marks.append(one)
            yield open_fields.pop()


def _drop_fields(package: Package, name: str, said: list[str]) -> None:
    for found in list(fields(package.xml(name))):
        # a code that begins with another field hides its name: { { QUOTE 68 68 69 } "cmd" }
        if found.kind in _FETCHING or found.nested_first:
            said.append(found.kind or "a hidden code")
            package.edit(name)
            for mark in found.marks:
                remove(mark)


def _kind(code: str) -> str:
    words = code.split()
    return words[0].upper() if words else ""
