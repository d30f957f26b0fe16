"""A locked text as it is streamed: held back to the last place where it may end, and watched.

Knows the automaton. Does not know models. A limit of tokens or a stop string may cut a value ("18" of "18.500"); what
is held back then is never shown, and a server that writes what the lock forbids is found out at that character.
"""

from __future__ import annotations

from fabai.errors import WriterError
from fabai.lock.automaton import Automaton, State


class Held:
    """Lets through what is whole. state: where the text begins; None: at the beginning of a line."""

    def __init__(self, automaton: Automaton, state: State | None = None) -> None:
        self._automaton = automaton
        self._state = automaton.start if state is None else state
        self._waiting = ""

    def feed(self, piece: str) -> str:
        """The text that is now known to be whole. WriterError where the piece holds what the lock forbids."""
        whole = 0
        text = self._waiting + piece
        for place, one in enumerate(piece, len(self._waiting) + 1):
            state = self._automaton.run(one.encode("utf-8", "surrogatepass"), self._state)
            if state is None:
                near = text[max(0, place - 16) : place]
                raise WriterError(
                    f"the model wrote what the figure lock forbids ('{near}'), so it does not keep to it: "
                    "use another writer"
                )
            self._state = state
            if self._automaton.final(state):
                whole = place
        self._waiting = text[whole:]
        return text[:whole]

    @property
    def waiting(self) -> str:
        """The beginning of a value, or of a word that may not stand there; it is not to be shown."""
        return self._waiting
