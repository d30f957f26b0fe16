"""Markdown blocks as Word elements in a target package, all of an export in few runs of pandoc.

Knows how blocks are kept apart, and how pictures of the project reach pandoc's sandbox. Does not know sections or
where elements go.
"""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Mapping, Sequence
from typing import Any

from fabai.formats import ast, pandoc, sentinels
from fabai.formats.captions import Captions
from fabai.formats.graft import Graft
from fabai.formats.laid import close_up, lay
from fabai.formats.media import picture_type
from fabai.formats.newstyles import make_style
from fabai.formats.package import Package
from fabai.formats.wordml import (
    PARAGRAPH_ORDER,
    Element,
    W,
    child,
    clean,
    element,
    insert_ordered,
    is_on,
    properties_of,
    text_of,
)
from fabai.report import Language
from fabai.settings import ReadingLimits

TAGS: dict[Language, str] = {"es": "es-ES", "ca": "ca-ES", "en": "en-GB"}
PLAIN = ("normal", "body text", "first paragraph", "compact")
"""pandoc's styles for ordinary text."""

_TYPES = {"svg": "image/svg+xml", "emf": "image/emf", "wmf": "image/x-wmf", "jpg": "image/jpeg"}
_BOUND = re.compile(r"(?<=\d) (?=[%€]|(?:EUR|USD)\b)")
_LEAD = 120
"""Letters of a line in bold that announces what comes under it."""


class Rendering:
    """Blocks to render, each with a number; `run` gives the elements of every number. graft: the last one that brought
    them home, None before.
    """

    def __init__(self) -> None:
        self._trees: list[ast.Element] = []
        self.graft: Graft | None = None

    def add(self, tree: ast.Element) -> int:
        self._trees.append(tree)
        return len(self._trees) - 1

    def run(
        self,
        target: Package,
        media: Mapping[str, bytes],
        language: Language,
        limits: ReadingLimits,
        *,
        own_styles: bool = False,
        table_style: str | None = None,
        captions: Captions | None = None,
    ) -> list[list[Element]]:
        """The elements of each block, at home in `target`. own_styles: the target has pandoc's styles. captions:
        numbers them, where they are to be numbered.
        """
        if not self._trees:
            return []
        trees = [_with_pictures(tree, media) for tree in self._trees]
        sizes = [len(ast.text(tree)) for tree in trees]
        # a document that goes back into its own package has its own way with tables
        foreign = captions is not None and not own_styles
        finished: list[list[Element]] = []
        for data in pandoc.abreast(lambda part: _written(part, language, limits), trees, sizes):
            written = Package(data, limits)
            if captions is not None:
                captions.number(written.body)
            self.graft = graft = Graft(
                target,
                written,
                make_style,
                () if own_styles else PLAIN,
                {} if own_styles else {("table", "table"): table_style or "table grid"},
                self.graft,
            )
            finished += [_finished(graft.carry(group), own_styles, foreign) for group in _groups(written.body)]
        return finished


def _written(trees: Sequence[ast.Element], language: Language, limits: ReadingLimits) -> bytes:
    """A Word file of the blocks, a separator after each, and one in front: pandoc gives the first paragraph of a
    document a style of its own.
    """
    tree = ast.document(sentinels.separated([[], *([one] for one in ast.joined(trees))]))
    tree["meta"] = {"lang": {"t": "MetaInlines", "c": [{"t": "Str", "c": TAGS[language]}]}}
    return pandoc.from_json(tree, "docx", limits)


def _groups(body: Element) -> list[list[Element]]:
    """The elements of each block."""
    groups: list[list[Element]] = [[]]
    for one in body:
        if sentinels.is_separator(one):
            groups.append([])
        elif one.tag != W + "sectPr":
            groups[-1].append(one)
    return groups[1:-1]


def _finished(elements: list[Element], own_styles: bool, foreign: bool) -> list[Element]:
    for one in elements:
        for properties in [found for found in one.iter(W + "pPr") if len(found) == 0]:
            holder = properties.getparent()
            if holder is not None:
                holder.remove(properties)
        for tag in one.iter(W + "lang"):
            tag.set(W + "val", _full_tag(tag.get(W + "val") or ""))
        for table in one.iter(W + "tbl"):
            lay(table, may_turn=own_styles and table is one)
            if foreign:
                close_up(table)
        for text in one.iter(W + "t"):
            text.text = _BOUND.sub("\u00a0", text.text or "")
        if one.tag == W + "p" and _leads(one):
            insert_ordered(properties_of(one), element("keepNext"), PARAGRAPH_ORDER)
    return elements


def _leads(paragraph: Element) -> bool:
    """Whether a paragraph is a short line in bold, which must not stand alone at the end of a page."""
    runs = [run for run in paragraph.iter(W + "r") if text_of(run).strip()]
    return bool(runs) and len(text_of(paragraph)) <= _LEAD and all(is_on(child(run, "rPr/b")) for run in runs)


def heading(level: int, text: str) -> ast.Element:
    """The tree of a heading whose text is plain."""
    inlines: list[ast.Element] = []
    for word in clean(text).split():
        inlines += [{"t": "Space"}, {"t": "Str", "c": word}]
    return {"t": "Header", "c": [min(max(level, 1), 9), ["", [], []], inlines[1:]]}


def _with_pictures(tree: ast.Element, media: Mapping[str, bytes]) -> ast.Element:
    """Pictures of the project as data addresses; any other picture leaves its words: nothing outside is opened."""

    def change(one: ast.Element) -> list[ast.Element] | None:
        if one["t"] == "Header":
            level, (_, classes, pairs), inlines = one["c"]
            return [{"t": "Header", "c": [level, ["", classes, pairs], inlines]}]
        if one["t"] != "Image":
            return None
        attributes, words, target = one["c"]
        data = media.get(target[0])
        if data is None:
            return list(words) or [{"t": "Str", "c": f"[{target[0]}]"}]
        kind = picture_type(data) or ""
        mime = _TYPES.get(kind) or mimetypes.types_map.get(f".{kind}", "application/octet-stream")
        address = f"data:{mime};base64,{base64.b64encode(data).decode()}"
        pairs = [pair for pair in attributes[2] if pair[0] != "alt"]
        alt = next((pair[1] for pair in attributes[2] if pair[0] == "alt"), "")
        shown = words or ([{"t": "Str", "c": alt}] if alt else [])
        return [{"t": "Image", "c": [[attributes[0], attributes[1], pairs], shown, [address, target[1]]]}]

    changed: list[Any] = ast.rewrite([tree], change, frozenset({"Header", "Image"}))
    return changed[0] if len(changed) == 1 else {"t": "Div", "c": [["", [], []], changed]}


def _full_tag(tag: str) -> str:
    return {"es": "es-ES", "ca": "ca-ES", "en": "en-GB"}.get(tag, tag)
