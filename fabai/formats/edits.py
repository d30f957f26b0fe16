"""Edited lists and tables put into the Word elements that were there: items and cells that nobody touched keep theirs.

Knows the trees of both states and the rendered elements of the new one. Gives None where the old elements do not have
the shape
of the old tree, and then the rendered ones are used whole.
"""

from __future__ import annotations

import copy
import difflib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fabai.formats import ast
from fabai.formats.look import dress_runs, look_of, replace_properties, run_look
from fabai.formats.wordml import VML, A, Element, M, W, add, child, holds_object, squeezed, text_of

_WORD = re.compile(r"\w+")
_SHOWN = (A + "blip", VML + "imagedata", M + "oMath", W + "tbl")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A paragraph of a list: how deep it stands, whether it begins its item, and what it says."""

    depth: int
    first: bool
    key: str


def leaves(tree: ast.Element, depth: int = 0) -> list[Leaf] | None:
    """The paragraphs of a list in reading order; None where it holds anything else, a table say."""
    if not ast.is_list(tree):
        return None
    items = tree["c"] if tree["t"] == "BulletList" else tree["c"][1]
    out: list[Leaf] = []
    for item in items:
        for number, block in enumerate(item):
            if block["t"] in ("Para", "Plain"):
                out.append(Leaf(depth, number == 0, json.dumps(block["c"], sort_keys=True)))
            else:
                inner = leaves(block, depth + 1)
                if inner is None:
                    return None
                out += inner
    return out


def edited_list(
    before: ast.Element, now: ast.Element, old: Sequence[Element], rendered: Sequence[Element]
) -> list[Element] | None:
    """The list's elements after an edit: untouched items as they were, others rendered with the marks of their
    place.
    """
    was, becomes = leaves(before), leaves(now)
    if was is None or becomes is None or before["t"] != now["t"]:
        return None
    if len(was) != len(old) or len(becomes) != len(rendered) or not _paragraphs(old) or not _paragraphs(rendered):
        return None
    out: list[Element] = []
    matcher = difflib.SequenceMatcher(None, was, becomes, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            out += old[a:b]
            continue
        for offset, position in enumerate(range(c, d)):
            paragraph = rendered[position]
            model = _model(was, becomes[position], a + offset if a + offset < b else None, a)
            if model is not None:
                _dress_like(paragraph, old[model])
            out.append(paragraph)
    return out


def _paragraphs(elements: Sequence[Element]) -> bool:
    return all(one.tag == W + "p" for one in elements)


def _model(was: Sequence[Leaf], leaf: Leaf, same_place: int | None, near: int) -> int | None:
    """The old paragraph whose properties a new one takes: the one it replaces, else the nearest of its depth and
    role.
    """
    if same_place is not None and (was[same_place].depth, was[same_place].first) == (leaf.depth, leaf.first):
        return same_place
    alike = [index for index, one in enumerate(was) if (one.depth, one.first) == (leaf.depth, leaf.first)]
    return min(alike, key=lambda index: abs(index - near)) if alike else None


def _dress_like(paragraph: Element, model: Element) -> None:
    properties = child(model, "pPr")
    if properties is not None:
        properties = copy.deepcopy(properties)
        for one in properties.findall(W + "sectPr"):
            properties.remove(one)
        replace_properties(paragraph, properties)
    dress_runs(paragraph, run_look(model))


def edited_table(before: ast.Element, now: ast.Element, old: Element, rendered: Element) -> Element | None:
    """The old table with its changed cells and rows; None where rows and cells cannot be told apart."""
    was, becomes = _rows(before), _rows(now)
    old_rows, new_rows = list(old.iterchildren(W + "tr")), list(rendered.iterchildren(W + "tr"))
    if len(was) != len(old_rows) or len(becomes) != len(new_rows):
        return None
    if any(
        len(keys) != len(_cells(row))
        for keys, row in [*zip(was, old_rows, strict=True), *zip(becomes, new_rows, strict=True)]
    ):
        return None
    table = copy.deepcopy(old)
    rows = list(table.iterchildren(W + "tr"))
    matcher = difflib.SequenceMatcher(
        None, [tuple(row) for row in was], [tuple(row) for row in becomes], autojunk=False
    )
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        last = rows[a - 1] if a else None
        for offset in range(max(b - a, d - c)):
            if a + offset < b and c + offset < d:
                row = rows[a + offset]
                if not _fill(row, was[a + offset], becomes[c + offset], new_rows[c + offset]):
                    return None
                last = row
            elif c + offset < d:
                model = rows[min(a + offset, len(rows) - 1)] if last is None else last
                row = copy.deepcopy(model)
                if not _fill(row, None, becomes[c + offset], new_rows[c + offset]):
                    return None
                if last is None:
                    model.addprevious(row)
                else:
                    last.addnext(row)
                last = row
            else:
                if next(rows[a + offset].iter(W + "vMerge"), None) is not None:
                    return None
                table.remove(rows[a + offset])
    return table if next(table.iterchildren(W + "tr"), None) is not None else None


def _rows(table: ast.Element) -> list[list[str]]:
    _, _, _, head, bodies, foot = table["c"]
    rows: list[Any] = [*head[1], *(row for body in bodies for row in (*body[2], *body[3])), *foot[1]]
    return [[json.dumps(cell[2:], sort_keys=True) for cell in row[1]] for row in rows]


def _cells(row: Element) -> list[Element]:
    """The cells that begin in a row; those that a merge continues are no cells of their own."""
    found = [
        *row.iterchildren(W + "tc"),
        *(cell for control in row.iterchildren(W + "sdt") for cell in control.iter(W + "tc")),
    ]
    return [cell for cell in found if not _continues(cell)]


def _continues(cell: Element) -> bool:
    merge = child(cell, "tcPr/vMerge")
    return merge is not None and (merge.get(W + "val") or "continue") == "continue"


def _fill(row: Element, was: Sequence[str] | None, becomes: Sequence[str], rendered: Element) -> bool:
    cells, new_cells = _cells(row), _cells(rendered)
    if len(cells) != len(new_cells) or (was is not None and len(was) != len(becomes)):
        return False
    if was is not None and any(_spans(a) != _spans(b) for a, b in zip(was, becomes, strict=True)):
        return False
    for index, (cell, new) in enumerate(zip(cells, new_cells, strict=True)):
        if was is not None and was[index] == becomes[index]:
            continue
        _fill_cell(cell, None if was is None else was[index], becomes[index], new)
    return True


def _spans(cell: str) -> list[Any]:
    rows, columns, _ = json.loads(cell)
    return [rows, columns]


def _fill_cell(cell: Element, was: str | None, becomes: str, rendered: Element) -> None:
    """The cell with its new contents. Paragraphs that say what they said stay, with what Markdown does not show between
    them; one that replaces another takes its properties.
    """
    held = [one for one in cell if one.tag != W + "tcPr"]
    fresh = [copy.deepcopy(one) for one in rendered if one.tag != W + "tcPr"]
    old, new = ([one for one in some if _is_shown(one)] for some in (held, fresh))
    before, now = (None if text is None else _units(json.loads(text)[2]) for text in (was, becomes))
    told = before is not None and now is not None and (len(before), len(now)) == (len(old), len(new))
    contents = _merged(held, old, new, before, now) if told and before and now else _like_first(held, fresh)
    for one in held:
        cell.remove(one)
    cell.extend(contents)
    if len(cell) == 0 or cell[-1].tag != W + "p":
        add(cell, "p")


def _is_shown(one: Element) -> bool:
    return bool(squeezed(text_of(one))) or next(one.iter(*_SHOWN), None) is not None


def _units(blocks: Sequence[ast.Element]) -> list[str] | None:
    """What each paragraph or table of a cell says, in order; None where a block is another number of them."""
    out: list[str] = []
    for block in blocks:
        if block["t"] in ("Para", "Plain", "Header", "Table"):
            out.append(json.dumps(block["c"], sort_keys=True))
        elif (inner := leaves(block)) is not None:
            out += [f"{one.depth} {one.first} {one.key}" for one in inner]
        else:
            return None
    return out


def _merged(
    held: Sequence[Element], old: Sequence[Element], new: Sequence[Element], before: Sequence[str], now: Sequence[str]
) -> list[Element]:
    after: dict[int, list[Element]] = {}
    gone: set[int] = set()
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        gone |= set(range(a, b))
        for offset, one in enumerate(new[c:d]):
            place = min(a + offset, b - 1)
            model = old[max(place, 0)]
            if one.tag == W + "p" == model.tag and (child(one, "pPr/numPr") is None) == (
                child(model, "pPr/numPr") is None
            ):
                _dress_like(one, model)
            after.setdefault(place, []).append(one)
    contents = list(after.get(-1, []))
    numbers = {id(one): number for number, one in enumerate(old)}
    for one in held:
        number = numbers.get(id(one), -1)
        if number not in gone:
            contents.append(one)
        if number >= 0:
            contents += after.get(number, [])
    return contents


def _like_first(held: Sequence[Element], new: Sequence[Element]) -> list[Element]:
    """New paragraphs with the look of the first that the cell held."""
    model = next((one for one in held if one.tag == W + "p"), None)
    if model is not None:
        look = look_of(model)
        for one in new:
            if one.tag == W + "p":
                look.dress(one, keep=child(one, "pPr/numPr") is not None)
    return list(new)


def like_table(rendered: Element, old: Element) -> None:
    """A table rendered whole takes the style, borders and width of the one it replaces."""
    properties, wanted = child(rendered, "tblPr"), child(old, "tblPr")
    if properties is not None and wanted is not None:
        rendered.replace(properties, copy.deepcopy(wanted))


def untold_objects(old: Element, markdown: str) -> list[Element]:
    """Runs of a paragraph with drawings that its Markdown does not show: shapes, charts, embedded files, other text
    boxes.
    """
    out = []
    told = Counter(_WORD.findall(markdown))
    for run in old.iterchildren(W + "r"):
        if not holds_object(run) or squeezed(_own_text(run)):
            continue
        boxes = [Counter(_WORD.findall(text_of(box))) for box in run.iter(W + "txbxContent")]
        if boxes and any(boxes) and all(box <= told for box in boxes):
            continue
        shown = "![" in markdown and next(run.iter(A + "blip", VML + "imagedata"), None) is not None
        if not shown or boxes:
            out.append(run)
    return out


def _own_text(run: Element) -> str:
    return "".join(one.text or "" for one in run.findall(W + "t"))
