"""A report put back into the Word package that it was imported from: untouched elements stay, changed blocks take
their places.

Knows the original body's children and which of them each section keeps. Does not know Markdown or pandoc.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

from fabai.formats import ast
from fabai.formats.changes import Change, Fresh, Kept
from fabai.formats.document import Block, DocumentSection
from fabai.formats.edits import edited_box, edited_list, edited_table, like_table, untold_objects
from fabai.formats.look import Look, common_look, look_of
from fabai.formats.package import Package
from fabai.formats.render import Rendering, heading
from fabai.formats.styles import Styles
from fabai.formats.tidybody import mend_body
from fabai.formats.wordbody import heading_levels, toc_children
from fabai.formats.wordml import (
    Element,
    W,
    add,
    add_text,
    child,
    element,
    holds_object,
    properties_of,
    squeezed,
    text_of,
    value,
)
from fabai.report import Section

_NOTHING = tuple(W + name for name in ("r", "t", "proofErr", "lastRenderedPageBreak"))
_MARKS = (W + "bookmarkStart", W + "bookmarkEnd", W + "permStart", W + "permEnd")


class Rebuild:
    """Plans what must be rendered (`ask`), then puts the body together (`finish`)."""

    def __init__(
        self, package: Package, styles: Styles, changed: Sequence[Change], sources: Mapping[str, DocumentSection]
    ) -> None:
        self._package, self._styles = package, styles
        self._changes, self._sources = changed, sources
        self._children = list(package.body)
        self._toc = toc_children(package.body, styles)
        self._levels = heading_levels(package.body, styles, self._toc)
        self._claimed = {one for section in sources.values() for one in _all_children(section)}
        self._numbers: dict[tuple[int, int], int] = {}

    @property
    def outline_changed(self) -> bool:
        """Whether headings were added, taken out, moved, renamed or re-levelled."""
        headed = [change for change in self._changes if change.section.heading]
        before = [source for source in self._sources.values() if source.heading]
        return not all(change.heading_kept for change in headed) or [change.source for change in headed] != before

    def table_style(self) -> str | None:
        """Name of the style of most of the original's tables, if it draws lines; None for a plain grid."""
        used = [value(one, "tblPr/tblStyle") for one in self._children if one.tag == W + "tbl"]
        lined = [one for one in used if any(_draws_lines(style) for style in self._styles.chain(one))]
        return self._styles.name(max(lined, key=lined.count)) if lined else None

    def ask(self, rendering: Rendering) -> None:
        """Name every block and heading that must be rendered."""
        for index, change in enumerate(self._changes):
            if not change.heading_kept and change.section.heading:
                self._numbers[index, -1] = rendering.add(heading(change.section.level, change.section.heading))
            for place, item in enumerate(change.items):
                if isinstance(item, Fresh):
                    self._numbers[index, place] = rendering.add(item.tree)

    def finish(self, rendered: Sequence[list[Element]]) -> None:
        """Put the body together in the report's order."""
        out = [self._children[index] for index in self._front()]
        homeless = self._sections_of_removed()
        general = common_look(one for one in self._children if one.tag == W + "p")
        for index, change in enumerate(self._changes):
            out += homeless.pop(index - 1, []) if index == 0 else []
            look = self._look(change) or general or Look()
            out += self._heading(change, rendered, self._numbers.get((index, -1)))
            for place, item in enumerate(change.items):
                if isinstance(item, Fresh):
                    out += self._fresh(item, rendered[self._numbers[index, place]], look)
                else:
                    out += self._kept(item.block, rewritten=_is_rewritten(change))
            for block in change.gone:
                out += self._leftovers(block, [])
            out += homeless.pop(index, [])
        last = self._children[-1] if self._children and self._children[-1].tag == W + "sectPr" else None
        body = self._package.edit(self._package.document).find(W + "body")
        if body is None:
            return
        for one in list(body):
            body.remove(one)
        for one in out:
            body.append(one)
        if last is not None:
            body.append(last)
        mend_body(body)

    def _front(self) -> list[int]:
        """The children before the first section, which belong to none: a cover, a table of contents."""
        end = min([*self._claimed, *self._levels], default=len(self._children))
        return [index for index in range(end) if self._children[index].tag != W + "sectPr"]

    def _sections_of_removed(self) -> dict[int, list[Element]]:
        """Page-section breaks and marks of sections that are gone, by the place of the section that stood before
        them.
        """
        places = {id(change.source): index for index, change in enumerate(self._changes) if change.source is not None}
        out: dict[int, list[Element]] = {}
        before = -1
        for source in self._sources.values():
            if id(source) in places:
                before = places[id(source)]
                continue
            for position in sorted(_all_children(source)):
                out.setdefault(before, []).extend(_only_marks(self._children[position]))
        return out

    def _look(self, change: Change) -> Look | None:
        if change.source is None:
            return None
        return common_look(
            self._children[one] for one in sorted(_all_children(change.source)) if self._children[one].tag == W + "p"
        )

    def _heading(self, change: Change, rendered: Sequence[list[Element]], number: int | None) -> list[Element]:
        old = [] if change.source is None else [self._children[one] for one in change.source.heading_children]
        if change.heading_kept or number is None:
            return old
        new = rendered[number]
        if change.source is not None and old and old[0].tag == W + "p":
            if change.source.level == change.section.level:
                return [_renamed(old[0], change.section.heading), *old[1:]]
            model = self._model_heading(change.section)
            again = _renamed(old[0], change.section.heading)
            return [_like_heading(again, model if model is not None else new[0]), *old[1:]]
        model = self._model_heading(change.section)
        if model is not None and new:
            new[0] = _like_heading(new[0], model)
            for run in new[0].iter(W + "r"):
                _copy_run_properties(run, model)
        return new

    def _model_heading(self, section: Section) -> Element | None:
        """A heading of the original at the section's level."""
        return next((self._children[one] for one, level in self._levels.items() if level == section.level), None)

    def _kept(self, block: Block, rewritten: bool) -> list[Element]:
        if not block.children:
            return []
        if block.markdown:
            return [self._children[one] for one in self._range(block)]
        elements = [self._children[one] for one in block.children]
        if not rewritten:
            return elements
        # of what stood between paragraphs that are gone, empty lines go too
        return [one for one in elements if not _is_blank(one)]

    def _range(self, block: Block) -> list[int]:
        """The block's children and those between them that are no other block's."""
        own = set(block.children)
        return [
            one for one in range(block.children[0], block.children[-1] + 1) if one in own or one not in self._claimed
        ]

    def _fresh(self, item: Fresh, new: list[Element], look: Look) -> list[Element]:
        block = item.instead
        if block is None or not block.children:
            for one in new:
                _dress(one, item.tree, look)
            return new
        old = [self._children[one] for one in block.children]
        placed = self._in_place(item, old, new)
        if placed is None:
            first = old[0]
            for index, one in enumerate(new):
                if index == 0 and one.tag == W + "p" == first.tag and item.tree["t"] in ("Para", "Plain"):
                    look_of(first).dress(one)
                    _keep_breaks(one, first)
                    for run in untold_objects(first, block.markdown):
                        one.append(run)
                else:
                    _dress(one, item.tree, look)
                    if one.tag == W + "tbl" and first.tag == W + "tbl":
                        like_table(one, first)
            placed = new
        return placed + self._leftovers(block, placed)

    def _in_place(self, item: Fresh, old: list[Element], new: list[Element]) -> list[Element] | None:
        if item.before is None:
            return None
        if ast.is_list(item.tree):
            return edited_list(item.before, item.tree, old, new)
        if item.tree["t"] == "Para" and len(old) == 1 and next(old[0].iter(W + "txbxContent"), None) is not None:
            boxed = edited_box(item.before, old[0], new)
            return None if boxed is None else [boxed]
        if item.tree["t"] == "Table":
            tables = [one for one in old if one.tag == W + "tbl"]
            fresh = [one for one in new if one.tag == W + "tbl"]
            if len(tables) == 1 and len(fresh) == 1:
                table = edited_table(item.before, item.tree, tables[0], fresh[0])
                if table is not None and item.before["c"][1] == item.tree["c"][1]:
                    return [table if one is tables[0] else one for one in old]
        return None

    def _leftovers(self, block: Block, placed: list[Element]) -> list[Element]:
        """What a replaced block leaves behind: page-section breaks, bookmarks, and drawings that stood between its
        children.
        """
        used = {id(one) for one in placed}
        out: list[Element] = []
        for index in self._range(block) if block.children else []:
            one = self._children[index]
            if id(one) in used:
                continue
            if index not in block.children and holds_object(one):
                out.append(one)
            else:
                out += _only_marks(one)
        return out


