"""Texts in rows where a beginning that several share stands once, so that each is computed as if it were alone.

A token sees the tokens of its own text before it and no others, at the positions that it has there. Knows tokens,
positions and masks. Does not know models or what is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Row:
    """ids, positions [T]; seen [T, T]: whether a row's token sees a column's. texts: numbers of those in it; paths: of
    each, where its tokens stand.
    """

    ids: Tensor
    positions: Tensor
    seen: Tensor
    texts: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]


def rows(texts: Sequence[Sequence[int]], most: int) -> Iterator[Row]:
    """Rows of at most `most` tokens, or of one text where that is longer."""
    order = sorted(range(len(texts)), key=lambda number: tuple(texts[number]))
    taken: list[int] = []
    size = 0
    for number in order:
        new = len(texts[number]) - (shared(texts[taken[-1]], texts[number]) if taken else 0)
        if taken and size + new > most:
            yield _row(texts, taken)
            taken, size, new = [], 0, len(texts[number])
        taken.append(number)
        size += new
    if taken:
        yield _row(texts, taken)


def _row(texts: Sequence[Sequence[int]], taken: Sequence[int]) -> Row:
    """texts in order, so that what two share stands in the path of the one before."""
    ids: list[int] = []
    positions: list[int] = []
    parents: list[int] = []
    paths: list[tuple[int, ...]] = []
    for place, number in enumerate(taken):
        text = texts[number]
        path = list(paths[-1][: shared(texts[taken[place - 1]], text)]) if paths else []
        for token in text[len(path) :]:
            parents.append(path[-1] if path else -1)
            positions.append(len(path))
            path.append(len(ids))
            ids.append(token)
        paths.append(tuple(path))
    seen = torch.eye(len(ids), dtype=torch.bool)
    for place, parent in enumerate(parents):
        if parent >= 0:
            seen[place] |= seen[parent]
    return Row(torch.tensor(ids), torch.tensor(positions), seen, tuple(taken), tuple(paths))


def shared(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens of their beginnings are the same."""
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length
