"""Tiny random models of two families, once as a model folder and once as the GGUF file that llama.cpp's own converter
would make of it, in 32 bits; and trained-looking adapters for them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

LETTERS = 256
HEADS, GROUPS, HEAD, LAYERS, HIDDEN, INNER = 4, 2, 16, 2, 64, 96


def make(folder: Path, family: str, seed: int = 0) -> tuple[Path, Path]:
    """(model folder, GGUF file). family: "llama" or "qwen3"."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    # llama.cpp wants one merge at least; this pair of control characters stands in no text
    merged = letters[-2] + letters[-1]
    vocabulary = {one: index for index, one in enumerate([*letters, merged])}
    inner = Tokenizer(models.BPE(vocab=vocabulary, merges=[(letters[-2], letters[-1])]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer: Any = transformers.PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|im_end|>")  # noqa: S106
    shape: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "hidden_size": HIDDEN,
        "intermediate_size": INNER,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": GROUPS,
        "head_dim": HEAD,
        "max_position_embeddings": 512,
        "eos_token_id": tokenizer.eos_token_id,
        "bos_token_id": None,
        "initializer_range": 0.2,
        "tie_word_embeddings": False,
    }
    torch.manual_seed(seed)
    kinds: dict[str, tuple[Any, Any]] = {
        "llama": (transformers.LlamaConfig, transformers.LlamaForCausalLM),
        "qwen3": (transformers.Qwen3Config, transformers.Qwen3ForCausalLM),
    }
    config, kind = kinds[family]
    model = kind(config(**shape))
    with torch.no_grad():
        model.lm_head.weight[LETTERS:] = 0.0
        for name, weight in model.named_parameters():
            if "norm" in name:
                weight.uniform_(0.7, 1.3)
    where = folder / f"{family}-tiny"
    model.save_pretrained(where)
    tokenizer.save_pretrained(where)
    file = folder / f"{family}-tiny.gguf"
    _gguf(file, family, model, [*letters, merged], tokenizer)
    return where, file


def adapter(model: Path, folder: Path, *, stabilised: bool = True, seed: int = 1, **more: Any) -> Path:
    """An adapter of all linear layers with random A and B, as PEFT saves it."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(seed)
    base: Any = AutoModelForCausalLM.from_pretrained(model)
    wished = LoraConfig(
        r=4, lora_alpha=6, use_rslora=stabilised, target_modules="all-linear", task_type="CAUSAL_LM", **more
    )
    wrapped: Any = get_peft_model(base, wished)
    with torch.no_grad():
        for name, weight in wrapped.named_parameters():
            if "lora_B" in name:
                weight.normal_(0.0, 0.2)
    wrapped.save_pretrained(folder)
    return folder


def _gguf(file: Path, family: str, model: Any, tokens: list[str], tokenizer: Any) -> None:
    import gguf

    writer = gguf.GGUFWriter(str(file), family)
    writer.add_name(f"{family}-tiny")
    writer.add_context_length(512)
    writer.add_embedding_length(HIDDEN)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(GROUPS)
    writer.add_key_length(HEAD)
    writer.add_value_length(HEAD)
    writer.add_rope_dimension_count(HEAD)
    writer.add_rope_freq_base(model.config.rope_parameters["rope_theta"])
    writer.add_layer_norm_rms_eps(model.config.rms_norm_eps)
    writer.add_vocab_size(len(tokenizer))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    marks = [tokenizer.convert_ids_to_tokens(index) for index in range(len(tokens), len(tokenizer))]
    writer.add_token_list([*tokens, *marks])
    writer.add_token_types([gguf.TokenType.NORMAL] * len(tokens) + [gguf.TokenType.CONTROL] * len(marks))
    writer.add_token_merges([f"{tokens[-1][0]} {tokens[-1][1]}"])
    writer.add_eos_token_id(tokenizer.eos_token_id)
    writer.add_add_bos_token(False)
    kind = next(arch for arch, name in gguf.MODEL_ARCH_NAMES.items() if name == family)
    names = gguf.get_tensor_name_map(kind, LAYERS)
    for name, weight in model.state_dict().items():
        data = weight.float().numpy()
        if family == "llama" and name.endswith(("q_proj.weight", "k_proj.weight")):
            heads = HEADS if "q_proj" in name else GROUPS
            # llama.cpp rotates neighbours, transformers the two halves of a head
            data = data.reshape(heads, 2, HEAD // 2, HIDDEN).swapaxes(1, 2).reshape(data.shape)
        place = names.get_name(name, try_suffixes=(".weight",))
        writer.add_tensor(str(place), np.ascontiguousarray(data))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
