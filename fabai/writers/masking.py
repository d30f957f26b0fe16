"""The figure lock on PyTorch: scores of tokens that it forbids become minus infinity, token after token.

Knows a Masker and tensors. Does not know models. Nothing here waits for the card: while it works on a step, the mask
of the next token is made beside it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fabai.lock.automaton import State
from fabai.lock.doubt import DIGIT, Doubt
from fabai.lock.masker import Masker

if TYPE_CHECKING:
    import torch

_KEPT = 2**26  # bytes of masks on a card


class Masks:
    """The masks of one lock where the scores lie; those asked for last stay there. Answers may share it."""

    def __init__(self, masker: Masker, device: torch.device) -> None:
        self.masker, self._device = masker, device
        self._on_card = lru_cache(maxsize=max(16, _KEPT // masker.size))(self._copied)

    def forbidden(self, state: State) -> torch.Tensor:
        """As Masker's. Not to be written to."""
        import torch

        # on the processor it is the Masker's own memory
        return self._on_card(state) if self._device.type == "cuda" else torch.from_numpy(self.masker.forbidden(state))

    def _copied(self, state: State) -> torch.Tensor:
        import torch

        # an ordinary copy to a card would first wait until all that was asked of it is done
        host = torch.from_numpy(self.masker.forbidden(state)).pin_memory()
        return host.to(self._device, non_blocking=True)


class Masking:
    """One answer under way: forbid() before each token is chosen, took() once it is. doubt: is told of each token."""

    def __init__(self, masks: Masks, doubt: Doubt) -> None:
        self._masks, self._doubt = masks, doubt
        self._state = masks.masker.start
        self._token: int | None = None
        self._scores: Any = None

    def forbid(self, scores: torch.Tensor) -> torch.Tensor:
        """scores: of the next token, (1, vocabulary) -> the same, with those left that may come."""
        if self._token is not None:
            following = self._masks.masker.step(self._state, self._token)
            if following is None:
                raise ValueError("the figure lock was left")
            self._state = following
        self._scores = scores
        return scores.masked_fill(self._masks.forbidden(self._state), float("-inf"))

    def took(self, token: int) -> None:
        """The token that was chosen; to be told before the next step is begun, which may overwrite the scores."""
        piece = self._masks.masker.piece(token)
        scores = self._scores[0]
        probable = (scores[token] - scores.logsumexp(0)).exp() if DIGIT.search(piece) else 1.0
        self._doubt.feed(piece, probable)
        self._token = token
