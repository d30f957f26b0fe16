"""What the engine cannot work is refused by name."""

from __future__ import annotations

import pytest
import torch
from fabai.training.engine.architecture import read
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, GPT2Config, Qwen3Config

from fabai.errors import BadSetting

from .models import tiny


def test_another_family_is_named() -> None:
    model = AutoModelForCausalLM.from_config(GPT2Config(n_layer=1, n_head=2, n_embd=16, vocab_size=32, n_positions=32))
    with pytest.raises(BadSetting, match="not 'gpt2'"):
        read(model)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"lora": {"use_dora": True}}, "LoRA variant"),
        ({"lora": {"lora_bias": True}}, "bias in the adapter"),
        ({"targets": ["q_proj", "embed_tokens"]}, "embedding"),
        ({"targets": ["q_proj", "lm_head"]}, "head"),
        ({"attention_dropout": 0.1}, "attention dropout"),
        ({"hidden_act": "gelu"}, "activation 'gelu'"),
    ],
)
def test_what_it_does_not_work_is_named(changed: dict[str, object], named: str) -> None:
    with pytest.raises(BadSetting, match=named):
        read(tiny("qwen3", **changed))


def test_a_merged_adapter_is_refused() -> None:
    model = tiny("llama")
    model.merge_adapter()
    with pytest.raises(BadSetting, match="unmerge"):
        read(model)


def test_the_models_own_rotary_rule_is_used() -> None:
    scaled = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128, "rope_theta": 10000.0}
    config = Qwen3Config(
        vocab_size=32, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, head_dim=16, max_position_embeddings=512, rope_parameters=scaled,
    )  # fmt: skip
    model = get_peft_model(AutoModelForCausalLM.from_config(config), LoraConfig(target_modules=["q_proj"]))
    decoder = read(model)
    positions = torch.arange(20)
    cos, sin = decoder.angles(positions)
    with torch.no_grad():
        wanted = model.get_base_model().model.rotary_emb(torch.empty(1), positions[None])
    assert torch.equal(cos, wanted[0][0, :, :8])
    assert torch.equal(sin, wanted[1][0, :, :8])
