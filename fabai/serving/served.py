"""What is served: a model folder, sliced or full, a GGUF file, or a trained adapter with its base.

Knows the files of a model and of a Release. Does not know servers or cards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.errors import WriterError
from fabai.writers.adapter import Adapter, adapter_in, base_of, json_object, read_adapter
from fabai.writers.models import MODELS, place

_WEIGHTS = (".safetensors", ".bin")


@dataclass(frozen=True, slots=True)
class Shape:
    """Of a model's config.json. cache: bytes that one token takes in a 16-bit KV cache, 0 where it cannot be told.

    context: tokens that it was trained on, 0 where unknown. outside: parameters of embeddings and head, which stay in
    16 bits when the rest is quantised. quantised: the folder's weights are quantised already.
    """

    context: int = 0
    cache: int = 0
    outside: int = 0
    quantised: bool = False


@dataclass(frozen=True, slots=True)
class Served:
    """name: what clients ask for. base: a folder, or a name of the hub. weights: bytes of the base's files, 0 unknown.

    rope: rope_parameters that the adapter was trained with, None for the base's own.
    """

    name: str
    base: Path | str
    shape: Shape
    weights: int = 0
    adapter: Adapter | None = None
    gguf: Path | None = None
    rope: Mapping[str, Any] | None = None


def served(release: str, base: str | None = None) -> Served:
    """What a person named: an adapter or training run, a model folder, a GGUF file, or a model fetched by name.

    base: where the adapter's base lies, for one that does not tell. WriterError where there is nothing to serve.
    """
    path = Path(release).expanduser()
    if not path.exists():
        known = next((one for one in MODELS if one.name == release and place(one).exists()), None)
        if known is None:
            raise WriterError(
                f"there is nothing to serve at {release}: give the folder of an adapter or a model, a .gguf file, "
                "or a model that fabai get has fetched"
            )
        path = place(known)
    if path.is_file():
        if path.suffix != ".gguf":
            raise WriterError(f"{path} is neither a folder nor a .gguf file, so it cannot be served")
        return Served(_name(path.stem), str(path), Shape(), path.stat().st_size, gguf=path)
    if adapter_in(path) is not None:
        return _with_adapter(read_adapter(path), base)
    if (path / "config.json").is_file():
        found = sorted(path.glob("*.gguf"))
        return Served(_name(path.resolve().name), path, shape(path), _size(path), gguf=found[0] if found else None)
    found = sorted(path.glob("*.gguf"))
    if len(found) == 1:
        return Served(_name(path.resolve().name), str(found[0]), Shape(), found[0].stat().st_size, gguf=found[0])
    raise WriterError(
        f"{path} cannot be served: it has neither an adapter_config.json nor a config.json nor one .gguf file"
    )


def shape(folder: Path) -> Shape:
    """Of the model in a folder; WriterError where its config.json cannot be read."""
    config = json_object(folder / "config.json")
    text = config.get("text_config")
    inner = text if isinstance(text, dict) else config
    layers, hidden, heads = (_number(inner, key) for key in ("num_hidden_layers", "hidden_size", "num_attention_heads"))
    groups = _number(inner, "num_key_value_heads") or heads
    width = _number(inner, "head_dim") or (hidden // heads if heads else 0)
    tied = bool(inner.get("tie_word_embeddings", config.get("tie_word_embeddings", False)))
    return Shape(
        context=_number(inner, "max_position_embeddings"),
        # keys and values, two bytes each
        cache=2 * 2 * layers * groups * width,
        outside=_number(inner, "vocab_size") * hidden * (1 if tied else 2),
        quantised="quantization_config" in config,
    )


def _with_adapter(adapter: Adapter, base: str | None) -> Served:
    where: Path | str
    if base is None:
        where = base_of(adapter) if adapter.base else ""
    else:
        where = Path(base).expanduser() if Path(base).expanduser().is_dir() else base
    here = isinstance(where, Path) and (where / "config.json").is_file()
    if isinstance(where, Path) and not here:
        raise WriterError(f"the adapter's base {where} is no model folder: it has no config.json")
    folder = Path(where) if here else None
    return Served(
        adapter.name,
        where,
        Shape() if folder is None else shape(folder),
        0 if folder is None else _size(folder),
        adapter,
        adapter.base_gguf(),
        None if folder is None else adapter.trained.rope(json_object(folder / "config.json")),
    )


def _name(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text).strip("-") or "model"


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file() and path.suffix in _WEIGHTS)


def _number(table: Mapping[str, Any], key: str) -> int:
    value = table.get(key)
    return value if isinstance(value, int) and value > 0 else 0
