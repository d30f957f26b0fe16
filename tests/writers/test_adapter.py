from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from fabai.errors import WriterError
from fabai.writers.adapter import adapter_in, base_of, read_adapter
from fabai.writers.choose import choose
from fabai.writers.models import find_model, place


def make(folder: Path, **table: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    config = {"peft_type": "LORA", "r": 16, "lora_alpha": 32, **table}
    (folder / "adapter_config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def test_the_scaling_is_pefts_own(tmp_path: Path) -> None:
    """Compared with PEFT's layers, patterns and rank stabilisation included."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    peft = pytest.importorskip("peft", reason="peft is not installed")
    for number, how in enumerate(
        (
            {"use_rslora": False},
            {"use_rslora": True},
            {"use_rslora": True, "rank_pattern": {"up": 4}, "alpha_pattern": {"blocks.0.down": 3}},
        )
    ):
        block = torch.nn.ModuleDict({"up": torch.nn.Linear(8, 8), "down": torch.nn.Linear(8, 8)})
        model = torch.nn.ModuleDict({"blocks": torch.nn.ModuleList([block])})
        wrapped = peft.inject_adapter_in_model(
            peft.LoraConfig(r=16, lora_alpha=32, target_modules=["up", "down"], **how), model
        )
        adapter = read_adapter(make(tmp_path / str(number), **how))
        for place_, layer in (
            ("blocks.0.up", wrapped["blocks"][0]["up"]),
            ("blocks.0.down", wrapped["blocks"][0]["down"]),
        ):
            assert math.isclose(adapter.scaling(place_), layer.scaling["default"])


def test_the_highest_rank_of_any_module_counts(tmp_path: Path) -> None:
    assert read_adapter(make(tmp_path, rank_pattern={"q_proj": 64})).largest == 64


def test_a_run_folder_leads_to_its_adapter(tmp_path: Path) -> None:
    make(tmp_path / "run" / "adapter")
    assert adapter_in(tmp_path / "run") == tmp_path / "run" / "adapter"
    assert read_adapter(tmp_path / "run").name == "run"
    assert adapter_in(tmp_path) is None


def test_the_base_is_looked_for_where_it_may_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABAI_MODELS", str(tmp_path / "models"))
    (tmp_path / "base").mkdir()
    assert base_of(read_adapter(make(tmp_path / "a", base_model_name_or_path="../base"))) == tmp_path / "a" / "../base"
    hub = read_adapter(make(tmp_path / "b", base_model_name_or_path="Qwen/Qwen3-8B"))
    assert base_of(hub) == "Qwen/Qwen3-8B"
    place(find_model("qwen3-8b")).mkdir(parents=True)
    assert base_of(hub) == place(find_model("qwen3-8b"))
    assert hub.base_gguf() is None
    place(find_model("qwen3-8b-gguf")).touch()
    assert hub.base_gguf() == place(find_model("qwen3-8b-gguf"))
    made = tmp_path / "models" / "smollm2-135m-folder"
    made.mkdir()
    place(find_model("smollm2-135m")).touch()
    of_gguf = read_adapter(make(tmp_path / "c", base_model_name_or_path=str(made)))
    assert (base_of(of_gguf), of_gguf.base_gguf()) == (made, place(find_model("smollm2-135m")))


def test_an_adapter_of_a_sliced_model_goes_with_the_full_models_gguf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FABAI_MODELS", str(tmp_path / "models"))
    (tmp_path / "cut" / "slice").mkdir(parents=True)
    manifest = {"original": "/home/ana/models/Qwen3-8B"}
    (tmp_path / "cut" / "slice" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    place(find_model("qwen3-8b-gguf")).parent.mkdir()
    place(find_model("qwen3-8b-gguf")).touch()
    adapter = read_adapter(make(tmp_path / "a", base_model_name_or_path=str(tmp_path / "cut")))
    assert adapter.base_gguf() == place(find_model("qwen3-8b-gguf"))


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("llamacpp:{0}", "no GGUF file is here"),
        ("llamacpp:/no/such.gguf+{0}", "no model file"),
        ("llamacpp:smollm2-135m+/no/such", "holds no adapter"),
        ("transformers:{0}", "not on this machine"),
        ("transformers:{0}#kep", "kept"),
    ],
)
def test_a_wish_for_an_adapter_that_cannot_be_met_is_one_sentence(tmp_path: Path, wish: str, said: str) -> None:
    trained = make(tmp_path / "a", base_model_name_or_path="/gone/model")
    with pytest.raises(Exception, match=said) as caught:
        choose(wish.format(trained))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("table", [{"r": "many"}, {"r": 0}, {"rank_pattern": [1]}, {"peft_type": "IA3"}])
def test_a_configuration_that_makes_no_sense_is_one_sentence(tmp_path: Path, table: dict[str, Any]) -> None:
    with pytest.raises(WriterError) as caught:
        read_adapter(make(tmp_path, **table))
    assert "\n" not in str(caught.value)
