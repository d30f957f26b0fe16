"""Summaries of sections without a model: the sentences that hold facts of the ledger, then the central ones.

Knows sentences, facts and a token budget. Does not know summaries that a Writer made (fabai.summaries) or when one is
shown. A summary is found by the hash of the text that it summarises, so a changed text never meets an old one.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fabai.ledger import Ledger
from fabai.message import TokenCounter
from fabai.report import Language
from fabai.settings import SummarySettings
from fabai.window.blocks import blocks, spans
from fabai.window.counting import CachedCounter, cached
from fabai.window.segment import boundaries
from fabai.window.words import stems

_MARKER = re.compile(r"\A\s*(?:[-*+•]|\(?\d{1,9}[.)]|\(?[a-zA-Z][.)]|>)\s+(?:\[[ xX]\]\s+)?")
_NOTE = re.compile(r"\[\^[^\]\s]+\]")
_TRIED = 40  # central sentences; those behind them are not central
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """text: on one line, without list mark and notes, closed. opens: it is the first of its block. words: its distinct
    stems.
    """

    text: str
    opens: bool
    words: frozenset[str]


def text_hash(text: str) -> str:
    """The key of a summary: SHA-256 of the text, hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def extract(
    text: str,
    ledger: Ledger,
    language: Language,
    counter: TokenCounter,
    settings: SummarySettings = SummarySettings(),  # noqa: B008  (frozen)
) -> str:
    """Whole sentences of `text` in their order, closed by a full stop where they had none, at most `settings.tokens`
    tokens; "" where not one fits.

    First come sentences with facts that no chosen one holds yet, then central ones; what repeats a chosen one is left
    out.
    """
    counts = cached(counter)
    return counts.kept(
        ("summary", ledger, language, settings), text, lambda: _extract(text, ledger, language, counts, settings)
    )


def _extract(text: str, ledger: Ledger, language: Language, counter: CachedCounter, settings: SummarySettings) -> str:
    found = list(_sentences(text, language))
    sought = _sought(ledger, language)
    facts = [
        {one.fact for word in sentence.words for one in sought.get(word, ()) if one.stands_in(sentence.words)}
        for sentence in found
    ]
    central = _centrality(found)
    chosen: list[int] = []
    told: set[str] = set()
    left = settings.tokens

    def choose(index: int) -> None:
        nonlocal left
        cost = counter.count(f" {found[index].text}")
        if cost > left or any(_alike(found[index], found[other]) for other in chosen):
            return
        chosen.append(index)
        told.update(facts[index])
        left -= cost

    telling = [index for index in range(len(found)) if facts[index]]
    while telling:
        best = max(telling, key=lambda index: (len(facts[index] - told), central[index], -index))
        choose(best)
        telling = [index for index in telling if index != best and facts[index] - told]
    for index in sorted(range(len(found)), key=lambda index: (-central[index], index))[:_TRIED]:
        if index not in chosen:
            choose(index)
    summary = " ".join(found[index].text for index in sorted(chosen))
    # a tokenizer may count the joined text higher than its sentences
    while chosen and counter.count(summary) > settings.tokens:
        chosen.pop()
        summary = " ".join(found[index].text for index in sorted(chosen))
    return summary


def _sentences(text: str, language: Language) -> Iterator[_Sentence]:
    """Running text and list items; tables, code and equations say nothing in one line."""
    for block in blocks(text):
        if block.kind not in ("paragraph", "list", "definition"):
            continue
        edges = [*(block.parts or (block.start,)), block.end]
        for start, end in itertools.pairwise(edges):
            part = text[start:end]
            closed = spans(part)
            last = 0
            for edge in boundaries(part, language):
                if edge < len(part) and any(left < edge < right for left, right in closed):
                    continue
                bare = " ".join(_NOTE.sub("", _MARKER.sub("", part[last:edge], count=1)).split())
                if not bare.endswith(":") and not _TAG.search(bare) and any(map(str.isalpha, bare)):
                    yield _Sentence(_closed(bare), last == 0, frozenset(stems(bare, language)))
                last = edge


def _closed(sentence: str) -> str:
    """With a full stop where a list item has none, for another sentence follows."""
    bare = sentence.rstrip(",; ")
    return f"{bare}." if bare[-1:].isalnum() else bare


@dataclass(frozen=True, slots=True)
class _Sought:
    """A fact as it is looked for: the stems of its value and of its name."""

    fact: str
    value: frozenset[str]
    name: frozenset[str]

    def stands_in(self, words: frozenset[str]) -> bool:
        if not self.value <= words:
            return False
        # "12" stands in many sentences: what it counts must be named too
        return any(len(word) > 3 for word in self.value) or bool(words & self.name)


@lru_cache(maxsize=8)
def _sought(ledger: Ledger, language: Language) -> dict[str, list[_Sought]]:
    """The facts by the longest stem of their value, so that a sentence is asked only about those it may hold."""
    found: dict[str, list[_Sought]] = defaultdict(list)
    for fact in ledger:
        one = _Sought(fact.name, frozenset(stems(fact.value, language)), frozenset(stems(fact.name, language)))
        if one.value:
            found[max(one.value, key=lambda word: (len(word), word))].append(one)
    return found


def _centrality(found: list[_Sentence]) -> list[float]:
    """Mean frequency of a sentence's words among the sentences, somewhat more for the first ones and for figures."""
    frequency = Counter(word for sentence in found for word in sentence.words)
    scores: list[float] = []
    for index, sentence in enumerate(found):
        weight = sum(frequency[word] for word in sentence.words) / (len(sentence.words) + 3)
        first = 1.3 if index == 0 else 1.15 if sentence.opens else 1.0
        figure = 1.1 if _FIGURE.search(sentence.text) else 1.0
        scores.append(weight * first * figure)
    return scores


def _alike(one: _Sentence, other: _Sentence) -> bool:
    return len(one.words & other.words) > 0.6 * max(1, min(len(one.words), len(other.words)))
