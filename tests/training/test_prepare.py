"""What a run will be is settled before a model is loaded: memory shared by processes, positions of packed rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabai.training.machine import Gpu, Machine
from fabai.training.prepare import Prepared, Request, dry_run, prepare

from tests.training.made import example, write_examples, write_recipe

TWO = Machine((Gpu("NVIDIA GeForce RTX 4080", 15.6, (8, 9)),) * 2, frozenset({"bitsandbytes"}))


def prepared(tmp_path: Path, model: Path, targets: list[str], gpus: int = 1, **settings: object) -> Prepared:
    usual: dict[str, object] = {"card_gb": 16, "host_gb": 32, "max_tokens": 128}
    recipe = write_recipe(tmp_path / "r.toml", model, **(usual | settings))
    data = write_examples(tmp_path / "data", [example(f"e{at}", text) for at, text in enumerate(targets)])
    return prepare(Request(str(recipe), data, tmp_path / "run", gpus=gpus), TWO, print)


@pytest.mark.parametrize(("gpus", "host"), [(1, 32), (2, 16)])
def test_processes_of_several_cards_share_the_machines_memory(
    tmp_path: Path, byte_model: Path, gpus: int, host: float
) -> None:
    found = prepared(tmp_path, byte_model, ["Sí.", "No."], gpus)
    assert found.plan is not None
    assert found.plan.host == host


def test_what_the_recipe_decides_is_what_is_planned(tmp_path: Path, byte_model: Path) -> None:
    found = prepared(tmp_path, byte_model, ["Sí.", "No."], offload="device", weights="host")
    assert found.plan is not None
    assert found.settings == found.plan.settings
    assert found.settings.kept_on == "device"
    assert found.settings.stream


@pytest.mark.parametrize(("packing", "factor"), [(True, 1.0), (False, 2.0)])
def test_a_packed_row_longer_than_the_model_has_learnt_stretches_no_positions(
    tmp_path: Path, byte_model: Path, packing: bool, factor: float
) -> None:
    # the model has learnt 256 positions; no example is longer, but a row of four is
    targets = [f"{number} " + "x" * 90 for number in range(4)]
    found = prepared(tmp_path, byte_model, targets, packing=packing, max_tokens=512)
    assert found.rope_factor == factor
    assert max(found.lengths) > 256 or not packing
    request = Request(str(tmp_path / "r.toml"), tmp_path / "data", tmp_path / "run")
    assert dry_run(request, TWO)["rope_factor"] == factor
    assert dry_run(request, TWO)["plan"]["tokens"] == max(found.lengths)
