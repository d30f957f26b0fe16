"""Recipes hold only differences, and refuse what they do not know and what does not go together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fabai.training.recipe import Recipe, differences, load, names
from fabai.training.shape import shape_of

from fabai.errors import BadSetting, UnknownName


def test_every_shipped_recipe_loads_and_names_a_model_of_known_shape() -> None:
    assert set(names()) == {
        "qwen3-8b-16gb",
        "llama-3-8b-peft-offload",
        "qwen3-4b-8gb",
        "llama-3.1-8b-unsloth-t4",
        "mistral-7b-12gb",
        "smollm2-cpu",
    }
    for name in names():
        assert shape_of(load(name).model).layers > 0


def test_a_recipe_states_only_what_differs() -> None:
    assert load("qwen3-8b-16gb") == Recipe(model="Qwen/Qwen3-8B")
    for name in names():
        path = Path(__file__).parents[2] / "training" / "recipes" / f"{name}.toml"
        stated = [line.partition(" =")[0] for line in path.read_text().splitlines() if "=" in line and line[0] != "#"]
        assert set(stated) == set(differences(load(name), Recipe(model=""))), name


def test_the_t4_recipe_is_the_one_of_its_source_design() -> None:
    found = load("llama-3.1-8b-unsloth-t4")
    wanted: dict[str, Any] = {
        "rank": 16, "alpha": 32, "targets": "all", "optimiser": "adamw_8bit", "batch": 2, "accumulation": 4,
        "schedule": "linear", "warmup": 10, "steps": 60, "learning_rate": 2e-4, "weight_decay": 0.01, "seed": 3407,
        "dtype": "float16", "engine": "unsloth", "quantisation": "nf4",
    }  # fmt: skip
    assert {name: getattr(found, name) for name in wanted} == wanted


def test_the_offload_recipe_keeps_layers_outside_the_card() -> None:
    found = load("llama-3-8b-peft-offload")
    assert (found.rank, found.alpha, found.dropout, found.weights) == (8, 16, 0.05, "host")


@pytest.mark.parametrize("weights", ["host", "disk"])
def test_parts_of_the_model_outside_the_card_need_the_engine_that_streams_them(weights: str) -> None:
    with pytest.raises(BadSetting, match=f"weights = '{weights}' needs engine = 'fabai'"):
        Recipe(model="x", engine="plain", weights=weights)  # type: ignore[arg-type]
    Recipe(model="x", weights=weights)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["liger+unsloth", "unsloth, liger"])
def test_liger_and_unsloth_exclude_each_other(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'model = "x"\nengine = "{engine}"\n', encoding="utf-8")
    with pytest.raises(BadSetting, match="Liger and Unsloth exclude each other"):
        load(str(path))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"packing": True, "engine": "unsloth"}, "one example a row"),
        ({"packing": True, "batch": 2}, "batch must be 1"),
        ({"steps": 0, "epochs": 0.0}, "nothing to train"),
        ({"clip": 0.0}, "clip"),
        ({"engine": "unsloth", "checkpointing": False}, "checkpointing"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        Recipe(model="x", **settings)


def test_an_unknown_key_names_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('model = "x"\nlearning_rte = 1e-4\n', encoding="utf-8")
    with pytest.raises(UnknownName, match="learning_rate"):
        load(str(path))


def test_an_unknown_recipe_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="qwen3-8b-16gb"):
        load("qwen3-8b-16g")


def test_paths_in_a_recipe_are_taken_from_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    path = tmp_path / "own.toml"
    path.write_text('model = "Qwen/Qwen3-8B"\ndata = "examples"\n', encoding="utf-8")
    assert load(str(path)).data == str(tmp_path / "examples")
    assert load(str(path)).model == "Qwen/Qwen3-8B"


@pytest.mark.parametrize(("key", "value"), [("rank", 0), ("dropout", 1.0), ("learning_rate", 0.0), ("keep", 0)])
def test_values_out_of_bounds_are_refused(key: str, value: float) -> None:
    with pytest.raises(BadSetting, match=key):
        Recipe(model="x", **{key: value})  # type: ignore[arg-type]
