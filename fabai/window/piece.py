"""The Window and its pieces: what the model is shown for one section, in prompt order, with the reason for each piece.

Knows the result. Does not know how it is chosen (fill, tiers, warm) or worded (fabai.prompt).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["full", "cut", "summary", "heading", "dropped"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of the prompt.

    kind: "rules", "form", "headings", "ledger", "section", "retrieved", "pinned", "guidance", "instruction", ...
    tokens: shown. of: tokens of the whole that it was taken from. section: id of the section it comes from, if any.
    """

    kind: str
    text: str
    tokens: int
    of: int
    state: State
    reason: str
    section: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """The pieces in prompt order, dropped ones included. tokens: the whole prompt after the chat template.

    tokens + reserve never exceeds cap. notices: sentences for the person (the cap was lowered to the model's context,
    say).
    """

    section: str
    mode: str
    cap: int
    reserve: int
    tokens: int
    pieces: tuple[Piece, ...]
    notices: tuple[str, ...] = ()
