"""A report put back into the Word package that it was imported from: untouched elements stay, changed blocks take
their places.

Knows the original body's children and which of them each section keeps. Does not know Markdown or pandoc.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fabai.formats import ast
from fabai.formats.boxes import BoxEdit, box_edit, holds_box
from fabai.formats.changes import Change, Fresh, Kept
from fabai.formats.document import Block, DocumentSection
from fabai.formats.edits import edited_list, edited_table, like_table, untold_objects
from fabai.formats.heirs import (
    copy_run_properties,
    dress,
    is_blank,
    keep_breaks,
    keep_formulas,
    like_heading,
    only_marks,
    renamed,
)
from fabai.formats.look import Look, common_look, look_of
from fabai.formats.notes import Notes
from fabai.formats.package import Package
from fabai.formats.render import Rendering, heading
from fabai.formats.styles import Styles
from fabai.formats.tidybody import mend_body
from fabai.formats.wordbody import heading_levels, toc_children
from fabai.formats.wordml import (
    Element,
    W,
    element,
    holds_object,
    value,
)
from fabai.report import Section


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
        self._notes = Notes(package)
        self._headings: dict[int, int] = {}
        self._numbers: dict[tuple[int, int], list[int]] = {}
        self._boxes: dict[tuple[int, int], BoxEdit] = {}

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
                self._headings[index] = rendering.add(heading(change.section.level, change.section.heading))
            for place, item in enumerate(change.items):
                if isinstance(item, Fresh):
                    boxes = self._box_edit(item)
                    if boxes is not None:
                        self._boxes[index, place] = boxes
                    trees = item.trees if boxes is None else boxes.wanted
                    self._numbers[index, place] = [rendering.add(tree) for tree in trees]

    def finish(self, rendered: Sequence[list[Element]]) -> None:
        """Put the body together in the report's order."""
        out = [self._children[index] for index in self._front()]
        homeless = self._sections_of_removed()
        general = common_look(one for one in self._children if one.tag == W + "p")
        for index, change in enumerate(self._changes):
            out += homeless.pop(index - 1, []) if index == 0 else []
            look = self._look(change) or general or Look()
            out += self._heading(change, rendered, self._headings.get(index))
            for place, item in enumerate(change.items):
                if isinstance(item, Fresh):
                    new = [rendered[number] for number in self._numbers[index, place]]
                    boxes = self._boxes.get((index, place))
                    self._keep_notes(item, change, new)
                    out += self._fresh(item, new, look) if boxes is None else [boxes.made(new)]
                else:
                    out += self._kept(item.block, rewritten=_is_rewritten(change))
            for block in change.gone:
                out += self._leftovers(block, [])
            out += homeless.pop(index, [])
        last = self._children[-1] if self._children and self._children[-1].tag == W + "sectPr" else None
        body = self._package.edit(self._package.document).find(W + "body")
        if body is None:
            return
        _arrange(body, out if last is None else [*out, last])
        mend_body(body)
        self._notes.drop_uncalled()

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
                out.setdefault(before, []).extend(only_marks(self._children[position]))
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
                return [renamed(old[0], change.section.heading), *old[1:]]
            model = self._model_heading(change.section)
            again = renamed(old[0], change.section.heading)
            return [like_heading(again, model if model is not None else new[0]), *old[1:]]
        model = self._model_heading(change.section)
        if model is not None and new:
            new[0] = like_heading(new[0], model)
            for run in new[0].iter(W + "r"):
                copy_run_properties(run, model)
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
        return [one for one in elements if not is_blank(one)]

    def _range(self, block: Block) -> list[int]:
        """The block's children and those between them that are no other block's."""
        own = set(block.children)
        return [
            one for one in range(block.children[0], block.children[-1] + 1) if one in own or one not in self._claimed
        ]

    def _keep_notes(self, item: Fresh, change: Change, new: Sequence[Sequence[Element]]) -> None:
        old = () if item.instead is None else item.instead.children
        gone = [one for block in change.gone for one in block.children]
        fresh = [one for some in new for one in some]
        self._notes.keep([self._children[one] for one in old], [self._children[one] for one in gone], fresh)

    def _box_edit(self, item: Fresh) -> BoxEdit | None:
        """The edit inside a text box, where the item replaces one."""
        if item.instead is None or len(item.instead.children) != 1:
            return None
        old = self._children[item.instead.children[0]]
        return box_edit(item.before, item.trees, old) if holds_box(old) else None

    def _fresh(self, item: Fresh, new: list[list[Element]], look: Look) -> list[Element]:
        block = item.instead
        elements = [one for some in new for one in some]
        if block is None or not block.children:
            for tree, some in zip(item.trees, new, strict=True):
                for one in some:
                    dress(one, tree, look)
            return elements
        old = [self._children[one] for one in block.children]
        keep_formulas(item.before, item.trees, old, elements)
        placed = self._in_place(item, old, elements)
        if placed is None:
            placed = [
                one for tree, some in zip(item.trees, new, strict=True) for one in _instead(tree, some, old[0], look)
            ]
            objects = untold_objects(old[0], block.markdown) if old[0].tag == W + "p" else []
            if objects:
                if not placed or placed[0].tag != W + "p":
                    placed.insert(0, element("p"))
                placed[0].extend(objects)
            if placed and placed[0].tag == W + "p" == old[0].tag:
                keep_breaks(placed[0], old[0])
        return placed + self._leftovers(block, placed)

    def _in_place(self, item: Fresh, old: list[Element], new: list[Element]) -> list[Element] | None:
        if len(item.before) != 1 or len(item.trees) != 1:
            return None
        (before,) = item.before
        if ast.is_list(item.tree):
            return edited_list(before, item.tree, old, new)
        if item.tree["t"] == "Table" == before["t"]:
            tables = [one for one in old if one.tag == W + "tbl"]
            fresh = [one for one in new if one.tag == W + "tbl"]
            if len(tables) == 1 and len(fresh) == 1:
                table = edited_table(before, item.tree, tables[0], fresh[0])
                if table is not None and before["c"][1] == item.tree["c"][1]:
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
                out += only_marks(one)
        return out


def _arrange(body: Element, wanted: Sequence[Element]) -> None:
    """Make these, in this order, the children of a body. What stands in its place already is not touched: moving
    thousands of children costs lxml minutes.
    """
    kept = {id(one) for one in wanted}
    for one in [one for one in body if id(one) not in kept]:
        body.remove(one)
    following = body[0] if len(body) else None
    for one in wanted:
        if following is None:
            body.append(one)
        elif one is following:
            following = one.getnext()
        else:
            following.addprevious(one)


def _draws_lines(style: Element) -> bool:
    return next(style.iter(W + "tblBorders", W + "tcBorders"), None) is not None


def _all_children(section: DocumentSection) -> set[int]:
    return {*section.heading_children, *(one for block in section.blocks for one in block.children)}


def _is_rewritten(change: Change) -> bool:
    """Whether nothing that was shown is left of a section."""
    return not any(isinstance(item, Kept) and item.block.markdown for item in change.items)


def _instead(tree: ast.Element, new: list[Element], old: Element, look: Look) -> list[Element]:
    """New elements with the look of the one that they replace, where they are of its kind."""
    for index, one in enumerate(new):
        if index == 0 and one.tag == W + "p" == old.tag and tree["t"] in ("Para", "Plain"):
            look_of(old).dress(one)
            continue
        dress(one, tree, look)
        if one.tag == W + "tbl" == old.tag:
            like_table(one, old)
    return new
