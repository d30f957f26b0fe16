"""The figure lock in a server's own process: what may come next in each locked answer, and of all of them at once.

Knows tensors and the lock. Runs in vLLM's environment, which has PyTorch but not all that fabai needs; does not import
vLLM (fabai.serving.inside does).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import torch

from fabai.lock.automaton import State
from fabai.lock.masker import Masker
from fabai.lock.order import read
from fabai.lock.vocabulary import Vocabulary, token_bytes
from fabai.writers.masking import Masks

_KEPT = 8  # locks whose masks are kept for the next answers


class FigureLock:
    """Of one model. tokenizer: a transformers one. rows: of the model's output. device: where its logits lie."""

    def __init__(self, tokenizer: Any, rows: int, device: torch.device) -> None:
        self._vocabulary, self._device = Vocabulary(token_bytes(tokenizer), rows), device
        self._shared = lru_cache(maxsize=_KEPT)(self._made)
        self._free = torch.zeros(rows, dtype=torch.bool, device=device)

    def answer(self, told: str, stops: frozenset[int]) -> Answer:
        """told: what fabai.lock.order.order says. stops: ids of the tokens that end a text."""
        return Answer(*self._shared(told, stops))

    def forbid(self, logits: torch.Tensor, locked: Mapping[int, Callable[[], torch.Tensor]]) -> torch.Tensor:
        """logits: (answers, rows), changed in place. locked: by place among the answers, what may not come in it.

        All in two steps on the card: one for each answer costs a big model's whole gain from many at once.
        """
        if locked:
            masks = [locked[place]() if place in locked else self._free for place in range(len(logits))]
            logits.masked_fill_(torch.stack(masks), float("-inf"))
        return logits

    def _made(self, told: str, stops: frozenset[int]) -> tuple[Masks, State, torch.Tensor]:
        """What the answers under one lock share."""
        automaton, start = read(told)
        shut = torch.ones_like(self._free)
        shut[sorted(stops)] = False
        return Masks(Masker(automaton, self._vocabulary, stops), self._device), start, shut


class Answer:
    """One answer under way, called before each of its tokens is chosen. shut: the mask that leaves the end alone."""

    def __init__(self, masks: Masks, start: State, shut: torch.Tensor) -> None:
        self._masks, self._shut = masks, shut
        self._state: State | None = start
        self._read = 0

    def __call__(self, written: Sequence[int]) -> torch.Tensor:
        """written: ids of the answer so far. By id, whether it may not come.

        Where an id is not known yet, or not one that may stand there, only the end is left: the lock stays shut.
        """
        step = self._masks.masker.step
        for token in written[self._read :]:
            self._state = step(self._state, token) if self._state is not None and token >= 0 else None
        self._read = len(written)
        return self._shut if self._state is None else self._masks.forbidden(self._state)
