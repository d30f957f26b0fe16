"""What a base said before: its figures of each text, kept between evaluations, since only the adapter changes.

One file for a base and the way it is computed: digest of its weights, tokens, numbers, positions, machine, versions. A
figure is found by the tokens that were asked about, so another choice of sections asks for the new ones only. Knows
keys and figures. Does not know what they mean. A file that cannot be read or written costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fabai.writers.models import folder


class Known:
    """Figures by key. path None: nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._figures: dict[str, list[float]] = {}
        self.found = 0
        if path is not None:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                table = json.loads(path.read_text(encoding="utf-8"))
                self._figures = {str(key): [float(one) for one in values] for key, values in table.items()}

    def get(self, key: str) -> list[float] | None:
        """None where nothing is known; `found` counts the others."""
        values = self._figures.get(key)
        self.found += values is not None
        return values

    def keep(self, key: str, values: Sequence[float]) -> None:
        """Until `save`."""
        self._figures[key] = list(values)

    def save(self) -> None:
        """To the disk, whole or not at all."""
        if self._path is None:
            return
        beside = self._path.with_name(f".{self._path.name}.unfinished")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(json.dumps(self._figures), encoding="utf-8")
            beside.replace(self._path)


def of(way: Mapping[str, Any]) -> Known:
    """way: all that the figures depend on but the texts."""
    return Known(folder() / "evaluated" / f"{key(way)}.json")


def key(asked: Any) -> str:
    """A name for what can be written as JSON."""
    said = json.dumps(asked, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()[:32]
