"""What the tokenizer makes of the text: units of it, and how often each occurs per language.

A unit is a stretch that is segmented on its own whatever stands around it: a pre-token, cut further where no token of
the vocabulary holds the two characters that meet. So a corpus becomes a table of distinct units with counts, and what
a smaller vocabulary would make of the whole corpus is known exactly from re-encoding the distinct units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from tokenizers import Encoding, Tokenizer

from fabai.errors import UnreadableFile

from .families import Family
from .texts import WordList, checked, letter_scripts

Ids = npt.NDArray[np.int64]
_BATCH = 2_000_000  # characters encoded at once


@dataclass
class LanguageCount:
    """One language's text, counted. `units`: tuple of original ids -> times (only units of more than one token);
    `tokens[id]`: times that the token stands alone as a unit. words, characters, letters (each
    character's times): of the text itself."""

    tokens: Ids
    units: Counter[tuple[int, ...]] = field(default_factory=Counter)
    words: int = 0
    characters: int = 0
    letters: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: LanguageCount) -> LanguageCount:
        return LanguageCount(
            self.tokens + other.tokens,
            self.units + other.units,
            self.words + other.words,
            self.characters + other.characters,
            self.letters + other.letters,
        )

    @property
    def total(self) -> int:
        """Tokens in the text."""
        return int(self.tokens.sum()) + sum(len(unit) * times for unit, times in self.units.items())

    def uses(self, size: int) -> Ids:
        """Times that each token occurs, within units of any length; shape [size]."""
        uses = self.tokens.copy()
        for unit, times in self.units.items():
            for token in unit:
                uses[token] += times
        return uses[:size]


class Counting:
    """Counts streams of text with the original tokenizer."""

    def __init__(self, family: Family, tokenizer: Tokenizer) -> None:
        self._family = family
        self._tokenizer = tokenizer
        self._seams = _Seams(family)

    def count(self, texts: Iterable[tuple[str, str]]) -> dict[str, LanguageCount]:
        """(language, text) pairs, counted by language."""
        counts: dict[str, LanguageCount] = {}
        for batch in batches(texts):
            by_language: dict[str, list[str]] = {}
            for language, text in batch:
                by_language.setdefault(language, []).append(text)
            for language, lines in by_language.items():
                count = counts.setdefault(language, LanguageCount(np.zeros(self._family.size, np.int64)))
                count.words += sum(len(line.split()) for line in lines)
                count.characters += sum(map(len, lines))
                for line in lines:
                    count.letters.update(line)
                self._add(lines, count)
        return counts

    def _add(self, lines: Sequence[str], count: LanguageCount) -> None:
        ids, words, _ = _flat(encode(self._tokenizer, lines))
        starts, ends = self._seams.split(ids, words)
        single = ends - starts == 1
        count.tokens += np.bincount(ids[starts[single]], minlength=self._family.size)
        listed = ids.tolist()
        longer = zip(starts[~single].tolist(), ends[~single].tolist(), strict=True)
        count.units.update(tuple(listed[start:end]) for start, end in longer)

    def count_list(self, words: WordList) -> LanguageCount:
        """A list as if it were text of a million words: each word after a space, at the start of a line, and
        capitalised.
        """
        count = LanguageCount(np.zeros(self._family.size, np.int64))
        total = sum(frequency for _, frequency in words.words) or 1.0
        for form, share in ((" {}", 0.8), ("{}", 0.1), (" {c}", 0.1)):
            lines = [form.format(word, c=word[:1].upper() + word[1:]) for word, _ in words.words]
            ids, marks, owners = _flat(encode(self._tokenizer, lines))
            times = np.array(
                [max(1, round(1e6 * share * frequency / total)) for _, frequency in words.words], np.int64
            )[owners]
            starts, ends = self._seams.split(ids, marks)
            single = ends - starts == 1
            np.add.at(count.tokens, ids[starts[single]], times[starts[single]])
            for start, end in zip(starts[~single].tolist(), ends[~single].tolist(), strict=True):
                count.units[tuple(ids[start:end].tolist())] += int(times[start])
        return count


def _flat(encodings: Sequence[Encoding]) -> tuple[Ids, Ids, Ids]:
    """Ids of all lines in one row; for each a number of its pre-token (distinct between lines), and its line."""
    lengths = [len(encoding) for encoding in encodings]
    owners = np.repeat(np.arange(len(encodings)), lengths)
    ids = np.fromiter((token for encoding in encodings for token in encoding.ids), np.int64, sum(lengths))
    words = np.array([word for encoding in encodings for word in encoding.word_ids], np.float64)
    # added tokens belong to no pre-token
    return ids, (owners << 32) + np.nan_to_num(words, nan=float(1 << 31)).astype(np.int64), owners


class _Seams:
    """Where units end."""

    def __init__(self, family: Family) -> None:
        strings = family.strings
        self._first = np.array([ord(string[0]) if string else 0 for string in strings], np.int64)
        self._last = np.array([ord(string[-1]) if string else 0 for string in strings], np.int64)
        inside = {(ord(one) << 21) + ord(two) for string in family.vocab for one, two in pairwise(string)}
        self._inside = np.array(sorted(inside), np.int64)
        # bytes that stand for a character without a token never merge, and added tokens are found before merging
        fixed = np.zeros(family.size, bool)
        fixed[list(family.added)] = True
        if family.kind == "byte-fallback":
            fixed[list(family.byte_ids)] = True
        self._fixed = fixed
        # a word that ignore_merges looks up whole may not be cut
        self._cut = not family.ignore_merges

    def split(self, ids: Ids, words: Ids) -> tuple[Ids, Ids]:
        """Where units start and end in a row of tokens; words: a number for each token's pre-token."""
        if not len(ids):
            return ids, ids
        left, right = ids[:-1], ids[1:]
        seam = (words[:-1] != words[1:]) | self._fixed[left] | self._fixed[right]
        if self._cut:
            seam |= ~np.isin((self._last[left] << 21) + self._first[right], self._inside)
        starts = np.concatenate([[0], np.flatnonzero(seam) + 1])
        return starts, np.concatenate([starts[1:], [len(ids)]])


def encode(tokenizer: Tokenizer, lines: Sequence[str], *, fast: bool = False) -> list[Encoding]:
    """Encodings without special tokens; UnreadableFile for text that is not Unicode. `fast` leaves out word ids."""
    method = tokenizer.encode_batch_fast if fast else tokenizer.encode_batch
    try:
        return list(method(list(lines), add_special_tokens=False))
    except TypeError:
        for line in lines:
            checked(line, "the text")
        raise UnreadableFile("the text holds something that the tokenizer does not take as text") from None


def batches(texts: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    batch: list[tuple[str, str]] = []
    length = 0
    for language, text in texts:
        batch.append((language, text))
        length += len(text)
        if length >= _BATCH:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def scripts_of(count: LanguageCount) -> Counter[str]:
    """Letters of a language's text by script."""
    found: Counter[str] = Counter()
    for char, times in count.letters.items():
        for script in letter_scripts(char):
            found[script] += times
    return found
