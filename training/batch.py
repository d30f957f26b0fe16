"""Batches: which examples share a row, in what order they come, and their tensors.

Knows padding, packing and that the longest examples come first, so that memory that does not suffice shows in the
first minute. Does not know models or steps.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.utils.data import Sampler

from fabai.example import IGNORED

from .examples import Card, Split

_PADS = ("pad", "unk", "endoftext", "bos")


def bins(cards: Sequence[Card], max_tokens: int, packing: bool) -> list[list[int]]:
    """Places of the examples that share a row: one each, or with `packing` as many as fit, the longest first."""
    if not packing:
        return [[card.place] for card in cards]
    rows: list[tuple[int, list[int]]] = []
    for card in sorted(cards, key=lambda one: (-one.tokens, one.place)):
        fitting = next((at for at, (taken, _) in enumerate(rows) if taken + card.tokens <= max_tokens), None)
        if fitting is None:
            rows.append((card.tokens, [card.place]))
        else:
            taken, places = rows[fitting]
            rows[fitting] = (taken + card.tokens, [*places, card.place])
    return [places for _, places in rows]


class Order(Sampler[int]):
    """The order of the rows: shuffled anew each epoch from the seed; in the first the `front` longest come first."""

    def __init__(self, lengths: Sequence[int], seed: int, front: int) -> None:
        self._lengths, self._seed, self._front = lengths, seed, front
        self.epoch = 0

    def __len__(self) -> int:
        return len(self._lengths)

    def __iter__(self) -> Iterator[int]:
        order = list(range(len(self._lengths)))
        random.Random(f"{self._seed}:{self.epoch}").shuffle(order)  # noqa: S311 - an order of examples, not a secret
        if self.epoch == 0:
            longest = sorted(order, key=lambda place: -self._lengths[place])[: self._front]
            order = [*longest, *(place for place in order if place not in set(longest))]
        return iter(order)


class Collator:
    """Rows of places -> tensors: input_ids, labels [B, T]; attention_mask [B, T] where a row is padded; lengths: of the
    sequences that share the one row; labelled, tokens: how many; examples: their ids.
    """

    def __init__(self, split: Split, pad: int) -> None:
        self._split, self._pad = split, pad

    def __call__(self, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """rows: of the dataset, each {"places": [...]}."""
        sequences = [[self._split.encoded(place) for place in row["places"]] for row in rows]
        longest = max(sum(one.tokens for one in row) for row in sequences)
        ids = torch.full((len(rows), longest), self._pad)
        labels = torch.full_like(ids, IGNORED)
        mask = torch.zeros_like(ids)
        for at, row in enumerate(sequences):
            end = 0
            for one in row:
                start, end = end, end + one.tokens
                ids[at, start:end] = torch.tensor(one.ids)
                labels[at, start:end] = torch.tensor(one.labels)
                # nothing stands in front of the first token to predict it from
                labels[at, start] = IGNORED
            mask[at, :end] = 1
        return {
            "input_ids": ids,
            "labels": labels,
            "attention_mask": None if bool(mask.all()) else mask,
            "lengths": [one.tokens for one in sequences[0]] if len(sequences[0]) > 1 else None,
            "labelled": int((labels != IGNORED).sum()),
            "tokens": int(mask.sum()),
            "examples": [self._split.cards[place].id for row in rows for place in row["places"]],
        }


def pad_id(tokenizer: Any, end: int) -> int:
    """A token to pad with that is not the end token; what it is does not matter, since nothing looks at it."""
    own = tokenizer.pad_token_id
    if own is not None and own != end:
        return int(own)
    special = tokenizer.all_special_tokens
    marks = tokenizer.get_added_vocab() | dict(zip(special, tokenizer.convert_tokens_to_ids(special), strict=True))
    for word in _PADS:
        found = sorted(index for token, index in marks.items() if word in token and index != end)
        if found:
            return int(found[0])
    return next(index for index in (0, 1) if index != end)
