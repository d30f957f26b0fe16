"""vLLM's command, for the cards that a driver would tell of."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import MissingPart, WriterError
from fabai.serving.cache import told, warm
from fabai.serving.card import Card
from fabai.serving.launch import Launch
from fabai.serving.served import served
from fabai.serving.vllm import RANKS, Spread, find_python, launch, rank_for
from fabai.settings import ServeSettings
from fabai.writers.adapter import Adapter

Make = Callable[..., Path]
SETTINGS = ServeSettings()
A4000 = Card("RTX A4000", 16 * 2**30, 16 * 2**30, (8, 6))
T4 = Card("Tesla T4", 15 * 2**30, 15 * 2**30, (7, 5))
P40 = Card("Tesla P40", 24 * 2**30, 24 * 2**30, (6, 1))
H100 = Card("H100", 80 * 2**30, 80 * 2**30, (9, 0))


def made(release: Path, *cards: Card, settings: ServeSettings = SETTINGS, **how: Any) -> Launch:
    return launch(served(str(release)), cards, settings, "clave", **how)


def after(one: Launch, flag: str) -> str | None:
    """The word behind a flag, None where the flag is not there."""
    return one.words[one.words.index(flag) + 1] if flag in one.words else None


def test_on_a_16_gb_card_the_8b_model_is_loaded_in_four_bits(model: Make) -> None:
    one = made(model(), A4000)
    assert (after(one, "--quantization"), after(one, "--dtype")) == ("bitsandbytes", "bfloat16")
    assert any("4 bits" in note for note in one.notes)
    assert any("windows of 20,000 stay warm" in note for note in one.notes)


def test_on_a_large_card_it_stays_in_sixteen_bits(model: Make) -> None:
    assert after(made(model(), H100), "--quantization") is None
    assert after(made(replace_base(model)), "--quantization") is None


def replace_base(model: Make) -> Path:
    """A small model, on no card."""
    return model("small", size=1_000_000_000)


def test_a_card_without_bfloat16_gets_float16(model: Make) -> None:
    assert after(made(model(), T4), "--dtype") == "float16"


def test_a_card_that_vllm_does_not_run_on_is_refused_with_the_way_out(model: Make) -> None:
    with pytest.raises(WriterError, match="llamacpp"):
        made(model(), P40)


def test_a_model_that_fits_in_no_way_is_refused_with_what_lacks(model: Make) -> None:
    with pytest.raises(WriterError, match="GiB"):
        made(model("70b", size=140_000_000_000), A4000)


def test_weights_that_are_quantised_already_are_left_alone(model: Make) -> None:
    assert after(made(model(quantization_config={"quant_method": "awq"}), A4000), "--quantization") is None


def test_the_server_is_closed_to_others_and_reports_nothing_home(model: Make) -> None:
    one = made(model(), A4000)
    assert after(one, "--host") == "127.0.0.1"
    assert "clave" not in " ".join(one.words)
    assert one.environment["VLLM_API_KEY"] == "clave"
    assert one.environment["VLLM_ALLOW_RUNTIME_LORA_UPDATING"] == "0"
    assert one.environment["VLLM_NO_USAGE_STATS"] == "1"
    assert one.environment["HF_HUB_OFFLINE"] == "1"
    assert "clave" not in one.shown()
    assert {"--enable-prefix-caching", "--enable-prompt-tokens-details"} <= set(one.words)


def test_an_adapter_is_named_first_and_the_base_stays_to_compare(model: Make, adapter: Make) -> None:
    trained = adapter(model())
    one = made(trained, A4000)
    assert one.models == ("memorias-1", "qwen3-8b")
    assert after(one, "--lora-modules") == f"memorias-1={trained}"
    assert after(one, "--max-lora-rank") == "16"


@given(st.integers(1, 512), st.dictionaries(st.sampled_from(["q_proj", "down_proj"]), st.integers(1, 512)))
def test_the_rank_asked_for_is_the_least_that_vllm_takes_and_that_holds_the_adapter(
    rank: int, pattern: dict[str, int]
) -> None:
    found = rank_for(Adapter(Path("a"), "", rank, 16.0, True, pattern))
    most = max([rank, *pattern.values()])
    assert found >= most
    assert not [one for one in RANKS if most <= one < found]


@pytest.mark.parametrize("unusual", [{"use_dora": True}, {"modules_to_save": ["lm_head"]}])
def test_an_adapter_that_vllm_would_refuse_after_minutes_is_refused_at_once(
    model: Make, adapter: Make, unusual: dict[str, Any]
) -> None:
    with pytest.raises(WriterError, match="merge it"):
        made(adapter(model(), **unusual), A4000)


def test_stretched_positions_are_handed_on_and_widen_the_context(model: Make, adapter: Make) -> None:
    base = model(max_position_embeddings=16_384)
    trained = adapter(base)
    assert after(made(trained, H100), "--max-model-len") == "16384"
    (trained / "run.json").write_text(json.dumps({"model": {"rope_factor": 2}}), encoding="utf-8")
    one = made(trained, H100)
    assert after(one, "--max-model-len") == "24576"
    rope = json.loads(after(one, "--hf-overrides") or "")["rope_parameters"]
    assert rope == {
        "rope_type": "yarn", "rope_theta": 1e6, "factor": 2.0, "original_max_position_embeddings": 16_384,
    }  # fmt: skip


def test_a_model_with_a_short_context_is_served_with_what_it_has_and_says_so(model: Make) -> None:
    one = made(model(max_position_embeddings=8192), A4000)
    assert after(one, "--max-model-len") == "8192"
    assert any("--cap" in note for note in one.notes)


def test_several_cards_and_several_machines_are_vllms_own_matter(model: Make) -> None:
    base = model()
    one = made(base, A4000, A4000, spread=Spread(tensor=2))
    assert after(one, "--tensor-parallel-size") == "2"
    assert after(one, "--quantization") is None
    far = made(base, spread=Spread(8, 2, "10.0.0.1:6379"))
    assert after(far, "--distributed-executor-backend") == "ray"
    assert (after(far, "--tensor-parallel-size"), after(far, "--pipeline-parallel-size")) == ("8", "2")
    assert far.environment["RAY_ADDRESS"] == "10.0.0.1:6379"
    with pytest.raises(WriterError, match="asks for 4 cards"):
        made(base, A4000, spread=Spread(2, 2))


def test_the_figure_lock_is_our_own_processor_on_a_path_that_shows_vllm_nothing_else(
    model: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/own")
    one = made(replace_base(model), lock=True)
    assert after(one, "--logits-processors") == "fabai_figure_lock:Processor"
    inside, own = one.environment["PYTHONPATH"].split(os.pathsep)
    assert own == "/own"
    assert {path.name for path in Path(inside).iterdir()} - {"__pycache__"} == {"__init__.py", "fabai_figure_lock.py"}
    plain = made(model("other", size=1_000_000_000))
    assert "--logits-processors" not in plain.words
    assert "PYTHONPATH" not in plain.environment


def test_the_figure_lock_does_not_reach_a_ray_cluster_which_is_said(model: Make) -> None:
    with pytest.raises(WriterError, match="--lock"):
        made(replace_base(model), spread=Spread(2, ray="10.0.0.1:6379"), lock=True)


@pytest.mark.parametrize(("bfloat16", "dtype", "cache"), [(True, "bfloat16", 6), (False, "float32", 11)])
def test_without_a_card_the_processor_settles_the_numbers_and_the_cache_is_in_gib(
    model: Make, monkeypatch: pytest.MonkeyPatch, bfloat16: bool, dtype: str, cache: int
) -> None:
    monkeypatch.setattr("fabai.serving.vllm.multiplies_bfloat16", lambda: bfloat16)
    one = made(model())
    assert after(one, "--dtype") == dtype
    assert "--no-enable-chunked-prefill" in one.words
    assert int(one.environment["VLLM_CPU_KVCACHE_SPACE"]) == cache


def test_without_a_card_bitsandbytes_is_refused(model: Make) -> None:
    with pytest.raises(WriterError, match="needs an NVIDIA card"):
        made(replace_base(model), quantisation="bitsandbytes")


def test_further_words_come_last_and_settings_are_followed(model: Make) -> None:
    settings = replace(SETTINGS, host="10.0.0.5", port=9000, context=8000, memory=0.5)
    one = made(model(size=2_000_000_000), A4000, settings=settings, more=["--kv-cache-dtype", "fp8"])
    assert one.words[-2:] == ("--kv-cache-dtype", "fp8")
    assert [after(one, flag) for flag in ("--host", "--port", "--max-model-len", "--gpu-memory-utilization")] == [
        "10.0.0.5", "9000", "8000", "0.5",
    ]  # fmt: skip


def test_the_python_with_vllm_is_looked_for_and_its_lack_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FABAI_VLLM_PYTHON", raising=False)
    for wish in (None, str(tmp_path / "none"), "/usr/bin/env"):
        with pytest.raises(MissingPart, match="pip install vllm"):
            find_python(wish)
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setenv("FABAI_VLLM_PYTHON", str(python))
    assert find_python(None) == str(python)


def test_what_stays_warm_is_read_from_the_running_servers_metrics() -> None:
    metrics = 'a 1\nvllm:cache_config_info{block_size="16",engine="0",num_gpu_blocks="2600"} 1.0\n'
    assert told(metrics) == 41_600
    assert told(metrics.replace("engine=", 'kv_cache_size_tokens="40000",engine=')) == 40_000
    assert told("nothing 1") is None
    assert "2 windows of 20,000 stay warm" in warm(41_600, 20_000)
    assert "one window" in warm(20_000, 20_000)
    assert "less than one window" in warm(19_999, 20_000)
