"""Tiny random models of the four families with PEFT adapters whose B is not zero, and a plain autograd step to
compare with.
"""

from __future__ import annotations

from typing import Any

import bitsandbytes as bnb
import torch
from peft import LoraConfig, get_peft_model
from torch import Tensor, nn
from transformers import (
    AutoModelForCausalLM,
    LlamaConfig,
    MistralConfig,
    PretrainedConfig,
    Qwen2Config,
    Qwen3Config,
)

VOCABULARY = 97
TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
_SHAPE: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "max_position_embeddings": 512,
    "attn_implementation": "eager",
}
CONFIGS: dict[str, type[PretrainedConfig]] = {
    "llama": LlamaConfig, "mistral": MistralConfig, "qwen2": Qwen2Config, "qwen3": Qwen3Config,
}  # fmt: skip
EXTRA: dict[str, dict[str, Any]] = {
    "llama": {"tie_word_embeddings": True}, "mistral": {"sliding_window": 9}, "qwen2": {}, "qwen3": {"head_dim": 16},
}  # fmt: skip


def tiny(
    family: str,
    *,
    nf4: bool = False,
    dtype: torch.dtype = torch.float32,
    seed: int = 0,
    dropout: float = 0.0,
    **shape: Any,
) -> Any:
    """A PEFT model in training mode: RS-LoRA of rank 4 on every projection, unless `targets` or `lora` say
    otherwise.
    """
    torch.manual_seed(seed)
    targets, lora = shape.pop("targets", TARGETS), shape.pop("lora", {})
    config = CONFIGS[family](**{**_SHAPE, **EXTRA[family], **shape})
    model = AutoModelForCausalLM.from_config(config, dtype=dtype)
    for name, parameter in model.named_parameters():
        if "norm" in name:
            nn.init.normal_(parameter, 1.0, 0.2)
        elif name.endswith("bias"):
            nn.init.normal_(parameter, 0.0, 0.2)
        elif "proj" in name:
            nn.init.normal_(parameter, 0.0, 0.1)
    if nf4:
        _quantise(model, dtype)
    peft = get_peft_model(model, LoraConfig(
        task_type="CAUSAL_LM", r=4, lora_alpha=8, use_rslora=True, target_modules=targets, lora_dropout=dropout, **lora,
    ))  # fmt: skip
    for name, parameter in peft.named_parameters():
        if "lora_B" in name:
            nn.init.normal_(parameter, 0.0, 0.1)
    return peft.train()


def _quantise(model: nn.Module, dtype: torch.dtype) -> None:
    for layer in model.model.layers:
        for block in (layer.self_attn, layer.mlp):
            for name, module in list(block.named_children()):
                if isinstance(module, nn.Linear):
                    four = bnb.nn.Linear4bit(
                        module.in_features, module.out_features, bias=module.bias is not None, compute_dtype=dtype,
                        compress_statistics=True, quant_type="nf4",
                    )  # fmt: skip
                    four.weight = bnb.nn.Params4bit(
                        module.weight.data, requires_grad=False, quant_type="nf4", compress_statistics=True
                    )
                    four.bias = module.bias
                    setattr(block, name, four.to("cpu"))


def batch(tokens: int, labelled: float = 0.5, seed: int = 1, rows: int = 1) -> tuple[Tensor, Tensor]:
    """Random ids [rows, tokens] and labels with about this share of tokens labelled (at least one a row where tokens
    > 1).
    """
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, VOCABULARY, (rows, tokens), generator=generator)
    labels = ids.clone()
    labels[torch.rand(ids.shape, generator=generator) > labelled] = -100
    labels[:, -1] = ids[:, -1]
    return ids, labels


def plain(model: Any, ids: Tensor, labels: Tensor, **inputs: Any) -> tuple[float, dict[str, Tensor]]:
    """Loss and gradients of the plain model under autograd, gradients cleared afterwards."""
    loss = model(input_ids=ids, labels=labels, **inputs).loss
    loss.backward()
    return float(loss.detach()), taken(model)


def taken(model: nn.Module) -> dict[str, Tensor]:
    """The gradients of the trainable parameters, which are cleared."""
    found = {name: parameter.grad.clone() for name, parameter in model.named_parameters() if parameter.grad is not None}
    model.zero_grad(set_to_none=True)
    return found


def distance(one: dict[str, Tensor], other: dict[str, Tensor]) -> float:
    """The largest relative error of a gradient, ||one - other|| / ||other||, over all parameters."""
    assert one.keys() == other.keys()
    assert one
    return max(
        float((one[name].double() - right.double()).norm() / right.double().norm().clamp_min(1e-30))
        for name, right in other.items()
    )
