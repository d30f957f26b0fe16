"""Figures under the lock that the model would hardly have written by itself: it wanted another and was not let.

Knows the text as it grows and how probable each of its pieces was without the lock. Does not know models. Where
one that wanted '28 %' wrote '28 de agosto' a verified figure stands in a wrong place, which no check of values sees.
"""

from __future__ import annotations

import re

IMPROBABLE = 0.001
"""Of a piece with a digit, without the lock; below it the figure is to be looked at."""
_FIGURE = re.compile(r"[^\s\d]*\d[^\s]*(?:[ \u00a0](?:de |d['’])?[^\W\d_]+)?")


class Doubt:
    """Of one answer."""

    def __init__(self) -> None:
        self._text = b""
        self._places: list[int] = []

    def feed(self, piece: bytes, probable: float) -> None:
        """The next piece of the answer, and how probable it was without the lock."""
        if probable < IMPROBABLE and any(48 <= byte <= 57 for byte in piece):
            self._places.append(len(self._text) + next(at for at, byte in enumerate(piece) if 48 <= byte <= 57))
        self._text += piece

    @property
    def figures(self) -> tuple[str, ...]:
        """The improbable figures with the word behind them, each once."""
        text = self._text.decode("utf-8", "replace")
        places = {len(self._text[:at].decode("utf-8", "replace")) for at in self._places}
        found = (one for one in _FIGURE.finditer(text) if any(one.start() <= at < one.end() for at in places))
        return tuple(dict.fromkeys(one[0].strip('.,;:!?()[]«»“”"*_|') for one in found))
