"""Checkpoints: folders that are whole or not there, each file's sha256 recorded and looked at again on reading.

A checkpoint is written under a hidden name, pushed to the disk, and renamed; the oldest go only after that. So a crash,
a kill or a full disk at any moment leaves the last good one. Knows files. Does not know what a run puts into them.
Layout: RUN/checkpoints/step-000050/{checkpoint.json, ...}
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from fabai.errors import TrainingError, UnreadableFile

from . import tree

FORMAT = 1
_WHOLE = re.compile(r"step-(\d{6,})")
_UNFINISHED = re.compile(r"\.step-\d+\.unfinished")


class Writing:
    """A checkpoint that is being written; `put` its parts, then `finish`."""

    def __init__(self, folder: Path, step: int) -> None:
        self._target = folder / f"step-{step:06d}"
        self.path = folder / f".step-{step:06d}.unfinished"
        self._step = step
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True)

    def put(self, name: str, content: Any) -> None:
        """A tree of plain values and tensors as NAME.json and NAME.safetensors."""
        plain, tensors = tree.part(content)
        (self.path / f"{name}.json").write_text(json.dumps(plain), encoding="utf-8")
        save_file(tensors, self.path / f"{name}.safetensors")

    def finish(self, keep: int) -> Path:
        """The checkpoint is whole and on the disk when this returns; of the older ones `keep` - 1 stay."""
        files = {}
        for path in sorted(one for one in self.path.rglob("*") if one.is_file()):
            files[str(path.relative_to(self.path))] = sha256(path)
            push(path)
        about = self.path / "checkpoint.json"
        about.write_text(json.dumps({"format": FORMAT, "step": self._step, "files": files}, indent=1), encoding="utf-8")
        push(about)
        push(self.path)
        # a step may be saved twice: on its turn, and again when training ends there
        shutil.rmtree(self._target, ignore_errors=True)
        self.path.rename(self._target)
        push(self._target.parent)
        for old in whole(self._target.parent)[:-keep]:
            shutil.rmtree(old, ignore_errors=True)
        return self._target

    def give_up(self) -> None:
        """What was written goes."""
        shutil.rmtree(self.path, ignore_errors=True)


class Reading:
    """A whole checkpoint; its files are what they were when it was written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        about = _about(path)
        self.step = int(about["step"])
        for name, wanted in about["files"].items():
            if not (path / name).is_file() or sha256(path / name) != wanted:
                others = [one.name for one in whole(path.parent) if one != path]
                way = f"; delete it to go on from {others[-1]}" if others else "; start the run again"
                raise UnreadableFile(f"the checkpoint {path} is damaged: {name} is not what was saved{way}")

    def get(self, name: str) -> Any:
        """What `put` was given."""
        try:
            plain = json.loads((self.path / f"{name}.json").read_text(encoding="utf-8"))
            return tree.join(plain, load_file(self.path / f"{name}.safetensors"))
        except (OSError, ValueError, SafetensorError) as error:
            raise UnreadableFile(f"{name} of the checkpoint {self.path} cannot be read: {error}") from None


def whole(folder: Path) -> list[Path]:
    """The checkpoints of a run, oldest first."""
    found = [one for one in folder.iterdir() if _WHOLE.fullmatch(one.name)] if folder.is_dir() else []
    return sorted(found, key=lambda path: int(path.name.removeprefix("step-")))


def sweep(folder: Path) -> None:
    """Remove what an interrupted run left half written."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if _UNFINISHED.fullmatch(path.name):
            shutil.rmtree(path, ignore_errors=True)


def disk_full(error: BaseException) -> bool:
    """Whether this is the disk's fault, whichever library says so."""
    return (isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)) or (
        isinstance(error, SafetensorError) and ("os error 28" in str(error) or "os error 122" in str(error))
    )


def no_room(folder: Path, step: int) -> TrainingError:
    """The sentence for a disk that is full."""
    last = whole(folder)
    kept = f"{last[-1].name} is whole: make room, then go on from it with --resume" if last else "make room, then start"
    return TrainingError(f"the disk is full, and step {step} could not be saved; {kept}")


def sha256(path: Path) -> str:
    """Of a file's bytes, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def push(path: Path) -> None:
    """A file's content, or a folder's names, are on the disk when this returns."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace(path: Path, text: str) -> None:
    """Write a small file so that it is whole or as it was."""
    beside = path.with_name(f".{path.name}.unfinished")
    beside.write_text(text, encoding="utf-8")
    push(beside)
    os.replace(beside, path)
    push(path.parent)


def _about(path: Path) -> Mapping[str, Any]:
    try:
        about = dict(json.loads((path / "checkpoint.json").read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"the checkpoint {path} cannot be read: {error}") from None
    if about.get("format") != FORMAT:
        raise UnreadableFile(f"the checkpoint {path} was written by another version of fabai; start the run again")
    return about


def tensors_of(path: Path) -> dict[str, Tensor]:
    """A safetensors file, whole; UnreadableFile where it is none."""
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise UnreadableFile(f"{path} cannot be read: {error}") from None
