"""The loss in parts is the loss as a whole."""

from __future__ import annotations

import torch
from fabai.training.loss import labelled, summed_loss
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import cross_entropy

from fabai.example import IGNORED


@settings(max_examples=20)
@given(count=st.integers(1, 40), rows=st.integers(1, 16), softcap=st.sampled_from([None, 3.0]), seed=st.integers(0, 9))
def test_parts_of_any_size_give_the_same_loss_and_gradient(
    count: int, rows: int, softcap: float | None, seed: int
) -> None:
    torch.manual_seed(seed)
    head = torch.nn.Linear(6, 11, bias=False)
    states, targets = torch.randn(count, 6, requires_grad=True), torch.randint(11, (count,))
    logits = head(states)
    if softcap is not None:
        logits = torch.tanh(logits / softcap) * softcap
    whole = cross_entropy(logits, targets, reduction="sum")
    wanted = torch.autograd.grad(whole, states)[0]
    parts = summed_loss(states, targets, head, softcap, rows)
    torch.testing.assert_close(parts, whole)
    torch.testing.assert_close(torch.autograd.grad(parts, states)[0], wanted)


def test_a_token_is_predicted_from_the_one_before_it() -> None:
    hidden = torch.arange(8.0).view(1, 4, 2)
    states, targets = labelled(hidden, torch.tensor([[5, IGNORED, 7, 8]]))
    assert targets.tolist() == [7, 8]
    assert torch.equal(states, hidden[0, 1:3])
