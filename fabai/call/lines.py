"""A document as lines of plain words, each with the headings above it: what rules are looked for in.

Knows Markdown's marks well enough to take them off. Does not know rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fabai.formats.document import Document

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_`]{1,3}|\[\^[^\]]+\]|\\(?=[^\w\s])|<!--.*?-->|\{\.[a-z]+\}")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\(?[\dA-Za-z]{1,3}\\?[.)º]+)\s+")


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph, item or table row. part: position of its section among the document's; heading: that section's."""

    text: str
    part: int
    heading: str
    level: int
    item: str = ""


def lines(document: Document) -> Iterator[Line]:
    """Every line of a document with words in it, marks of Markdown taken off, in reading order."""
    for part, section in enumerate(document.sections):
        for block in section.blocks:
            for raw in _rows(block.markdown):
                mark = _ITEM.match(raw)
                text = plain(raw[mark.end() :] if mark else raw)
                if re.search(r"\w", text):
                    yield Line(
                        text,
                        part,
                        plain(section.heading),
                        section.level,
                        mark[0].strip().replace("\\", "") if mark else "",
                    )


def plain(markdown: str) -> str:
    """One line without Markdown's marks, single spaces."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", markdown)).replace("\u00a0", " ").split())


def _rows(markdown: str) -> Iterator[str]:
    """Paragraphs of a block joined over their line ends; items and table rows each by themselves."""
    waiting: list[str] = []
    for line in markdown.split("\n"):
        starts = _ITEM.match(line) is not None or line.lstrip().startswith(("|", "+"))
        if (not line.strip() or starts) and waiting:
            yield " ".join(waiting)
            waiting = []
        if line.strip():
            waiting.append(line.strip())
    if waiting:
        yield " ".join(waiting)


def sentences(text: str) -> list[str]:
    """A line cut behind full stops that end a sentence; '26.5' and 'art. 3' are no ends."""
    return [one for one in re.split(r"(?<=[a-zà-ÿ\d)»”\"]{2}[.;])\s+(?=[A-ZÀ-Ý¿«“\"\d])", text) if one.strip()]
