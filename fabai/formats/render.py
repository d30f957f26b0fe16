"""Markdown blocks as Word elements in a target package, all of an export in one run of pandoc.

Knows how blocks are kept apart, and how pictures of the project reach pandoc's sandbox. Does not know sections or
where elements go.
"""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Mapping
from typing import Any

from fabai.formats import ast, pandoc, sentinels
from fabai.formats.captions import Captions
from fabai.formats.graft import Graft
from fabai.formats.media import picture_type
from fabai.formats.newstyles import make_style
from fabai.formats.package import Package
from fabai.formats.wordml import Element, W, add, child, clean, element, insert_ordered, remove, text_of
from fabai.report import Language
from fabai.settings import ReadingLimits

TAGS: dict[Language, str] = {"es": "es-ES", "ca": "ca-ES", "en": "en-GB"}
PLAIN = ("normal", "body text", "first paragraph", "compact")
"""pandoc's styles for ordinary text."""

_TEXT_WIDTH = 9072
"""Between margins of 2.5 cm, in twentieths of a point; the table itself is as wide as whatever text it stands in."""
_NARROWEST, _WIDEST = 9, 45
"""Characters that a column counts for, at least and at most."""
_TYPES = {"svg": "image/svg+xml", "emf": "image/emf", "wmf": "image/x-wmf", "jpg": "image/jpeg"}
_ROW_ORDER = [
    "cnfStyle",
    "divId",
    "gridBefore",
    "gridAfter",
    "wBefore",
    "wAfter",
    "cantSplit",
    "trHeight",
    "tblHeader",
    "tblCellSpacing",
    "jc",
    "hidden",
]


class Rendering:
    """Blocks to render, each with a number; `run` gives the elements of every number."""

    def __init__(self) -> None:
        self._trees: list[ast.Element] = []

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
        tree = ast.document(sentinels.separated([one] for one in trees))
        tree["meta"] = {"lang": {"t": "MetaInlines", "c": [{"t": "Str", "c": TAGS[language]}]}}
        written = Package(pandoc.from_json(tree, "docx", limits), limits)
        if captions is not None:
            captions.number(written.body)
        graft = Graft(
            target,
            written,
            make_style,
            () if own_styles else PLAIN,
            {} if own_styles else {("table", "table"): table_style or "table grid"},
        )
        body = [one for one in written.body if one.tag != W + "sectPr"]
        groups: list[list[Element]] = [[]]
        for one in body:
            if sentinels.is_separator(one):
                groups.append([])
            else:
                groups[-1].append(one)
        return [self._finished(graft.carry(group)) for group in groups[:-1]]

    def _finished(self, elements: list[Element]) -> list[Element]:
        for one in elements:
            for properties in [found for found in one.iter(W + "pPr") if len(found) == 0]:
                holder = properties.getparent()
                if holder is not None:
                    holder.remove(properties)
            for tag in one.iter(W + "lang"):
                tag.set(W + "val", _full_tag(tag.get(W + "val") or ""))
            for table in one.iter(W + "tbl"):
                _finish_table(table)
        return elements


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

    changed: list[Any] = ast.rewrite([tree], change)
    return changed[0] if len(changed) == 1 else {"t": "Div", "c": [["", [], []], changed]}


def _full_tag(tag: str) -> str:
    return {"es": "es-ES", "ca": "ca-ES", "en": "en-GB"}.get(tag, tag)


def _finish_table(table: Element) -> None:
    """As wide as the text, columns by their content, rows whole on a page."""
    properties = child(table, "tblPr")
    if properties is not None:
        stated = child(properties, "tblW")
        if stated is not None:
            properties.remove(stated)
        properties.insert(1 if child(properties, "tblStyle") is not None else 0, element("tblW", type="pct", w=5000))
        look = child(properties, "tblLook")
        if len(table.findall(W + "tr")) == 1 and look is not None:
            # a table of one row has no heading row
            look.set(W + "firstRow", "0")
            look.set(W + "val", "0000")
            for mark in list(table.iter(W + "tblHeader")):
                remove(mark)
    _set_columns(table)
    for row in table.iterchildren(W + "tr"):
        settings = child(row, "trPr")
        if settings is None:
            settings = element("trPr")
            place = next((index for index, one in enumerate(row) if one.tag != W + "tblPrEx"), len(row))
            row.insert(place, settings)
        insert_ordered(settings, element("cantSplit"), _ROW_ORDER)
    for cell in table.iter(W + "tc"):
        if len(cell) == 0 or cell[-1].tag != W + "p":
            add(cell, "p")


def _set_columns(table: Element) -> None:
    """Widths that pandoc was told keep their proportions; others follow the longest text of each column."""
    columns = table.findall(f"{W}tblGrid/{W}gridCol")
    stated = [int(one.get(W + "w") or "0") for one in columns]
    if not columns:
        return
    weights = [float(width) for width in stated]
    if len(set(stated)) == 1 or not all(stated):
        weights = [float(_NARROWEST)] * len(columns)
        for row in table.iterchildren(W + "tr"):
            cells = row.findall(W + "tc")
            if len(cells) == len(columns):
                for index, cell in enumerate(cells):
                    weights[index] = max(weights[index], min(len(text_of(cell)), _WIDEST))
    for column, weight in zip(columns, weights, strict=True):
        column.set(W + "w", str(round(_TEXT_WIDTH * weight / sum(weights))))
    for row in table.iterchildren(W + "tr"):
        cells = row.findall(W + "tc")
        if len(cells) != len(columns):
            continue
        for cell, weight in zip(cells, weights, strict=True):
            settings = child(cell, "tcPr")
            if settings is None:
                settings = element("tcPr")
                cell.insert(0, settings)
            width = child(settings, "tcW")
            if width is not None:
                settings.remove(width)
            settings.insert(0, element("tcW", type="pct", w=round(5000 * weight / sum(weights))))
