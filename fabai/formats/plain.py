"""Paragraphs that need no reader: a line of words in which Markdown can see nothing but words.

Knows which signs mean something to pandoc, and is careful: whatever might be more than words is left to pandoc. Much of
a report is such lines, and pandoc takes as long over them as over others.
"""

from __future__ import annotations

import re

from fabai.formats.ast import Element
from fabai.formats.tidy import SPACE

_WORDS = re.compile(r"[^\W\d_][\w \u00a0.,;:()«»“”‘’'\"%€/ºª·¿?¡!–—-]*(?<!\u00a0)")
_MARKER = re.compile(r"\w+[.)](?:\s|$)|table:", re.IGNORECASE)
"""A list's first item, or a table's caption."""
_BOUND = re.compile(r"<[!/?A-Za-z]|`{3}|~{3}|[({]#|\[\^|\]:|(?m:^[ \t]*[:~])")
"""What one stretch of a text may do to another: fences, notes, addresses, anchors, definitions."""
_GAP = re.compile(r"\n(?:[ \t]*\n)+")


def pieces(text: str) -> list[str | Element]:
    """A Markdown text cut into paragraphs of words, as trees, and what stands between them, as it is written."""
    if _BOUND.search(text):
        return [text]
    out: list[str | Element] = []
    for stretch in _GAP.split(text):
        if _WORDS.fullmatch(stretch) and "_" not in stretch and not _MARKER.match(stretch):
            out.append(_paragraph(stretch))
        elif out and isinstance(out[-1], str):
            out[-1] += f"\n\n{stretch}"
        else:
            out.append(stretch)
    return out


def _paragraph(line: str) -> Element:
    inlines: list[Element] = []
    for word in line.split(" "):
        if word:
            inlines += [SPACE, {"t": "Str", "c": word}]
    return {"t": "Para", "c": inlines[1:]}
