"""Stop strings in a stream whose pieces may split them.

Knows text. Does not know models; servers look for stop strings themselves.
"""

from __future__ import annotations

from collections.abc import Sequence


class Stop:
    """Lets text through until a stop string comes; what might be the beginning of one waits."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = [stop for stop in stops if stop]
        self._waiting = ""
        self.found = False

    def feed(self, piece: str) -> str:
        """The text that is now known to come before any stop string."""
        if self.found:
            return ""
        text = self._waiting + piece
        ends = [at for stop in self._stops if (at := text.find(stop)) >= 0]
        if ends:
            self.found, self._waiting = True, ""
            return text[: min(ends)]
        keep = max((self._begun(text, stop) for stop in self._stops), default=0)
        self._waiting = text[len(text) - keep :]
        return text[: len(text) - keep]

    def rest(self) -> str:
        """What waited when the stream ended: it was no stop string."""
        text, self._waiting = self._waiting, ""
        return text

    @staticmethod
    def _begun(text: str, stop: str) -> int:
        """How many characters at the end of the text are the beginning of the stop string."""
        return next((n for n in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:n])), 0)
