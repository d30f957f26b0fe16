"""A model folder on disk: its config, its safetensors shards, and which of its tensors have a row per token.

Knows the safetensors header and the index file. Reads headers only, never weights. Does not know tokenizers.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.errors import MissingPart, UnreadableFile

from .tokenizer import read_json

INDEX = "model.safetensors.index.json"
_INPUT = re.compile(
    r"(^|\.)(embed_tokens|wte|word_embeddings|embed_in|tok_embeddings|embeddings\.word_embeddings)\.weight$"
)
_OUTPUT = re.compile(r"(^|\.)(lm_head|embed_out|output)\.(weight|bias)$")
_QUANTISED = re.compile(r"\.(qweight|qzeros|absmax|quant_state\..+|weight_scale(_inv)?|weight_packed|SCB)$")


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where a tensor lies: `start` and `end` in bytes after the header of `file`."""

    name: str
    file: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int

    @property
    def row_bytes(self) -> int:
        """Bytes of one entry of the first dimension."""
        return (self.end - self.start) // self.shape[0]


@dataclass(frozen=True)
class Checkpoint:
    """A folder of safetensors. rows: of the embedding and the head. vocabulary: names of the tensors with a row per
    token.
    """

    folder: Path
    config: Mapping[str, Any]
    files: tuple[str, ...]
    tensors: Mapping[str, Tensor]
    header_bytes: Mapping[str, int]
    rows: int
    vocabulary: tuple[str, ...]
    tied: bool

    @property
    def size(self) -> int:
        """Bytes of all tensors."""
        return sum(tensor.end - tensor.start for tensor in self.tensors.values())

    @property
    def parameters(self) -> int:
        """Number of stored values."""
        total = 0
        for tensor in self.tensors.values():
            count = 1
            for length in tensor.shape:
                count *= length
            total += count
        return total

    def of_file(self, file: str) -> Iterator[Tensor]:
        """The tensors of one file, in the order in which they lie."""
        return iter(sorted((one for one in self.tensors.values() if one.file == file), key=lambda one: one.start))


def locate(model: str) -> Path:
    """A local folder, or a hub id that is fetched into the hub's cache."""
    path = Path(model)
    if path.is_dir():
        return path
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", model) or path.exists():
        raise UnreadableFile(
            f"{model} is not a model folder; give the folder that holds config.json, or a hub id such as Qwen/Qwen3-8B"
        )
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError:
        raise MissingPart(f"{model} is no local folder, and fetching it needs: pip install huggingface_hub") from None
    try:
        return Path(
            snapshot_download(model, allow_patterns=["*.json", "*.safetensors", "*.jinja", "*.txt", "LICENSE*", "*.md"])
        )
    except (LocalEntryNotFoundError, HfHubHTTPError, HFValidationError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise UnreadableFile(
            f"{model} is no local folder and could not be fetched from the hub ({reason[:120]}); give a local folder"
        ) from None


def read_checkpoint(folder: Path) -> Checkpoint:
    """Read config and headers; UnreadableFile for quantised, incomplete or unknown checkpoints."""
    config = read_json(folder / "config.json") if (folder / "config.json").is_file() else None
    if config is None:
        raise UnreadableFile(f"{folder} holds no config.json; give the folder of a model")
    text = config.get("text_config", config)
    if "quantization_config" in config or "quantization_config" in text:
        raise UnreadableFile(
            f"{folder} is already quantised; slice the original bf16 checkpoint and quantise the slice"
        )
    files = _files(folder)
    tensors: dict[str, Tensor] = {}
    headers: dict[str, int] = {}
    for file in files:
        headers[file], found = read_header(folder / file)
        tensors.update((one.name, one) for one in found)
    _check_index(folder, tensors)
    quantised = [
        one.name
        for one in tensors.values()
        if _QUANTISED.search(one.name) or (one.dtype[0] in "IU" and len(one.shape) > 1)
    ]
    if quantised:
        raise UnreadableFile(
            f"{folder} is already quantised ({quantised[0]}); slice the original bf16 checkpoint and quantise the slice"
        )
    return _with_vocabulary(folder, config, files, tensors, headers, text)


def _with_vocabulary(
    folder: Path,
    config: Mapping[str, Any],
    files: tuple[str, ...],
    tensors: Mapping[str, Tensor],
    headers: Mapping[str, int],
    text: Mapping[str, Any],
) -> Checkpoint:
    inputs = [name for name in tensors if _INPUT.search(name)]
    if len(inputs) != 1:
        raise UnreadableFile(f"{folder} has {len(inputs)} token embeddings by known names; slicing needs exactly one")
    rows = tensors[inputs[0]].shape[0]
    outputs = [name for name in tensors if _OUTPUT.search(name)]
    if any(tensors[name].shape[0] != rows for name in outputs):
        raise UnreadableFile(
            f"{folder}: the embedding has {rows:,} rows and the head another number; it cannot be sliced"
        )
    if text.get("vocab_size", rows) != rows:
        raise UnreadableFile(
            f"{folder}: config.json says vocab_size {text['vocab_size']:,}, the embedding has {rows:,} rows"
        )
    others = [name for name, one in tensors.items() if rows in one.shape and name not in (*inputs, *outputs)]
    if others and rows > 1024:
        raise UnreadableFile(
            f"{folder}: the tensor {others[0]} has {rows:,} entries along one side too, and it is not known how to "
            "slice it"
        )
    tied = bool(config.get("tie_word_embeddings", text.get("tie_word_embeddings", not outputs)))
    if not tied and not outputs:
        raise UnreadableFile(f"{folder} says that its head is its own, but no lm_head is stored in it")
    return Checkpoint(folder, config, files, tensors, headers, rows, (*inputs, *outputs), tied)


def _files(folder: Path) -> tuple[str, ...]:
    if (folder / INDEX).is_file():
        names = tuple(sorted(set(read_json(folder / INDEX)["weight_map"].values())))
        missing = [name for name in names if not (folder / name).is_file()]
        if missing:
            raise UnreadableFile(
                f"{folder} lacks {len(missing)} of {len(names)} shards, first {missing[0]}; fetch the model again"
            )
        return names
    if (folder / "model.safetensors").is_file():
        return ("model.safetensors",)
    old = sorted(folder.glob("pytorch_model*.bin"))
    hint = "; it holds PyTorch .bin files: load it in transformers and save_pretrained it first" if old else ""
    raise UnreadableFile(f"{folder} holds no model.safetensors{hint}")


def _check_index(folder: Path, tensors: Mapping[str, Tensor]) -> None:
    if not (folder / INDEX).is_file():
        return
    stated = read_json(folder / INDEX)["weight_map"]
    wrong = [name for name, file in stated.items() if name not in tensors or tensors[name].file != file]
    if wrong:
        raise UnreadableFile(f"{folder / INDEX} and the shards disagree about {wrong[0]}; fetch the model again")


def read_header(path: Path) -> tuple[int, list[Tensor]]:
    """(bytes in front of the data, tensors)."""
    try:
        with path.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            if length > 100_000_000:
                raise ValueError("header too long")
            table = json.loads(stream.read(length))
        table.pop("__metadata__", None)
        found = [
            Tensor(name, path.name, entry["dtype"], tuple(entry["shape"]), *entry["data_offsets"])
            for name, entry in table.items()
        ]
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        raise UnreadableFile(f"{path} is not a safetensors file: {error}") from None
    end = max((one.end for one in found), default=0)
    if path.stat().st_size != 8 + length + end:
        raise UnreadableFile(
            f"{path} is {path.stat().st_size:,} bytes and should be {8 + length + end:,}; fetch it again"
        )
    return 8 + length, found
