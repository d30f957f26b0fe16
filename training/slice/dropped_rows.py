"""The rows that a slice leaves behind, kept in a file beside it so that the full vocabulary can be restored without
the original.

Does not know tokenizers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .checkpoint import Checkpoint, Tensor, read_header
from .manifest import FOLDER
from .rows import Ids, gather, header, reading, write_all, writing

FILE = "dropped.safetensors"


def others(rows: int, kept: Ids) -> Ids:
    """Original rows that the slice does not hold, rising."""
    return np.setdiff1d(np.arange(rows, dtype=np.int64), kept)


def save(source: Checkpoint, folder: Path, kept: Ids) -> None:
    """Write the rows that are not in `kept` to `folder`/slice/dropped.safetensors."""
    rest = others(source.rows, kept)
    tensors = [source.tensors[name] for name in source.vocabulary]
    lengths = {one.name: len(rest) * one.row_bytes for one in tensors}
    shapes = {one.name: [len(rest), *one.shape[1:]] for one in tensors}
    with writing(folder / FOLDER / FILE) as writer:
        write_all(writer, header(tensors, lengths, shapes))
        for one in tensors:
            with reading(source.folder / one.file) as reader:
                gather(reader, writer, source.header_bytes[one.file] + one.start, one, rest, lambda _: None)


def read(folder: Path) -> tuple[int, Mapping[str, Tensor]]:
    """(bytes in front of the data, tensors by name) of the saved rows."""
    base, tensors = read_header(folder / FOLDER / FILE)
    return base, {one.name: one for one in tensors}
