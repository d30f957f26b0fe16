"""What people did to a Word file with tracked changes and comments: who, what and where; and changes taken back.

Knows WordprocessingML's revision marks and comments. Does not accept changes (fabai.formats.revisions does), nor know
whose file it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from fabai.formats.package import Package
from fabai.formats.revisions import text_parts
from fabai.formats.wordml import Element, W, remove, squeezed, text_of, unwrap

Kind = Literal["insertion", "deletion"]
_UNNAMED = "an unnamed author"
_QUOTE = 160
_MARKS = (W + "ins", W + "moveTo", W + "del", W + "moveFrom")
_FORMATS = tuple(
    W + name
    for name in ("rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tcPrChange", "trPrChange", "tblPrExChange")
)


@dataclass(frozen=True, slots=True)
class TrackedChange:
    """place: position of the body's child that it stands in, None outside the body's own text. paragraph: how that
    paragraph reads when every change is accepted.
    """

    author: str
    date: str
    kind: Kind
    text: str
    place: int | None
    paragraph: str


@dataclass(frozen=True, slots=True)
class Comment:
    """place None: nothing in the text refers to it. quote: the words that it is about, or its paragraph."""

    author: str
    date: str
    text: str
    place: int | None
    quote: str = ""


def tracked_changes(package: Package) -> tuple[TrackedChange, ...]:
    """Insertions and deletions of text in reading order; neighbours by one author in one paragraph are one."""
    places = {child: number for number, child in enumerate(package.body)}
    found: list[TrackedChange] = []
    for name, mark, kind, text, number in _numbered(package):
        if number < len(found):
            found[-1] = replace(found[-1], text=f"{found[-1].text}{text}")
            continue
        place = places.get(_top(mark, package)) if name == package.document else None
        paragraph = _accepted(_paragraph(mark))[:_QUOTE]
        found.append(TrackedChange(_author(mark), mark.get(W + "date") or "", kind, text, place, paragraph))
    return tuple(found)


def _numbered(package: Package) -> Iterator[tuple[str, Element, Kind, str, int]]:
    """Each mark of text with its part and the number of its change, from 0: marks that make one change share it."""
    last: tuple[object, ...] = ()
    number = -1
    for name in text_parts(package):
        for mark in package.xml(name).iter(*_MARKS):
            kind: Kind = "insertion" if mark.tag in (W + "ins", W + "moveTo") else "deletion"
            text = _words(mark, kind)
            if text:
                # the paragraph itself, not its id: a proxy that is let go may give its id to another
                key = (_author(mark), kind, _paragraph(mark))
                number += key != last
                last = key
                yield name, mark, kind, text, number


def _words(mark: Element, kind: Kind) -> str:
    # what was moved away keeps ordinary text; what was deleted has a name of its own
    tag = W + ("t" if kind == "insertion" or mark.tag == W + "moveFrom" else "delText")
    texts = [one.text or "" for one in mark.iter(tag, W + "tab", W + "br")]
    if kind == "insertion" and mark.find(f".//{W}delText") is not None and not any(texts):
        return ""
    return "".join(texts)


def _paragraph(mark: Element) -> Element | None:
    one: Element | None = mark
    while one is not None and one.tag != W + "p":
        one = one.getparent()
    return one


def _accepted(paragraph: Element | None) -> str:
    if paragraph is None:
        return ""
    return squeezed("".join(one.text or "" for one in paragraph.iter(W + "t") if not _inside_deletion(one)))


def _inside_deletion(one: Element) -> bool:
    above = one.getparent()
    while above is not None and above.tag != W + "p":
        if above.tag in (W + "del", W + "moveFrom"):
            return True
        above = above.getparent()
    return False


def _top(one: Element, package: Package) -> Element:
    """The body's child that an element stands in."""
    body = package.body
    current = one
    parent = current.getparent()
    while parent is not None and parent is not body:
        current, parent = parent, parent.getparent()
    return current


