"""A checkpoint of a given shape with random NF4 weights: for measuring memory and speed where no real model can be
fetched.

Knows transformers' and bitsandbytes' layout on disk. One set of layers serves several vocabularies. Not a model to
learn with.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .shape import ModelShape

_NAMES = (
    "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj",
    "mlp.down_proj",
)  # fmt: skip
_ARCHITECTURES = {
    "llama": "LlamaForCausalLM",
    "mistral": "MistralForCausalLM",
    "qwen2": "Qwen2ForCausalLM",
    "qwen3": "Qwen3ForCausalLM",
}


def write(shape: ModelShape, folders: dict[Path, int], seed: int = 0) -> None:
    """Write one checkpoint per folder, each with that many vocabulary rows; the layers' file is shared by hard
    links.
    """
    import torch
    from bitsandbytes import functional
    from safetensors.torch import save_file

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(seed)
    half: dict[str, Any] = {"device": device, "dtype": torch.bfloat16}
    tensors: dict[str, torch.Tensor] = {}
    for number in range(shape.layers):
        prefix = f"model.layers.{number}."
        for name, (out, into) in zip(_NAMES, shape.projections, strict=True):
            packed, state = functional.quantize_4bit(
                torch.randn(out, into, **half) * 0.02, quant_type="nf4", compress_statistics=True
            )
            tensors[f"{prefix}{name}.weight"] = packed.cpu()
            for key, value in state.as_dict(packed=True).items():
                tensors[f"{prefix}{name}.weight.{key}"] = value.cpu()
        for name in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"{prefix}{name}.weight"] = torch.ones(shape.hidden, dtype=torch.bfloat16)
        if shape.q_norm:
            for name in ("q_norm", "k_norm"):
                tensors[f"{prefix}self_attn.{name}.weight"] = torch.ones(shape.head_dim, dtype=torch.bfloat16)
    layers: Path | None = None
    for folder, rows in folders.items():
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "layers.safetensors"
        file.unlink(missing_ok=True)
        if layers is None:
            save_file(tensors, file, metadata={"format": "pt"})
            layers = file
        else:
            file.hardlink_to(layers)
        ends = {"model.norm.weight": torch.ones(shape.hidden, dtype=torch.bfloat16)}
        for name in ("model.embed_tokens.weight", *(() if shape.tied else ("lm_head.weight",))):
            ends[name] = (torch.randn(rows, shape.hidden, **half) * 0.02).cpu()
        save_file(ends, folder / "ends.safetensors", metadata={"format": "pt"})
        index = {**dict.fromkeys(tensors, "layers.safetensors"), **dict.fromkeys(ends, "ends.safetensors")}
        (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": index}))
        (folder / "config.json").write_text(json.dumps(_config(shape.sliced(rows)), indent=1))


def _config(shape: ModelShape) -> dict[str, Any]:
    return {
        "architectures": [_ARCHITECTURES[shape.family]],
        "model_type": shape.family,
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "max_position_embeddings": 524288,
        "rope_theta": 1e6,
        "rms_norm_eps": 1e-6,
        "hidden_act": "silu",
        "tie_word_embeddings": shape.tied,
        "dtype": "bfloat16",
        "quantization_config": {
            "quant_method": "bitsandbytes",
            "load_in_4bit": True,
            "bnb_4bit_quant_type": "nf4",
            "bnb_4bit_use_double_quant": True,
            "bnb_4bit_compute_dtype": "bfloat16",
            "bnb_4bit_quant_storage": "uint8",
        },
    }
