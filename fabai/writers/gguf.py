"""The head of a GGUF file: what the model is, and whether the file is whole.

Knows the container (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3). Does not know how a
model is run; llama.cpp only says "failed" about a broken file, so the reasons are found here, before it is loaded.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from fabai.errors import WriterError
from fabai.tokens import BpeTokenizer, from_gguf

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_LONGEST = 64 * 2**20  # bytes of one string or array of scalars; a vocabulary has some MiB
_MOST = 4 * 2**20  # entries of an array, of the metadata, of the tensor list

Value = str | int | float | bool | list[Any] | None


@dataclass(frozen=True, slots=True)
class Gguf:
    """context: tokens that the model was trained on. chat_template: None for a base model. mark: 12 hex digits of its
    head's sha256. heads, groups: attention heads, and those of keys and values. shapes: of its tensors by name, columns
    first. embeds: made for embeddings, so the file says how they are pooled.
    """

    path: Path
    architecture: str
    title: str
    context: int
    chat_template: str | None
    mark: str
    heads: int = 0
    groups: int = 0
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    embeds: bool = False


def read_gguf(path: Path) -> Gguf:
    """The head of a model file; WriterError with one sentence where it is not a whole GGUF file."""
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            # a pipe would be waited for
            raise WriterError(f"{path} is not a GGUF model file")
        size = path.stat().st_size
        with path.open("rb") as file:
            found, data_end, shapes = _head(file, path)
            end = file.tell()
            file.seek(0)
            mark = sha256(file.read(end)).hexdigest()[:12]
    except FileNotFoundError:
        raise WriterError(f"there is no model file {path}; fabai get lists the models and fetches them") from None
    except OSError as error:
        raise WriterError(f"the model file {path} cannot be read: {error.strerror or error}") from error
    except (struct.error, ValueError, EOFError):
        raise WriterError(f"the model file {path} is damaged or cut short; fetch it again") from None
    if data_end > size:
        raise WriterError(
            f"the model file {path} is cut short (it ends {data_end - size:,} bytes too early); fetch it again"
        )
    architecture = str(found.get("general.architecture") or "")
    context = found.get(f"{architecture}.context_length")
    if not architecture or not isinstance(context, int) or context < 1:
        raise WriterError(f"{path} is a GGUF file but holds no language model")
    template = found.get("tokenizer.chat_template")
    title = str(found.get("general.name") or path.stem)
    heads = found.get(f"{architecture}.attention.head_count")
    groups = found.get(f"{architecture}.attention.head_count_kv", heads)
    return Gguf(
        path,
        architecture,
        title,
        context,
        template if isinstance(template, str) else None,
        mark,
        heads if isinstance(heads, int) else 0,
        groups if isinstance(groups, int) else 0,
        shapes,
        f"{architecture}.pooling_type" in found,
    )


def fast_tokenizer(path: Path) -> BpeTokenizer | None:
    """The file's own vocabulary for counting, some ten times faster than asking llama.cpp; None for a family that
    tiktoken cannot repeat. The file is one that `read_gguf` has read.
    """
    with path.open("rb") as file:
        found, _, _ = _head(file, path, arrays=True)
    fields = [found.get(f"tokenizer.ggml.{key}") for key in ("model", "pre", "tokens", "token_type", "merges")]
    match fields:
        case [str(model), str(pre), list(tokens), list(kinds), list(merges)]:
            return from_gguf(f"gguf:{path.stem}", model, pre, tokens, kinds, merges)
    return None


def _head(file: BinaryIO, path: Path, arrays: bool = False) -> tuple[dict[str, Value], int, dict[str, tuple[int, ...]]]:
    """The metadata (arrays only where asked for), the offset in bytes that the file must at least reach, and the
    tensors' shapes.
    """
    if file.read(4) != b"GGUF":
        raise WriterError(f"{path} is not a GGUF model file")
    (version,) = _unpack(file, "I")
    if version not in (2, 3):
        raise WriterError(f"{path} has GGUF version {version}, and fabai reads versions 2 and 3")
    tensors, entries = _unpack(file, "QQ")
    if tensors > _MOST or entries > _MOST:
        raise ValueError("implausible counts")
    found: dict[str, Value] = {}
    for _ in range(entries):
        key = _string(file)
        (kind,) = _unpack(file, "I")
        found[key] = _value(file, kind, arrays)
    last = 0
    shapes: dict[str, tuple[int, ...]] = {}
    for _ in range(tensors):
        name = _string(file)
        (dimensions,) = _unpack(file, "I")
        if dimensions > 8:
            raise ValueError("implausible tensor")
        shapes[name] = shape = _unpack(file, "Q" * dimensions)
        (_, offset) = _unpack(file, "IQ")
        # the last tensor's bytes depend on its quantisation; one bit for each weight is below all of them
        weights = 1
        for one in shape:
            weights *= one
        last = max(last, offset + weights // 8)
    alignment = found.get("general.alignment")
    step = alignment if isinstance(alignment, int) and alignment > 0 else 32
    start = -(-file.tell() // step) * step
    return found, start + last, shapes


def _value(file: BinaryIO, kind: int, arrays: bool) -> Value:
    if kind == _STRING:
        return _string(file)
    if kind != _ARRAY:
        (value,) = _unpack(file, _format(kind))
        return value
    item, count = _unpack(file, "IQ")
    if count > _MOST:
        raise ValueError("implausible array")
    if item == _STRING:
        strings = [_string(file) for _ in range(count)]
        return strings if arrays else None
    data = _bytes(file, struct.calcsize("<" + _format(item)) * count)
    return list(struct.unpack(f"<{count}{_format(item)}", data)) if arrays else None


def _format(kind: int) -> str:
    if kind not in _SCALARS:
        raise ValueError(f"unknown type {kind}")
    return _SCALARS[kind]


def _unpack(file: BinaryIO, layout: str) -> tuple[int, ...]:
    layout = "<" + layout
    return struct.unpack(layout, _bytes(file, struct.calcsize(layout)))


def _string(file: BinaryIO) -> str:
    (length,) = _unpack(file, "Q")
    return _bytes(file, length).decode("utf-8", errors="replace")


def _bytes(file: BinaryIO, length: int) -> bytes:
    if length > _LONGEST:
        raise ValueError("implausible length")
    data = file.read(length)
    if len(data) < length:
        raise EOFError
    return data
