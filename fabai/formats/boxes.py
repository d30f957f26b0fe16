"""An edit of text that stands in text boxes, made inside the boxes: every copy that Word keeps of a box gets it.

Knows the paragraphs of a body child with boxes, those in tables inside them too, and which paragraph of the text each
of them is. Gives None where they cannot be told apart; then the text goes into the body and the box goes.
"""

from __future__ import annotations

import copy
import difflib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fabai.formats import ast
from fabai.formats.look import dress_runs, run_look
from fabai.formats.wordml import MC, Element, W, child, element, holds_object, squeezed, text_of

_BOX = W + "txbxContent"
_WORD = re.compile(r"\w")
_STAYS = (W + "pPr", W + "bookmarkStart", W + "bookmarkEnd")


def holds_box(one: Element) -> bool:
    """Whether a body child holds a text box."""
    return next(one.iter(_BOX), None) is not None


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A paragraph of the text: its inlines, and which cell of which table it stands in ("" outside tables)."""

    inlines: list[ast.Element]
    cell: str = ""

    @property
    def key(self) -> str:
        return self.cell + json.dumps(self.inlines, sort_keys=True)


@dataclass(frozen=True, slots=True)
class _Step:
    """A paragraph to write: over the old one at `at`, or behind it (`new`); wanted None: the old one goes."""

    at: int
    wanted: int | None
    new: bool = False


class BoxEdit:
    """What changes in a child with boxes. `wanted`: the paragraphs to render, as trees, in order."""

    def __init__(self, old: Element, places: list[list[int]], steps: list[_Step], wanted: list[ast.Element]) -> None:
        self._old, self._places, self._steps = old, places, steps
        self.wanted = wanted

    def made(self, rendered: Sequence[Sequence[Element]]) -> Element:
        """The child after the edit; `rendered` holds the elements of each wanted paragraph."""
        edited = copy.deepcopy(self._old)
        paragraphs = list(edited.iter(W + "p"))
        behind: dict[int, Element] = {}
        for step in self._steps:
            for place in self._places[step.at]:
                paragraph = paragraphs[place]
                if step.wanted is None:
                    _take_out(paragraph, edited)
                elif step.new:
                    made = _like(paragraph)
                    _write(made, rendered[step.wanted], run_look(paragraph))
                    behind.get(place, paragraph).addnext(made)
                    behind[place] = made
                else:
                    _write(paragraph, rendered[step.wanted], run_look(paragraph))
        return edited


def box_edit(before: Sequence[ast.Element], now: Sequence[ast.Element], old: Element) -> BoxEdit | None:
    """The edit that makes `now` of `before` inside a child; None where a paragraph that changes is not found there."""
    # of a table that holds boxes the cells are edited; here are the tables that boxes hold
    inside = old.tag == W + "p"
    was, becomes = _leaves(before, inside), _leaves(now, inside)
    if was is None or becomes is None or not was or _shapes(before) != _shapes(now):
        return None
    places = _places(was, old)
    steps: list[_Step] = []
    wanted: list[ast.Element] = []
    old_keys, new_keys = ([one.key for one in leaves] for leaves in (was, becomes))
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for offset in range(max(b - a, d - c)):
            number: int | None = None
            if c + offset < d:
                pictures = _pictures(becomes[c + offset].inlines)
                if pictures != (_pictures(was[a + offset].inlines) if a + offset < b else []):
                    return None
                number = len(wanted)
                wanted.append({"t": "Para", "c": _without_pictures(becomes[c + offset].inlines)})
            new = a + offset >= b
            at = max(b - 1, a - 1, 0) if new else a + offset
            if number is not None and was[at].cell != becomes[c + offset].cell:
                return None
            if not places[at]:
                if number is None and not _WORD.search(ast.text(was[at].inlines)):
                    continue
                return None
            steps.append(_Step(at, number, new))
    return BoxEdit(old, places, steps, wanted)


def _leaves(trees: Sequence[ast.Element], tables: bool, cell: str = "") -> list[_Leaf] | None:
    """Every paragraph, those of lists, quotations and, if wanted, tables too; None where there is anything else."""
    out: list[_Leaf] = []
    for number, tree in enumerate(trees):
        if tree["t"] in ("Para", "Plain"):
            out.append(_Leaf(tree["c"], cell))
            continue
        if tree["t"] == "Table" and tables:
            for place, (_, _, _, _, blocks) in enumerate(_cells(tree)):
                held = _leaves(blocks, tables, f"{cell}/{number}.{place}")
                if held is None:
                    return None
                out += held
            continue
        inner: list[Any]
        if ast.is_list(tree):
            items = tree["c"] if tree["t"] == "BulletList" else tree["c"][1]
            inner = [block for item in items for block in item]
        elif tree["t"] == "BlockQuote":
            inner = tree["c"]
        else:
            return None
        found = _leaves(inner, tables, cell)
        if found is None:
            return None
        out += found
    return out


def _cells(table: ast.Element) -> list[Any]:
    _, _, _, head, bodies, foot = table["c"]
    rows: list[Any] = [*head[1], *(row for body in bodies for row in (*body[2], *body[3])), *foot[1]]
    return [cell for row in rows for cell in row[1]]


def _shapes(trees: Sequence[ast.Element]) -> list[Any]:
    """Caption, and of each cell its spans and the number of its blocks, for every table."""
    return [
        [tree["c"][1], [(rows, columns, len(blocks)) for _, _, rows, columns, blocks in _cells(tree)]]
        for tree in ast.walk(list(trees))
        if tree["t"] == "Table"
    ]


def _places(leaves: Sequence[_Leaf], old: Element) -> list[list[int]]:
    """For each paragraph of the text, where it stands among the child's: once in the drawing, once in its fallback."""
    paragraphs = list(old.iter(W + "p"))
    copies: tuple[list[int], list[int]] = ([], [])
    for number, one in enumerate(paragraphs):
        copies[next(one.iterancestors(MC + "Fallback"), None) is not None].append(number)
    texts = [squeezed(_own_text(one)) for one in paragraphs]
    in_cell = [next(one.iterancestors(W + "tc"), None) is not None for one in paragraphs]
    out: list[list[int]] = [[] for _ in leaves]
    for free in copies:
        for leaf, place in zip(leaves, out, strict=True):
            words = squeezed(ast.text(leaf.inlines))
            alike = (one for one in free if words and texts[one] == words and in_cell[one] == bool(leaf.cell))
            found = next(alike, None)
            if found is not None:
                free.remove(found)
                place.append(found)
    return out


