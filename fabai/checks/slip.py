"""Two words that are a slip of the pen apart.

Knows letters, plurals and genders. Does not know which of the two is right.
"""

from __future__ import annotations

import re
from functools import lru_cache

LEAST = 5
"""Letters of a word that can be a slip of another."""


@lru_cache(maxsize=50_000)
def slip(word: str, other: str) -> bool:
    """Whether two words are one or two slips of the pen apart, and no plural, gender or numeral of each other."""
    if len(other) < LEAST - (len(word) >= LEAST) or abs(len(word) - len(other)) > 2:
        return False
    short, long = sorted((word, other), key=len)
    if long in (f"{short}s", f"{short}es", f"{short}a", f"{short}as") or re.fullmatch(r"[ivxlc]+", short):
        return False
    if word[:-1] == other[:-1] and {word[-1], other[-1]} <= set("aeo"):
        return False
    if word.rstrip("s")[:-1] == other.rstrip("s")[:-1] and {word.rstrip("s")[-1], other.rstrip("s")[-1]} <= set("aeo"):
        return False
    apart = distance(word, other)
    return apart == 1 or (apart == 2 and min(len(word), len(other)) >= 8 and word[0] == other[0])


def distance(word: str, other: str) -> int:
    """Letters put in, left out, changed or swapped with their neighbour (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(word, 1):
        current = [row]
        for column, theirs in enumerate(other, 1):
            best = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != theirs))
            if row > 1 and column > 1 and letter == other[column - 2] and word[row - 2] == theirs:
                best = min(best, before[column - 2] + 1)
            current.append(best)
        before, last = last, current
    return last[-1]
