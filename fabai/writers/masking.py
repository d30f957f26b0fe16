"""The figure lock on PyTorch: scores of tokens that it forbids become minus infinity, token after token.

Knows a Masker and tensors. Does not know models. What was found out for one answer is kept for the next one under the
same lock: masks of states that come again are made once and stay on the model's device.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fabai.lock.automaton import State
from fabai.lock.doubt import Doubt
from fabai.lock.masker import Masker

_MOST = 512
"""Masks on the device; each has a byte for each token of the vocabulary."""
_DIGIT = re.compile(rb"\d")


class Masking:
    """Of one lock, on one device. One answer at a time."""

    def __init__(self, masker: Masker, device: Any) -> None:
        self._masker, self._device = masker, device
        self._forbidden: dict[State, Any] = {}

    def answer(self, begins: int, doubt: Doubt) -> Callable[[Any, Any], Any]:
        """What generate() calls before each token of an answer. begins: tokens of the prompt. doubt: is told of each
        token.
        """
        masker = self._masker
        state, seen, before = masker.start, begins, None

        def forbid(tokens: Any, scores: Any) -> Any:
            nonlocal state, seen, before
            for token in tokens[0, seen:].tolist():
                following = masker.step(state, token)
                if following is None:
                    raise ValueError("the figure lock was left")
                piece, probable = masker.piece(token), 1.0
                if before is not None and _DIGIT.search(piece):
                    probable = float((before[0, token] - before[0].logsumexp(0)).exp())
                doubt.feed(piece, probable)
                state, seen = following, seen + 1
            before = scores
            return scores.masked_fill(self._mask(state), float("-inf"))

        return forbid

    def _mask(self, state: State) -> Any:
        import torch

        found = self._forbidden.get(state)
        if found is None:
            if len(self._forbidden) >= _MOST:
                self._forbidden.clear()
            found = self._forbidden[state] = torch.from_numpy(~self._masker.allowed(state)).to(self._device)
        return found
