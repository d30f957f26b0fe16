"""Runs of words that a text shares with the texts that a model was trained on.

A word counts without case, accents and marks; figures are words. Runs that the prompt holds too are no copy: what the
model is shown it may quote. Knows words and places. Does not know models.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fabai.names import fold_word

SEED = 8
"""Words in a row from which two texts are looked at side by side."""
_MOST = 64
_ALIKE = 0.6
_LEAST = 25
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Copy:
    """The longest run: so many words of text number `text`, in the words of the one that was looked at."""

    words: int
    text: str
    quote: str
    share: float
    """Of the text's words that stand in a run of SEED words or more."""


class Grams:
    """Training texts by their runs of SEED words. Memory: some hundred bytes a word."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        """texts: (name, text)."""
        self._names: list[str] = []
        self._texts: list[list[str]] = []
        self._places: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for name, text in texts:
            words = folded(text)
            number = len(self._texts)
            self._names.append(name)
            self._texts.append(words)
            for place in range(len(words) - SEED + 1):
                found = self._places[hash(tuple(words[place : place + SEED]))]
                # a phrase that stands everywhere needs no thousand witnesses
                if len(found) < _MOST:
                    found.append((number, place))

    def longest(self, text: str, shown: Sequence[str] = ()) -> Copy:
        """The longest run of `text` that stands in a training text and in none of `shown`, the prompt."""
        spans = [(match.start(), match.end()) for match in _WORD.finditer(text)]
        words = [fold_word(text[start:end]) for start, end in spans]
        mine = _Runs(shown)
        best, where, begin = 0, -1, 0
        copied = [False] * len(words)
        place = 0
        while place + SEED <= len(words):
            length, number = self._run(words, place)
            if length >= SEED:
                fresh = mine.beyond(words, place, length)
                if fresh:
                    for one in range(place, place + length):
                        copied[one] = True
                    if fresh > best:
                        best, where, begin = fresh, number, place
                place += max(1, length - SEED + 1)
            else:
                place += 1
        quote = text[spans[begin][0] : spans[begin + best - 1][1]] if best else ""
        return Copy(best, self._names[where] if best else "", quote, sum(copied) / len(words) if words else 0.0)

    def mostly(self, text: str) -> str | None:
        """The name of a training text in which most runs of `text` stand, None where there is none."""
        words = folded(text)
        if len(words) < _LEAST:
            return None
        counts: Counter[int] = Counter()
        total = len(words) - SEED + 1
        for place in range(total):
            near = self._places.get(hash(tuple(words[place : place + SEED])), ())
            counts.update({number for number, _ in near})
        if not counts:
            return None
        number, found = counts.most_common(1)[0]
        return self._names[number] if found >= _ALIKE * total else None

    def _run(self, words: Sequence[str], place: int) -> tuple[int, int]:
        """(length, text) of the longest run that begins at `place`."""
        best, where = 0, -1
        for number, at in self._places.get(hash(tuple(words[place : place + SEED])), ()):
            theirs, length = self._texts[number], 0
            while (
                place + length < len(words)
                and at + length < len(theirs)
                and words[place + length] == theirs[at + length]
            ):
                length += 1
            if length > best:
                best, where = length, number
        return best, where


class _Runs:
    """The words of a prompt, to tell what of a run it holds."""

    def __init__(self, shown: Sequence[str]) -> None:
        self._words = [folded(text) for text in shown]
        self._at: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, words in enumerate(self._words):
            for place, word in enumerate(words):
                self._at[word].append((number, place))

    def beyond(self, words: Sequence[str], place: int, length: int) -> int:
        """Words of the longest stretch of words[place:place+length] that the prompt does not hold as it stands: 0 where
        it holds all of it, else what lies between its runs of SEED words.
        """
        held = [False] * length
        at = 0
        while at < length:
            run = self._run(words, place + at, length - at)
            if run >= SEED or run == length:
                held[at : at + run] = [True] * run
                at += run
            else:
                at += 1
        gaps = [index for index, one in enumerate(held) if one]
        edges = [-1, *gaps, length]
        longest = max(right - left - 1 for left, right in itertools.pairwise(edges))
        return longest if longest >= SEED else 0

    def _run(self, words: Sequence[str], place: int, most: int) -> int:
        best = 0
        for number, at in self._at.get(words[place], ()):
            theirs, length = self._words[number], 0
            while length < most and at + length < len(theirs) and theirs[at + length] == words[place + length]:
                length += 1
            best = max(best, length)
        return best


def folded(text: str) -> list[str]:
    """The words of a text as they are compared."""
    return [fold_word(word) for word in _WORD.findall(text)]


def repeated(text: str, size: int = 4) -> float:
    """Share of the runs of `size` words that stood in the text before; 0.0 for a text without any."""
    words = folded(text)
    runs = [tuple(words[place : place + size]) for place in range(len(words) - size + 1)]
    return 1.0 - len(set(runs)) / len(runs) if runs else 0.0


def rouge_l(text: str, reference: str) -> float:
    """ROUGE-L: the F measure of the longest common subsequence of words (Lin 2004), 0 to 1."""
    ours, theirs = folded(text), folded(reference)
    if not ours or not theirs:
        return 0.0
    length = _subsequence(ours, theirs)
    precision, recall = length / len(ours), length / len(theirs)
    return 2 * precision * recall / (precision + recall) if length else 0.0


def _subsequence(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Length of the longest common subsequence: Hunt and Szymanski (1977), quick where few words are shared."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(theirs):
        places[word].append(place)
    ends: list[int] = []
    for word in ours:
        for place in reversed(places.get(word, ())):
            at = bisect_left(ends, place)
            if at == len(ends):
                ends.append(place)
            else:
                ends[at] = place
    return len(ends)
