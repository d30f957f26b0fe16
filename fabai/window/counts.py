"""Counts and cuts that outlive one window: every text is tokenised once per model, however many windows show it.

Knows which memory belongs to which counter. Does not know any tokenizer, nor how a text is cut (fabai.window.cut).
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar, cast

from fabai.message import Message, TokenCounter
from fabai.report import Language
from fabai.window.counting import CachedCounter
from fabai.window.cut import Cut, Keep, cut

T = TypeVar("T")

_MOST = 200_000
_NOTHING = object()
_SEAM = 24
"""Characters on either side of a seam between blocks that its count looks at."""


class Same:
    """A key that is equal only to one around the very same object, for what is long to compare."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value


class _Memory:
    """Keyed by the text itself: Python keeps a string's hash, so a look-up costs no reading of the text."""

    def __init__(self, counter: TokenCounter) -> None:
        self.cached = CachedCounter(counter)
        self.texts: dict[str, int] = {}
        self.rest: dict[Hashable, object] = {}
        self.seams: dict[tuple[str, ...], int] = {}
        self.cuts: dict[tuple[str, int, Keep, Language], Cut] = {}
        self.latest: dict[str, object] = {}


_memories: weakref.WeakKeyDictionary[TokenCounter, _Memory] = weakref.WeakKeyDictionary()


class Counts:
    """A TokenCounter that remembers, and cuts texts. The memory lives as long as the counter that it was made for."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        if counter not in _memories:
            # a proxy: the memory must not keep its own key alive
            _memories[counter] = _Memory(weakref.proxy(counter))
        self._memory = _memories[counter]

    @classmethod
    def of(cls, counter: TokenCounter) -> Counts:
        """The counter itself where it is a Counts, else one over it."""
        return counter if isinstance(counter, Counts) else cls(counter)

    @property
    def name(self) -> str:
        return self._counter.name

    @property
    def cached(self) -> CachedCounter:
        """The same memory for what counts sentences."""
        return self._memory.cached

    def count(self, text: str) -> int:
        """Tokens of bare text."""
        texts = self._memory.texts
        found = texts.get(text)
        if found is None:
            if len(texts) >= _MOST:
                texts.clear()
            found = texts[text] = self._counter.count(text) if text else 0
        return found

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of the whole prompt after the chat template; never a sum, never remembered."""
        return self._counter.count_messages(messages)

    def joined(self, blocks: Sequence[str], gap: str) -> int:
        """Tokens of the blocks with the gap between them, from counts of the blocks and of each seam alone.

        What a tokenizer merges across a seam lies close to it, so this is the whole count in all but freak cases;
        whoever sends the prompt counts it whole.
        """
        total = sum(map(self.count, blocks))
        seams = self._memory.seams
        for pair in itertools.pairwise(blocks):
            seam = seams.get((*pair, gap))
            if seam is None:
                if len(seams) >= _MOST:
                    seams.clear()
                left, right = pair[0][-_SEAM:], pair[1][:_SEAM]
                seam = self.count(f"{left}{gap}{right}") - self.count(left) - self.count(right)
                seams[(*pair, gap)] = seam
            total += seam
        return total

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gave the first time this key was asked for."""
        rest = self._memory.rest
        found = rest.get(key, _NOTHING)
        if found is _NOTHING:
            if len(rest) >= _MOST:
                rest.clear()
            found = rest[key] = make()
        return cast(T, found)

    @property
    def latest(self) -> dict[str, object]:
        """What was worked out last, by name, for whoever only has to look at what has changed since."""
        return self._memory.latest

    def cut(self, text: str, max_tokens: int, keep: Keep, language: Language) -> Cut:
        """`fabai.window.cut.cut`, remembered."""
        cuts = self._memory.cuts
        key = (text, max_tokens, keep, language)
        found = cuts.get(key)
        if found is None:
            if len(cuts) >= _MOST:
                cuts.clear()
            found = cuts[key] = cut(text, max_tokens, self._memory.cached, keep, language)
        return found
