"""The figure lock beside a model on PyTorch, token after token."""

from __future__ import annotations

import pytest
import torch

from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.lock.doubt import Doubt
from fabai.lock.masker import Masker
from fabai.lock.vocabulary import Vocabulary
from fabai.writers.masking import Masking, Masks

TOKENS = Vocabulary([bytes([one]) for one in range(256)] + [b" 18", b"0 personas", None], 259)
END = 258


@pytest.fixture
def masks() -> Masks:
    lock = Constraint([Fact("gente", "180 personas", "s"), Fact("talleres", "12 talleres", "s")], "es")
    return Masks(Masker(lock.automaton, TOKENS, [END]), torch.device("cpu"))


def write(masking: Masking, *tokens: int, scores: torch.Tensor) -> list[torch.Tensor]:
    """The scores that were left before each token; the same memory is written to at each step, as a replay does."""
    left = []
    for token in tokens:
        left.append(masking.forbid(scores))
        masking.took(token)
        scores.fill_(0.0)
    return left


def test_what_may_not_come_has_no_score_and_the_rest_keeps_its_own(masks: Masks) -> None:
    scores = torch.arange(259.0)[None]
    first, behind = write(Masking(masks, Doubt()), 256, END, scores=scores)
    assert first[0, ord("a")] == ord("a")
    assert first[0, ord("9")] == first[0, 257] == float("-inf")
    assert behind.isfinite().nonzero()[:, 1].tolist() == [ord("0"), 257]


def test_a_digit_that_the_model_hardly_wanted_is_told_though_its_scores_are_overwritten(masks: Masks) -> None:
    doubt, scores = Doubt(), torch.zeros(1, 259)
    scores[0, 256] = -20.0
    write(Masking(masks, doubt), 256, 257, END, scores=scores)
    assert doubt.figures == ("180 personas",)


def test_a_digit_that_the_model_wanted_is_not_doubtful(masks: Masks) -> None:
    doubt = Doubt()
    write(Masking(masks, doubt), 256, 257, END, scores=torch.zeros(1, 259))
    assert doubt.figures == ()


def test_a_token_that_leaves_the_lock_ends_the_answer(masks: Masks) -> None:
    masking, scores = Masking(masks, Doubt()), torch.zeros(1, 259)
    masking.forbid(scores)
    masking.took(ord("9"))
    with pytest.raises(ValueError, match="left"):
        masking.forbid(scores)
