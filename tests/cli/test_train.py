"""`fabai train`"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch

from tests.training import made
from tests.writers import tiny

from .conftest import Run

CARD = torch.cuda.is_available()


@pytest.fixture
def own(folder: Path) -> Path:
    """A recipe beside its model and its examples."""
    tiny.make(folder / "model")
    made.examples(folder / "examples")
    return made.write_recipe(folder / "own.toml", folder / "model", data="examples", steps=2)


def test_a_run_ends_with_where_the_adapter_is_and_how_to_draft_with_it(run: Run, own: Path, folder: Path) -> None:
    done = run("train", own, "-o", "run")
    assert done.code == 0, done.err
    assert done.out.splitlines()[0].startswith("run/adapter: trained for 2 steps; loss ")
    assert "held-out loss" in done.out
    assert "fabai draft PROJECT --writer transformers:run/adapter" in done.out
    assert "step 0: held-out loss" in done.err
    assert "tokens/s" in done.err
    assert (folder / "run" / "adapter" / "adapter_model.safetensors").is_file()
    assert run("train", own, "-o", "run").code == 1
    again = run("train", own, "-o", "run", "--resume", "--json")
    assert again.json["steps"] == 2
    assert again.json["after"]["eval_loss"] > 0


def test_a_dry_run_says_what_would_happen_and_does_nothing(run: Run, own: Path, folder: Path) -> None:
    before = sorted(os.listdir(folder))
    found = run("train", own, "--dry-run", "--json").json
    assert found["in_the_way"] == []
    assert (found["examples"], found["held_out"], found["steps"]) == (6, 2, 2)
    assert found["differs"]["rank"] == 4
    assert "weights" not in found["differs"]
    shown = run("train", own, "--dry-run").out
    assert "rank = 4" in shown
    assert "6 to train on" in shown
    assert sorted(os.listdir(folder)) == before


def test_a_dry_run_of_an_8b_recipe_plans_its_memory_without_model_or_card(run: Run) -> None:
    found = run("train", "qwen3-8b-16gb", "--dry-run", "--json").json
    assert found["plan"]["peak_gib"] <= 14.5
    assert any("no examples are named" in reason for reason in found["in_the_way"])
    assert any("is not on this machine yet" in reason for reason in found["in_the_way"])


@pytest.mark.skipif(CARD, reason="this machine has a card")
def test_an_8b_recipe_without_a_card_says_what_can_run_here(run: Run) -> None:
    done = run("train", "qwen3-8b-16gb", "--examples", "nowhere")
    assert done.code == 1
    assert "needs a graphics card of 16 GB" in done.err
    assert "smollm2-cpu" in done.err


def test_examples_must_be_named_and_be_there(run: Run, own: Path) -> None:
    own.write_text(own.read_text(encoding="utf-8").replace('data = "examples"\n', ""), encoding="utf-8")
    assert run("train", own).code == 2
    assert "there are no examples at nowhere" in run("train", own, "--examples", "nowhere").err


def test_a_case_recipe_is_refused_with_the_keys_that_differ(run: Run, own: Path, folder: Path) -> None:
    """Case 060, third command."""
    run("train", own, "-o", "run")
    made.write_recipe(own, folder / "model", data="examples", steps=2, rank=16, learning_rate=2e-4)
    done = run("train", own, "-o", "run", "--resume")
    assert done.code == 1
    assert "rank" in done.err
    assert "learning_rate" in done.err
    assert "max_tokens" not in done.err


def test_what_is_left_out_is_told(run: Run, own: Path, folder: Path) -> None:
    rows = [made.example("fits", "Fin."), made.example("long", "x" * 900)]
    made.write_examples(folder / "other", rows)
    done = run("train", own, "--examples", folder / "other", "-o", "run")
    assert "left out: long (" in done.err


def test_a_number_of_cards_below_one_is_bad_usage(run: Run, own: Path) -> None:
    assert run("train", own, "--gpus", "0").code == 2
