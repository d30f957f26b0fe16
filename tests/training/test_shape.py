"""A model's shape comes from its folder, its name, or the numbers themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabai.training.shape import SHAPES, shape_of

from fabai.errors import BadSetting, UnknownName, UnreadableFile


@pytest.mark.parametrize(
    ("name", "known"),
    [("Qwen/Qwen3-8B", "qwen3-8b"), ("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"),
     ("mistralai/Mistral-7B-v0.3", "mistral-7b"), ("HuggingFaceTB/SmolLM2-135M-Instruct", "smollm2-135m")],
)  # fmt: skip
def test_a_hub_id_names_a_known_shape(name: str, known: str) -> None:
    assert shape_of(name) is SHAPES[known]


def test_a_folders_configuration_is_read(tmp_path: Path) -> None:
    config = {
        "model_type": "qwen3",
        "hidden_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "intermediate_size": 96,
        "vocab_size": 100,
        "tie_word_embeddings": True,
    }
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    shape = shape_of(str(tmp_path))
    assert (shape.hidden, shape.vocabulary, shape.tied) == (64, 100, True)
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="not the configuration"):
        shape_of(str(tmp_path))


def test_numbers_make_a_shape() -> None:
    text = "family=llama,hidden=64,layers=2,heads=4,kv_heads=2,head_dim=16,intermediate=96,vocabulary=100"
    assert shape_of(text).layer_weights == 64 * 64 * 2 + 32 * 64 * 2 + 3 * 64 * 96
    with pytest.raises(BadSetting, match="evenly"):
        shape_of(text.replace("kv_heads=2", "kv_heads=3"))


def test_an_unknown_model_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="qwen3-8b"):
        shape_of("qwen3-80b")
