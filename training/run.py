"""A run's folder: its manifest, its metrics, its checkpoints and its adapter; and the right to go on with it.

RUN/run.json       what was trained on what, with which settings and versions, and what came of it
RUN/metrics.jsonl  one line a step, one an evaluation
RUN/losses.png     loss and learning rate
RUN/checkpoints/   see `fabai.training.checkpoint`
RUN/adapter/       the adapter in PEFT's layout, with the tokenizer
Knows these files. Does not know training.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from fabai.errors import TrainingError, UnreadableFile
from fabai.strict import build

from . import checkpoint
from .recipe import Recipe, differences

FORMAT = 1
_PACKAGES = (
    "fabai", "torch", "transformers", "trl", "peft", "accelerate", "bitsandbytes", "datasets", "tokenizers",
    "safetensors", "unsloth", "unsloth_zoo", "liger_kernel",
)  # fmt: skip


class Run:
    """The folder of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.checkpoints = path / "checkpoints"
        self.adapter = path / "adapter"
        self.plot = path / "losses.png"
        self._manifest, self._metrics = path / "run.json", path / "metrics.jsonl"

    @property
    def exists(self) -> bool:
        """Whether a run was started here."""
        return self._manifest.is_file()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody else trains into this folder meanwhile; TrainingError where somebody does."""
        self.path.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path / ".lock", os.O_CREAT | os.O_RDWR, 0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise TrainingError(
                    f"{self.path} is being trained into by another process; wait for it, or give another -o"
                ) from None
            yield
        finally:
            os.close(handle)

    def begin(self, manifest: Mapping[str, Any]) -> None:
        """Start afresh; TrainingError where the folder holds a run already."""
        if self.exists:
            raise TrainingError(
                f"{self.path} holds a run already: go on with it by --resume, or give another folder with -o"
            )
        self.write({"format": FORMAT, "state": "running", "started": now(), **manifest})
        checkpoint.replace(self._metrics, "")

    def go_on(self, recipe: Recipe, manifest: Mapping[str, Any]) -> Path | None:
        """The checkpoint to go on from, None where the run was stopped before its first one.

        TrainingError where recipe, examples, model, adapter or the number of processes are not those of the run.
        """
        old = self.read()
        changed = differences(build(Recipe, old["settings"], f"settings of {self._manifest}"), recipe)
        if changed:
            pairs = ", ".join(f"{name} was {before!r} and is {after!r}" for name, (before, after) in changed.items())
            raise TrainingError(
                f"{self.path} was started with another recipe: {pairs}; resume with the recipe as it was, or start a "
                "new run with another -o"
            )
        for key, what in (
            ("model", "model"), ("examples", "examples"), ("parent", "--from"), ("processes", "--gpus")
        ):  # fmt: skip
            if old.get(key) != json.loads(json.dumps(manifest[key])):
                raise TrainingError(
                    f"{self.path} was started with another {what} than this one; resume with what it was started with, "
                    "or start a new run with another -o"
                )
        checkpoint.sweep(self.checkpoints)
        last = checkpoint.whole(self.checkpoints)
        self._forget_after(checkpoint.Reading(last[-1]).step if last else -1)
        return last[-1] if last else None

    def read(self) -> dict[str, Any]:
        """The manifest."""
        try:
            table = dict(json.loads(self._manifest.read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise TrainingError(f"{self.path} holds no run to resume; leave --resume out to start one") from None
        except (OSError, ValueError) as error:
            raise UnreadableFile(f"{self._manifest} cannot be read: {error}") from None
        if table.get("format") != FORMAT:
            raise UnreadableFile(f"{self._manifest} was written by another version of fabai; start a new run")
        return table

    def write(self, table: Mapping[str, Any]) -> None:
        """Replace the manifest."""
        checkpoint.replace(self._manifest, json.dumps(table, ensure_ascii=False, indent=1) + "\n")

    def note(self, record: Mapping[str, Any]) -> None:
        """A line for the metrics, on the disk at once as far as the system goes."""
        with self._metrics.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")

    def metrics(self) -> list[dict[str, Any]]:
        """The lines so far; a last one that was cut off by a crash is left out."""
        found = []
        if self._metrics.is_file():
            for line in self._metrics.read_text(encoding="utf-8").split("\n"):
                try:
                    found.append(json.loads(line))
                except ValueError:
                    continue
        return found

    def _forget_after(self, step: int) -> None:
        """Lines of steps that the checkpoint does not know will be written again."""
        kept = [line for line in self.metrics() if line["step"] <= step]
        checkpoint.replace(self._metrics, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept))


def versions() -> dict[str, str]:
    """Of the packages that a run depends on, those that are here."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
