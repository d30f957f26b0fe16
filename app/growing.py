"""Texts that grow, told in pieces: the first words at once, what follows some times a second, the last soon after.

Knows threads and clocks. Does not know models, jobs or pages. A telling for each word of thirty people would keep the
server busy with nothing else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_PACE = 0.1  # seconds between two tellings


class Growing(Generic[T]):
    """tell: called with a key and its newest text, from one thread at a time."""

    def __init__(self, tell: Callable[[T, str], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._newest: dict[T, str] = {}
        self._fresh, self._closing = threading.Event(), threading.Event()
        threading.Thread(target=self._run, name="fabai-growing", daemon=True).start()

    def begin(self, key: T, text: str) -> None:
        """Its first words; returns when they are told."""
        with self._lock:
            self._newest.pop(key, None)
            self._tell(key, text)

    def put(self, key: T, text: str) -> None:
        """What it has become; returns at once."""
        with self._lock:
            self._newest[key] = text
        self._fresh.set()

    def end(self, key: T) -> None:
        """Nothing more is told of it, for the whole text will be."""
        with self._lock:
            self._newest.pop(key, None)

    def close(self) -> None:
        self._closing.set()
        self._fresh.set()

    def _run(self) -> None:
        while not self._closing.wait(_PACE):
            self._fresh.wait()
            self._fresh.clear()
            with self._lock:
                for key, text in self._newest.items():
                    self._tell(key, text)
                self._newest.clear()
