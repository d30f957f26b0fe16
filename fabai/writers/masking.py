"""The figure lock on PyTorch: scores of tokens that it forbids become minus infinity, token after token.

Knows a Masker and tensors. Does not know models.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fabai.lock.doubt import Doubt
from fabai.lock.masker import Masker

_DIGIT = re.compile(rb"\d")


def masking(masker: Masker, begins: int, doubt: Doubt) -> Callable[[Any, Any], Any]:
    """What generate() calls before each token of an answer. begins: tokens of the prompt. doubt: is told of each
    token.
    """
    import torch

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
        forbidden = torch.from_numpy(~masker.allowed(state)).to(scores.device)
        return scores.masked_fill(forbidden, float("-inf"))

    return forbid
