"""A command that starts a server, and what a person should know about it.

Knows how a command is shown. Does not know which server it starts.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

HIDDEN = "..."
"""What stands for the key where a command is shown."""


@dataclass(frozen=True, slots=True)
class Launch:
    """words: the command. environment: set on top of ours; secret: the names in it whose values are never shown.

    notes: sentences about choices that were made. models: the names that clients may ask for, the best first.
    """

    words: tuple[str, ...]
    environment: Mapping[str, str]
    secret: frozenset[str]
    models: tuple[str, ...]
    server: str
    notes: tuple[str, ...] = ()

    def shown(self) -> str:
        """As it would be typed in a shell, with no secret."""
        given = [
            f"{name}={HIDDEN if name in self.secret else shlex.quote(value)}"
            for name, value in self.environment.items()
        ]
        return " ".join((*given, shlex.join(self.words)))
