"""The weights of a slice: shards streamed from disk to disk, the kept rows gathered on the way, everything else
copied raw.

Row i of the slice's embedding and head is row kept[i] of the original, bit for bit, whatever its type. Memory: one
block of rows. Does not know tokenizers or why a row is kept.
"""

from __future__ import annotations

import json
import os
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fabai.errors import UnreadableFile

from .checkpoint import INDEX, Checkpoint, Tensor

BLOCK = 32 * 2**20  # bytes of rows held at once
_FLUSH = 0.2  # seconds between pushes to the disk
Ids = npt.NDArray[np.int64]
Progress = Callable[[int], None]


def write_rows(source: Checkpoint, target: Path, kept: Ids, progress: Progress = lambda _: None) -> None:
    """Write all shards of the slice into `target`; kept: original row of each row of the slice, shape [rows of the
    slice].
    """
    for file in source.files:
        tensors = list(source.of_file(file))
        lengths = {
            one.name: len(kept) * one.row_bytes if one.name in source.vocabulary else one.end - one.start
            for one in tensors
        }
        shapes = {
            one.name: [len(kept), *one.shape[1:]] if one.name in source.vocabulary else list(one.shape)
            for one in tensors
        }
        head = header(tensors, lengths, shapes)
        with reading(source.folder / file) as reader, writing(target / file) as writer:
            write_all(writer, head)
            base = source.header_bytes[file]
            for one in tensors:
                if one.name in source.vocabulary:
                    gather(reader, writer, base + one.start, one, kept, progress)
                else:
                    copy(reader, writer, base + one.start, one.end - one.start, progress)
    write_index(
        source.folder, target, {name: one.file for name, one in source.tensors.items()}, sum_bytes(source, len(kept))
    )


def sum_bytes(source: Checkpoint, rows: int) -> int:
    """Bytes of all tensors of a slice of `rows` rows."""
    saved = sum((one.shape[0] - rows) * one.row_bytes for one in (source.tensors[name] for name in source.vocabulary))
    return source.size - saved


def header(tensors: list[Tensor], lengths: Mapping[str, int], shapes: Mapping[str, list[int]]) -> bytes:
    """The safetensors header for tensors laid one after another in the given order."""
    table: dict[str, object] = {"__metadata__": {"format": "pt"}}
    place = 0
    for one in tensors:
        table[one.name] = {
            "dtype": one.dtype,
            "shape": shapes[one.name],
            "data_offsets": [place, place + lengths[one.name]],
        }
        place += lengths[one.name]
    text = json.dumps(table, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text


def write_index(folder: Path, target: Path, files: Mapping[str, str], total: int) -> None:
    """The index of a sharded model, where the source has one."""
    if (folder / INDEX).is_file():
        table = {"metadata": {"total_size": total}, "weight_map": dict(sorted(files.items()))}
        (target / INDEX).write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def gather(reader: int, writer: int, start: int, one: Tensor, kept: Ids, progress: Progress) -> None:
    """Append rows kept[0], kept[1] ... of a tensor that begins at byte `start` of `reader`."""
    row = one.row_bytes
    step = max(1, BLOCK // row)
    place = 0
    while place < len(kept):
        first = int(kept[place])
        # rows come in rising order but for the padding at the end, so one block of the source serves many of them
        stop = place + int(np.searchsorted(_rising(kept, place), first + step))
        last = int(kept[stop - 1]) + 1
        block = np.frombuffer(_pread(reader, (last - first) * row, start + first * row), np.uint8).reshape(
            last - first, row
        )
        write_all(writer, block[kept[place:stop] - first])
        progress((stop - place) * row)
        place = stop


def _rising(kept: Ids, place: int) -> Ids:
    """kept[place:] as far as it rises."""
    rest = kept[place:]
    falls = np.flatnonzero(np.diff(rest) <= 0)
    return rest[: int(falls[0]) + 1] if len(falls) else rest


def copy(reader: int, writer: int, start: int, length: int, progress: Progress) -> None:
    """Append `length` bytes from byte `start`, inside the kernel where the file system can."""
    done = 0
    while done < length:
        part = min(4 * BLOCK, length - done)
        try:
            moved = os.copy_file_range(reader, writer, part, offset_src=start + done)
        except OSError:
            moved = 0
        if moved == 0:
            data = _pread(reader, min(part, BLOCK), start + done)
            write_all(writer, data)
            moved = len(data)
        done += moved
        progress(moved)


def _pread(reader: int, length: int, start: int) -> bytearray:
    buffer = bytearray(length)
    view = memoryview(buffer)
    done = 0
    while done < length:
        got = os.preadv(reader, [view[done:]], start + done)
        if got == 0:
            raise UnreadableFile("a shard ended before its header said; fetch the model again")
        done += got
    return buffer


def write_all(writer: int, data: Any) -> None:
    """Write a whole buffer (one write may take only a part of it)."""
    view = memoryview(data).cast("B")
    done = 0
    while done < len(view):
        done += os.write(writer, view[done:])


@contextmanager
def reading(path: Path) -> Iterator[int]:
    """A file to read once: its pages are given back to the system afterwards."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_SEQUENTIAL)
        yield descriptor
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


@contextmanager
def writing(path: Path) -> Iterator[int]:
    """A new file that is on the disk, not only in memory, when the block ends.

    What is written goes to the disk while the rest is still being read, so that neither waits for the other.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    done = threading.Event()

    def flush() -> None:
        while not done.wait(_FLUSH):
            os.fdatasync(descriptor)

    flusher = threading.Thread(target=flush, name=f"flush {path.name}")
    flusher.start()
    try:
        try:
            yield descriptor
        finally:
            done.set()
            flusher.join()
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def row_blocks(folder: Path, one: Tensor, base: int) -> Iterator[tuple[int, npt.NDArray[np.uint8]]]:
    """(first row, rows as bytes [n, row bytes]) over a whole tensor."""
    step = max(1, BLOCK // one.row_bytes)
    with reading(folder / one.file) as reader:
        for first in range(0, one.shape[0], step):
            count = min(step, one.shape[0] - first)
            data = _pread(reader, count * one.row_bytes, base + one.start + first * one.row_bytes)
            yield first, np.frombuffer(data, np.uint8).reshape(count, one.row_bytes)
