"""`fabai plan`"""

from __future__ import annotations

from .conftest import Run


def test_a_plan_names_parts_settings_and_that_it_is_an_estimate(run: Run) -> None:
    plan = run("plan", "qwen3-8b-16gb", "--vocabulary", "100352", "--json").json
    assert plan["estimate"] is True
    assert plan["peak_gib"] <= 14.5
    assert {"frozen layers", "adapters", "gradients", "fragmentation"} <= plan["card_gib"].keys()
    assert plan["settings"]["keep"] in ("inputs", "attention", "residual", "projections")


def test_the_table_ends_with_the_time_and_what_it_assumes(run: Run) -> None:
    out = run("plan", "--model-shape", "qwen3-4b", "--gpu", "8", "--tokens", "20480").out
    assert "all" in out
    assert "tokens/s" in out
    assert "RTX 4060" in out


def test_what_does_not_fit_says_what_to_change(run: Run) -> None:
    result = run("plan", "--model-shape", "qwen3-8b", "--gpu", "4", "--ram", "8", "--tokens", "143360")
    assert result.code == 1
    assert "no settings fit" in result.err


def test_a_recipe_for_the_processor_needs_no_plan(run: Run) -> None:
    assert "trains on the processor" in run("plan", "smollm2-cpu").err


def test_a_recipe_or_a_shape_is_needed(run: Run) -> None:
    assert run("plan").code == 2
    assert run("plan", "qwen3-8b-16gb", "--model-shape", "qwen3-8b").code == 2
