"""Counting tokens once: a counter that remembers, and the units of a text with their cumulative counts.

Knows hashes and sums. Does not know what a window is. The count of a stretch of units is the sum of the counts of its
units, which never lies below the model's own count: they are parted where byte-level BPE parts words anyway (in front
of a space, behind a line break). tests/window/test_counting.py holds that on real text and real tokenizers.
"""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from fabai.message import Message, TokenCounter

T = TypeVar("T")

REMEMBERED = 400_000
"""Entries kept before the older half is dropped: the sentences of about forty reports of 140,000 tokens."""


class CachedCounter:
    """A TokenCounter that counts each text once, by content hash. `kept` holds what others derive from a text, once
    too.
    """

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        self._counts: dict[bytes, int] = {}
        self._derived: dict[tuple[Hashable, bytes], object] = {}

    @property
    def name(self) -> str:
        return self._counter.name

    def count(self, text: str) -> int:
        """Tokens of bare text; 0 for ""."""
        if not text:
            return 0
        key = digest(text)
        found = self._counts.get(key)
        if found is None:
            found = self._counts[key] = self._counter.count(text)
            _forget(self._counts)
        return found

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of the prompt after the model's chat template; not remembered, it is asked once for each prompt."""
        return self._counter.count_messages(messages)

    def kept(self, kind: Hashable, text: str, make: Callable[[], T]) -> T:
        """What `make` returned the first time it was asked for this kind and text."""
        key = (kind, digest(text))
        if key not in self._derived:
            self._derived[key] = make()
            _forget(self._derived)
        return self._derived[key]  # type: ignore[return-value]  # the kind says which type lies here


_caches: weakref.WeakKeyDictionary[TokenCounter, CachedCounter] = weakref.WeakKeyDictionary()


def cached(counter: TokenCounter) -> CachedCounter:
    """The counter itself where it remembers already, else the one memory around it, which lives as long as it does."""
    if isinstance(counter, CachedCounter):
        return counter
    if counter not in _caches:
        # a proxy: the memory must not keep its own key alive
        _caches[counter] = CachedCounter(weakref.proxy(counter))
    return _caches[counter]


def digest(text: str) -> bytes:
    """16 bytes that identify a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _forget(entries: dict[T, object] | dict[bytes, int]) -> None:
    if len(entries) > REMEMBERED:
        for key in list(entries)[: REMEMBERED // 2]:
            del entries[key]  # type: ignore[arg-type]
