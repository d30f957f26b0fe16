"""An adapter's README tells somebody without fabai how its base must be loaded."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fabai.training import readme
from fabai.training.model import with_yarn

from tests.training.made import examples, run, write_recipe

HELD = [
    {"step": 0, "eval_loss": 3.0, "eval_perplexity": 20.09, "eval_es_loss": 3.0, "eval_es_perplexity": 20.09},
    {"step": 4, "eval_loss": 2.0, "eval_perplexity": 7.39, "eval_es_loss": 2.0, "eval_es_perplexity": 7.39},
]


def manifest(**model: Any) -> dict[str, Any]:
    usual = {"base": "Qwen/Qwen3-8B", "slice": None, "rope_factor": 1.0, "positions": 32_768, "dtype": "bfloat16"}
    settings = {
        "rank": 16, "alpha": 16, "rank_stabilised": True, "quantisation": "nf4", "double_quantisation": True,
        "max_tokens": 20_000,
    }  # fmt: skip
    return {
        "settings": settings, "model": usual | model, "examples": {"train": 1200, "corpus": "c0ffee", "mode": "warm"}
    }  # fmt: skip


def test_an_adapter_of_stretched_positions_comes_with_the_lines_that_load_its_base() -> None:
    found = readme.text(manifest(rope_factor=4.3), HELD)
    assert "YaRN, factor 4.3 over the 32,768 positions" in found
    block = re.search(r"rope_parameters \| (\{.*\})", found)
    assert block is not None
    own = {"rope_type": "default", "rope_theta": 1e6}
    assert own | json.loads(block[1]) == with_yarn(own, 4.3, 32_768)
    assert "config.max_position_embeddings = 140902" in found


def test_an_adapter_of_the_bases_own_positions_says_so_and_needs_no_lines() -> None:
    found = readme.text(manifest(), HELD)
    assert "the base's own, no RoPE scaling" in found
    assert "```" not in found
    assert "base_model: Qwen/Qwen3-8B\n" in found
    assert "20.09 before, 7.39 after; es 20.09 and 7.39" in found


@pytest.mark.parametrize("held", [[], HELD])
def test_a_sliced_base_in_a_folder_is_told_by_its_name(held: list[dict[str, Any]]) -> None:
    cut = {"rows": 100_352, "rows_before": 151_936}
    found = readme.text(manifest(base="/home/ana/models/qwen-cut", slice=cut), held)
    assert "base_model" not in found
    assert "| base | qwen-cut, its vocabulary cut to 100,352 of 151,936 rows |" in found
    assert ("perplexity" in found) == bool(held)


def test_a_run_leaves_it_in_the_adapters_folder(tmp_path: Path, byte_model: Path) -> None:
    recipe = write_recipe(tmp_path / "r.toml", byte_model, steps=1, rope_factor=2.0)
    result = run(recipe, examples(tmp_path / "data"), tmp_path / "run")
    found = (result.adapter / "README.md").read_text(encoding="utf-8")
    assert "YaRN, factor 2 over" in found
    assert "after; es" in found
