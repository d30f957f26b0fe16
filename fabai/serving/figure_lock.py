"""The figure lock in a server's own process: what of a row of logits may come next, for each locked answer.

Knows tensors and the lock. Runs in vLLM's environment, which has PyTorch but not all that fabai needs; does not import
vLLM (fabai.serving.inside does).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from fabai.lock.automaton import State
from fabai.lock.masker import Masker
from fabai.lock.order import read
from fabai.lock.vocabulary import Vocabulary, token_bytes
from fabai.writers.masking import on

_KEPT = 8  # locks whose masks are kept for the next answers


class FigureLock:
    """Of one model. tokenizer: a transformers one. rows: of the model's output."""

    def __init__(self, tokenizer: Any, rows: int) -> None:
        self._vocabulary = Vocabulary(token_bytes(tokenizer), rows)
        self._shared = lru_cache(maxsize=_KEPT)(self._masker)

    def answer(self, told: Sequence[str], stops: frozenset[int]) -> Answer:
        """told: what fabai.lock.order.order says. stops: ids of the tokens that end a text."""
        masker, start = self._shared(tuple(told), stops)
        return Answer(masker, start, stops)

    def _masker(self, told: tuple[str, ...], stops: frozenset[int]) -> tuple[Masker, State]:
        automaton, start = read(told)
        return Masker(automaton, self._vocabulary, stops), start


class Answer:
    """One answer under way, called before each of its tokens is chosen."""

    def __init__(self, masker: Masker, start: State, stops: frozenset[int]) -> None:
        self._masker, self._stops = masker, sorted(stops)
        self._state: State | None = start
        self._read = 0

    def __call__(self, written: Sequence[int], logits: torch.Tensor) -> torch.Tensor:
        """written: ids of the answer so far. logits: of the next token, one for each id; changed in place.

        Where an id is not known yet, or not one that may stand there, only the end is left: the lock stays shut.
        """
        for token in written[self._read :]:
            self._state = self._masker.step(self._state, token) if self._state is not None and token >= 0 else None
        self._read = len(written)
        if self._state is None:
            forbidden = np.ones(len(logits), dtype=np.bool_)
            forbidden[self._stops] = False
        else:
            forbidden = self._masker.forbidden(self._state)
        return logits.masked_fill_(on(logits.device, forbidden), float("-inf"))
