"""Which tokens may come next under the lock: a mask for each state, made once and kept for a while.

Knows the automaton and the vocabulary. Does not know models or tensors.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fabai.lock.automaton import Automaton, State
from fabai.lock.vocabulary import Tree, Vocabulary

_KEPT = 2**28  # bytes of masks


class Masker:
    """One lock on one vocabulary. stops: ids of the tokens that end a text. Answers may share it."""

    def __init__(self, automaton: Automaton, vocabulary: Vocabulary, stops: Iterable[int]) -> None:
        self.automaton, self._vocabulary = automaton, vocabulary
        self._stops = [one for one in stops if 0 <= one < vocabulary.size]
        self._values = vocabulary.of_values(automaton.forms)
        self._masks: OrderedDict[State, NDArray[np.bool_]] = OrderedDict()
        self._most = max(16, _KEPT // vocabulary.size)

    @property
    def size(self) -> int:
        """Of a mask, in bytes: one for each row of the model's output."""
        return self._vocabulary.size

    @property
    def start(self) -> State:
        return self.automaton.start

    def step(self, state: State, token: int) -> State | None:
        """The state behind a token, None where it may not come."""
        data = self._vocabulary.tokens[token] if token < len(self._vocabulary.tokens) else None
        return None if data is None else self.automaton.run(data, state)

    def piece(self, token: int) -> bytes:
        """What a token that may come writes."""
        return self._vocabulary.tokens[token] or b""

    def forbidden(self, state: State) -> NDArray[np.bool_]:
        """By id, whether a token may not come; the ends of a text may where it may end. Not to be written to."""
        found = self._masks.get(state)
        if found is not None:
            self._masks.move_to_end(state)
            return found
        if state[0] >= 0:
            found = ~self._vocabulary.free(self.automaton.language, state[0])
            found[self._reached(self._values, state)] = False
        else:
            found = np.ones(self._vocabulary.size, dtype=np.bool_)
            found[self._reached(self._vocabulary.tree, state)] = False
        if self.automaton.final(state) or found.all():
            found[self._stops] = False
        self._masks[state] = found
        if len(self._masks) > self._most:
            self._masks.popitem(last=False)
        return found

    def _reached(self, tree: Tree, state: State) -> list[int]:
        step, trie, found, waiting = self.automaton.step, self.automaton.trie, list[int](), [(0, state)]
        while waiting:
            place, here = waiting.pop()
            below, ids = tree[place]
            found += ids
            # within a value only the bytes of values that go on need to be looked at
            bytes_ = below if here[0] >= 0 else {byte for node in here[1] for byte in trie[node]} & below.keys()
            for byte in bytes_:
                following = step(here, byte)
                if following is not None:
                    waiting.append((below[byte], following))
        return found
