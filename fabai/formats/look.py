"""How ordinary text looks in a Word document, taken from the paragraphs that are there, so that new text looks the
same.

Knows paragraph and run properties. Does not know Markdown or where new text goes.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree

from fabai.formats.wordml import (
    RUN_ORDER,
    Element,
    M,
    W,
    child,
    insert_ordered,
    properties_of,
    run_properties_of,
    text_of,
)

_NOT_LOOK = tuple(
    W + name for name in ("numPr", "sectPr", "rPr", "keepNext", "pageBreakBefore", "outlineLvl", "framePr")
)
_RUN_LOOK = ("rFonts", "sz", "szCs")
_ENOUGH = 40


@dataclass(frozen=True, slots=True)
class Look:
    """Paragraph properties (None: none) and the font and size that its runs set themselves."""

    paragraph: Element | None = None
    runs: tuple[Element, ...] = ()

    def dress(self, paragraph: Element, keep: bool = False) -> None:
        """Give the look to a new paragraph; keep: leave its own paragraph properties and dress its runs only."""
        if not keep and self.paragraph is not None:
            replace_properties(paragraph, self.paragraph)
        dress_runs(paragraph, self.runs)


def look_of(paragraph: Element) -> Look:
    """The look of one paragraph, its list number, breaks and section left out."""
    properties = child(paragraph, "pPr")
    if properties is not None:
        properties = copy.deepcopy(properties)
        for one in list(properties):
            if one.tag in _NOT_LOOK:
                properties.remove(one)
    return Look(properties, run_look(paragraph))


def run_look(paragraph: Element) -> tuple[Element, ...]:
    """Font and size as most of a paragraph's text sets them."""
    weights: Counter[bytes] = Counter()
    samples: dict[bytes, tuple[Element, ...]] = {}
    for run in paragraph.iter(W + "r"):
        properties = child(run, "rPr")
        own = () if properties is None else (child(properties, name) for name in _RUN_LOOK)
        found = tuple(one for one in own if one is not None)
        key = b"".join(etree.tostring(one, with_tail=False) for one in found)
        weights[key] += len(text_of(run))
        samples[key] = found
    return samples[weights.most_common(1)[0][0]] if weights else ()


def common_look(paragraphs: Iterable[Element]) -> Look | None:
    """The look of most of the text; None where no paragraph is long enough to count as text."""
    weights: Counter[bytes] = Counter()
    samples: dict[bytes, Look] = {}
    for paragraph in paragraphs:
        if child(paragraph, "pPr/numPr") is not None:
            continue
        length = len(text_of(paragraph))
        if length < _ENOUGH:
            continue
        look = look_of(paragraph)
        key = b"" if look.paragraph is None else etree.tostring(look.paragraph, with_tail=False)
        key += b"".join(etree.tostring(one, with_tail=False) for one in look.runs)
        weights[key] += length
        samples.setdefault(key, look)
    return samples[weights.most_common(1)[0][0]] if weights else None


def replace_properties(paragraph: Element, properties: Element) -> None:
    """Give a paragraph a copy of other paragraph properties instead of its own; its section break stays."""
    section = child(paragraph, "pPr/sectPr")
    old = child(paragraph, "pPr")
    if old is not None:
        paragraph.remove(old)
    new = copy.deepcopy(properties)
    new.tail = None
    paragraph.insert(0, new)
    if section is not None:
        new.append(section)


def dress_runs(paragraph: Element, look: Iterable[Element]) -> None:
    """Set font and size on the runs that set none themselves and have no character style."""
    wanted = list(look)
    if not wanted:
        return
    for run in paragraph.iter(W + "r"):
        if run.getparent() is not None and child(run, "rPr/rStyle") is None and not _in_formula(run):
            properties = run_properties_of(run)
            for one in wanted:
                if properties.find(one.tag) is None:
                    insert_ordered(properties, copy.deepcopy(one), RUN_ORDER)


def _in_formula(run: Element) -> bool:
    return next(run.iterancestors(M + "oMath"), None) is not None


def set_style(paragraph: Element, identifier: str) -> None:
    """Set the paragraph style, keeping the other properties."""
    properties = properties_of(paragraph)
    style = child(properties, "pStyle")
    if style is None:
        style = etree.Element(W + "pStyle")
        properties.insert(0, style)
    style.set(W + "val", identifier)
