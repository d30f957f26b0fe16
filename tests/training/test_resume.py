"""A run that was killed goes on as if nothing had happened; anything that would change it is refused.

Processes are real and end by SIGKILL. Tolerance: none, the losses and the final weights are equal to the bit, because
it is the same processor and the same number of threads.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import pytest
import torch
from fabai.training import checkpoint

from fabai.errors import TrainingError, UnreadableFile
from tests.training import made

STEPS = 20
SETTINGS: dict[str, Any] = {
    "steps": STEPS, "save_every": 1, "evaluate_every": 7, "dropout": 0.1, "optimiser": "paged_adamw_8bit",
    "quantisation": "nf4", "schedule": "cosine", "rank": 8,
}  # fmt: skip


def train(recipe: str, data: str, output: str, resume: bool) -> None:
    """What a process does."""
    torch.set_num_threads(1)
    made.run(Path(recipe), Path(data), Path(output), resume=resume)


def facts(output: Path) -> list[tuple[Any, ...]]:
    """Of each step: its number, loss, learning rate, gradient and examples; of each evaluation its loss."""
    found = map(json.loads, (output / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
    keys = ("step", "loss", "learning_rate", "gradient_norm", "labelled", "examples", "eval_loss")
    return [tuple(line.get(key) for key in keys) for line in found]


def same_weights(left: Path, right: Path) -> bool:
    one, other = made.adapters(left), made.adapters(right)
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory, byte_model: Path) -> Path:
    return made.write_recipe(tmp_path_factory.mktemp("recipe") / "r.toml", byte_model, **SETTINGS)


@pytest.fixture(scope="module")
def unbroken(
    tmp_path_factory: pytest.TempPathFactory, forked: ForkServerContext, recipe: Path, data: Path
) -> tuple[Path, float]:
    """(run, seconds from its first step to its last)."""
    output = tmp_path_factory.mktemp("unbroken") / "run"
    process = forked.Process(target=train, args=(str(recipe), str(data), str(output), False))
    process.start()
    while not (output / "checkpoints" / "step-000001").exists() and process.is_alive():
        time.sleep(0.01)
    began = time.monotonic()
    process.join()
    assert process.exitcode == 0
    return output, time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_run_that_is_killed_goes_on_to_the_same_losses_and_weights(
    tmp_path: Path, forked: ForkServerContext, recipe: Path, data: Path, unbroken: tuple[Path, float], seed: int
) -> None:
    """The first seed kills while a checkpoint is being written, the others at a random moment of the first
    half, which leaves time where the processor suddenly is free.
    """
    output = tmp_path / "run"
    process = forked.Process(target=train, args=(str(recipe), str(data), str(output), False))
    process.start()
    dice = random.Random(seed)  # noqa: S311 - a moment, not a secret
    if seed == 1:
        turn = dice.randrange(2, STEPS // 2)
        while process.is_alive() and not _being_saved(output / "checkpoints", turn):
            time.sleep(0.0002)
    else:
        turn = dice.randrange(1, STEPS // 2)
        while process.is_alive() and not (output / "checkpoints" / f"step-{turn:06d}").exists():
            time.sleep(0.001)
        time.sleep(dice.random() * unbroken[1] / STEPS)
    process.kill()
    process.join()
    assert process.exitcode == -9, "the run was over before it could be killed"
    saved = checkpoint.whole(output / "checkpoints")
    assert saved
    again = forked.Process(target=train, args=(str(recipe), str(data), str(output), True))
    again.start()
    again.join()
    assert again.exitcode == 0
    assert facts(output) == facts(unbroken[0])
    assert same_weights(output, unbroken[0])
    assert not [path for path in (output / "checkpoints").iterdir() if path.name.startswith(".")]


def _being_saved(folder: Path, turn: int) -> bool:
    """Whether a checkpoint of that step or a later one is half written."""
    return folder.is_dir() and any(path.name > f".step-{turn:06d}" for path in folder.glob(".step-*.unfinished"))


@pytest.fixture
def stopped(tmp_path: Path, byte_model: Path) -> tuple[Path, Path, Path]:
    """(recipe, examples, run): a finished run of 2 steps; its recipe goes on to any number."""
    data = made.examples(tmp_path / "data")
    recipe = made.write_recipe(tmp_path / "r.toml", byte_model, steps=2, save_every=1)
    made.run(recipe, data, tmp_path / "run")
    return recipe, data, tmp_path / "run"


def test_another_recipe_is_refused_with_the_keys_that_differ_and_no_others(
    stopped: tuple[Path, Path, Path], byte_model: Path
) -> None:
    """Case 060."""
    recipe, data, output = stopped
    made.write_recipe(recipe, byte_model, steps=2, save_every=1, rank=16, learning_rate=2e-4)
    with pytest.raises(TrainingError) as caught:
        made.run(recipe, data, output, resume=True)
    assert "rank was 4 and is 16, learning_rate was 0.005 and is 0.0002;" in str(caught.value)
    assert "max_tokens" not in str(caught.value)


def test_other_examples_are_refused(stopped: tuple[Path, Path, Path], tmp_path: Path) -> None:
    recipe, _, output = stopped
    with pytest.raises(TrainingError, match="started with another examples"):
        made.run(recipe, made.examples(tmp_path / "others", count=5), output, resume=True)


def test_a_run_is_not_written_over(stopped: tuple[Path, Path, Path]) -> None:
    recipe, data, output = stopped
    with pytest.raises(TrainingError, match="holds a run already: go on with it by --resume"):
        made.run(recipe, data, output)


def test_nothing_to_resume_is_said(tmp_path: Path, byte_model: Path, data: Path) -> None:
    recipe = made.write_recipe(tmp_path / "r.toml", byte_model)
    with pytest.raises(TrainingError, match="holds no run to resume"):
        made.run(recipe, data, tmp_path / "run", resume=True)


def test_a_finished_run_that_is_resumed_stays_as_it_is(stopped: tuple[Path, Path, Path]) -> None:
    recipe, data, output = stopped
    before = facts(output), (output / "adapter" / "adapter_model.safetensors").read_bytes()
    shutil.rmtree(output / "adapter")
    made.run(recipe, data, output, resume=True)
    assert (facts(output), (output / "adapter" / "adapter_model.safetensors").read_bytes()) == before


def test_a_damaged_checkpoint_is_refused(stopped: tuple[Path, Path, Path]) -> None:
    recipe, data, output = stopped
    path = checkpoint.whole(output / "checkpoints")[-1] / "optimiser.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UnreadableFile, match=r"is damaged: optimiser\.safetensors is not what was saved"):
        made.run(recipe, data, output, resume=True)


def test_two_trainings_do_not_share_a_folder(stopped: tuple[Path, Path, Path]) -> None:
    from fabai.training.run import Run

    recipe, data, output = stopped
    with Run(output).held(), pytest.raises(TrainingError, match="being trained into by another process"):
        made.run(recipe, data, output, resume=True)
