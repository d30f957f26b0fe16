"""A PEFT adapter as the GGUF file that llama.cpp loads beside a base model.

Knows both layouts and what llama.cpp does to a base: it multiplies B·A by alpha / rank, and in files of the family
`llama` the rows of q and k stand in another order (pairs of a head's halves, interleaved). Needs no library: weights
are moved as bytes. Does not know how a model is run. Layouts: https://huggingface.co/docs/safetensors,
https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, https://github.com/ggml-org/llama.cpp/tree/master/tools/export-lora
"""

from __future__ import annotations

import json
import math
import re
import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fabai.errors import WriterError
from fabai.writers.adapter import WEIGHTS, Adapter
from fabai.writers.gguf import Gguf

_PLACES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_PERMUTED = ("llama",)
_PLAIN = ("qwen2", "qwen3", "gemma", "gemma2", "gemma3")
_NAME = re.compile(
    r"base_model\.model\.((?:model\.)+(?:language_model\.)?layers\.(\d+)\.(\w+\.\w+))\.lora_([AB])\.weight"
)
_WIDTHS = {"F32": 4, "F16": 2, "BF16": 2}
_F32, _F16 = 0, 1
_ALIGNMENT = 32
_HEADER = 100 * 2**20
_TEXT, _FLOAT = 8, 6


@dataclass(frozen=True, slots=True)
class _Tensor:
    """One of the adapter's matrices. at: bytes [start, end) of the file; shape: rows, columns."""

    module: str
    name: str
    part: str
    kind: str
    shape: tuple[int, int]
    at: tuple[int, int]


def write_lora(adapter: Adapter, base: Gguf, target: Path) -> None:
    """Write `target`. WriterError with one sentence where the adapter is damaged, or is none of this base model."""
    if adapter.unusual:
        raise WriterError(
            f"the adapter in {adapter.folder} holds {' and '.join(adapter.unusual)}, which llama.cpp does not load: "
            "merge it into its base and convert that"
        )
    if base.architecture not in (*_PERMUTED, *_PLAIN):
        known = ", ".join((*_PERMUTED, *_PLAIN))
        raise WriterError(
            f"{base.path.name} is of the family {base.architecture}, and fabai places adapters on {known} only: "
            "merge the adapter into its base and convert that"
        )
    source = adapter.folder / WEIGHTS
    try:
        with source.open("rb") as file:
            start, tensors = _tensors(file, source)
            _belongs(tensors, base, adapter)
            _write(target, file, start, tensors, base, adapter)
    except FileNotFoundError:
        raise WriterError(f"{adapter.folder} has no {WEIGHTS}; train or copy the adapter again") from None
    except OSError as error:
        raise WriterError(f"the adapter {source} cannot be converted: {error.strerror or error}") from error


