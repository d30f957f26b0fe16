"""The outer loop: a step's gradient does not depend on how its examples are spread over batches, devices and engines.

The gradient is read from the optimiser's state after one step, so it is the one that training uses.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from fabai.errors import TrainingError
from tests.training import made

TWO = [made.example("corto", "Sí."), made.example("largo", "La sala abrió cinco tardes. " * 6)]
ONE_STEP: dict[str, Any] = {"steps": 1, "warmup": 0, "clip": 1e9, "dropout": 0.0, "max_tokens": 256}


def difference(left: dict[str, Any], right: dict[str, Any]) -> float:
    """The largest relative difference of a parameter's gradient."""
    assert left.keys() == right.keys()
    return max(
        float((one - right[name]).norm() / right[name].norm().clamp_min(1e-30))
        for name, one in left.items()
        if float(right[name].norm()) > 0
    )


def one_step(folder: Path, model: Path, data: Path, **settings: Any) -> tuple[dict[str, Any], float]:
    """(gradient, loss) of a run of one step."""
    recipe = made.write_recipe(folder / "r.toml", model, **(ONE_STEP | settings))
    made.run(recipe, data, folder / "run")
    return made.gradient(folder / "run"), made.lines(folder / "run")[0]["loss"]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.write_examples(tmp_path_factory.mktemp("two"), TWO)


@pytest.fixture(scope="module")
def accumulated(tmp_path_factory: pytest.TempPathFactory, byte_model: Path, two: Path) -> tuple[dict[str, Any], float]:
    """Accumulation 2, one example a batch, our engine."""
    return one_step(tmp_path_factory.mktemp("accumulated"), byte_model, two, accumulation=2)


@pytest.mark.parametrize(
    "settings",
    [
        {"batch": 2, "accumulation": 1},
        {"batch": 2, "accumulation": 1, "engine": "plain"},
        {"accumulation": 2, "engine": "plain", "checkpointing": False},
        {"packing": True, "accumulation": 1, "max_tokens": 512, "rope_factor": 1.0},
        {"packing": True, "accumulation": 1, "max_tokens": 512, "rope_factor": 1.0, "engine": "plain"},
    ],
    ids=["batch", "plain batch", "plain accumulated", "packed", "plain packed"],
)
def test_the_gradient_is_that_of_all_labelled_tokens_together(
    tmp_path: Path, byte_model: Path, two: Path, accumulated: tuple[dict[str, Any], float], settings: dict[str, Any]
) -> None:
    found, loss = one_step(tmp_path, byte_model, two, **settings)
    assert difference(found, accumulated[0]) < 1e-5
    assert loss == pytest.approx(accumulated[1], rel=1e-6)


def test_a_steps_loss_is_the_mean_over_its_labelled_tokens(
    tmp_path: Path, byte_model: Path, accumulated: tuple[dict[str, Any], float]
) -> None:
    total = count = 0.0
    for number, row in enumerate(TWO):
        folder = tmp_path / str(number)
        data = made.write_examples(folder / "data", [row])
        _, loss = one_step(folder, byte_model, data, accumulation=1)
        labelled = made.lines(folder / "run")[0]["labelled"]
        total, count = total + loss * labelled, count + labelled
    assert accumulated[1] == pytest.approx(total / count, rel=1e-5)


def test_a_last_incomplete_accumulation_is_divided_by_its_own_tokens(
    tmp_path: Path, byte_model: Path, two: Path, accumulated: tuple[dict[str, Any], float]
) -> None:
    found, loss = one_step(tmp_path, byte_model, two, accumulation=7)
    assert difference(found, accumulated[0]) < 1e-5
    assert loss == pytest.approx(accumulated[1], rel=1e-6)


@pytest.mark.slow
def test_two_processes_give_the_gradient_of_one_with_twice_the_accumulation(
    tmp_path: Path, byte_model: Path, data: Path
) -> None:
    wanted, loss = one_step(tmp_path, byte_model, data, accumulation=4)
    recipe = made.write_recipe(tmp_path / "two.toml", byte_model, **(ONE_STEP | {"accumulation": 2}))
    words = ["train", recipe, "--examples", data, "--gpus", "2", "-o", tmp_path / "two"]
    done = subprocess.run([sys.executable, "-m", "fabai", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert difference(made.gradient(tmp_path / "two"), wanted) < 1e-5
    line = made.lines(tmp_path / "two")[0]
    assert line["loss"] == pytest.approx(loss, rel=1e-6)
    assert sorted(line["examples"]) == sorted(made.lines(tmp_path / "run")[0]["examples"])
    assert "warn" not in done.stderr.lower()


def test_adapters_keep_their_full_precision_on_a_base_of_four_bits(tmp_path: Path, byte_model: Path, two: Path) -> None:
    """TRL would round them to bf16."""
    recipe = made.write_recipe(tmp_path / "r.toml", byte_model, quantisation="nf4", steps=2)
    made.run(recipe, two, tmp_path / "run")
    found = made.adapters(tmp_path / "run")
    assert {one.dtype for one in found.values()} == {torch.float32}
    assert any(not torch.equal(one, one.bfloat16().float()) for one in found.values())


class Starving(made.Silent):
    """A Watch under which memory runs out after the first step."""

    def step(self, record: dict[str, Any]) -> None:
        super().step(record)
        raise torch.OutOfMemoryError("CUDA out of memory")


def test_memory_that_runs_out_is_answered_with_what_to_change(tmp_path: Path, byte_model: Path, two: Path) -> None:
    recipe = made.write_recipe(tmp_path / "r.toml", byte_model, batch=2, checkpointing=False, engine="plain")
    with pytest.raises(TrainingError) as failure:
        made.run(recipe, two, tmp_path / "run", Starving())
    said = str(failure.value)
    assert said.index("set checkpointing = true") < said.index("set batch = 1") < said.index("set max_tokens to")
    assert said.endswith("go on with --resume")


def test_a_gradient_that_is_not_finite_stops_the_run_and_names_the_examples(
    tmp_path: Path, byte_model: Path, two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.nn.utils, "get_total_norm", lambda _: torch.tensor(float("nan")))
    recipe = made.write_recipe(tmp_path / "r.toml", byte_model)
    seen = made.Silent()
    with pytest.raises(
        TrainingError, match=r"the gradient of .*(corto|largo).* is not finite, and nothing was updated"
    ):
        made.run(recipe, two, tmp_path / "run", seen)
    assert seen.steps == []
