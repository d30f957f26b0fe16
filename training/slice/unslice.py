"""The way back: a full checkpoint from a slice, with the slice's own tensors and the original's rows, tokenizer and
configs.

Rows that the slice holds are taken from the slice (they are the original's unless training changed them); the others
from the original model, or from the rows saved beside the slice. LoRA adapters do not touch either matrix, so one
trained on the slice works on the result. Does not know how the slice was chosen.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fabai.errors import UnreadableFile

from . import dropped_rows
from .checkpoint import INDEX, Checkpoint, Tensor, read_checkpoint
from .job import CONFIGS, Watch, unwatched
from .manifest import FOLDER, Manifest, read_manifest, sha256
from .rows import BLOCK, Ids, copy, header, reading, write_all, write_index, writing
from .staging import staged
from .tokenizer import read_json, write_json

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Restored:
    """What came of it. changed: rows of the slice that were not the original's any more, None where that cannot be
    told.
    """

    rows: int
    from_slice: int
    changed: int | None
    source: str


def unslice(folder: Path, target: Path, original: Path | None = None, watch: Watch = unwatched) -> Restored:
    """Write the full model of the slice in `folder` to `target`.

    original: the original model's folder; by default the rows saved beside the slice, else the folder that was sliced.
    """
    manifest, kept = read_manifest(folder)
    sliced = read_checkpoint(folder)
    if sliced.rows != manifest.rows:
        raise UnreadableFile(
            f"{folder} has {sliced.rows:,} rows and its map {manifest.rows:,}: it is no longer the slice that was "
            "written"
        )
    saved = (folder / FOLDER / dropped_rows.FILE).is_file()
    if original is None and saved:
        rest: _Original | _Saved = _from_saved(folder, manifest, kept)
        where = "the rows saved beside the slice"
    else:
        rest = _from_original(manifest, original)
        where = "the original model"
    changed = 0 if isinstance(rest, _Original) else None
    small = folder / FOLDER / "original"
    size = sliced.size + sum(
        (manifest.rows_before - manifest.rows) * sliced.tensors[name].row_bytes for name in sliced.vocabulary
    )
    step = watch("restoring the model", size)
    with staged(target, size + 2**26) as work:
        for file in sliced.files:
            tensors = list(sliced.of_file(file))
            full = {one.name: manifest.rows_before for one in tensors if one.name in sliced.vocabulary}
            lengths = {
                one.name: full[one.name] * one.row_bytes if one.name in full else one.end - one.start for one in tensors
            }
            shapes = {
                one.name: [full[one.name], *one.shape[1:]] if one.name in full else list(one.shape) for one in tensors
            }
            with reading(folder / file) as reader, writing(work / file) as writer:
                write_all(writer, header(tensors, lengths, shapes))
                for one in tensors:
                    if one.name not in full:
                        copy(reader, writer, sliced.header_bytes[file] + one.start, one.end - one.start, step)
                    else:
                        count = _restore(sliced, one, rest, kept, manifest.rows_before, writer)
                        changed = changed + count if changed is not None else None
                        step(lengths[one.name])
        if (folder / INDEX).is_file():
            write_index(folder, work, {name: one.file for name, one in sliced.tensors.items()}, size)
        _small_files(folder, small, work)
    return Restored(manifest.rows_before, int(manifest.tokens), changed, where)


class _Original:
    """Rows from the original model."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint

    def table(self, name: str) -> tuple[Bytes, Ids | None]:
        """(rows as bytes, the original row of each; None: all of them in order)."""
        one = self._checkpoint.tensors[name]
        base = self._checkpoint.header_bytes[one.file] + one.start
        return _mapped(self._checkpoint.folder / one.file, base, one), None


class _Saved:
    """Rows from the file beside the slice."""

    def __init__(self, folder: Path, rows: Ids) -> None:
        self._path = folder / FOLDER / dropped_rows.FILE
        self._base, self._tensors = dropped_rows.read(folder)
        self._rows = rows

    def table(self, name: str) -> tuple[Bytes, Ids | None]:
        one = self._tensors[name]
        return _mapped(self._path, self._base + one.start, one), self._rows


def _mapped(path: Path, base: int, one: Tensor) -> Bytes:
    return np.memmap(path, np.uint8, "r", base, (one.shape[0], one.row_bytes))


def _from_saved(folder: Path, manifest: Manifest, kept: Ids) -> _Saved:
    rows = dropped_rows.others(manifest.rows_before, kept)
    saved = _Saved(folder, rows)
    for name in manifest.vocabulary:
        if len(saved.table(name)[0]) != len(rows):
            raise UnreadableFile(
                f"{folder / FOLDER / dropped_rows.FILE} does not fit the slice's map; give --original MODEL instead"
            )
    return saved


def _from_original(manifest: Manifest, original: Path | None) -> _Original:
    path = original or Path(manifest.original)
    if not path.is_dir():
        raise UnreadableFile(f"the original model is not at {path}; give its folder with --original MODEL")
    if not (path / "tokenizer.json").is_file() or sha256(path / "tokenizer.json") != manifest.tokenizer_sha256:
        raise UnreadableFile(
            f"{path} is not the model that was sliced: its tokenizer.json is another; give --original MODEL"
        )
    checkpoint = read_checkpoint(path)
    if checkpoint.rows != manifest.rows_before:
        raise UnreadableFile(
            f"{path} has {checkpoint.rows:,} rows and the sliced model had {manifest.rows_before:,}; give --original "
            "MODEL"
        )
    return _Original(checkpoint)


def _restore(sliced: Checkpoint, one: Tensor, rest: _Original | _Saved, kept: Ids, total: int, writer: int) -> int:
    """Write all rows of a vocabulary tensor, block by block; returns how many of the slice's differ from the
    original's.
    """
    own = _mapped(sliced.folder / one.file, sliced.header_bytes[one.file] + one.start, one)
    others, numbers = rest.table(one.name)
    if others.shape[1] != own.shape[1]:
        raise UnreadableFile(
            f"{one.name} has rows of another length in the original; give --original MODEL of the sliced model"
        )
    place = np.full(total, -1, np.int64)
    place[kept] = np.arange(len(kept))
    step = max(1, BLOCK // one.row_bytes)
    changed = 0
    for first in range(0, total, step):
        here = place[first : first + step]
        mine = here >= 0
        if numbers is None:
            block = np.array(others[first : first + len(here)])
            changed += int((block[mine] != own[here[mine]]).any(axis=1).sum())
        else:
            block = np.empty((len(here), one.row_bytes), np.uint8)
            block[~mine] = others[np.searchsorted(numbers, first + np.flatnonzero(~mine))]
        block[mine] = own[here[mine]]
        write_all(writer, block)
    return changed


def _small_files(folder: Path, small: Path, work: Path) -> None:
    """The original's tokenizer and configs; what config.json gained since is the slice's."""
    for path in sorted(small.iterdir()):
        shutil.copyfile(path, work / path.name)
    config, before = read_json(folder / CONFIGS[0]), read_json(small / CONFIGS[0])
    for key, value in config.items():
        if key not in before:
            before[key] = value
    write_json(work / CONFIGS[0], before)
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix != ".safetensors" and not (work / path.name).exists() and path.name != INDEX:
            shutil.copyfile(path, work / path.name)
