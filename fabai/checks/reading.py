"""One section as the rules read it: prose in sentences, tables, figures and names, each with its place in the text.

Knows how a text is taken apart, once: the last texts are remembered, and with each of them what the rules said of it,
so that a check after an edit looks only at what changed. Does not know any rule, nor the rest of the report.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from fabai.checks.tables import Table, table
from fabai.figures import Figure, figures
from fabai.formats.citation import citations
from fabai.names import Name, names
from fabai.number_words import number_words
from fabai.remembered import by_text
from fabai.report import Language
from fabai.window.blocks import Kind, blocks
from fabai.window.segment import boundaries

_MARK = re.compile(
    r"\s*(?:[-*+•]|\(?\d{1,9}[.)]|\(?[a-zA-Z][.)]|\(?[ivxlc]{1,6}[.)]|#\.)\s+|\s*>\s?|\s*\[\^[^\]\s]+\]:\s*"
)
P = ParamSpec("P")
R = TypeVar("R")


class Span(NamedTuple):
    """text[start:end] of the section."""

    start: int
    end: int


class Piece(NamedTuple):
    """A paragraph, a list item, a note or a heading: text[start:end] without the mark of a list."""

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Reading:
    """A section's text taken apart. sentences: of the pieces, in order. figures: in digits and in words, in order;
    those of a citation ("[@key, p. 3]") are none. answers: what was said of it, by who said it (`remembered`).
    """

    text: str
    language: Language
    pieces: tuple[Piece, ...]
    sentences: tuple[Span, ...]
    tables: tuple[Table, ...]
    code: tuple[Span, ...]
    figures: tuple[Figure, ...]
    names: tuple[Name, ...]
    answers: dict[Any, tuple[Any, Any]] = field(default_factory=dict, compare=False, repr=False)

    def sentence(self, at: int) -> Span:
        """The sentence, else the cell, else the line that holds a place."""
        for one in self.sentences:
            if one.start <= at < one.end:
                return one
        for grid in self.tables:
            if grid.start <= at < grid.end:
                for row in grid.rows:
                    for cell in row:
                        if cell.start <= at < cell.end:
                            return Span(cell.start, cell.end)
        start = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        return Span(start, len(self.text) if end < 0 else end)

    def in_table(self, at: int) -> bool:
        return any(grid.start <= at < grid.end for grid in self.tables)


def remembered(rule: Callable[P, R]) -> Callable[P, R]:
    """Have a rule's last answer kept with the reading that it looked at: asked again with the same it does not look
    again, and the answer goes when the reading goes. rule: its arguments are (reading, ...) or (section, reading, ...).
    """

    @wraps(rule)
    def answer(*args: P.args, **named: P.kwargs) -> R:
        at = 0 if isinstance(args[0], Reading) else 1
        reading: Any = args[at]
        asker, asked = (rule, *args[:at]), (args[at + 1 :], named)
        last = reading.answers.get(asker)
        if last is None or last[0] != asked:
            last = reading.answers[asker] = (asked, rule(*args, **named))
        found: R = last[1]
        return found

    return answer


@by_text
def read(text: str, language: Language) -> Reading:
    """A section's Markdown as the rules read it."""
    pieces: list[Piece] = []
    sentences: list[Span] = []
    tables: list[Table] = []
    code: list[Span] = []
    for block in blocks(text):
        if block.kind in ("code", "equation"):
            code.append(Span(block.start, block.end))
            continue
        if block.kind == "table":
            grid = table(text, block.start, block.end)
            if grid is not None:
                tables.append(grid)
            continue
        if block.kind == "fence":
            continue
        starts = (block.start, *block.parts[1:])
        for start, end in zip(starts, (*starts[1:], block.end), strict=True):
            mark = _MARK.match(text, start, end)
            if mark is not None and (
                block.kind in ("list", "footnote") or text[mark.start() : mark.end()].strip() == ">"
            ):
                start = mark.end()
            body = text[start:end].rstrip()
            pieces.append(Piece(start, start + len(body), block.kind))
            left = 0
            for right in boundaries(body, language):
                sentences.append(Span(start + left, start + left + len(body[left:right].rstrip())))
                left = right
    cited = [(one.start, one.end) for one in citations(text)]
    # of a whole text they are kept here alone
    written = figures.__wrapped__(text, language)
    digits = [one for one in written if not any(start <= one.start < end for start, end in cited)]
    taken = [(one.start, one.end) for one in digits]
    spoken = [
        one
        for one in number_words.__wrapped__(text, language)
        if not any(start < one.end and one.start < end for start, end in taken)
        and not any(span.start <= one.start < span.end for span in code)
    ]
    every = sorted((*digits, *spoken), key=lambda one: one.start)
    named = names.__wrapped__(text)
    return Reading(text, language, tuple(pieces), tuple(sentences), tuple(tables), tuple(code), tuple(every), named)
