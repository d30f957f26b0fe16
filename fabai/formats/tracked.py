"""What people did to a Word file with tracked changes and comments: who, what and where; and changes taken back.

Knows WordprocessingML's revision marks and comments. Does not accept changes (fabai.formats.revisions does), nor know
whose file it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from fabai.formats.package import Package
from fabai.formats.revisions import text_parts
from fabai.formats.wordml import Element, W, remove, squeezed, text_of, unwrap

Kind = Literal["insertion", "deletion"]
_UNNAMED = "an unnamed author"
_QUOTE = 160


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
    last: tuple[object, ...] = ()
    for name in text_parts(package):
        root = package.xml(name)
        for mark in root.iter(W + "ins", W + "moveTo", W + "del", W + "moveFrom"):
            kind: Kind = "insertion" if mark.tag in (W + "ins", W + "moveTo") else "deletion"
            text = _words(mark, kind)
            if not text:
                continue
            paragraph = _paragraph(mark)
            place = places.get(_top(mark, package)) if name == package.document else None
            author = mark.get(W + "author") or _UNNAMED
            key = (author, kind, id(paragraph))
            if key == last and found:
                before = found.pop()
                text = f"{before.text}{text}"
            found.append(
                TrackedChange(author, mark.get(W + "date") or "", kind, text, place, _accepted(paragraph)[:_QUOTE])
            )
            last = key
    return tuple(found)


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


def take_back(package: Package, refused: Callable[[str], bool]) -> int:
    """Undo, in place, the insertions and deletions of the authors that `refused` names; returns how many marks."""
    count = 0
    for name in text_parts(package):
        if not any(refused(mark.get(W + "author") or _UNNAMED) for mark in _marks(package.xml(name))):
            continue
        for mark in list(_marks(package.edit(name))):
            if mark.getparent() is None or not refused(mark.get(W + "author") or _UNNAMED):
                continue
            count += 1
            parent = mark.getparent()
            if parent is not None and parent.tag in (W + "rPr", W + "trPr", W + "numPr"):
                _take_back_property(mark, parent)
            elif mark.tag in (W + "ins", W + "moveTo"):
                remove(mark)
            else:
                for deleted in list(mark.iter(W + "delText", W + "delInstrText")):
                    deleted.tag = W + ("t" if deleted.tag == W + "delText" else "instrText")
                unwrap(mark)
    return count


def _take_back_property(mark: Element, parent: Element) -> None:
    """A paragraph or row that was put in goes; one that was taken out stays."""
    if mark.tag not in (W + "ins", W + "moveTo"):
        remove(mark)
        return
    holder = parent.getparent()
    if parent.tag == W + "trPr":
        if holder is not None:
            remove(holder)
        return
    paragraph = _paragraph(mark)
    remove(mark)
    if paragraph is not None and not squeezed(text_of(paragraph)):
        above = paragraph.getparent()
        if above is not None and (above.tag != W + "tc" or len(above.findall(W + "p")) > 1):
            remove(paragraph)


def _marks(root: Element) -> Iterator[Element]:
    return root.iter(W + "ins", W + "moveTo", W + "del", W + "moveFrom")
