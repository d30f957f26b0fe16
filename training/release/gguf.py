"""A merged model folder as a GGUF file, written with the gguf package alone: 16 bits, Q8_0, Q5_1 or Q4_0.

Knows the families llama (and mistral), qwen2 and qwen3: llama.cpp's names of their tensors, the order of rows of q and
k in files of the family llama, and its settings. Matrices are made and written one at a time. Norms and biases stay in
32 bits; where the rest is below 8 bits, embedding and head are Q8_0, since a small model loses most there. Does not
know how the file is run. Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import gguf
import numpy as np
import numpy.typing as npt
import torch
from fabai.training.slice.checkpoint import Checkpoint, read_checkpoint
from gguf.quants import quant_shape_to_byte_shape, quantize
from safetensors import safe_open
from torch import Tensor

from fabai.errors import ExportError
from fabai.writers.adapter import json_object

from .manifest import Numbers
from .vocabulary import vocabulary

_FAMILIES = {"llama": "llama", "mistral": "llama", "qwen2": "qwen2", "qwen3": "qwen3"}
_PERMUTED = ("llama",)
_FILE = {
    "F16": gguf.LlamaFileType.MOSTLY_F16, "BF16": gguf.LlamaFileType.MOSTLY_BF16,
    "Q8_0": gguf.LlamaFileType.MOSTLY_Q8_0, "Q5_1": gguf.LlamaFileType.MOSTLY_Q5_1,
    "Q4_0": gguf.LlamaFileType.MOSTLY_Q4_0,
}  # fmt: skip
_OUTER = ("token_embd.weight", "output.weight")
_NARROW = ("Q5_1", "Q4_0")
_BLOCK = 32


def check(folder: Path) -> None:
    """ExportError where no GGUF file can be made of this model, before anything is written."""
    config = json_object(folder / "config.json")
    kind = str(config.get("model_type"))
    if kind not in _FAMILIES:
        raise ExportError(
            f"fabai writes GGUF files of {', '.join(_FAMILIES)}, and this model is of the family {kind}: merge it "
            "(--merge 16bit) and convert that with llama.cpp's own convert_hf_to_gguf.py"
        )
    vocabulary(folder, int(config["vocab_size"]))


def write(folder: Path, target: Path, numbers: Numbers, name: str) -> None:
    """Write `target` from a model folder of 16-bit weights. name: what the file says that it holds."""
    if numbers not in get_args(Numbers):
        raise ExportError(f"{numbers} is no kind of numbers that fabai writes: take {', '.join(get_args(Numbers))}")
    check(folder)
    config = json_object(folder / "config.json")
    source = read_checkpoint(folder)
    family = _FAMILIES[str(config["model_type"])]
    writer = gguf.GGUFWriter(str(target), family)
    _settings(writer, config, numbers, name)
    _words(writer, folder, source.rows)
    places = _places(source, family, config)
    for place, one in places.items():
        shape = source.tensors[one].shape
        kind = _kind(place, shape, numbers)
        raw = np.dtype(np.float32) if kind.name == "F32" else np.dtype(np.uint8)
        size = math.prod(quant_shape_to_byte_shape(shape, kind)) if kind.name != "F32" else 4 * math.prod(shape)
        stored = shape if kind.name == "F32" else quant_shape_to_byte_shape(shape, kind)
        writer.add_tensor_info(place, stored, raw, size, kind)
    factors = _factors(config)
    if factors is not None:
        writer.add_tensor_info("rope_freqs.weight", factors.shape, factors.dtype, factors.nbytes)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for place, one in places.items():
        stored_tensor = source.tensors[one]
        with safe_open(str(folder / stored_tensor.file), "pt") as weights:
            weight = weights.get_tensor(one)
        kind = _kind(place, stored_tensor.shape, numbers)
        writer.write_tensor_data(_written(weight, place, family, config, kind))
    if factors is not None:
        writer.write_tensor_data(factors)
    writer.close()


def _settings(writer: gguf.GGUFWriter, config: Mapping[str, Any], numbers: Numbers, name: str) -> None:
    heads, hidden = int(config["num_attention_heads"]), int(config["hidden_size"])
    size = int(config.get("head_dim") or hidden // heads)
    writer.add_name(name)
    writer.add_file_type(_FILE[numbers])
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_context_length(int(config["max_position_embeddings"]))
    writer.add_embedding_length(hidden)
    writer.add_block_count(int(config["num_hidden_layers"]))
    writer.add_feed_forward_length(int(config["intermediate_size"]))
    writer.add_head_count(heads)
    writer.add_head_count_kv(int(config.get("num_key_value_heads") or heads))
    writer.add_key_length(size)
    writer.add_value_length(size)
    writer.add_layer_norm_rms_eps(float(config["rms_norm_eps"]))
    writer.add_rope_dimension_count(size)
    writer.add_vocab_size(int(config["vocab_size"]))
    rope = _rope(config)
    writer.add_rope_freq_base(float(rope.get("rope_theta", 10_000.0)))
    if rope.get("rope_type") == "yarn":
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(float(rope["factor"]))
        writer.add_rope_scaling_orig_ctx_len(int(rope["original_max_position_embeddings"]))
    elif rope.get("rope_type") == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(float(rope["factor"]))
    elif rope.get("rope_type", "default") not in ("default", "llama3"):
        raise ExportError(
            f"the model stretches its positions by '{rope['rope_type']}', which fabai does not write into GGUF: "
            "convert the merged folder (--merge 16bit) with llama.cpp's own convert_hf_to_gguf.py"
        )


def _rope(config: Mapping[str, Any]) -> dict[str, Any]:
    """rope_parameters, as transformers 5 writes them; older files have two keys instead."""
    found = dict(config.get("rope_parameters") or config.get("rope_scaling") or {})
    found.setdefault("rope_theta", config.get("rope_theta", 10_000.0))
    if "rope_type" not in found and "type" in found:
        found["rope_type"] = found["type"]
    return found


def _factors(config: Mapping[str, Any]) -> npt.NDArray[np.float32] | None:
    """Llama 3.1's division of slow frequencies, one factor for each pair of a head; None for others."""
    rope = _rope(config)
    if rope.get("rope_type") != "llama3":
        return None
    size = int(config.get("head_dim") or int(config["hidden_size"]) // int(config["num_attention_heads"]))
    base, factor = float(rope["rope_theta"]), float(rope["factor"])
    low, high = float(rope["low_freq_factor"]), float(rope["high_freq_factor"])
    learnt = float(rope["original_max_position_embeddings"])
    found = []
    for index in range(0, size, 2):
        wave = 2 * math.pi * base ** (index / size)
        if wave < learnt / high:
            found.append(1.0)
        elif wave > learnt / low:
            found.append(factor)
        else:
            smooth = (learnt / wave - low) / (high - low)
            found.append(1 / ((1 - smooth) / factor + smooth))
    return np.array(found, np.float32)


def _words(writer: gguf.GGUFWriter, folder: Path, rows: int) -> None:
    known = vocabulary(folder, rows)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(known.pre)
    writer.add_token_list(known.tokens)
    writer.add_token_types(known.kinds)
    writer.add_token_merges(known.merges)
    writer.add_eos_token_id(known.end)
    if known.start is not None:
        writer.add_bos_token_id(known.start)
    if known.pad is not None:
        writer.add_pad_token_id(known.pad)
    writer.add_add_bos_token(known.starts)
    if known.template is not None:
        writer.add_chat_template(known.template)


def _places(source: Checkpoint, family: str, config: Mapping[str, Any]) -> dict[str, str]:
    """llama.cpp's name of each tensor -> its name in the folder."""
    kind = next(arch for arch, name in gguf.MODEL_ARCH_NAMES.items() if name == family)
    names = gguf.get_tensor_name_map(kind, int(config["num_hidden_layers"]))
    found = {}
    for name in source.tensors:
        if name.endswith("rotary_emb.inv_freq") or (source.tied and name.startswith("lm_head.")):
            continue
        place = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if place is None:
            raise ExportError(
                f"llama.cpp's family {family} has no place for {name}; convert the merged folder with its own tool"
            )
        found[place] = name
    return found


def _kind(place: str, shape: tuple[int, ...], numbers: Numbers) -> gguf.GGMLQuantizationType:
    if len(shape) < 2:
        return gguf.GGMLQuantizationType.F32
    if numbers in _NARROW and place in _OUTER:
        numbers = "Q8_0"
    if numbers not in ("F16", "BF16") and shape[-1] % _BLOCK:
        # rows that blocks of 32 do not fill
        numbers = "F16"
    return gguf.GGMLQuantizationType[numbers]


def _written(
    weight: Tensor, place: str, family: str, config: Mapping[str, Any], kind: gguf.GGMLQuantizationType
) -> npt.NDArray[Any]:
    data = weight.float().numpy()
    part = place.split(".")[-2]
    if family in _PERMUTED and part in ("attn_q", "attn_k"):
        heads = int(config["num_attention_heads"])
        groups = heads if part == "attn_q" else int(config.get("num_key_value_heads") or heads)
        # llama.cpp rotates neighbours, transformers the two halves of a head
        data = data.reshape(groups, 2, data.shape[0] // groups // 2, -1).swapaxes(1, 2).reshape(data.shape)
    if kind.name == "F32":
        return np.ascontiguousarray(data, np.float32)
    if kind.name == "BF16":
        # exactly the bits that the folder holds, where these are bf16 already
        half = torch.from_numpy(np.ascontiguousarray(data)).to(torch.bfloat16)
        return half.view(torch.uint8).numpy()
    found: npt.NDArray[Any] = quantize(np.ascontiguousarray(data), kind)
    return found.view(np.uint8)
