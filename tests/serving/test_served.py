from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fabai.errors import WriterError
from fabai.serving.served import served

Make = Callable[..., Path]


def test_a_model_folder_tells_its_weights_its_context_and_what_a_token_takes(model: Make) -> None:
    what = served(str(model()))
    assert (what.name, what.weights, what.adapter) == ("qwen3-8b", 16_400_000_000, None)
    # 36 layers, keys and values, 8 groups of 128, two bytes each
    assert (what.shape.context, what.shape.cache) == (40_960, 36 * 2 * 8 * 128 * 2)
    assert what.shape.outside == 2 * 151_936 * 4096


def test_an_adapter_brings_its_base_beside_it_or_where_it_says(model: Make, adapter: Make) -> None:
    base = model()
    for named in (base, "../qwen3-8b"):
        trained = adapter(named, name=f"memorias-{len(str(named))}")
        what = served(str(trained))
        assert what.adapter is not None
        assert Path(what.base).resolve() == base
        assert what.name == trained.name


def test_a_training_run_is_served_by_its_own_name_and_with_its_stretched_positions(model: Make, tmp_path: Path) -> None:
    base = model()
    run = tmp_path / "run-3"
    (run / "adapter").mkdir(parents=True)
    config = {"peft_type": "LORA", "r": 8, "lora_alpha": 8, "base_model_name_or_path": "/gone/elsewhere"}
    (run / "adapter" / "adapter_config.json").write_text(json.dumps(config), encoding="utf-8")
    table = {"model": {"base": str(base), "rope_factor": 2.0, "positions": 32_768}}
    (run / "run.json").write_text(json.dumps(table), encoding="utf-8")
    what = served(str(run))
    assert (what.name, what.base) == ("run-3", base)
    assert what.rope == {
        "rope_type": "yarn",
        "rope_theta": 1e6,
        "factor": 2.0,
        "original_max_position_embeddings": 32_768,
    }


def test_the_base_may_be_named_on_the_command_line(model: Make, adapter: Make) -> None:
    base = model()
    assert served(str(adapter(None)), str(base)).base == base


def test_a_gguf_beside_the_adapter_or_its_base_is_found(model: Make, adapter: Make) -> None:
    base = model()
    trained = adapter(base)
    assert served(str(trained)).gguf is None
    (base / "qwen3-8b-q8_0.gguf").touch()
    assert served(str(trained)).gguf == base / "qwen3-8b-q8_0.gguf"


def test_what_cannot_be_served_is_one_sentence(model: Make, adapter: Make, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").touch()
    broken = model("broken")
    (broken / "config.json").write_text("{", encoding="utf-8")
    kinds = adapter(broken, name="kind", peft_type="PROMPT_TUNING")
    for release, said in (
        (tmp_path / "none", "nothing to serve"),
        (tmp_path / "empty", "cannot be served"),
        (tmp_path / "notes.txt", "neither a folder nor"),
        (broken, "JSON object"),
        (kinds, "LoRA only"),
        (adapter("/models/gone", name="far"), "not on this machine"),
        (adapter(tmp_path / "empty", name="hollow"), "no model folder"),
    ):
        with pytest.raises(WriterError, match=said):
            served(str(release))
