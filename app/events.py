"""What happens in a project, told at once to every page that shows it.

Knows listeners and that a slow one is dropped rather than waited for. Does not know what the events say. Threads tell,
an event loop listens.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

Event = dict[str, Any]
_MOST = 2_000  # events that a page may be behind


class Hub:
    """The listeners of every project, by key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Queue[Event | None]]]] = {}

    def tell(self, key: str, event: Event) -> None:
        """From any thread; returns at once."""
        with self._lock:
            listeners = list(self._listeners.get(key, ()))
        for loop, queue in listeners:
            try:
                loop.call_soon_threadsafe(_put, queue, event)
            except RuntimeError:
                # the loop is closing with its server
                continue

    @asynccontextmanager
    async def listen(self, key: str) -> AsyncIterator[asyncio.Queue[Event | None]]:
        """A queue of what is told from now on; None in it means: too far behind, start anew."""
        mine = (asyncio.get_running_loop(), asyncio.Queue[Event | None]())
        with self._lock:
            self._listeners.setdefault(key, set()).add(mine)
        try:
            yield mine[1]
        finally:
            with self._lock:
                self._listeners[key].discard(mine)
                if not self._listeners[key]:
                    del self._listeners[key]

    def listeners(self, key: str) -> int:
        with self._lock:
            return len(self._listeners.get(key, ()))


def _put(queue: asyncio.Queue[Event | None], event: Event) -> None:
    if queue.qsize() >= _MOST:
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)
        return
    queue.put_nowait(event)
