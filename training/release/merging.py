"""The adapter in the base's weights: a model folder that needs no PEFT.

Each changed matrix is W + s·B·A, added up in 32 bits and rounded once, shard by shard, so a large model needs the
memory of its largest matrix. W are the base's own 16-bit weights, or what these become in 4 bits and back (which is
what a QLoRA adapter was trained beside). Knows safetensors and PEFT's names. Does not know which of the two is better.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from fabai.training.checkpoint import tensors_of
from fabai.training.slice.checkpoint import INDEX, read_checkpoint
from fabai.training.slice.checkpoint import Tensor as Stored
from fabai.training.slice.rows import copy, header, reading, write_all, write_index, writing
from safetensors import safe_open
from torch import Tensor

from fabai.errors import UnreadableFile
from fabai.writers.adapter import WEIGHTS, Adapter, json_object

_TYPES = {"BF16": torch.bfloat16, "F16": torch.float16, "F32": torch.float32}
_WIDTHS = {"BF16": 2, "F16": 2, "F32": 4}
_NF4_BLOCK = 64


@dataclass(frozen=True, slots=True)
class Merged:
    """What was written. changed: matrices that the adapter changed."""

    folder: Path
    changed: int
    size: int


def merge(
    base: Path, adapter: Adapter, target: Path, *, rounded: bool, rope: Mapping[str, Any] | None, double: bool = True
) -> Merged:
    """Write base and adapter as one model folder of 16-bit weights.

    rounded: the weights beside the adapter are first taken through NF4 (double: its constants in 8 bits too) and back.
    rope: rope_parameters for config.json, None for the base's own. UnreadableFile for a base that is quantised already.
    """
    source = read_checkpoint(base)
    deltas = _Deltas(adapter)
    lost = deltas.modules - {name.removesuffix(".weight") for name in source.tensors}
    if lost:
        raise UnreadableFile(f"the adapter in {adapter.folder} changes {sorted(lost)[0]}, which {base} has not")
    target.mkdir(parents=True)
    total = 0
    for file in source.files:
        stored = list(source.of_file(file))
        # 32-bit weights become 16-bit ones
        kinds = {one.name: "BF16" if one.dtype == "F32" and len(one.shape) > 1 else one.dtype for one in stored}
        lengths = {one.name: _bytes(one, kinds[one.name]) for one in stored}
        shapes = {one.name: list(one.shape) for one in stored}
        total += sum(lengths.values())
        told = [Stored(one.name, one.file, kinds[one.name], one.shape, 0, lengths[one.name]) for one in stored]
        with reading(base / file) as reader, writing(target / file) as writer:
            write_all(writer, header(told, lengths, shapes))
            with safe_open(str(base / file), "pt") as weights:
                for one in stored:
                    module = one.name.removesuffix(".weight")
                    if module not in deltas.modules and kinds[one.name] == one.dtype:
                        copy(reader, writer, source.header_bytes[file] + one.start, one.end - one.start, _ignored)
                        continue
                    weight: Tensor = weights.get_tensor(one.name).float()
                    if module in deltas.modules:
                        weight = (_through_nf4(weight, double) if rounded else weight) + deltas.of(module)
                    write_all(writer, _raw(weight.to(_TYPES[kinds[one.name]])))
    if (base / INDEX).is_file():
        write_index(base, target, {name: one.file for name, one in source.tensors.items()}, total)
    narrowed = any(one.dtype == "F32" and len(one.shape) > 1 for one in source.tensors.values())
    _small_files(base, target, rope, narrowed)
    return Merged(target, len(deltas.modules), total)


class _Deltas:
    """s·B·A of each module of an adapter, made one at a time."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        # an adapter is small beside its base
        self._weights = tensors_of(adapter.folder / WEIGHTS)
        self._names = {
            name.removeprefix("base_model.model.").removesuffix(".lora_A.weight"): name
            for name in self._weights
            if name.endswith(".lora_A.weight")
        }
        self.modules = frozenset(self._names)

    def of(self, module: str) -> Tensor:
        """[rows, columns] in fp32."""
        name = self._names[module]
        inner: Tensor = self._weights[name].float()
        outer: Tensor = self._weights[name.replace("lora_A", "lora_B")].float()
        return outer @ inner * self._adapter.scaling(module)


def _through_nf4(weight: Tensor, double: bool) -> Tensor:
    """What a matrix is to the forward pass of QLoRA: quantised to NF4 from 16 bits, and read back."""
    import bitsandbytes.functional as packed

    half = weight.to(torch.bfloat16).contiguous()
    data, state = packed.quantize_4bit(half, blocksize=_NF4_BLOCK, compress_statistics=double, quant_type="nf4")
    found: Tensor = packed.dequantize_4bit(data, state)
    return found.float()


def _bytes(one: Stored, kind: str) -> int:
    count = 1
    for length in one.shape:
        count *= length
    return count * _WIDTHS.get(kind, 0) if kind in _WIDTHS else one.end - one.start


def _raw(weight: Tensor) -> Any:
    return weight.contiguous().view(torch.uint8).reshape(-1).numpy().astype(np.uint8, copy=False)


def _small_files(base: Path, target: Path, rope: Mapping[str, Any] | None, narrowed: bool) -> None:
    """Configuration and tokenizer; a slice's map comes along."""
    for path in sorted(base.iterdir()):
        if path.is_file() and path.suffix in (".json", ".jinja", ".txt", ".model") and path.name != INDEX:
            shutil.copyfile(path, target / path.name)
        elif path.is_dir() and path.name == "slice":
            shutil.copytree(path, target / path.name)
    config = json_object(target / "config.json")
    if narrowed:
        config.pop("torch_dtype", None)
        config["dtype"] = "bfloat16"
    if rope is not None:
        config.pop("rope_scaling", None)
        config["rope_parameters"] = dict(rope)
        config["max_position_embeddings"] = int(rope["factor"] * rope["original_max_position_embeddings"])
    (target / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def _ignored(_: int) -> None:
    """Nobody counts bytes here."""
