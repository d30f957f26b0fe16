"""Tracked changes accepted and comments taken out of a Word package, with sentences that say whose they were.

Knows WordprocessingML's revision marks. Does not know Markdown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fabai.formats.package import Package
from fabai.formats.wordml import Element, M, W, child, holds_object, remove, text_of, unwrap

_GONE = tuple(
    W + name
    for name in (
        "rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tblPrExChange", "tcPrChange", "trPrChange",
        "tblGridChange", "numberingChange", "cellIns", "cellMerge", "delText", "delInstrText",
        "moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd",
        "customXmlInsRangeStart", "customXmlInsRangeEnd", "customXmlDelRangeStart", "customXmlDelRangeEnd",
        "customXmlMoveFromRangeStart", "customXmlMoveFromRangeEnd", "customXmlMoveToRangeStart",
        "customXmlMoveToRangeEnd",
    )
)  # fmt: skip
_MARKERS = (W + "rPr", W + "numPr", W + "trPr", M + "ctrlPr")
_COMMENT_MARKS = tuple(
    W + name for name in ("commentReference", "commentRangeStart", "commentRangeEnd", "annotationRef")
)
_COMMENT_PARTS = ("comments", "commentsExtended", "commentsIds", "commentsExtensible", "people")


def text_parts(package: Package) -> list[str]:
    """The main part and those with running text of their own: notes, headers, footers."""
    names = [package.document]
    for one in package.relations(package.document):
        kind = (one.get("Type") or "").rsplit("/", 1)[-1]
        target = package.target(package.document, one)
        if kind in ("footnotes", "endnotes", "header", "footer") and target is not None and target not in names:
            names.append(target)
    return names


def accept(package: Package) -> list[str]:
    """Accept every tracked change in place; one sentence with the authors and counts, none where there was nothing."""
    counts: Counter[str] = Counter()
    authors: Counter[str] = Counter()
    for name in text_parts(package):
        if _has_marks(package.xml(name)):
            _accept_in(package.edit(name), counts, authors)
    styles = package.related("styles")
    for part in (styles, package.related("numbering")):
        if part is not None and _has_marks(package.xml(part)):
            _accept_in(package.edit(part), Counter(), Counter())
    if not counts:
        return []
    said = ", ".join(_counted(number, kind) for kind, number in counts.items())
    return [f"tracked changes were accepted ({said}) by {_people(authors)}; check that they are what you want"]


def drop_comments(package: Package) -> list[str]:
    """Take out comments and their marks; one sentence with the authors, none where there were none."""
    part = package.related("comments")
    found = [] if part is None else package.xml(part).findall(W + "comment")
    authors = Counter(one.get(W + "author") or "an unnamed author" for one in found)
    marked = False
    for name in text_parts(package):
        if next(package.xml(name).iter(*_COMMENT_MARKS), None) is not None:
            marked = True
            for mark in list(package.edit(name).iter(*_COMMENT_MARKS)):
                run = mark.getparent()
                remove(mark)
                if run is not None and run.tag == W + "r" and all(inner.tag == W + "rPr" for inner in run):
                    remove(run)
    if part is not None or marked:
        for one in list(package.relations(package.document)):
            kind = (one.get("Type") or "").rsplit("/", 1)[-1]
            target = package.target(package.document, one)
            if kind in _COMMENT_PARTS:
                package.remove_relation(package.document, one.get("Id") or "")
                if target is not None:
                    package.remove(target)
    if not found:
        return []
    return [f"{_counted(len(found), 'comment')} by {_people(authors)} left out"]


def _has_marks(root: Element) -> bool:
    marks = (W + "ins", W + "del", W + "moveFrom", W + "moveTo", W + "cellDel", *_GONE)
    return next(root.iter(*marks), None) is not None


def _accept_in(root: Element, counts: Counter[str], authors: Counter[str]) -> None:
    for tag, kind in (("ins", "insertion"), ("del", "deletion"), ("moveTo", "move"), ("cellDel", "deletion")):
        for mark in root.iter(W + tag):
            counts[kind] += 1
            authors[mark.get(W + "author") or "an unnamed author"] += 1
    for tag in ("rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tcPrChange", "trPrChange"):
        for mark in root.iter(W + tag):
            counts["change of format"] += 1
            authors[mark.get(W + "author") or "an unnamed author"] += 1
    gone_marks = [
        paragraph
        for paragraph in root.iter(W + "p")
        if any(child(paragraph, f"pPr/rPr/{tag}") is not None for tag in ("del", "moveFrom"))
    ]
    for mark in list(root.iter(W + "del", W + "moveFrom")):
        parent = mark.getparent()
        if parent is None:
            continue
        if parent.tag == W + "trPr":
            _remove_row(parent.getparent())
        else:
            remove(mark)
    for mark in list(root.iter(W + "ins", W + "moveTo")):
        parent = mark.getparent()
        if parent is not None and parent.tag in _MARKERS:
            remove(mark)
        else:
            unwrap(mark)
    for mark in list(root.iter(W + "cellDel")):
        cell = mark.getparent()
        cell = None if cell is None else cell.getparent()
        row = None if cell is None else cell.getparent()
        if cell is not None and row is not None and len(row.findall(W + "tc")) > 1:
            remove(cell)
        else:
            remove(mark)
    for mark in list(root.iter(*_GONE)):
        remove(mark)
    for paragraph in gone_marks:
        _join_next(paragraph)


def _remove_row(row: Element | None) -> None:
    table = None if row is None else row.getparent()
    if row is None or table is None:
        return
    remove(row)
    if next(table.iter(W + "tr"), None) is None:
        around = table.getparent()
        remove(table)
        if around is not None and around.tag == W + "tc" and (len(around) == 0 or around[-1].tag != W + "p"):
            around.append(around.makeelement(W + "p"))


def _join_next(paragraph: Element) -> None:
    """A paragraph whose mark was deleted runs on into the next one, whose properties count."""
    following = paragraph.getnext()
    parent = paragraph.getparent()
    if parent is None or child(paragraph, "pPr/sectPr") is not None:
        return
    content = [inner for inner in paragraph if inner.tag != W + "pPr"]
    if not text_of(paragraph).strip() and not holds_object(paragraph):
        # an emptied paragraph goes; a cell must still end in one
        if following is not None or parent.tag not in (W + "tc", W + "txbxContent"):
            for mark in content:
                if mark.tag in (W + "bookmarkStart", W + "bookmarkEnd"):
                    paragraph.addprevious(mark)
            remove(paragraph)
        return
    if following is None or following.tag != W + "p":
        return
    start = 1 if len(following) > 0 and following[0].tag == W + "pPr" else 0
    for offset, inner in enumerate(content):
        following.insert(start + offset, inner)
    remove(paragraph)


def _counted(number: int, noun: str) -> str:
    plural = {"change of format": "changes of format"}.get(noun, noun + "s")
    return f"{number} {noun if number == 1 else plural}"


def _people(authors: Iterable[str]) -> str:
    names = list(dict.fromkeys(authors))
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
