"""What other people did in a Word file before it came here: tracked changes by author, comments; and refusing changes.

Knows WordprocessingML's revision marks. Does not know what becomes of them: `fabai.formats.revisions` accepts changes
and drops comments, `refuse` gives the text as it was before the changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fabai.formats.package import Package
from fabai.formats.revisions import text_parts
from fabai.formats.wordml import Element, W, child, remove, text_of, unwrap

_LONGEST = 200
_FORMAT = ("rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tcPrChange", "trPrChange", "tblPrExChange")


@dataclass(frozen=True, slots=True)
class Revision:
    """One tracked change. text: the words that were put in or taken out, shortened."""

    author: str
    date: str
    kind: Literal["insertion", "deletion", "move", "format"]
    text: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark in the margin, and the words that it stands beside."""

    author: str
    date: str
    text: str
    quote: str


def revisions(data: bytes) -> tuple[Revision, ...]:
    """The tracked changes of a Word file in the order of the text; UnreadableFile where it is none."""
    package = Package(data)
    found = []
    for name in text_parts(package):
        for mark in package.xml(name).iter():
            kind = _kind(mark)
            if kind is not None:
                author, date = mark.get(W + "author") or "—", mark.get(W + "date") or ""
                found.append(Revision(author, date, kind, _words(mark)[:_LONGEST]))
    return tuple(found)


def comments(data: bytes) -> tuple[Comment, ...]:
    """The comments of a Word file; UnreadableFile where it is none."""
    package = Package(data)
    part = package.related("comments")
    if part is None:
        return ()
    quotes = _quotes(package.xml(package.document))
    return tuple(
        Comment(
            one.get(W + "author") or "—",
            one.get(W + "date") or "",
            "\n".join(filter(None, (text_of(paragraph).strip() for paragraph in one.iter(W + "p")))),
            quotes.get(one.get(W + "id") or "", "")[:_LONGEST],
        )
        for one in package.xml(part).findall(W + "comment")
    )


def refuse(data: bytes) -> bytes:
    """The Word file with every tracked change undone."""
    package = Package(data)
    for name in text_parts(package):
        if any(_kind(mark) is not None for mark in package.xml(name).iter()):
            _refuse_in(package.edit(name))
    return package.save()


def _refuse_in(root: Element) -> None:
    joined = [
        one for one in root.iter(W + "p") if any(child(one, f"pPr/rPr/{tag}") is not None for tag in ("ins", "moveTo"))
    ]
    for mark in list(root.iter(W + "ins", W + "moveTo")):
        parent = mark.getparent()
        if parent is None:
            continue
        if parent.tag == W + "trPr":
            row = parent.getparent()
            if row is not None:
                remove(row)
        else:
            remove(mark)
    for mark in list(root.iter(W + "del", W + "moveFrom")):
        parent = mark.getparent()
        if parent is not None and parent.tag in (W + "rPr", W + "trPr"):
            remove(mark)
        else:
            unwrap(mark)
    for old, new in (("delText", "t"), ("delInstrText", "instrText")):
        for mark in list(root.iter(W + old)):
            mark.tag = W + new
    for tag in _FORMAT:
        for mark in list(root.iter(W + tag)):
            _put_back(mark)
    for paragraph in joined:
        _join(paragraph)


def _put_back(change: Element) -> None:
    """The properties that were there before a change of format."""
    properties = change.getparent()
    if properties is None:
        return
    before = next(iter(change), None)
    kept = [] if before is None else list(before)
    for one in list(properties):
        # the mark of a paragraph and the layout of a section are no part of what was changed
        if one.tag not in (W + "rPr", W + "sectPr") or one is change:
            properties.remove(one)
    for place, one in enumerate(kept):
        properties.insert(place, one)


def _join(paragraph: Element) -> None:
    """A paragraph whose mark was put in runs on into the next one."""
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


def _kind(mark: Element) -> Literal["insertion", "deletion", "move", "format"] | None:
    if not isinstance(mark.tag, str) or not mark.tag.startswith(W):
        return None
    name = mark.tag[len(W) :]
    if name in _FORMAT:
        return "format"
    if name in ("ins", "del", "moveTo"):
        return "insertion" if name == "ins" else "deletion" if name == "del" else "move"
    return None


def _words(mark: Element) -> str:
    return "".join(one.text or "" for one in mark.iter(W + "t", W + "delText"))


def _quotes(root: Element) -> dict[str, str]:
    """By comment id, the words between its marks."""
    open_ones: dict[str, list[str]] = {}
    done: dict[str, str] = {}
    for one in root.iter():
        if one.tag == W + "commentRangeStart":
            open_ones[one.get(W + "id") or ""] = []
        elif one.tag == W + "commentRangeEnd":
            identity = one.get(W + "id") or ""
            done[identity] = "".join(open_ones.pop(identity, []))
        elif one.tag == W + "t":
            for words in open_ones.values():
                words.append(one.text or "")
        elif one.tag == W + "p":
            for words in open_ones.values():
                words.append(" " if words else "")
    return {key: " ".join(value.split()) for key, value in done.items()}
