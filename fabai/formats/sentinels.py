"""Marks that travel through pandoc: they tell which body child a block came from, and where blocks end.

They are made of characters that Unicode keeps out of all text (U+FDD0 to U+FDEF) and XML allows; fonts of icons use the
private ones. Knows marks in XML runs, in pandoc's tree and in Markdown. Does not know sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fabai.formats.ast import Element as Block
from fabai.formats.wordml import Element, W, add, element, holds_object, shown_paragraphs, squeezed, text_of

_ZERO = 0xFDE0
_TOKEN = re.compile("\ufdd0([\ufde0-\ufde9]+)\ufdd1")
_MARKS = re.compile("[\ufdd0-\ufdef]")
SEPARATOR = "\ufdd3"
"""A paragraph of its own between two blocks."""


def unmarked(text: str) -> str:
    """The text without characters that would be taken for marks, whoever wrote them into it."""
    return _MARKS.sub("", text)


def token(number: int) -> str:
    """The mark of a body child."""
    return "\ufdd0" + "".join(chr(_ZERO + int(digit)) for digit in str(number)) + "\ufdd1"


def mark(child: Element, number: int) -> None:
    """Put the child's token into its first paragraph that shows something, and into that of each of its text boxes.

    A table is marked even when it is empty. Text boxes come out of pandoc as blocks of their own.
    """
    shown = list(shown_paragraphs(child))
    full = [paragraph for paragraph in shown if _shows(paragraph)]
    marked = full[:1] or (shown[:1] if child.tag != W + "p" else [])
    for box in child.iter(W + "txbxContent"):
        marked += [paragraph for paragraph in box.iter(W + "p") if squeezed(text_of(paragraph))][:1]
    for paragraph in marked:
        run = element("r")
        add(run, "t").text = token(number)
        paragraph.insert(1 if len(paragraph) > 0 and paragraph[0].tag == W + "pPr" else 0, run)


def _shows(paragraph: Element) -> bool:
    notes = W + "footnoteReference", W + "endnoteReference"
    said = bool(squeezed(text_of(paragraph))) or holds_object(paragraph)
    return said or next(paragraph.iter(*notes), None) is not None


def numbers(node: Any) -> list[int]:
    """The children whose tokens stand under a node of pandoc's tree, in order."""
    return [
        int("".join(str(ord(digit) - _ZERO) for digit in match))
        for text in _strings(node)
        for match in _TOKEN.findall(text)
    ]


def without(node: Any) -> Any:
    """A copy of a node without tokens, nor the spaces and empty strings that they leave behind."""
    if isinstance(node, dict):
        return {key: without(inner) for key, inner in node.items()}
    if isinstance(node, list):
        out: list[Any] = []
        marked = False
        for inner in node:
            kind = inner.get("t") if isinstance(inner, dict) else None
            if kind == "Str" and _TOKEN.search(inner["c"]):
                left = _TOKEN.sub("", inner["c"])
                marked = True
                if left:
                    out.append({"t": "Str", "c": left})
            elif marked and not out and kind in ("Space", "SoftBreak", "LineBreak"):
                continue
            else:
                out.append(without(inner))
        return out
    return _TOKEN.sub("", node) if isinstance(node, str) else node


def separated(groups: Iterable[Sequence[Block]]) -> list[Block]:
    """The blocks of all groups with a separator paragraph after each group."""
    out: list[Block] = []
    for group in groups:
        out.extend(group)
        out.append({"t": "Para", "c": [{"t": "Str", "c": SEPARATOR}]})
    return out


def groups(blocks: Iterable[Block]) -> list[list[Block]]:
    """The inverse of `separated`; what follows the last separator is left out."""
    out: list[list[Block]] = [[]]
    for block in blocks:
        if block["t"] == "Para" and block["c"] == [{"t": "Str", "c": SEPARATOR}]:
            out.append([])
        else:
            out[-1].append(block)
    return out[:-1]


def markdown_groups(markdown: str) -> list[str]:
    """The Markdown of each group, where `separated` blocks were written as one text."""
    return [piece.strip("\n") for piece in re.split(rf"(?m)^{SEPARATOR}$", markdown)[:-1]]


def is_separator(child: Element) -> bool:
    """Whether a body child that pandoc wrote is a separator paragraph."""
    return child.tag == W + "p" and text_of(child) == SEPARATOR


def _strings(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for inner in node.values():
            yield from _strings(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from _strings(inner)
