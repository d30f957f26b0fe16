"""What was made of texts, kept while the texts are in use: a long report is read once, and an edit reads one section.

Knows texts by their words, that the ones asked for longest ago give way, and that a text which was typed over need not
be kept. Does not know what is made of them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")
MOST = 8_000_000
"""Characters of the texts that are kept: eight of the longest reports. A count of texts would say nothing of memory."""


class Kept(Generic[T]):
    """What was made of each text, by what was asked of it. Threads may share it."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._made: OrderedDict[str, dict[Hashable, T]] = OrderedDict()
        self._size = 0

    def get(self, text: str, asked: Hashable) -> T | None:
        with self._lock:
            made = self._made.get(text)
            if made is None:
                return None
            self._made.move_to_end(text)
            return made.get(asked)

    def put(self, text: str, asked: Hashable, value: T) -> None:
        with self._lock:
            made = self._made.get(text)
            if made is None:
                made = self._made[text] = {}
                self._size += len(text)
            made[asked] = value
            while self._size > self._most and len(self._made) > 1:
                self._size -= len(self._made.popitem(last=False)[0])

    def forget(self, text: str) -> None:
        """Nobody will ask for this text again; who does has it made anew."""
        with self._lock:
            if self._made.pop(text, None) is not None:
                self._size -= len(text)


_EVERY: list[Kept[Any]] = []


def kept() -> Kept[Any]:
    """A memory of texts, for what is made of many at a time; `forget` reaches it."""
    made: Kept[Any] = Kept()
    _EVERY.append(made)
    return made


def by_text(make: Callable[Concatenate[str, P], R]) -> Callable[Concatenate[str, P], R]:
    """Have what is made of a text remembered. make: its first argument is the text; its answer is not None."""
    memory: Kept[R] = kept()

    @wraps(make)
    def answer(text: str, /, *args: P.args, **named: P.kwargs) -> R:
        asked = (args, *named.items())
        found = memory.get(text, asked)
        if found is None:
            found = make(text, *args, **named)
            memory.put(text, asked, found)
        return found

    return answer


def forget(text: str) -> None:
    """A text was typed over: what was made of it goes."""
    for memory in _EVERY:
        memory.forget(text)