def _own_text(paragraph: Element) -> str:
    """What a paragraph says itself, the boxes that it anchors left out."""
    if not holds_box(paragraph):
        return text_of(paragraph)
    bare = copy.deepcopy(paragraph)
    for box in list(bare.iter(_BOX)):
        box.clear()
    return text_of(bare)


def _pictures(inlines: Sequence[ast.Element]) -> list[str]:
    return [one["c"][2][0] for one in ast.walk(list(inlines)) if one["t"] == "Image"]


def _without_pictures(inlines: Sequence[ast.Element]) -> list[ast.Element]:
    """The pictures of the paragraph stay where they are; only its words are rendered."""
    bare: list[ast.Element] = ast.rewrite(list(inlines), lambda _: [], frozenset({"Image"}))
    return bare


def _like(paragraph: Element) -> Element:
    made = element("p")
    properties = child(paragraph, "pPr")
    if properties is not None:
        made.append(copy.deepcopy(properties))
        for section in made.findall(f"{W}pPr/{W}sectPr"):
            made[0].remove(section)
    return made


def _write(paragraph: Element, rendered: Sequence[Element], look: tuple[Element, ...]) -> None:
    _empty(paragraph)
    fresh = element("p")
    for one in rendered:
        fresh.extend([copy.deepcopy(run) for run in one if run.tag != W + "pPr"])
    dress_runs(fresh, look)
    place = 1 if len(paragraph) > 0 and paragraph[0].tag == W + "pPr" else 0
    for run in reversed(list(fresh)):
        paragraph.insert(place, run)


def _empty(paragraph: Element) -> None:
    """Take a paragraph's words; boxes and drawings that it anchors stay."""
    for one in list(paragraph):
        if one.tag in _STAYS:
            continue
        if not holds_object(one):
            paragraph.remove(one)
            continue
        for text in [text for text in _outside_boxes(one) if text.tag in (W + "t", W + "tab", W + "br", W + "cr")]:
            holder = text.getparent()
            if holder is not None:
                holder.remove(text)


def _outside_boxes(one: Element) -> Iterator[Element]:
    for inner in one:
        if inner.tag != _BOX:
            yield inner
            yield from _outside_boxes(inner)


def _take_out(paragraph: Element, whole: Element) -> None:
    holder = paragraph.getparent()
    alone = holder is None or len(holder.findall(W + "p")) == 1
    if paragraph is whole or alone or holds_object(paragraph) or holder is None:
        _empty(paragraph)
    else:
        holder.remove(paragraph)
