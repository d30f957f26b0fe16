"""What was read of a file and waits for a person's word, by token; the oldest give way.

Knows tokens. Does not know what waits.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from typing import Generic, TypeVar

from fabai.errors import UsageError

T = TypeVar("T")
_KEPT = 32


class Waiting(Generic[T]):
    """Readings that nobody has saved yet, of all people."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: OrderedDict[str, T] = OrderedDict()

    def put(self, one: T) -> str:
        """The token under which it waits."""
        token = secrets.token_urlsafe(12)
        with self._lock:
            self._open[token] = one
            while len(self._open) > _KEPT:
                self._open.popitem(last=False)
        return token

    def get(self, token: str) -> T:
        """UsageError where it has given way."""
        with self._lock:
            if token not in self._open:
                raise UsageError("the document waited too long: choose it again")
            return self._open[token]
