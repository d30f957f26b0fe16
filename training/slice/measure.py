"""What a slice costs, measured: the same held-out text encoded by the old and the new tokenizer, language by language.

A token of the old segmentation is identical when the new one has a token with the same start and end. Vocabularies
are compared by length and by identity, never by perplexity per token. Does not know models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Encoding, Tokenizer

from .closure import Ladder
from .counts import Ids, LanguageCount, batches, encode
from .families import Family


@dataclass(frozen=True, slots=True)
class LanguageCost:
    """One language, before and after. identical_tokens, identical_text: shares (0 to 1) of the old tokens, and of the
    bytes, whose segmentation did not change; kept: share of the old tokens that the slice has.
    """

    words: int
    characters: int
    tokens_before: int
    tokens_after: int
    identical_tokens: float
    identical_text: float
    kept: float

    @property
    def per_thousand(self) -> tuple[float, float]:
        """Tokens per 1,000 words before and after."""
        words = max(1, self.words)
        return 1000 * self.tokens_before / words, 1000 * self.tokens_after / words

    @property
    def growth(self) -> float:
        """Growth of the number of tokens: 0.002 is 0.2 %."""
        return self.tokens_after / max(1, self.tokens_before) - 1


@dataclass(frozen=True, slots=True)
class Loss:
    """A dropped token that the text used: what it was, what it falls into, how often, and the tokens that this adds."""

    token: str
    pieces: tuple[str, ...]
    uses: Mapping[str, int]
    added: int


def measure(
    texts: Iterable[tuple[str, str]], family: Family, before: Tokenizer, after: Tokenizer, kept: Ids
) -> dict[str, LanguageCost]:
    """(language, text) pairs, measured by language; kept[new id] = old id."""
    old_bytes = np.array([len(family.raw(token)) for token in range(family.size)], np.int64)
    new_bytes = old_bytes[kept]
    alive = np.zeros(family.size, bool)
    alive[kept] = True
    sums: dict[str, Ids] = {}
    for batch in batches(texts):
        for language in {language for language, _ in batch}:
            lines = [text for one, text in batch if one == language]
            old = _flat(encode(before, lines, fast=True))
            new = _flat(encode(after, lines, fast=True))
            # a letter and its byte take the same place and are two tokens
            same = identical(old_bytes[old], new_bytes[new]) & alive[old]
            sums.setdefault(language, np.zeros(8, np.int64))[:] += [
                sum(len(line.split()) for line in lines),
                sum(map(len, lines)),
                len(old),
                len(new),
                int(same.sum()),
                int(old_bytes[old][same].sum()),
                int(alive[old].sum()),
                int(old_bytes[old].sum()),
            ]
    return {language: _cost(row.tolist()) for language, row in sums.items()}


def _cost(row: Sequence[int]) -> LanguageCost:
    words, characters, before, after, same, same_bytes, kept, size = row
    return LanguageCost(
        words, characters, before, after, same / max(1, before), same_bytes / max(1, size), kept / max(1, before)
    )


def identical(old: Ids, new: Ids) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which tokens of the old segmentation the new one has too; both given as lengths in bytes over the same text."""
    old_ends, new_ends = np.cumsum(old), np.cumsum(new)
    stride = int(old_ends[-1] if len(old_ends) else 0) + 1
    return np.isin((old_ends - old) * stride + old_ends, (new_ends - new) * stride + new_ends)


def _flat(encodings: Sequence[Encoding]) -> Ids:
    return np.array([token for encoding in encodings for token in encoding.ids], np.int64)


def losses(counts: Mapping[str, LanguageCount], ladder: Ladder, alive: bytearray, most: int = 50) -> list[Loss]:
    """The dropped tokens that add most tokens to the counted text, a unit's growth shared among the tokens it lost."""
    strings = ladder.family.strings
    added: dict[int, float] = {}
    uses: dict[int, dict[str, int]] = {}
    for language, count in counts.items():
        alone = [
            ((token,), int(count.tokens[token])) for token in np.flatnonzero(count.tokens).tolist() if not alive[token]
        ]
        for unit, times in (*alone, *count.units.items()):
            lost = [token for token in unit if not alive[token]]
            if lost:
                growth = len(ladder.encode("".join(strings[token] for token in unit), alive)) - len(unit)
                for token in lost:
                    added[token] = added.get(token, 0.0) + growth * times / len(lost)
                    by_language = uses.setdefault(token, {})
                    by_language[language] = by_language.get(language, 0) + times
    worst = sorted(added, key=lambda token: (-added[token], token))[:most]
    return [
        Loss(
            shown(ladder.family, token),
            tuple(shown(ladder.family, piece) for piece in ladder.encode(strings[token], alive)),
            uses[token],
            round(added[token]),
        )
        for token in worst
    ]


def shown(family: Family, token: int) -> str:
    """A token as a person reads it."""
    return family.raw(token).decode("utf-8", errors="backslashreplace").replace("▁", " ")
