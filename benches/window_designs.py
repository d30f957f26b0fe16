"""The four designs of the table that fabai's modes are measured against, each as small as it can be.

Knows sizes and texts of the earlier sections. Does not know prompts or measures. A design is a function from the
earlier sections, the room in tokens and its own last answer to the text kept of each section ("" for none).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fabai.report import Language
from fabai.window.counts import Counts
from fabai.window.layout import GAP

DECAY = 0.75


@dataclass(frozen=True, slots=True)
class Past:
    """One earlier section: heading line, text, and the tokens of both."""

    head: str
    text: str
    tokens: int

    @property
    def block(self) -> str:
        return f"{self.head}{GAP}{self.text}"


Answer = list[str]
Design = Callable[[Sequence[Past], int, Answer, Counts, Language], Answer]


def last_n(past: Sequence[Past], room: int, before: Answer, counts: Counts, language: Language) -> Answer:
    """The last tokens of everything so far, wherever that begins."""
    del before, counts, language
    kept = [""] * len(past)
    for index in range(len(past) - 1, -1, -1):
        kept[index] = past[index].block if past[index].tokens <= room else _tail(past[index], room)
        room -= min(room, past[index].tokens)
    return kept


def naive(past: Sequence[Past], room: int, before: Answer, counts: Counts, language: Language) -> Answer:
    """room * (1 - d) * d ** distance for each section, cut hard; what a short section leaves is lost."""
    del before, counts, language
    shares = [int(room * (1 - DECAY) * DECAY ** (len(past) - 1 - index)) for index in range(len(past))]
    return [one.block if one.tokens <= share else _tail(one, share) for one, share in zip(past, shares, strict=True)]


def water(past: Sequence[Past], room: int, before: Answer, counts: Counts, language: Language) -> Answer:
    """Water-filling by weight, whole sentences; a section without a sentence keeps its heading."""
    del before
    heads = [counts.count(one.head + GAP) for one in past]
    bodies = [max(0, one.tokens - head) for one, head in zip(past, heads, strict=True)]
    shares = _pour(bodies, max(0, room - sum(heads)))
    return [
        _sentences(one, head + share, counts, language) for one, head, share in zip(past, heads, shares, strict=True)
    ]


def steps(slack: int) -> Design:
    """Tiers with hysteresis: whole, a half, a quarter, the heading; when full, step down the oldest until `slack` is
    free.
    """

    def tiers(past: Sequence[Past], room: int, before: Answer, counts: Counts, language: Language) -> Answer:
        kept = [*before, *(one.block for one in past[len(before) :])]
        if sum(counts.count(text + GAP) for text in kept) <= room:
            return kept
        ideal = _pour([one.tokens for one in past], room - slack)
        sizes = [counts.count(text + GAP) for text in kept]
        # the oldest first: what lies behind it is read again anyway
        for index, one in enumerate(past[:-1]):
            if sum(sizes) <= room - slack:
                break
            level = next((part for part in (1, 2, 4) if one.tokens // part <= ideal[index]), 0)
            if level and one.tokens // level >= sizes[index]:
                continue
            kept[index] = _sentences(one, one.tokens // level if level else 0, counts, language)
            sizes[index] = counts.count(kept[index] + GAP)
        return kept

    return tiers


def _tail(one: Past, share: int) -> str:
    # tokens are near enough to evenly spread over a text for a cut that does not look where it falls
    return one.block[len(one.block) - len(one.block) * share // one.tokens :] if share > 0 else ""


def _sentences(one: Past, share: int, counts: Counts, language: Language) -> str:
    if share >= one.tokens:
        return one.block
    head = counts.count(one.head + GAP)
    kept = counts.cut(one.text, share - head, "end", language).text if share > head else ""
    return f"{one.head}{GAP}{kept}" if kept else one.head


def _pour(sizes: Sequence[int], room: int) -> list[int]:
    weights = [DECAY ** (len(sizes) - 1 - index) for index in range(len(sizes))]
    full: set[int] = set()
    while len(full) < len(sizes):
        left = max(0, room - sum(sizes[index] for index in full))
        level = left / sum(weights[index] for index in range(len(sizes)) if index not in full)
        over = {index for index in range(len(sizes)) if index not in full and level * weights[index] >= sizes[index]}
        if not over:
            return [
                size if index in full else int(level * weight)
                for index, (size, weight) in enumerate(zip(sizes, weights, strict=True))
            ]
        full |= over
    return list(sizes)