def _tensors(file: BinaryIO, source: Path) -> tuple[int, list[_Tensor]]:
    """Where the data begin, and the matrices in the order of the file."""
    damaged = WriterError(f"{source} is damaged or cut short; train or copy the adapter again")
    file.seek(0, 2)
    size = file.tell()
    file.seek(0)
    head = file.read(8)
    length = struct.unpack("<Q", head)[0] if len(head) == 8 else _HEADER
    if length >= min(_HEADER, size):
        raise damaged
    try:
        table = json.loads(file.read(length))
        found = [_tensor(name, entry, source) for name, entry in table.items() if name != "__metadata__"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise damaged from None
    if not found or any(one.at[1] + 8 + length > size for one in found):
        raise damaged
    return 8 + length, found


def _tensor(name: str, entry: dict[str, object], source: Path) -> _Tensor:
    match = _NAME.fullmatch(name)
    if match is None or match[3] not in _PLACES:
        raise WriterError(
            f"the adapter in {source.parent} changes {name.removeprefix('base_model.model.')}, which llama.cpp takes "
            "from no adapter: merge it into its base and convert that"
        )
    kind, shape, at = str(entry["dtype"]), entry["shape"], entry["data_offsets"]
    if kind not in _WIDTHS or not isinstance(shape, list) or not isinstance(at, list):
        raise ValueError(kind)
    rows, columns = (int(one) for one in shape)
    start, end = (int(one) for one in at)
    if start < 0 or end - start != rows * columns * _WIDTHS[kind]:
        raise ValueError("its size is not its shape")
    place = f"blk.{int(match[2])}.{_PLACES[match[3]]}.weight"
    return _Tensor(match[1], place, match[4], kind, (rows, columns), (start, end))


def _belongs(tensors: list[_Tensor], base: Gguf, adapter: Adapter) -> None:
    """llama.cpp's own words for this are a failure to load, after the base was read."""
    parts: dict[str, set[str]] = {}
    for one in tensors:
        parts.setdefault(one.name, set()).add(one.part)
        # a GGUF file gives the columns first
        columns, rows = (*base.shapes.get(one.name, ()), 0, 0)[:2]
        outer = columns if one.part == "A" else rows
        if outer != one.shape[1 if one.part == "A" else 0]:
            raise WriterError(
                f"the adapter in {adapter.folder} does not fit {base.path.name} ({one.module} differs): it was trained "
                f"on another model{f', {adapter.base}' if adapter.base else ''}"
            )
    half = next((name for name, has in parts.items() if len(has) < 2), None)
    if half is not None:
        raise WriterError(f"the adapter in {adapter.folder} lacks half of {half}; train or copy it again")


def _write(target: Path, source: BinaryIO, start: int, tensors: list[_Tensor], base: Gguf, adapter: Adapter) -> None:
    # llama.cpp scales by alpha / rank with the one alpha of the file: what differs is multiplied into B
    alpha = adapter.alpha * math.sqrt(adapter.rank) if adapter.rank_stabilised else adapter.alpha
    fields: list[tuple[str, int, str | float]] = [
        ("general.type", _TEXT, "adapter"),
        ("general.architecture", _TEXT, base.architecture),
        ("adapter.type", _TEXT, "lora"),
        ("adapter.lora.alpha", _FLOAT, alpha),
    ]
    with target.open("wb") as out:
        out.write(b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields)))
        for key, kind, value in fields:
            out.write(_text(key) + struct.pack("<I", kind))
            out.write(_text(value) if isinstance(value, str) else struct.pack("<f", value))
        offset = 0
        for one in tensors:
            kind, width = (_F16, 2) if one.kind == "F16" and _factor(one, alpha, adapter) == 1 else (_F32, 4)
            rows, columns = one.shape
            out.write(_text(f"{one.name}.lora_{one.part.lower()}"))
            out.write(struct.pack("<IQQIQ", 2, columns, rows, kind, offset))
            offset += _aligned(rows * columns * width)
        out.write(bytes(-out.tell() % _ALIGNMENT))
        for one in tensors:
            source.seek(start + one.at[0])
            data = _converted(source.read(one.at[1] - one.at[0]), one, _factor(one, alpha, adapter))
            data = b"".join(_rows(data, one, base))
            out.write(data + bytes(_aligned(len(data)) - len(data)))


def _factor(one: _Tensor, alpha: float, adapter: Adapter) -> float:
    """What B is multiplied by so that alpha / rank gives the adapter's own scaling."""
    if one.part == "A":
        return 1.0
    factor = adapter.scaling(one.module) / (alpha / one.shape[1])
    return 1.0 if math.isclose(factor, 1.0, rel_tol=1e-9) else factor


def _converted(data: bytes, one: _Tensor, factor: float) -> bytes:
    """In 32 bits, save halves that stay as they are."""
    if one.kind == "BF16":
        # a bfloat16 is the upper half of a float
        whole = bytearray(2 * len(data))
        whole[2::4], whole[3::4] = data[0::2], data[1::2]
        data = bytes(whole)
    if factor == 1.0:
        return data
    count = one.shape[0] * one.shape[1]
    layout = "e" if one.kind == "F16" else "f"
    return array("f", (value * factor for value in struct.unpack(f"<{count}{layout}", data))).tobytes()


def _rows(data: bytes, one: _Tensor, base: Gguf) -> Iterator[bytes]:
    """The rows in the order in which the base file has them."""
    place = one.name.split(".")[2]
    if one.part == "A" or base.architecture not in _PERMUTED or place not in ("attn_q", "attn_k"):
        yield data
        return
    heads = base.heads if place == "attn_q" else base.groups
    rows = one.shape[0]
    size, wide = rows // heads, len(data) // rows
    for head in range(heads):
        for row in range(size // 2):
            for half in range(2):
                at = (head * size + half * (size // 2) + row) * wide
                yield data[at : at + wide]


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
