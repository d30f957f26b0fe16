"""Intervals over projects and items."""

from __future__ import annotations

import numpy as np
import pytest
from fabai.training.evaluate import bootstrap


def test_the_same_seed_gives_the_same_interval_and_a_sure_difference_lies_apart_from_nought() -> None:
    draw = np.random.default_rng(1)
    groups = {f"p{number}": [(float(draw.normal(-0.5, 0.1)), 1.0) for _ in range(8)] for number in range(5)}
    one, two = bootstrap.of_groups(groups, 3), bootstrap.of_groups(groups, 3)
    assert one == two
    assert one.below
    assert one.low < one.mean < one.high < 0


def test_sections_of_one_project_do_not_make_a_difference_sure() -> None:
    """One project of three is worse; its many sections are no more projects."""
    groups = {"a": [(1.0, 1.0)] * 50, "b": [(-0.2, 1.0)], "c": [(-0.2, 1.0)]}
    found = bootstrap.of_groups(groups, 0)
    assert not found.above
    assert found.low < 0 < found.high


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    draw = np.random.default_rng(5)
    held = 0
    for trial in range(150):
        values = draw.normal(0.3, 1.0, 80)
        found = bootstrap.of_items(values, ["x"] * 80, trial, draws=400)
        held += found.low <= 0.3 <= found.high
    assert 0.88 <= held / 150 <= 1.0


def test_the_detectable_difference_shrinks_with_the_root_of_the_items() -> None:
    draw = np.random.default_rng(2)
    few = bootstrap.of_items(draw.normal(0, 1, 100), ["x"] * 100, 0)
    many = bootstrap.of_items(draw.normal(0, 1, 1_600), ["x"] * 1_600, 0)
    assert few.detectable / many.detectable == pytest.approx(4.0, rel=0.25)
