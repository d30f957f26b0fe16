"""Words cut by a hyphen at a line's end: which hyphens belong to the word and which to the line.

Knows the document's own vocabulary and a few rules of Catalan and Spanish. Does not know pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fabai.report import Language

_EDGES = re.compile(r"^[^\w]+|[^\w]+$")
_PRONOUNS = frozenset(("se", "ho", "hi", "ne", "la", "les", "los", "lo", "li", "me", "te", "nos", "vos", "en", "us"))
"""What Catalan writes after a verb with a hyphen."""

_VERB = ("ar", "er", "ir", "re", "nt")
_LONG = 5


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words that the document writes within its lines, with their counts, and its language."""

    words: Counter[str] = field(default_factory=Counter)
    language: Language | None = None

    @classmethod
    def of(cls, lines: Iterable[Sequence[str]], language: Language | None) -> Vocabulary:
        """From lines of words; the last of a line and the first are left out, since they may be halves."""
        counted = Counter(bare(word) for line in lines for word in line[1:-1])
        del counted[""]
        return cls(counted, language)


def bare(word: str) -> str:
    """A word without the signs around it, in small letters."""
    return _EDGES.sub("", word).casefold()


def is_cut(word: str) -> bool:
    """Whether a word at a line's end may go on in the next line."""
    return len(word) > 1 and word.endswith("-") and word[-2].isalnum()


def join(first: str, second: str, vocabulary: Vocabulary) -> str:
    """One word of the two halves `first` (with its hyphen) and `second`: with the hyphen or without, letters as they
    are."""
    return first + second if _keeps(first[:-1], second, vocabulary) else first[:-1] + second


def _keeps(first: str, second: str, vocabulary: Vocabulary) -> bool:
    if not second[:1].isalpha() or not first[-1:].isalpha() or second[:1].isupper() or re.search(r"[/@:\\_]", first):
        return True
    words = vocabulary.words
    left, right = bare(first), bare(second)
    whole, hyphened = words[left + right], words[f"{left}-{right}"]
    if whole or hyphened:
        return hyphened > whole
    if vocabulary.language == "ca" and right in _PRONOUNS:
        if first[:1].isupper():
            return True
        return left.endswith(_VERB) and (len(left) >= _LONG or left in words)
    # two words that the document uses each by itself: publico-privada
    return min(len(left), len(right)) >= _LONG and left in words and right in words
