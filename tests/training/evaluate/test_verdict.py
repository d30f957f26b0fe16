"""What fails a Release, and the advice in numbers of its run."""

from __future__ import annotations

from dataclasses import replace

from fabai.training.evaluate.battery import Score
from fabai.training.evaluate.bootstrap import Interval
from fabai.training.evaluate.general import Distance
from fabai.training.evaluate.measure import Group
from fabai.training.evaluate.quality import length_score
from fabai.training.evaluate.settings import EvalSettings
from fabai.training.evaluate.verdict import Memory, Verdict, verdict

RUN = {"settings": {"learning_rate": 2e-3, "rank": 16, "general": 0.0, "dropout": 0.0}, "steps": 400}
BETTER = Group("all", 90, 9, 12.0, 9.0, 2.5, 2.2, 0.60, 0.53, Interval(-0.07, -0.09, -0.05, 0.01))
SAME = Score("all", 2_700, 0.70, 0.70, Interval(0.0, -0.01, 0.01, 0.005), Interval(0.0, -0.1, 0.1, 0.05))
LOST = Score("all", 2_700, 0.70, 0.55, Interval(-0.15, -0.17, -0.13, 0.01), Interval(-2.0, -2.2, -1.8, 0.1))


def judged(
    loss: Group = BETTER, score: Score = SAME, kl: float = 0.1, after: float = 3.0, memory: Memory | None = None
) -> Verdict:  # fmt: skip
    distances = {"ca": Distance(kl, 3.0, after, 500)}
    return verdict(EvalSettings(), RUN, loss, [], [score], distances, memory, None, None)


def test_a_healthy_adapter_passes_and_the_detectable_difference_is_told() -> None:
    found = judged()
    assert found.passed
    assert not found.advice
    assert any("would have been found" in one for one in found.sentences)


def test_one_that_forgot_fails_with_advice_from_the_numbers_of_its_run() -> None:
    found = judged(score=LOST)
    assert not found.passed
    assert "forgotten" in found.failures[0]
    advice = " ".join(found.advice)
    assert "learning_rate from 0.002 to 0.0007" in advice
    assert "general = 0.1" in advice
    assert "rank from 16 to 8" in advice


def test_one_that_drifted_or_got_worse_or_memorised_fails() -> None:
    assert "drifted" in judged(kl=2.0).failures[0]
    worse = replace(BETTER, bits_after=0.7, difference=Interval(0.1, 0.05, 0.15, 0.02))
    assert "worse" in judged(loss=worse).failures[0]
    memory = Memory(12, 2.4, 0.1, 180, 6)
    found = judged(memory=memory)
    assert "memorised" in found.failures[0]
    assert any("200 instead of 400" in one for one in found.advice)


def test_to_learn_a_language_is_not_to_forget_it() -> None:
    found = judged(kl=0.6, after=2.4)
    assert found.passed
    assert any(one.startswith("learnt: 0.60 nats a token") and "Catalan" in one for one in found.sentences)
    assert "drifted" in judged(kl=0.6, after=3.1).failures[0]
    assert not any(one.startswith("learnt") for one in judged(kl=0.2, after=2.4).sentences)


def test_too_few_projects_give_no_interval_and_say_so() -> None:
    few = replace(BETTER, projects=2, difference=None)
    assert any("too few" in one for one in judged(loss=few).sentences)


def test_the_length_score_is_longbench_writes() -> None:
    assert length_score(300, 300) == 100
    assert length_score(1_200, 300) == 0
    assert length_score(100, 300) == 0
    assert length_score(600, 300) == 100 * (1 - 1 / 3)
    assert length_score(200, 300) == 75
