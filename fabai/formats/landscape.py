"""Landscape pages of an imported document kept where its elements go into another one's pages.

Knows page sections. Does not know styles or what the elements say.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence

from fabai.formats.wordml import Element, W, add, child, element


def lying(body: Element) -> set[int]:
    """Positions of the body's children that stand on landscape pages."""
    out: set[int] = set()
    waiting: list[int] = []
    for index, one in enumerate(body):
        waiting.append(index)
        section = one if one.tag == W + "sectPr" else child(one, "pPr/sectPr")
        if section is not None:
            if is_landscape(section):
                out.update(waiting)
            waiting = []
    return out


def is_landscape(section: Element) -> bool:
    paper = child(section, "pgSz")
    return paper is not None and paper.get(W + "orient") == "landscape"


def turn_pages(body: Element, groups: Iterable[Sequence[Element]]) -> None:
    """Put each group of neighbouring children on landscape pages of the page section that it stands in, in place."""
    for group in groups:
        present = [one for one in group if one.getparent() is body]
        if not present:
            continue
        section = _governing(present[-1])
        if section is None or is_landscape(section):
            continue
        present[0].addprevious(_break(section))
        # what follows goes on: it has no first page of its own and does not count from one again
        for mark in (child(section, "titlePg"), child(section, "pgNumType")):
            if mark is not None:
                section.remove(mark)
        present[-1].addnext(_break(_turned(section)))


def _governing(one: Element | None) -> Element | None:
    while one is not None:
        section = one if one.tag == W + "sectPr" else child(one, "pPr/sectPr")
        if section is not None:
            return section
        one = one.getnext()
    return None


def _break(section: Element) -> Element:
    paragraph = element("p")
    properties = add(paragraph, "pPr")
    copied = copy.deepcopy(section)
    copied.tail = None
    kind = child(copied, "type")
    if kind is not None:
        kind.set(W + "val", "nextPage")
    properties.append(copied)
    return paragraph


def _turned(section: Element) -> Element:
    turned = copy.deepcopy(section)
    paper = child(turned, "pgSz")
    if paper is not None:
        width, height = paper.get(W + "w"), paper.get(W + "h")
        if width is not None and height is not None:
            paper.set(W + "w", height)
            paper.set(W + "h", width)
        paper.set(W + "orient", "landscape")
    return turned
