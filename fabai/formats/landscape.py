"""Landscape pages of an imported document kept where its elements go into another one's pages.

Knows page sections. Does not know styles or what the elements say.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence

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


def turn_pages(body: Element, groups: Iterable[Sequence[Element]], announces: Callable[[Element], bool]) -> None:
    """Put each group of neighbouring children on landscape pages of the page section that it stands in, in place.
    Groups that follow each other share their pages. announces: whether a child is the heading of what comes under it;
    those right above a group lie with it, for none may stand alone on the page before.
    """
    for group in _joined(body, groups, announces):
        section = _governing(group[-1])
        if section is None or is_landscape(section):
            continue
        if _before(group[0]) is not None:
            group[0].addprevious(_break(section))
            # what follows goes on: it has no first page of its own and does not count from one again
            for mark in (child(section, "titlePg"), child(section, "pgNumType")):
                if mark is not None:
                    section.remove(mark)
        if group[-1].getnext() is section:
            _turn(section)
        else:
            turned = _break(section)
            _turn(next(turned.iter(W + "sectPr")))
            group[-1].addnext(turned)


def _joined(
    body: Element, groups: Iterable[Sequence[Element]], announces: Callable[[Element], bool]
) -> list[list[Element]]:
    """The elements as far as they are children of the body, under their headings, in rows without anything between."""
    rows: list[list[Element]] = []
    for one in (one for group in groups for one in group if one.getparent() is body):
        if rows and rows[-1][-1].getnext() is one:
            rows[-1].append(one)
            continue
        row = [one]
        while (above := _before(row[0])) is not None and announces(above):
            row.insert(0, above)
        if rows and rows[-1][-1].getnext() is row[0]:
            rows[-1] += row
        else:
            rows.append(row)
    return rows


def _before(one: Element) -> Element | None:
    """What stands before an element in its page section."""
    before = one.getprevious()
    return None if before is None or child(before, "pPr/sectPr") is not None else before


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


def _turn(section: Element) -> None:
    paper = child(section, "pgSz")
    if paper is not None:
        width, height = paper.get(W + "w"), paper.get(W + "h")
        if width is not None and height is not None:
            paper.set(W + "w", height)
            paper.set(W + "h", width)
        paper.set(W + "orient", "landscape")