def comments(package: Package) -> tuple[Comment, ...]:
    """Every comment, those that nothing refers to as well, in the order of the comments' part."""
    part = package.related("comments")
    if part is None:
        return ()
    places = {child: number for number, child in enumerate(package.body)}
    anchors: dict[str, tuple[int | None, str]] = {}
    for mark in package.body.iter(W + "commentRangeStart", W + "commentReference"):
        identity = mark.get(W + "id") or ""
        if identity in anchors and anchors[identity][1]:
            continue
        quote = _range(mark, identity) or _accepted(_paragraph(mark))
        anchors[identity] = (places.get(_top(mark, package)), quote[:_QUOTE])
    out = []
    for one in package.xml(part).findall(W + "comment"):
        text = "\n".join(filter(None, (squeezed(text_of(paragraph)) for paragraph in one.iter(W + "p"))))
        place, quote = anchors.get(one.get(W + "id") or "", (None, ""))
        out.append(Comment(one.get(W + "author") or _UNNAMED, one.get(W + "date") or "", text, place, quote))
    return tuple(out)


def _range(start: Element, identity: str) -> str:
    """The words between a comment's marks, within the paragraph where it begins."""
    if start.tag != W + "commentRangeStart":
        return ""
    words: list[str] = []
    one = start.getnext()
    while one is not None:
        if one.tag == W + "commentRangeEnd" and one.get(W + "id") == identity:
            break
        words += [text.text or "" for text in one.iter(W + "t") if not _inside_deletion(text)]
        one = one.getnext()
    return squeezed("".join(words))


def take_back(package: Package, refused: Callable[[str], bool], numbers: Collection[int] = ()) -> int:
    """Undo, in place, what the authors that `refused` names put in, took out and formatted, and the single changes of
    these numbers (from 0, as `tracked_changes` lists them); returns how many marks.
    """
    single = {mark for _, mark, _, _, number in _numbered(package) if number in numbers} if numbers else set()

    def unwanted(mark: Element) -> bool:
        return mark in single or refused(_author(mark))

    count = 0
    for name in text_parts(package):
        if not any(unwanted(mark) for mark in package.xml(name).iter(*_MARKS, *_FORMATS)):
            continue
        root = package.edit(name)
        run_on: list[Element] = []
        for mark in list(root.iter(*_MARKS, *_FORMATS)):
            parent = mark.getparent()
            if parent is None or not unwanted(mark):
                continue
            count += 1
            if mark.tag in _FORMATS:
                _put_back(mark, parent)
            elif parent.tag in (W + "rPr", W + "trPr", W + "numPr"):
                _take_back_property(mark, parent, run_on)
            elif mark.tag in (W + "ins", W + "moveTo"):
                remove(mark)
            else:
                for deleted in list(mark.iter(W + "delText", W + "delInstrText")):
                    deleted.tag = W + ("t" if deleted.tag == W + "delText" else "instrText")
                unwrap(mark)
        for paragraph in run_on:
            _join(paragraph)
    return count


def _author(mark: Element) -> str:
    return mark.get(W + "author") or _UNNAMED


def _take_back_property(mark: Element, parent: Element, run_on: list[Element]) -> None:
    """A row that was put in goes, a paragraph whose end was put in runs on; what was taken out stays."""
    holder = parent.getparent()
    if mark.tag in (W + "ins", W + "moveTo") and parent.tag == W + "trPr":
        if holder is not None:
            remove(holder)
        return
    paragraph = _paragraph(mark)
    if mark.tag in (W + "ins", W + "moveTo") and parent.tag == W + "rPr" and paragraph is not None:
        run_on.append(paragraph)
    remove(mark)


def _put_back(change: Element, properties: Element) -> None:
    """The properties that were there before a change of format."""
    before = next(iter(change), None)
    kept = [] if before is None else list(before)
    for one in list(properties):
        # the mark of a paragraph and the layout of a section are no part of what was changed
        if one.tag not in (W + "rPr", W + "sectPr") or one is change:
            properties.remove(one)
    for place, one in enumerate(kept):
        properties.insert(place, one)


def _join(paragraph: Element) -> None:
    """A paragraph whose end was put in runs on into the next one."""
    following = paragraph.getnext()
    content = [one for one in paragraph if one.tag != W + "pPr"]
    if following is None or following.tag != W + "p":
        if not text_of(paragraph).strip() and following is not None:
            remove(paragraph)
        return
    start = 1 if len(following) > 0 and following[0].tag == W + "pPr" else 0
    for offset, one in enumerate(content):
        following.insert(start + offset, one)
    remove(paragraph)
