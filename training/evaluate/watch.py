"""Who looks on while an evaluation works: a progress bar, a line, nobody. Does not know the work."""

from __future__ import annotations

from typing import Protocol


class Watch(Protocol):
    """Who looks on."""

    def begin(self, what: str, count: int) -> None:
        """A part of the work starts, of so many steps."""
        ...

    def step(self, count: int = 1) -> None:
        """Steps are done."""
        ...

    def note(self, text: str) -> None:
        """A sentence."""
        ...
