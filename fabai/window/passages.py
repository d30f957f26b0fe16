"""Passages from outside the sections' order: retrieved from the Brief, pinned by the writer, needed by the form.

Knows how they are fitted into their share and that each names its source. Does not know how they are found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from fabai.window.candidates import Candidate
from fabai.window.counts import Counts
from fabai.window.fill import pour
from fabai.window.layout import GAP, block
from fabai.window.parts import Parts
from fabai.window.piece import Piece
from fabai.window.shown import shown

_LEAST = 24


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a source document. source: the name a person knows it by (file name and heading, say)."""

    text: str
    source: str


class Retriever(Protocol):
    """Finds passages in the Brief. The same query on the same sources gives the same passages."""

    def find(self, query: str, most: int) -> Sequence[Passage]:
        """At most `most` passages, the best first."""
        ...


def retrieved(retriever: Retriever, query: str, room: int, most: int, counts: Counts, parts: Parts) -> list[Piece]:
    """The best passages that fit into `room` tokens, frames included; the last one cut at a sentence."""
    pieces: list[Piece] = []
    left = room
    for passage in retriever.find(query, most):
        piece = _framed(
            "retrieved", shown(passage.text), shown(passage.source), left, "found for this section", counts, parts
        )
        if piece is None:
            break
        pieces.append(piece)
        left -= piece.tokens
    return pieces


def repeated(
    kind: Literal["pinned", "needed"], ones: Sequence[Candidate], room: int, counts: Counts, parts: Parts
) -> list[Piece]:
    """Whole sections once more at the end of the prompt, an equal pouring of `room` tokens."""
    reason = "pinned by the writer" if kind == "pinned" else "the form says that this section builds on it"
    frames = [_tokens(kind, one.text, one.head.lstrip("# "), counts, parts) for one in ones]
    pieces: list[Piece] = []
    for one, tokens in zip(ones, pour([0] * len(ones), frames, [1.0] * len(ones), room), strict=True):
        piece = _framed(kind, one.text, one.head.lstrip("# "), tokens, reason, counts, parts, one.section.id)
        if piece is not None:
            pieces.append(piece)
    return pieces


def _framed(
    kind: str, text: str, source: str, room: int, reason: str, counts: Counts, parts: Parts, section: str | None = None
) -> Piece | None:
    whole = _tokens(kind, text, source, counts, parts)
    if whole <= room:
        return Piece(kind, text, whole, whole, "full", reason, section, source)
    frame = _tokens(kind, "", source, counts, parts)
    if room - frame < _LEAST:
        return None
    kept = counts.cut(text, room - frame - 4, "start", parts.language).text
    tokens = _tokens(kind, kept, source, counts, parts)
    if not kept or tokens > room:
        return None
    return Piece(kind, kept, tokens, whole, "cut", f"{reason}; cut to its share", section, source)


def _tokens(kind: str, text: str, source: str, counts: Counts, parts: Parts) -> int:
    return counts.count(block(kind, text, source, parts.labels) + GAP)
