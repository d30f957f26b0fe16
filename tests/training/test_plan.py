"""The planner's numbers are those of the recorded runs, and what it chooses fits."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fabai.training.cards import H200, H200_FLASH, typical, usable
from fabai.training.engine.settings import EngineSettings
from fabai.training.footprint import Work, footprint
from fabai.training.plan import choose, longest, wishes
from fabai.training.recipe import Recipe
from fabai.training.shape import SHAPES
from hypothesis import given, settings
from hypothesis import strategies as st

from fabai.errors import BadSetting, TrainingError

QWEN = SHAPES["qwen3-8b"].sliced(100_352)
RECORDS = Path(__file__).parents[2] / "training" / "results" / "engine.jsonl"


def _runs(held_out: bool) -> list[dict[str, Any]]:
    """Rows that the footprint's constants were chosen on, or (measured later, with settings of their own) were not.

    A row with a note is no step of today's engine.
    """
    rows = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
    ours = [row for row in rows if row["engine"] == "fabai" and row["gpus"] == 1 and "note" not in row]
    return [row for row in ours if row.get("held_out", False) == held_out]


def _named(row: dict[str, Any]) -> str:
    return f"{row['run']}-{row['tokens']}-{row['attention']}-{row['peak_gib']}"


def _assert_predicted(row: dict[str, Any]) -> None:
    card = H200_FLASH if row["attention"] == "flash" else H200
    taken = footprint(QWEN, Work(row["tokens"], row["labelled"], row["rank"]), EngineSettings(**row["settings"]), card)
    assert taken.peak == pytest.approx(row["peak_gib"], rel=0.05)
    assert taken.step == pytest.approx(row["tokens"] / row["tokens_per_s"], rel=0.20)
    # the process itself takes 1.5 to 1.9 GiB of host memory
    assert taken.host_peak == pytest.approx(row["host_gib"], rel=0.05, abs=0.4)


@pytest.mark.parametrize("row", _runs(held_out=False), ids=_named)
def test_a_run_that_the_constants_were_chosen_on_is_predicted(row: dict[str, Any]) -> None:
    _assert_predicted(row)


@pytest.mark.parametrize("row", _runs(held_out=True), ids=_named)
def test_a_run_that_the_constants_have_not_seen_is_predicted(row: dict[str, Any]) -> None:
    _assert_predicted(row)


def test_no_settings_are_both_chosen_on_and_held_out() -> None:
    def keys(held_out: bool) -> set[str]:
        return {f"{row['tokens']} {row['attention']} {sorted(row['settings'].items())}" for row in _runs(held_out)}

    assert len(keys(held_out=True)) == 7
    assert not keys(held_out=True) & keys(held_out=False)


@pytest.mark.parametrize(
    ("gigabytes", "tokens", "host"), [(4, 20_480, 32), (8, 143_360, 32), (16, 262_144, 64), (16, 20_480, 32)]
)
def test_the_goals_lengths_fit_their_cards(gigabytes: int, tokens: int, host: int) -> None:
    plan = choose(QWEN, Work(tokens), typical(gigabytes), host)
    assert plan.footprint.peak <= usable(gigabytes)
    assert plan.footprint.host_peak <= host


@settings(max_examples=8)
@given(
    tokens=st.integers(1, 200_000),
    gigabytes=st.sampled_from([4, 6, 8, 12, 16, 24]),
    host=st.sampled_from([16, 32, 64]),
    name=st.sampled_from(sorted(SHAPES)),
)
def test_a_plan_fits_or_says_what_to_change(tokens: int, gigabytes: int, host: int, name: str) -> None:
    if longest(SHAPES[name], Work(tokens), typical(gigabytes), host) + 1024 <= tokens:
        with pytest.raises(TrainingError, match="no settings fit"):
            choose(SHAPES[name], Work(tokens), typical(gigabytes), host)
        return
    with suppress(TrainingError):  # a length within the last step of the search may go either way
        plan = choose(SHAPES[name], Work(tokens), typical(gigabytes), host)
        assert plan.footprint.peak <= plan.card.usable
        assert plan.footprint.host_peak <= host


def test_what_does_not_fit_names_the_longest_that_does() -> None:
    card = typical(8)
    most = longest(QWEN, Work(143_360), card, 16)
    with pytest.raises(TrainingError, match=f"take at most {most:,} tokens"):
        choose(QWEN, Work(143_360), card, 16)
    choose(QWEN, Work(most), card, 16)


def test_a_card_not_measured_is_called_an_estimate() -> None:
    plan = choose(QWEN, Work(20_480), typical(16), 32)
    assert plan.as_json()["estimate"] is True
    assert any("an estimate" in note for note in plan.notes)
    assert choose(QWEN, Work(20_480), H200, 32).as_json()["estimate"] is False


def test_lengths_beyond_what_the_model_has_learnt_name_the_yarn_factor() -> None:
    plan = choose(QWEN, Work(143_360), typical(16), 64)
    assert any("rope_factor to 4.4" in note for note in plan.notes)


def test_more_host_memory_never_makes_a_slower_plan() -> None:
    steps = [choose(QWEN, Work(40_960), typical(16), host).footprint.step for host in (24, 32, 64)]
    assert steps[0] * 1.01 >= steps[1]
    assert steps[1] * 1.01 >= steps[2]


@pytest.mark.parametrize(
    ("wish", "kept"),
    [
        ({"weights": "device"}, {"stream": False}),
        ({"weights": "host"}, {"stream": True, "stream_from": "memory"}),
        ({"weights": "disk"}, {"stream": True, "stream_from": "disk"}),
        ({"offload": "device"}, {"kept_on": "device"}),
        ({"attention": "flash_attention_2"}, {"attention": "flash"}),
    ],
)
def test_what_a_recipe_decides_itself_is_planned_with(wish: dict[str, Any], kept: dict[str, Any]) -> None:
    fixed = wishes(Recipe(model="x", **wish))
    plan = choose(QWEN, Work(8_192), H200, 64, fixed)
    assert {name: getattr(plan.settings, name) for name in kept} == kept
    taken = footprint(QWEN, Work(8_192), plan.settings, H200)
    assert taken.peak == plan.footprint.peak <= H200.usable


def test_what_fits_only_against_the_recipes_own_word_is_refused() -> None:
    choose(QWEN, Work(20_480), typical(6), 32)
    with pytest.raises(TrainingError, match="no settings fit"):
        choose(QWEN, Work(20_480), typical(4), 32, wishes(Recipe(model="x", weights="device")))


def test_a_card_too_small_is_refused() -> None:
    with pytest.raises(BadSetting, match="too small"):
        typical(2)
