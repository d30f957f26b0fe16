"""The units that a text may be cut between: paragraphs, list items, table rows, sentences; words only of overlong
sentences.

Knows where a cut may fall and what each unit costs in tokens. Does not know how much room there is (fabai.window.cut).
"""

from __future__ import annotations

import itertools
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import regex  # type: ignore[import-untyped]

from fabai.report import Language
from fabai.settings import CuttingSettings
from fabai.window.blocks import MarkdownBlock, blocks, spans
from fabai.window.counting import CachedCounter
from fabai.window.segment import boundaries

_GRAPHEME = regex.compile(r"\X")
_WORD = regex.compile(r"\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Unit:
    """One stretch that is kept or left out whole; the white space behind it is its own.

    inside: it follows the unit before it in the same paragraph. header: the range of the table header that must be
    shown with this row. bare: it says nothing without what follows (a heading, a table's header).
    """

    start: int
    end: int
    inside: bool = False
    header: tuple[int, int] | None = None
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a text; costs[k] = tokens of the first k units, an upper bound of the model's own count."""

    units: tuple[Unit, ...]
    costs: tuple[int, ...]


def units(text: str, language: Language, counter: CachedCounter, settings: CuttingSettings) -> Units:
    """Parted and counted once for each text, language and counter."""
    return counter.kept(("units", language, settings), text, lambda: _units(text, language, counter, settings))


def _units(text: str, language: Language, counter: CachedCounter, settings: CuttingSettings) -> Units:
    found = list(_part(text, language, counter, settings))
    edges = [0]
    for left, right in itertools.pairwise(found):
        core = left.start + len(text[left.start : right.start].rstrip())
        # byte-level BPE gives a space to the word behind it and line breaks to the mark before them
        edges.append(right.start if "\n" in text[core : right.start] else core)
    edges.append(len(text))
    tokens = [counter.count(text[start:end]) for start, end in itertools.pairwise(edges)]
    # a tokenizer that counts the whole higher than its parts: the first unit bears the difference, so sums stay above
    if tokens:
        tokens[0] += max(0, counter.count(text) - sum(tokens))
    return Units(tuple(found), (0, *itertools.accumulate(tokens)))


def _part(text: str, language: Language, counter: CachedCounter, settings: CuttingSettings) -> Iterator[Unit]:
    found = blocks(text)
    for number, block in enumerate(found):
        end = found[number + 1].start if number + 1 < len(found) else len(text)
        start = block.start if number else 0
        if block.kind == "paragraph":
            yield from _paragraph(text, start, end, language, counter, settings)
        elif block.kind == "table":
            yield from _table(block, start, end)
        elif block.kind in ("list", "lines"):
            edges = [start, *block.parts[1:], end]
            yield from (Unit(left, right) for left, right in itertools.pairwise(edges))
        else:
            yield Unit(start, end, bare=block.kind == "heading")


def _table(block: MarkdownBlock, start: int, end: int) -> Iterator[Unit]:
    edges = [start, *block.parts[1:], end]
    header = (block.start, block.parts[1]) if len(block.parts) > 1 else None
    for number, (left, right) in enumerate(itertools.pairwise(edges)):
        first = number == 0
        yield Unit(left, right, header=None if first else header, bare=first and header is not None)


def _paragraph(
    text: str, start: int, end: int, language: Language, counter: CachedCounter, settings: CuttingSettings
) -> Iterator[Unit]:
    body = text[start:end]
    closed = spans(body)
    left = 0
    for right in boundaries(body, language):
        if _within(closed, right) and right < len(body):
            continue
        sentence = body[left:right]
        # a character is never more than four tokens and seldom less than a sixth of one
        if len(sentence) > settings.long_sentence and counter.count(sentence) > settings.long_sentence:
            edges = [
                left,
                *(edge for edge in _word_edges(sentence, left, closed, settings) if left < edge < right),
                right,
            ]
        else:
            edges = [left, right]
        for one, two in itertools.pairwise(edges):
            yield Unit(start + one, start + two, inside=one > 0)
        left = right


def _word_edges(sentence: str, offset: int, closed: list[tuple[int, int]], settings: CuttingSettings) -> Iterator[int]:
    """Where an overlong sentence may be cut: between words, and between characters of what has no spaces."""
    last = 0
    for edge in (*(match.end() for match in _WORD.finditer(sentence)), len(sentence)):
        if edge - last > settings.long_word and not _within(closed, offset + last + 1):
            clusters = [last + match.end() for match in _GRAPHEME.finditer(sentence[last:edge].rstrip())]
            wanted = (offset + one for one in clusters[settings.long_word - 1 : -1 : settings.long_word])
            yield from (one for one in wanted if not _within(closed, one))
        if edge < len(sentence) and not _within(closed, offset + edge) and not _joins(sentence[edge]):
            yield offset + edge
        last = edge


def _joins(character: str) -> bool:
    """Whether it belongs to the character before it: a lone accent, a joiner, a skin tone, a variation selector."""
    return (
        unicodedata.category(character)[0] == "M"
        or character in "\u200c\u200d"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def _within(closed: list[tuple[int, int]], offset: int) -> bool:
    index = bisect_right(closed, (offset, 0)) - 1
    return index >= 0 and closed[index][0] < offset < closed[index][1]
