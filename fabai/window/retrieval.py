"""Finding passages of the Brief for a section: BM25 over stems, in memory, embedded in SQLite.

Knows how sources are parted into passages and how they are ranked. Does not know how much room passages get
(fabai.window.passages) or where sources are kept. Another way to rank is another `Retriever` (fabai.window.meaning).
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from fabai.ledger import Ledger
from fabai.message import Message
from fabai.report import LANGUAGES, Language
from fabai.settings import CuttingSettings, RetrievalSettings
from fabai.window.blocks import blocks
from fabai.window.counting import CachedCounter
from fabai.window.passages import Passage
from fabai.window.units import units
from fabai.window.words import language_of, stem, stems, words

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)[\s#]*$")
_SHOWN = 120  # characters of a heading in the name of a source


class Text(Protocol):
    """A source as the store keeps it: the name a person knows it by, and its Markdown."""

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Source:
    name: str
    text: str


class _Characters:
    """Passages are measured in characters, so that one index serves every model."""

    name = "characters"

    def count(self, text: str) -> int:
        return len(text)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return sum(len(message.content) for message in messages)


class Bm25Retriever:
    """An index of passages. The same query on the same sources gives the same passages in the same order."""

    def __init__(
        self,
        sources: Iterable[Text],
        language: Language,
        settings: RetrievalSettings = RetrievalSettings(),  # noqa: B008
    ) -> None:
        """language: of the report; each passage is stemmed in its own, found by its stop words."""
        self._settings = settings
        self._passages: list[Passage] = []
        self._words: list[frozenset[str]] = []
        self._lock = threading.Lock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("CREATE VIRTUAL TABLE passage USING fts5(body, heading, detail=column)")
        for source in sources:
            for heading, text in passages(source.text, language, settings):
                own = language_of(words(text), language)
                body, above = stems(text, own), stems(f"{source.name} {heading}", own)
                row = (len(self._passages), " ".join(body), " ".join(above))
                self._db.execute("INSERT INTO passage (rowid, body, heading) VALUES (?, ?, ?)", row)
                self._words.append(frozenset(body))
                self._passages.append(Passage(text, f"{source.name} — {heading}" if heading else source.name))

    def __len__(self) -> int:
        return len(self._passages)

    def find(self, query: str, most: int) -> Sequence[Passage]:
        """At most `most` passages that share a word with the query, the best first; of those nearly alike only one."""
        return self.unlike(self.ranked(query, 8 * most), most)

    @property
    def passages(self) -> Sequence[Passage]:
        """All of them, in the order of the sources; `ranked` and `unlike` number them so."""
        return self._passages

    def ranked(self, query: str, most: int) -> list[int]:
        """Numbers of at most `most` passages that share a word with the query, the best first."""
        terms = sorted({one for word in words(query) for language in LANGUAGES if (one := stem(word, language))})
        if not terms or most < 1:
            return []
        match = " OR ".join(f'"{term}"' for term in terms)
        ranked = "SELECT rowid FROM passage WHERE passage MATCH ? ORDER BY bm25(passage, 1.0, ?), rowid LIMIT ?"
        with self._lock:
            rows = self._db.execute(ranked, (match, self._settings.heading_weight, most)).fetchall()
        return [number for (number,) in rows]

    def unlike(self, ranked: Iterable[int], most: int) -> list[Passage]:
        """The first `most` of the passages ranked, of those nearly alike only the first."""
        found: list[int] = []
        for number in ranked:
            if len(found) < most and not any(self._alike(number, better) for better in found):
                found.append(number)
        return [self._passages[number] for number in found]

    def _alike(self, one: int, other: int) -> bool:
        """Whether two passages share so many words that the second tells nothing new: a rule and its next version."""
        left, right = self._words[one], self._words[other]
        return len(left & right) > self._settings.alike * len(left | right)


def retriever(
    sources: Sequence[Text],
    language: Language,
    settings: RetrievalSettings = RetrievalSettings(),  # noqa: B008
) -> Bm25Retriever:
    """The index of these sources, built once for each content: another text is another index, so none is ever stale."""
    return _retriever(tuple((source.name, source.text) for source in sources), language, settings)


def section_query(headings: Sequence[str], guidance: str, ledger: Ledger) -> str:
    """What to look for: the section's heading and those above it, its guidance, the facts whose names these mention."""
    own = " ".join((*headings, guidance))
    about = {one for language in LANGUAGES for one in stems(own, language)}
    facts = [fact for fact in ledger if any(about & set(stems(fact.name, language)) for language in LANGUAGES)]
    return " ".join((own, *(f"{fact.name} {fact.value}" for fact in facts)))


def passages(text: str, language: Language, settings: RetrievalSettings) -> Iterator[tuple[str, str]]:
    """(the headings above it, text) of each passage: whole paragraphs, items, rows, sentences, about `least`
    characters.
    """
    path: dict[int, str] = {}
    start = 0
    for block in (one for one in blocks(text) if one.kind == "heading"):
        yield from _of_stretch(text[start : block.start], path, language, settings)
        match = _HEADING.match(text[block.start : block.end].split("\n")[0])
        level = len(match[1]) if match is not None else 1
        title = match[2] if match is not None else text[block.start : block.end].split("\n")[0].strip()
        path = {one: heading for one, heading in path.items() if one < level} | {level: title}
        start = block.end
    yield from _of_stretch(text[start:], path, language, settings)


def _of_stretch(
    text: str, path: dict[int, str], language: Language, settings: RetrievalSettings
) -> Iterator[tuple[str, str]]:
    if not text.strip():
        return
    heading = " › ".join(title if len(title) <= _SHOWN else f"{title[: _SHOWN - 1]}…" for title in path.values())
    cutting = CuttingSettings(long_sentence=settings.most)
    parted = units(text, language, CachedCounter(_Characters()), cutting).units
    start = 0
    for number, unit in enumerate(parted):
        following = parted[number + 1] if number + 1 < len(parted) else None
        size = unit.end - start
        full = size >= settings.least and (following is None or not following.inside)
        over = following is not None and following.end - start > settings.most and not unit.bare
        if following is None or full or over:
            if text[start : unit.end].strip():
                yield heading, text[start : unit.end].strip()
            start = unit.end


@lru_cache(maxsize=4)
def _retriever(texts: tuple[tuple[str, str], ...], language: Language, settings: RetrievalSettings) -> Bm25Retriever:
    return Bm25Retriever((_Source(*one) for one in texts), language, settings)
