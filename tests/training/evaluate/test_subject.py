"""Likelihoods are those of each text alone, however the texts are asked about."""

from __future__ import annotations

import pytest
import torch
from fabai.training.evaluate import measure, subject
from fabai.training.evaluate.held import Held
from fabai.training.evaluate.subject import Asked, Subject
from fabai.training.opened import opened

from fabai.message import Message
from tests.training import made
from tests.writers import tiny_gguf


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Subject:
    folder = tmp_path_factory.mktemp("tiny")
    model = tiny_gguf.make(folder, "llama")[0]
    found = opened(tiny_gguf.adapter(model, folder / "a"))
    return subject.load(found.settings, found.base, found.adapter.folder, "bfloat16")


def alone(tuned: Subject, one: Asked) -> torch.Tensor:
    said = []
    for part, scores in tuned.logits(one.ids, one.judged):
        target = torch.tensor([one.ids[place] for place in part])
        said.append(torch.log_softmax(scores, -1).gather(1, target[:, None])[:, 0])
    return torch.cat(said)


def test_a_shared_beginning_changes_no_likelihood_with_or_without_the_adapter(tuned: Subject) -> None:
    beginning = [5, 9, 3, 7, 4, 8, 2, 6]
    texts = [
        Asked([*beginning, 11, 12, 13], [8, 9, 10]),
        Asked([*beginning, 11, 12, 13, 14], [9, 10, 11]),
        Asked([*beginning[:4], 15, 16, 17], [5, 6]),
        Asked([*beginning, 11], [2, 8]),
    ]
    for one in texts:
        assert tuned.follow(one)[0].tolist() == pytest.approx(alone(tuned, one).tolist(), abs=1e-4)
        with tuned.base():
            said, first = tuned.follow(one)
            assert said.tolist() == pytest.approx(alone(tuned, one).tolist(), abs=1e-4)
            assert len(first) == len(one.judged)
    assert tuned.follow(Asked([5, 9], []))[0].shape == (0,)


def test_a_small_model_trained_in_16_bits_is_computed_in_32_on_a_processor(tuned: Subject) -> None:
    if not torch.cuda.is_available():
        assert tuned.computed_in == "float32"


def test_sections_asked_by_several_threads_give_the_figures_of_one(tuned: Subject) -> None:
    sections = [
        Held(f"s{number}", "r", "p", "es", "report", "", (Message("user", f"Escriu {'més ' * number}"),), text, ())
        for number, text in enumerate(made.TEXTS)
    ]

    def asked(threads: int) -> list[measure.Answer]:
        before = torch.get_num_threads()
        torch.set_num_threads(threads)
        try:
            return measure.answers(sections, tuned, lambda: None)
        finally:
            torch.set_num_threads(before)

    one, three = asked(1), asked(3)
    assert [(found.tokens, found.size) for found in three] == [(found.tokens, found.size) for found in one]
    assert [found.loss for found in three] == pytest.approx([found.loss for found in one], rel=1e-5)
    assert asked(3) == three
