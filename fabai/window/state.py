"""What a window remembers from one section to the next, so that the server's prefix cache stays warm.

Knows which sections were shown at which size, and the ledger as it stands in front. Does not know how sizes are chosen.
It is plain data: an argument and a result of planning, written as JSON, so that drafting and training replay the same
steps.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass

from fabai.ledger import Fact, Ledger
from fabai.settings import Mode
from fabai.strict import build


@dataclass(frozen=True, slots=True)
class Kept:
    """One section as it stands in the prompt. tokens: it may take. size: it takes. digest: of the text it was chosen
    for.
    """

    section: str
    tokens: int
    size: int
    digest: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class WindowState:
    """The outcome of a step. kept: sections in prompt order. facts: the ledger in front, frozen at the last rebuild."""

    mode: Mode = "fill"
    kept: tuple[Kept, ...] = ()
    facts: tuple[Fact, ...] = ()

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.facts)

    def to_json(self) -> str:
        """One line of JSON; `from_json` gives an equal state back."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> WindowState:
        """The state written by `to_json`; BadSetting or UnknownName where a key is wrong."""
        return build(cls, json.loads(text), "window state")
