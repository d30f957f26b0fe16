"""The loss of labelled tokens for engines that run a model's own layers, without ever holding all logits.

Knows: the head is applied to labelled positions only, some rows at a time, and again in the backward pass. The same
function serves training and evaluation. Does not know batches, adapters or scaling.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.utils.checkpoint import checkpoint

from fabai.example import IGNORED

ROWS = 1024


def labelled(hidden: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """hidden [B, T, D], labels [B, T] -> the states that predict a labelled token [n, D], and these tokens [n]."""
    targets = labels[:, 1:]
    kept = targets != IGNORED
    return hidden[:, :-1][kept], targets[kept]


def summed_loss(states: Tensor, targets: Tensor, head: Any, softcap: float | None = None, rows: int = ROWS) -> Tensor:
    """states [n, D], targets [n] -> the summed cross entropy in fp32; head: the module of the last product. softcap:
    Gemma's bound of logits.
    """
    total = torch.zeros((), device=states.device)
    for start in range(0, states.shape[0], rows):
        part = slice(start, start + rows)
        total = total + checkpoint(_part, states[part], targets[part], head, softcap, use_reentrant=False)
    return total


def _part(states: Tensor, targets: Tensor, head: Any, softcap: float | None) -> Tensor:
    logits = head(states.to(head.weight.dtype)).float()
    if softcap is not None:
        logits = torch.tanh(logits / softcap) * softcap
    return cross_entropy(logits, targets, reduction="sum")