def _draws_lines(style: Element) -> bool:
    return next(style.iter(W + "tblBorders", W + "tcBorders"), None) is not None


def _all_children(section: DocumentSection) -> set[int]:
    return {*section.heading_children, *(one for block in section.blocks for one in block.children)}


def _is_rewritten(change: Change) -> bool:
    """Whether nothing that was shown is left of a section."""
    return not any(isinstance(item, Kept) and item.block.markdown for item in change.items)


def _is_blank(one: Element) -> bool:
    if one.tag != W + "p" or child(one, "pPr/sectPr") is not None:
        return False
    content = [inner for run in one if run.tag != W + "pPr" for inner in run.iter()]
    return all(inner.tag in _NOTHING or _inside_properties(inner) for inner in content) and not squeezed(text_of(one))


def _inside_properties(one: Element) -> bool:
    return one.tag == W + "rPr" or next(one.iterancestors(W + "rPr"), None) is not None


def _only_marks(one: Element) -> list[Element]:
    """What must outlive an element that goes: its page-section break, in an empty paragraph, or a bookmark between
    blocks.
    """
    if one.tag in _MARKS:
        return [one]
    section = child(one, "pPr/sectPr")
    if section is None:
        return []
    paragraph = element("p")
    add(paragraph, "pPr").append(copy.deepcopy(section))
    return [paragraph]


