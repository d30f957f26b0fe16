"""Headings that an author made by looks alone: short bold paragraphs, typed numbers in front.

Knows pandoc's tree, of whatever format. Does not know styles (the readers of Word and OpenDocument resolve those
first) and does not move a block: the list that comes back is as long as the one that went in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fabai.formats import ast
from fabai.formats.ast import Element

LONGEST = 160
"""Characters; a longer 'heading' is a paragraph that somebody set in a heading's style."""

_LONGEST_BOLD = 110
_NUMBER = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,5})[.)]?[\s ]+(?=\S)")
_SENTENCE_END = (".", ":", ";", ",", "…", "?", "!")
_SKIPPED = ("Space", "SoftBreak", "LineBreak", "Note")


def recover(blocks: Sequence[Element]) -> list[Element]:
    """The blocks with bold pseudo-headings as Header elements, and overlong headings as paragraphs; same length and
    order.

    A bold paragraph with a typed number is a heading whose number gives the level. Without a number it counts only in a
    document that has no other heading. A bold run-in ('Nota: ...') or a bold sentence is text.
    """
    out = [_shorten(block) for block in blocks]
    _numbered(out)
    if not any(block["t"] == "Header" for block in out):
        _single_item_lists(out)
    if not any(block["t"] == "Header" for block in out):
        _unnumbered(out)
    return out


def _shorten(block: Element) -> Element:
    if block["t"] == "Header" and len(ast.text(block["c"][2])) > LONGEST:
        return {"t": "Para", "c": block["c"][2]}
    return block


def _header(level: int, inlines: list[Element]) -> Element:
    return {"t": "Header", "c": [min(max(level, 1), 9), ["", [], []], inlines]}


def bold_line(block: Element) -> str:
    """The words of a paragraph that is bold from end to end and reads like a heading; "" for any other block."""
    if block["t"] not in ("Para", "Plain") or not _all_bold(block["c"]):
        return ""
    words = ast.text(block["c"])
    if not words or len(words) > _LONGEST_BOLD or not any(character.isalpha() for character in words):
        return ""
    return "" if words.endswith(_SENTENCE_END) else words


def _all_bold(inlines: list[Element]) -> bool:
    """Whether every word stands inside Strong; wrappers such as spans and italics may surround it."""
    seen = False
    for inline in inlines:
        kind = inline["t"]
        if kind == "Strong":
            seen = True
        elif kind in ("Emph", "Underline", "SmallCaps"):
            if not _all_bold(inline["c"]):
                return False
            seen = True
        elif kind == "Span":
            if inline["c"][1]:
                if not _all_bold(inline["c"][1]):
                    return False
                seen = True
        elif kind not in _SKIPPED:
            return False
    return seen


def _numbered(blocks: list[Element]) -> None:
    """Bold paragraphs with a typed number. The level follows the typed numbers of the headings above, where they have
    any."""
    known: dict[tuple[str, ...], int] = {}
    top = min((block["c"][0] for block in blocks if block["t"] == "Header"), default=1)
    for index, block in enumerate(blocks):
        if block["t"] == "Header":
            match = _NUMBER.match(ast.text(block["c"][2]))
            if match:
                known[tuple(match[1].split("."))] = block["c"][0]
            continue
        words = bold_line(block)
        match = _NUMBER.match(words)
        if match is None:
            continue
        parts = tuple(match[1].split("."))
        level = _level(parts, known, top)
        known[parts] = level
        blocks[index] = _header(level, block["c"])


def _level(parts: tuple[str, ...], known: dict[tuple[str, ...], int], top: int) -> int:
    for length in range(len(parts) - 1, 0, -1):
        if parts[:length] in known:
            return known[parts[:length]] + len(parts) - length
    siblings = [level for other, level in known.items() if len(other) == len(parts)]
    return siblings[-1] if siblings else top + len(parts) - 1


def _single_item_lists(blocks: list[Element]) -> None:
    """Numbered bold headings that the converter took for lists of one item each."""
    found = [
        index
        for index, block in enumerate(blocks)
        if block["t"] == "OrderedList"
        and len(block["c"][1]) == 1
        and len(block["c"][1][0]) == 1
        and bold_line(block["c"][1][0][0])
    ]
    if len(found) < 2:
        return
    for index in found:
        blocks[index] = _header(1, blocks[index]["c"][1][0][0]["c"])


def _unnumbered(blocks: list[Element]) -> None:
    """Bold lines with text under them, in a document without any heading; lines of a cover stand together and are
    none."""
    bold = [bool(bold_line(block)) for block in blocks]
    found = [
        index
        for index, yes in enumerate(bold)
        if yes and index + 1 < len(blocks) and not bold[index + 1] and not (index and bold[index - 1])
    ]
    if len(found) < 2:
        return
    for index in found:
        blocks[index] = _header(1, blocks[index]["c"])
