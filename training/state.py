"""What a run needs besides weights and schedule to go on as if it had not stopped: optimiser and random numbers.

Knows torch's and bitsandbytes' optimisers and the generators that training draws from. Does not know files.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch


def of_optimiser(optimiser: Any) -> Any:
    """The optimiser's state as a tree."""
    if torch.cuda.is_available():
        # paged states lie in memory that the card writes to
        torch.cuda.synchronize()
    return optimiser.state_dict()


def to_optimiser(optimiser: Any, state: Any) -> None:
    """Put a saved state into an optimiser over the same parameters."""
    optimiser.load_state_dict(state)
    inner = getattr(optimiser, "optimizer", optimiser)
    if not getattr(inner, "is_paged", False):
        return
    # bitsandbytes loads paged states as plain tensors of the card: give them pages again
    for parameter, held in inner.state.items():
        if parameter.is_cuda:
            for name in ("state1", "state2"):
                if name in held:
                    pages = inner.get_state_buffer(parameter, dtype=held[name].dtype)
                    pages.copy_(held[name])
                    held[name] = pages
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def of_generators() -> Any:
    """Every generator of this process, as a tree."""
    cuda = torch.cuda.get_rng_state() if torch.cuda.is_available() else None
    return {"python": random.getstate(), "numpy": np.random.get_state(), "cpu": torch.get_rng_state(), "cuda": cuda}


def to_generators(state: Any) -> None:
    """The generators go on from there."""
    random.setstate(state["python"])
    np.random.set_state(state["numpy"])
    torch.set_rng_state(state["cpu"])
    if state["cuda"] is not None and torch.cuda.is_available():
        torch.cuda.set_rng_state(state["cuda"])
