"""Body children of one Word package made at home in another: styles, numbering, notes, pictures and ids carried over.

Knows what an element refers to. Does not know where the elements go (fabai.formats.export) or what they say.
"""

from __future__ import annotations

import copy
import posixpath
from collections.abc import Iterable
from typing import Literal

from fabai.formats.graft_numbers import NumberGraft, highest, share_prefixes, with_id
from fabai.formats.graft_styles import StyleGraft, StyleMaker
from fabai.formats.package import Package
from fabai.formats.wordml import PIC, WP, Element, R, W, add, remove

_STYLE_TAGS = {"pStyle": "paragraph", "rStyle": "character", "tblStyle": "table"}
_NOTE_KINDS: tuple[Literal["footnotes", "endnotes"], ...] = ("footnotes", "endnotes")


class Graft:
    """Carries elements from `source` into `target`. `plain` names paragraph styles that stand for ordinary text. after:
    another into the same target, whose elements may not stand in it yet: its ids and bookmarks are not given again.
    """

    def __init__(
        self,
        target: Package,
        source: Package,
        make_style: StyleMaker | None = None,
        plain: Iterable[str] = (),
        renamed: dict[tuple[str, str], str] | None = None,
        after: Graft | None = None,
    ) -> None:
        self.target, self.source = target, source
        self.styles = StyleGraft(target, source, make_style, plain, renamed or {})
        self.numbers = NumberGraft(target, source, self.styles.style)
        self.styles.number = self.numbers.number
        self._notes: dict[tuple[str, str], str | None] = {}
        self._parts: dict[str, str] = {}
        self._media: dict[str, str] | None = None
        share_prefixes(target, target.document, source, source.document)
        self._renamed: dict[str | None, str] = {}
        self._next_bookmark: int
        self._next_drawing: int
        self._bookmarks: set[str | None]
        if after is not None:
            self._next_bookmark, self._next_drawing = after._next_bookmark, after._next_drawing
            self._bookmarks = after._bookmarks
            return
        self._next_bookmark = 1 + highest(target.body.iter(W + "bookmarkStart"), W + "id")
        self._next_drawing = 1 + highest(target.body.iter(WP + "docPr"), "id")
        self._bookmarks = {one.get(W + "name") for one in target.body.iter(W + "bookmarkStart")}

    def carry(self, elements: Iterable[Element]) -> list[Element]:
        """Copies of the elements that can be inserted into the target's body."""
        out = []
        for one in elements:
            carried = copy.deepcopy(one)
            carried.tail = None
            self._fix(carried, self.source.document, self.target.document)
            self._fresh_ids(carried)
            out.append(carried)
        return out

    def _note(self, kind: Literal["footnotes", "endnotes"], identifier: str) -> str | None:
        key = (kind, identifier)
        if key in self._notes:
            return self._notes[key]
        self._notes[key] = None
        source_part = self.source.related(kind)
        note = None if source_part is None else with_id(self.source.xml(source_part), kind[:-1], "id", identifier)
        if source_part is None or note is None:
            return None
        target_part = self.target.related(kind)
        if target_part is None:
            target_part = self.target.ensure(kind, kind)
            _add_separators(self.target.edit(target_part), kind)
        share_prefixes(self.target, target_part, self.source, source_part)
        target = self.target.edit(target_part)
        new = str(1 + highest(target, W + "id", 0))
        carried = copy.deepcopy(note)
        carried.tail = None
        carried.set(W + "id", new)
        target.append(carried)
        self._notes[key] = new
        self._fix(carried, source_part, target_part)
        return new

    def _fix(self, one: Element, source_part: str, target_part: str) -> None:
        for tag in _STYLE_TAGS:
            for reference in list(one.iter(W + tag)):
                mapped = self.styles.style(reference.get(W + "val") or "")
                if mapped is None:
                    remove(reference)
                else:
                    reference.set(W + "val", mapped)
        for number in list(one.iter(W + "numId")):
            mapped = self.numbers.number(number.get(W + "val") or "0")
            holder = number.getparent()
            if mapped is not None:
                number.set(W + "val", mapped)
            elif holder is not None:
                remove(holder)
        for kind in _NOTE_KINDS:
            for reference in list(one.iter(W + kind[:-1] + "Reference")):
                mapped = self._note(kind, reference.get(W + "id") or "")
                if mapped is None:
                    remove(reference)
                else:
                    reference.set(W + "id", mapped)
        for section in list(one.iter(W + "sectPr")):
            remove(section)
        for inner in list(one.iter()):
            for key in [key for key in inner.attrib if str(key).startswith(R)]:
                new = self._relation(source_part, target_part, str(inner.get(key)))
                if new is None:
                    del inner.attrib[key]
                else:
                    inner.set(key, new)

    def _relation(self, source_part: str, target_part: str, identifier: str) -> str | None:
        relation = self.source.relation(source_part, identifier)
        if relation is None:
            return None
        kind = relation.get("Type") or ""
        if relation.get("TargetMode") == "External":
            return self.target.add_relation(target_part, kind, relation.get("Target") or "", external=True)
        part = self.source.target(source_part, relation)
        if part is None:
            return None
        folder = posixpath.dirname(target_part)
        return self.target.add_relation(target_part, kind, posixpath.relpath(self._part(part), folder))

    def _part(self, name: str) -> str:
        if name in self._parts:
            return self._parts[name]
        content_type = self.source.content_type(name)
        folder = posixpath.dirname(self.target.document)
        inside = posixpath.relpath(name, posixpath.dirname(self.source.document))
        wanted = posixpath.join(folder, inside if not inside.startswith("..") else posixpath.basename(name))
        if "/media/" in name:
            known = self._known_media()
            digest = self.source.digest(name) + posixpath.splitext(name)[1].lower()
            if digest in known:
                self._parts[name] = known[digest]
                return known[digest]
            new = self.target.new_name(wanted)
            known[digest] = new
        else:
            new = self.target.new_name(wanted)
        self._parts[name] = new
        self.target.put(new, self.source.data(name), content_type)
        for relation in self.source.relations(name):
            inner = self.source.target(name, relation)
            if relation.get("TargetMode") == "External" or inner is None:
                continue
            added = self.target.add_relation(new, relation.get("Type") or "", "/" + self._part(inner))
            self._rename_relation(new, relation.get("Id") or "", added)
        return new

    def _rename_relation(self, part: str, old: str, new: str) -> None:
        """A copied part keeps the relationship ids that its own text uses."""
        for relation in self.target.relations(part):
            if relation.get("Id") == new:
                relation.set("Id", old)

    def _known_media(self) -> dict[str, str]:
        if self._media is None:
            self._media = {
                self.target.digest(name) + posixpath.splitext(name)[1].lower(): name
                for name in self.target.names
                if "/media/" in name
            }
        return self._media

    def _fresh_ids(self, one: Element) -> None:
        renamed = self._renamed
        for start in list(one.iter(W + "bookmarkStart")):
            if start.get(W + "name") in self._bookmarks:
                remove(start)
                continue
            self._bookmarks.add(start.get(W + "name"))
            renamed[start.get(W + "id")] = str(self._next_bookmark)
            start.set(W + "id", str(self._next_bookmark))
            self._next_bookmark += 1
        for end in list(one.iter(W + "bookmarkEnd")):
            new = renamed.get(end.get(W + "id"))
            if new is None:
                remove(end)
            else:
                end.set(W + "id", new)
        for drawing in one.iter(WP + "docPr"):
            drawing.set("id", str(self._next_drawing))
            self._next_drawing += 1
        for picture in one.iter(PIC + "cNvPr"):
            if (picture.get("descr") or "").startswith("data:"):
                del picture.attrib["descr"]


def _add_separators(notes: Element, kind: str) -> None:
    """Word needs the two lines above footnotes to be there."""
    for number, name in enumerate(("separator", "continuationSeparator"), start=-1):
        note = add(notes, kind[:-1], type=name, id=number)
        add(add(add(note, "p"), "r"), name)
