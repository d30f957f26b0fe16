"""Figures under the lock that the model would hardly have written by itself: it wanted another and was not let.

Knows the text as it grows and how probable each of its pieces was without the lock. Does not know models. Where
one that wanted '28 %' wrote '28 de agosto' a verified figure stands in a wrong place, which no check of values sees.
"""

from __future__ import annotations

import re
from typing import SupportsFloat

IMPROBABLE = 0.001
"""Of a piece with a digit, without the lock; below it the figure is to be looked at."""
DIGIT = re.compile(rb"[0-9]")
"""A piece without one is never doubted, however improbable."""
_FIGURE = re.compile(r"[^\s\d]*\d[^\s]*(?:[ \u00a0](?:de |d['’])?[^\W\d_]+)?")


class Doubt:
    """Of one answer."""

    def __init__(self) -> None:
        self._text = b""
        self._places: list[tuple[int, SupportsFloat]] = []

    def feed(self, piece: bytes, probable: SupportsFloat) -> None:
        """The next piece of the answer, and how probable it was without the lock; that is not looked at until the
        figures are asked for, so it may be a number that a card has not worked out yet.
        """
        if (digit := DIGIT.search(piece)) is not None:
            self._places.append((len(self._text) + digit.start(), probable))
        self._text += piece

    @property
    def figures(self) -> tuple[str, ...]:
        """The improbable figures with the word behind them, each once."""
        text = self._text.decode("utf-8", "replace")
        places = {
            len(self._text[:at].decode("utf-8", "replace"))
            for at, probable in self._places
            if float(probable) < IMPROBABLE
        }
        found = (one for one in _FIGURE.finditer(text) if any(one.start() <= at < one.end() for at in places))
        return tuple(dict.fromkeys(one[0].strip('.,;:!?()[]«»“”"*_|') for one in found))
