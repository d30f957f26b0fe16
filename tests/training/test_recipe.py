"""Recipes hold only differences, and refuse what they do not know."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabai.training.recipe import Recipe, load, names
from fabai.training.shape import shape_of

from fabai.errors import BadSetting, UnknownName


def test_every_shipped_recipe_loads_and_names_a_model_of_known_shape() -> None:
    assert {"qwen3-8b-16gb", "qwen3-4b-8gb", "smollm2-cpu"} <= set(names())
    for name in names():
        assert shape_of(load(name).model).layers > 0


def test_a_recipe_states_only_what_differs() -> None:
    assert load("qwen3-8b-16gb") == Recipe(model="Qwen/Qwen3-8B")


def test_an_unknown_key_names_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('model = "x"\nlearning_rte = 1e-4\n', encoding="utf-8")
    with pytest.raises(UnknownName, match="learning_rate"):
        load(str(path))


def test_an_unknown_recipe_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="qwen3-8b-16gb"):
        load("qwen3-8b-16g")


@pytest.mark.parametrize(("key", "value"), [("rank", 0), ("dropout", 1.0), ("learning_rate", 0.0)])
def test_values_out_of_bounds_are_refused(key: str, value: float) -> None:
    with pytest.raises(BadSetting, match=key):
        Recipe(model="x", **{key: value})  # type: ignore[arg-type]
