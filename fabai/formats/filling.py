"""The sections of a report as elements at home in a target package: new text rendered, imported blocks carried over.

Knows what a section's elements are and which of them are new. Does not know where they go (template, newdocument).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fabai.formats.captions import Captions
from fabai.formats.changes import Change, Fresh
from fabai.formats.graft import Graft
from fabai.formats.landscape import lying
from fabai.formats.newstyles import make_style
from fabai.formats.package import Package
from fabai.formats.render import Rendering, heading
from fabai.formats.wordml import Element, W, child, element, holds_object, note_marks
from fabai.report import Language, Section
from fabai.settings import ReadingLimits


@dataclass(frozen=True, slots=True)
class Filling:
    """A section to pour in: its heading's elements (used where the template has no such heading) and its text's."""

    section: Section
    heading: list[Element]
    body: list[Element]
    plain: list[Element]
    """The paragraphs of `body` that are ordinary new text and take the template's look."""
    fresh: list[Element] = field(default_factory=list)
    """The elements of `body` that are new text, not carried over."""
    lying: list[Element] = field(default_factory=list)
    """Those that stood on landscape pages."""


def fillings(
    found: Sequence[Change],
    language: Language,
    original: bytes | None,
    media: Mapping[str, bytes],
    target: Package,
    limits: ReadingLimits,
    *,
    own_styles: bool,
) -> list[Filling]:
    """Every section's elements at home in `target`: new text rendered, untouched imported blocks carried over."""
    rendering = Rendering()
    headings = [
        rendering.add(heading(change.section.level, change.section.heading)) if change.section.heading else None
        for change in found
    ]
    numbers = [
        [[rendering.add(tree) for tree in item.trees] if isinstance(item, Fresh) else [] for item in change.items]
        for change in found
    ]
    marks = sum((one.get(W + "name") or "").startswith("_fabai_") for one in target.body.iter(W + "bookmarkStart"))
    captions = Captions(language, marks)
    rendered = rendering.run(target, media, language, limits, own_styles=own_styles, captions=captions)
    source = None if original is None else Package(original, limits, "the imported document")
    children = [] if source is None else list(source.body)
    graft = None if source is None else Graft(target, source, make_style, renamed={}, after=rendering.graft)
    lying_children = set() if source is None else lying(source.body)
    out: list[Filling] = []
    for change, heading_number, item_numbers in zip(found, headings, numbers, strict=True):
        above = () if change.source is None else change.source.heading_children
        title = [] if heading_number is None else rendered[heading_number]
        if title and graft is not None and above:
            calls = element("p")
            calls.extend(copy.deepcopy(run) for one in above for run in note_marks(children[one]))
            title[-1].extend(graft.carry([calls])[0])
        lies = not lying_children.isdisjoint(above)
        body: list[Element] = []
        plain: list[Element] = []
        fresh: list[Element] = []
        turned = list(title) if lies else []
        for item, of_item in zip(change.items, item_numbers, strict=True):
            block = item.instead if isinstance(item, Fresh) else item.block
            if block is not None and block.children:
                # what is new lies as what it stands behind
                lies = not lying_children.isdisjoint(block.children)
            start = len(body)
            if isinstance(item, Fresh):
                for tree, number in zip(item.trees, of_item, strict=True):
                    body += rendered[number]
                    fresh += rendered[number]
                    if tree["t"] in ("Para", "Plain"):
                        plain += [
                            one for one in rendered[number] if one.tag == W + "p" and child(one, "pPr/pStyle") is None
                        ]
            elif graft is not None:
                kept = [children[one] for one in item.block.children]
                body += graft.carry(one for one in kept if item.block.markdown or holds_object(one))
            if lies:
                turned += body[start:]
        out.append(Filling(change.section, title, body, plain, fresh, turned))
    return out


def new_paragraphs(filled: Sequence[Filling]) -> list[Element]:
    """The paragraphs of new text."""
    return [one for filling in filled for top in filling.fresh for one in top.iter(W + "p")]
