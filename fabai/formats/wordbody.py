"""The body of a Word document as a row of children: which are headings and at what level, which belong to a table of
contents.

Knows the document part and its styles. Does not know pandoc or sections.
"""

from __future__ import annotations

from fabai.formats.headings import LONGEST
from fabai.formats.inert import fields
from fabai.formats.package import Package
from fabai.formats.styles import Styles
from fabai.formats.wordml import Element, W, child, remove, squeezed, text_of, unwrap, value

_TOC_STYLES = ("toc 1", "toc 2", "toc 3", "toc 4", "toc 5", "toc 6", "toc 7", "toc 8", "toc 9", "table of figures")


def styles_of(package: Package) -> Styles:
    """The style table of a package; an empty one where it has none."""
    part = package.related("styles")
    return Styles(None if part is None else package.xml(part))


def open_controls(package: Package, styles: Styles) -> None:
    """Unwrap, in place, the block content controls and custom XML that hold headings: a section must be able to begin
    and end in them.

    A control without headings stays one child, and so stays a field of the form.
    """
    for _ in range(10):
        wrapped = [
            one for one in package.body if one.tag in (W + "sdt", W + "customXml") and _holds_heading(one, styles)
        ]
        if not wrapped:
            return
        package.edit(package.document)
        for one in wrapped:
            if one.tag == W + "customXml":
                remove_first(one, "customXmlPr")
                unwrap(one)
                continue
            content = child(one, "sdtContent")
            if content is None:
                remove(one)
            else:
                one.addprevious(content)
                remove(one)
                unwrap(content)


def remove_first(parent: Element, tag: str) -> None:
    """Take out the first child of a `w:` name, if there is one."""
    found = child(parent, tag)
    if found is not None:
        parent.remove(found)


def _holds_heading(control: Element, styles: Styles) -> bool:
    if is_toc_control(control):
        return False
    inside = [control] if control.tag == W + "customXml" else control.findall(W + "sdtContent")
    for holder in inside:
        for one in holder:
            if one.tag == W + "p" and styles.level(one) is not None and squeezed(text_of(one)):
                return True
            if one.tag in (W + "sdt", W + "customXml") and _holds_heading(one, styles):
                return True
    return False


def is_toc_control(control: Element) -> bool:
    """Whether a content control is Word's building block for a table of contents."""
    return value(control, "sdtPr/docPartObj/docPartGallery") == "Table of Contents"


def toc_children(body: Element, styles: Styles) -> set[int]:
    """Positions of the children that belong to a table of contents or of figures: controls, fields, and their
    styles.
    """
    children = list(body)
    place = {id(one): index for index, one in enumerate(children)}
    found = {index for index, one in enumerate(children) if one.tag == W + "sdt" and is_toc_control(one)}
    for field in fields(body):
        if field.kind != "TOC":
            continue
        first, last = (_top(mark, body) for mark in (field.marks[0], field.marks[-1]))
        start, end = place[id(first)], place[id(last)]
        if end > start and _text_after(field.marks[-1], children[end]):
            end -= 1
        found.update(range(start, end + 1))
    for index, one in enumerate(children):
        name = styles.name(value(one, "pPr/pStyle")) if one.tag == W + "p" else ""
        if name in _TOC_STYLES or (name == "toc heading" and index + 1 < len(children)):
            found.add(index)
    return found


def _top(one: Element, body: Element) -> Element:
    while (parent := one.getparent()) is not None and parent is not body:
        one = parent
    return one


def _text_after(mark: Element, top: Element) -> bool:
    seen = False
    for inner in top.iter():
        if inner is mark:
            seen = True
        elif seen and inner.tag == W + "t" and (inner.text or "").strip():
            return True
    return False


def heading_levels(body: Element, styles: Styles, toc: set[int]) -> dict[int, int]:
    """Level by position, for the children that are headings by style, outline level or linked character style."""
    levels: dict[int, int] = {}
    for index, one in enumerate(body):
        if one.tag != W + "p" or index in toc:
            continue
        words = squeezed(text_of(one))
        if not words or len(words) > LONGEST:
            continue
        level = styles.level(one)
        if level is None and child(one, "pPr/outlineLvl") is None:
            level = styles.run_level(one)
        if level is not None:
            levels[index] = level
    return levels
