"""A report poured into a funder's own Word template: text under the template's headings, its pages, headers and look
kept.

Knows the template's body. Does not know Markdown; the sections come as elements that are at home in the template.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fabai.formats.bibliography import is_bibliography
from fabai.formats.filling import Filling
from fabai.formats.guidance import is_guidance
from fabai.formats.look import Look, common_look, look_of
from fabai.formats.package import Package
from fabai.formats.styles import Styles
from fabai.formats.wordbody import heading_levels, toc_children
from fabai.formats.wordml import Element, W, add, child, holds_object, squeezed, text_of
from fabai.report import fold


def fill(package: Package, styles: Styles, fillings: Sequence[Filling]) -> None:
    """Pour the sections into the template's body, in place. A heading that it lacks goes behind the section before
    it. A bibliography goes under the template's, whatever either is called.
    """
    body = package.edit(package.document).find(W + "body")
    if body is None:
        return
    headings = _headings(package, styles)
    taken = set(headings.values())
    look = common_look(one for one in body.iterchildren(W + "p") if one not in taken and not holds_object(one))
    last = body[-1] if len(body) > 0 and body[-1].tag == W + "sectPr" else None
    if not headings:
        _drop_blank_end(body)
    wanted = _wanted(fillings, headings)
    used: set[str] = set()
    place: Element | None = None
    for filling, key in zip(fillings, wanted, strict=True):
        found = headings.get(key) if key and key not in used else None
        if found is not None:
            used.add(key)
            guidance = _clear_guidance(found, styles)
            _dress(filling.plain, guidance or look)
            place = _insert_after(found, filling.body)
            continue
        _dress(filling.plain, look)
        made = [*filling.heading, *filling.body]
        if place is not None:
            place = _insert_after(place, made)
            continue
        # text before the first filled heading: in front of the template's headings, or at the end where it has none
        first = next(iter(headings.values()), last)
        for one in made:
            if first is None:
                body.append(one)
            else:
                first.addprevious(one)
        if made and not headings:
            place = made[-1]


def _headings(package: Package, styles: Styles) -> dict[str, Element]:
    body = package.body
    levels = heading_levels(body, styles, toc_children(body, styles))
    children = list(body)
    found: dict[str, Element] = {}
    for index, one in enumerate(children):
        if index in levels or (one.tag == W + "p" and holds_object(one) and styles.level(one) is not None):
            words = fold(_own_words(one))
            if words:
                found.setdefault(words, one)
    return found


def _wanted(fillings: Sequence[Filling], headings: Mapping[str, Element]) -> list[str]:
    """The folded heading under which each section belongs."""
    wanted = [fold(filling.section.heading) for filling in fillings]
    free = [one for one in headings if one not in wanted and is_bibliography(one)]
    nameless = [place for place, one in enumerate(wanted) if one not in headings and is_bibliography(one)]
    if free and nameless:
        wanted[nameless[-1]] = free[0]
    return wanted


def _own_words(paragraph: Element) -> str:
    """What a paragraph says itself, without the text boxes that are anchored in it."""
    texts = (one for one in paragraph.iter(W + "t") if next(one.iterancestors(W + "txbxContent"), None) is None)
    return "".join(one.text or "" for one in texts)


def _insert_after(place: Element, elements: Sequence[Element]) -> Element:
    for one in elements:
        place.addnext(one)
        place = one
    return place


def _clear_guidance(heading: Element, styles: Styles) -> Look | None:
    """Take out the bracketed guidance and empty lines under a heading; returns the look that the guidance had."""
    look: Look | None = None
    one = heading.getnext()
    while one is not None and one.tag != W + "sectPr":
        following = one.getnext()
        if one.tag == W + "p":
            words = squeezed(text_of(one))
            if words and styles.level(one) is not None:
                break
            if is_guidance(one):
                look = look or Look(look_of(one).paragraph)
                if child(one, "pPr/sectPr") is not None:
                    for inner in list(one):
                        if inner.tag != W + "pPr":
                            one.remove(inner)
                else:
                    _remove(one)
        elif one.tag == W + "tbl" and _is_guidance_box(one):
            _remove(one)
        one = following
    return look


def _is_guidance_box(table: Element) -> bool:
    """A table of one cell that holds nothing but instructions, as funders frame them."""
    paragraphs = [one for one in table.iter(W + "p") if squeezed(text_of(one))]
    one_cell = len(table.findall(W + "tr")) == 1 and len(list(table.iter(W + "tc"))) == 1
    return one_cell and bool(paragraphs) and all(is_guidance(one) for one in paragraphs)


def _remove(one: Element) -> None:
    parent = one.getparent()
    if parent is not None:
        parent.remove(one)


def _drop_blank_end(body: Element) -> None:
    for one in reversed(list(body)):
        if one.tag == W + "sectPr":
            continue
        blank = one.tag == W + "p" and not squeezed(text_of(one)) and not holds_object(one)
        if not blank or child(one, "pPr/sectPr") is not None or next(one.iter(W + "br"), None) is not None:
            return
        body.remove(one)


def _dress(paragraphs: Sequence[Element], look: Look | None) -> None:
    for paragraph in paragraphs:
        if look is not None:
            look.dress(paragraph)


def last_paragraph(body: Element) -> None:
    """A body must not end in a table: Word adds a paragraph and calls the file damaged where there is none."""
    end = [one for one in body if one.tag != W + "sectPr"]
    if end and end[-1].tag == W + "tbl":
        paragraph = body.makeelement(W + "p")
        end[-1].addnext(paragraph)
        add(paragraph, "pPr")