def _keep_breaks(paragraph: Element, old: Element) -> None:
    if child(old, "pPr/pageBreakBefore") is not None:
        properties = properties_of(paragraph)
        place = 1 if child(properties, "pStyle") is not None else 0
        properties.insert(place, element("pageBreakBefore"))


def _dress(one: Element, tree: ast.Element, look: Look) -> None:
    """Give new text the look of the text around it; lists, tables and the like keep their own shape."""
    plain = tree["t"] in ("Para", "Plain") and child(one, "pPr/pStyle") is None and child(one, "pPr/numPr") is None
    if one.tag == W + "p":
        look.dress(one, keep=not plain)
    else:
        for paragraph in one.iter(W + "p"):
            look.dress(paragraph, keep=True)


def _renamed(old: Element, text: str) -> Element:
    """A heading with other words: its properties, marks and first run's look stay."""
    new = copy.deepcopy(old)
    runs = [run for run in new.iter(W + "r") if squeezed(text_of(run))]
    model = child(runs[0], "rPr") if runs else None
    for one in list(new):
        if one.tag not in (W + "pPr", W + "bookmarkStart", W + "bookmarkEnd") and not holds_object(one):
            new.remove(one)
    run = element("r")
    if model is not None:
        run.append(copy.deepcopy(model))
    add_text(run, text)
    place = next((index for index, one in enumerate(new) if one.tag == W + "bookmarkEnd"), len(new))
    new.insert(place, run)
    return new


def _like_heading(paragraph: Element, model: Element) -> Element:
    """The paragraph with the properties of another heading, its own page-section break kept and not the model's."""
    properties = child(model, "pPr")
    section = child(paragraph, "pPr/sectPr")
    old = child(paragraph, "pPr")
    if old is not None:
        paragraph.remove(old)
    new = element("pPr") if properties is None else copy.deepcopy(properties)
    for one in new.findall(W + "sectPr"):
        new.remove(one)
    if section is not None:
        new.append(section)
    paragraph.insert(0, new)
    return paragraph


def _copy_run_properties(run: Element, model: Element) -> None:
    source = next((one for one in model.iter(W + "r") if squeezed(text_of(one))), None)
    properties = child(source, "rPr")
    own = child(run, "rPr")
    if properties is not None:
        if own is not None:
            run.remove(own)
        run.insert(0, copy.deepcopy(properties))
