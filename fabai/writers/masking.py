"""The figure lock on PyTorch: scores of tokens that it forbids become minus infinity, token after token.

Knows a Masker and tensors. Does not know models. Nothing here waits for the card: while it works on a step, the mask
of the next token is made beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabai.lock.doubt import DIGIT, Doubt
from fabai.lock.masker import Masker

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray


class Masking:
    """One answer under way: forbid() before each token is chosen, took() once it is. doubt: is told of each token."""

    def __init__(self, masker: Masker, doubt: Doubt) -> None:
        self._masker, self._doubt = masker, doubt
        self._state = masker.start
        self._token: int | None = None
        self._scores: Any = None

    def forbid(self, scores: torch.Tensor) -> torch.Tensor:
        """scores: of the next token, (1, vocabulary) -> the same, with those left that may come."""
        if self._token is not None:
            following = self._masker.step(self._state, self._token)
            if following is None:
                raise ValueError("the figure lock was left")
            self._state = following
        self._scores = scores
        return scores.masked_fill(on(scores.device, self._masker.forbidden(self._state)), float("-inf"))

    def took(self, token: int) -> None:
        """The token that was chosen; to be told before the next step is begun, which may overwrite the scores."""
        piece = self._masker.piece(token)
        scores = self._scores[0]
        probable = (scores[token] - scores.logsumexp(0)).exp() if DIGIT.search(piece) else 1.0
        self._doubt.feed(piece, probable)
        self._token = token


def on(device: torch.device, mask: NDArray[np.bool_]) -> torch.Tensor:
    """The mask on a device. An ordinary copy to a card would first wait until all that was asked of it is done."""
    import torch

    found = torch.from_numpy(mask)
    return found.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else found.to(device)
