"""Support: which sentences of a past report say only what the prompt holds, and which name figures or names from
nowhere.

A model that learns from sentences whose figures it cannot know learns to invent. Knows the units of a target
(sentences, items, table rows), the figures and names in each, and what a prompt is evidence of. Does not know how a
prompt is made or what becomes of an unsupported sentence.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fabai.figures import accepted, figures, marks
from fabai.names import folded_words, name_words, names
from fabai.report import Language
from fabai.window.blocks import blocks, spans
from fabai.window.segment import boundaries

_KEY = re.compile(r"\{\{\s*([^{}\n]+?)\s*\}\}")
LINK = re.compile(
    r"(?:https?://|www\.)[^\s<>\"')\]|]+|(?<=\]\()(?!#)[^\s()]+|(?<=@)(?:doi|url|arxiv|pmid|isbn):[^\s\];,]+"
)
"""Addresses and works cited: as easily invented as a figure. Places in the same document (#objectives) are none."""

_CODE = re.compile(r"(?<![\w.,{-])(?=\w*[^\W\d_])(?=\w*\d)\w{3,}(?:[.-]\w+)*")
"""Letters and digits in one word: a grant's code, a model's name, a version, a hash."""


_SPAN = re.compile(r"`[^`\n]*\d[^`\n]*`|(?<![\\$\w])\$(?=[^\s$])[^$\n]{0,200}\d[^$\n]{0,200}\$(?!\d)")
"""Code and equations in a line that hold a figure: known as a whole or not at all."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a unit says and the prompt must hold. one_of: marks of which one is enough. text: as written."""

    text: str
    one_of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """target[start:end], its white space behind included: a sentence, a list item, a table row, or a whole block of
    code or equations, which no prompt supports (`opaque`).
    """

    start: int
    end: int
    claims: tuple[Claim, ...]
    opaque: bool = False


@lru_cache(maxsize=4_000)
def statements(text: str, language: Language, vocabulary: frozenset[str] = frozenset()) -> tuple[Statement, ...]:
    """The units of a target in order; joined they are the text. vocabulary: words that are nobody's name. The last
    texts are remembered.
    """
    found: list[Statement] = []
    for start, end, opaque in _units(text, language):
        unit = text[start:end]
        # code in a list item or a cell
        opaque = opaque or "```" in unit or "~~~" in unit
        found.append(Statement(start, end, () if opaque else tuple(claims(unit, language, vocabulary)), opaque))
    return tuple(found)


def claims(text: str, language: Language, vocabulary: Collection[str] = frozenset()) -> Iterator[Claim]:
    """What a stretch of text says that can be wrong: figures, names word by word, addresses, references to facts."""
    for figure in figures(text, language):
        yield Claim(text[figure.start : figure.end], accepted(figure))
    for name in names(text):
        for word in name_words(name.text):
            if word not in vocabulary:
                yield Claim(name.text, (f"word {word}",))
    for match in _CODE.finditer(text):
        yield Claim(match[0], (f"code {match[0].lower()}",))
    for match in _SPAN.finditer(text):
        yield Claim(match[0], (f"span {match[0]}",))
    for match in LINK.finditer(text):
        yield Claim(match[0], (f"link {match[0].rstrip('.,;:/')}",))
    for match in _KEY.finditer(text):
        yield Claim(match[0], (f"key {match[1]}",))


class Evidence:
    """What a prompt holds. Texts are read once each: the next prompt repeats most of this one."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._known: dict[str, frozenset[str]] = {}

    def sets(self, shown: Iterable[str]) -> list[frozenset[str]]:
        """The marks of each piece of a prompt."""
        return [self.of(text) for text in shown]

    @staticmethod
    def missing(statement: Statement, known: Sequence[frozenset[str]]) -> list[Claim]:
        """The claims of a statement that none of the pieces supports."""
        return [claim for claim in statement.claims if not any(mark in one for one in known for mark in claim.one_of)]

    def of(self, text: str) -> frozenset[str]:
        """The marks of one piece of a prompt."""
        found = self._known.get(text)
        if found is None:
            parts = [evidence(part, self._language) for part in text.split("\n\n")]
            found = self._known[text] = frozenset(itertools.chain.from_iterable(parts))
        return found


@lru_cache(maxsize=50_000)
def evidence(paragraph: str, language: Language) -> frozenset[str]:
    """Every mark that a paragraph gives: its figures, its words, its references."""
    found = {f"word {word}" for word in folded_words(paragraph)}
    for figure in figures(paragraph, language):
        found.update(marks(figure))
    found.update(f"key {match[1]}" for match in _KEY.finditer(paragraph))
    found.update(f"code {match[0].lower()}" for match in _CODE.finditer(paragraph))
    found.update(f"span {match[0]}" for match in _SPAN.finditer(paragraph))
    found.update(f"link {match[0].rstrip('.,;:/')}" for match in LINK.finditer(paragraph))
    return frozenset(found)


def _units(text: str, language: Language) -> Iterator[tuple[int, int, bool]]:
    found = blocks(text)
    for number, block in enumerate(found):
        start = block.start if number else 0
        end = found[number + 1].start if number + 1 < len(found) else len(text)
        if block.kind in ("code", "equation", "fence"):
            yield start, end, block.kind != "fence"
        elif block.kind == "paragraph":
            yield from ((left, right, False) for left, right in _sentences(text, start, end, language))
        else:
            edges = [start, *block.parts[1:], end]
            yield from ((left, right, False) for left, right in itertools.pairwise(edges))


def _sentences(text: str, start: int, end: int, language: Language) -> Iterator[tuple[int, int]]:
    body = text[start:end]
    closed = spans(body)
    left = 0
    for right in boundaries(body, language):
        if right < len(body) and any(one < right < other for one, other in closed):
            continue
        yield start + left, start + right
        left = right
