"""Notes of a paragraph that was rendered anew: pandoc writes footnotes only; those that were endnotes stay endnotes.

Knows note references and the two parts of notes. A note whose words nobody touched keeps its own XML.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from fabai.formats.graft_numbers import highest, with_id
from fabai.formats.package import Package
from fabai.formats.wordml import Element, R, W, child, remove, squeezed, text_of, value

_REFERENCES = (W + "footnoteReference", W + "endnoteReference")


class Notes:
    """The notes of a document while parts of its body are rendered anew."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._before = _called(package.body)
        self._reused: set[tuple[str, str]] = set()
        self._endnotes = bool(self._before) and all(kind == _REFERENCES[1] for kind, _ in self._before)

    def keep(self, old: Sequence[Element], gone: Sequence[Element], new: Sequence[Element]) -> None:
        """Give the notes of new elements, in place, the kind and where it is the same the text of those of the old.

        gone: elements that go without anything in their place. Where all notes are endnotes, new ones are too.
        """
        fresh = [one for element in new for one in element.iter(_REFERENCES[0])]
        if not fresh:
            return
        before = [one for element in old for one in element.iter(*_REFERENCES)]
        left = [*before, *(one for element in gone for one in element.iter(*_REFERENCES))]
        left = [one for one in left if _name(one) not in self._reused]
        models: list[Element | None] = []
        for reference in fresh:
            said = _text(self._package, reference)
            same = next((one for one in left if _text(self._package, one) == said), None)
            if same is not None:
                left.remove(same)
                self._reused.add(_name(same))
                _reuse(self._package, reference, same)
            models.append(same)
        for number, (reference, model) in enumerate(zip(fresh, models, strict=True)):
            if model is not None:
                continue
            there = before[number] if len(before) == len(fresh) and before[number] in left else None
            if self._endnotes if there is None else there.tag == _REFERENCES[1]:
                _to_endnote(self._package, reference, there)

    def drop_uncalled(self) -> None:
        """Take out, in place, the notes that the body called and calls no more: their words must not stay behind."""
        for kind, identifier in self._before - _called(self._package.body):
            name = "footnote" if kind == _REFERENCES[0] else "endnote"
            part = self._package.related(f"{name}s")
            note = None if part is None else with_id(self._package.edit(part), name, "id", identifier)
            if note is not None and note.get(W + "type") in (None, "normal"):
                remove(note)


def _name(reference: Element) -> tuple[str, str]:
    return str(reference.tag), reference.get(W + "id") or ""


def _called(body: Element) -> set[tuple[str, str]]:
    return {_name(one) for one in body.iter(*_REFERENCES)}


def _part(package: Package, reference: Element) -> tuple[str | None, str]:
    kind = "footnote" if reference.tag == _REFERENCES[0] else "endnote"
    return package.related(f"{kind}s"), kind


def _note(package: Package, reference: Element) -> Element | None:
    part, kind = _part(package, reference)
    return None if part is None else with_id(package.xml(part), kind, "id", reference.get(W + "id") or "")


def _text(package: Package, reference: Element) -> str:
    note = _note(package, reference)
    return "" if note is None else squeezed(" ".join(text_of(one) for one in note.iter(W + "p")))


def _reuse(package: Package, reference: Element, old: Element) -> None:
    part, _ = _part(package, reference)
    note = _note(package, reference)
    if part is not None and note is not None:
        package.edit(part).remove(note)
    reference.tag = old.tag
    reference.set(W + "id", old.get(W + "id") or "")
    _dress(reference, old)


def _to_endnote(package: Package, reference: Element, model: Element | None) -> None:
    source, target = package.related("footnotes"), package.related("endnotes")
    note = _note(package, reference)
    if source is None or target is None or note is None:
        return
    endnotes = package.edit(target)
    example = _note(package, model) if model is not None else None
    example = example if example is not None else next((one for one in endnotes if one.get(W + "type") is None), None)
    package.edit(source).remove(note)
    note.tag = W + "endnote"
    note.set(W + "id", str(1 + highest(endnotes, W + "id", 0)))
    for mark in note.iter(W + "footnoteRef"):
        mark.tag = W + "endnoteRef"
    for inner in note.iter():
        for key in [key for key in inner.attrib if str(key).startswith(R)]:
            relation = package.relation(source, str(inner.get(key)))
            if relation is not None:
                outside = relation.get("TargetMode") == "External"
                kind, address = relation.get("Type") or "", relation.get("Target") or ""
                inner.set(key, package.add_relation(target, kind, address, external=outside))
    _style_like(note, example)
    endnotes.append(note)
    reference.tag = _REFERENCES[1]
    reference.set(W + "id", note.get(W + "id") or "")
    like = model if model is not None else next(package.body.iter(_REFERENCES[1]), None)
    if like is not None:
        _dress(reference, like)


def _style_like(note: Element, example: Element | None) -> None:
    """The paragraph and mark styles of another endnote."""
    if example is None:
        return
    paragraph = next(example.iter(W + "p"), None)
    style = value(paragraph, "pPr/pStyle")
    for one in note.iter(W + "pStyle"):
        if style is not None:
            one.set(W + "val", style)
    mark, own = (next(one.iter(W + "endnoteRef"), None) for one in (example, note))
    if mark is not None and own is not None:
        _dress(own, mark)


def _dress(reference: Element, model: Element) -> None:
    """The run of a reference with the properties of another's."""
    run, other = reference.getparent(), model.getparent()
    properties = child(other, "rPr")
    if run is None or run.tag != W + "r":
        return
    own = child(run, "rPr")
    if own is not None:
        remove(own)
    if properties is not None:
        run.insert(0, copy.deepcopy(properties))
