"""What a mode is asked and what it answers: how many tokens each section may take.

Knows the question and the answer. Does not know how a mode comes to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabai.window.candidates import Candidate
from fabai.window.cut import Keep


@dataclass(frozen=True, slots=True)
class Question:
    """candidates in document order. body: tokens for all of them. front, end: tokens before and behind them in the
    prompt.

    standing: budget and size of the leading candidates that the prompt before showed just as they are now.
    """

    candidates: Sequence[Candidate]
    body: int
    front: int = 0
    end: int = 0
    standing: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class Shares:
    """tokens: one number for each candidate. intact: how many leading candidates stay as they stood.

    keep: which end of a cut section stays; None leaves it to the section (the end nearer to the one being written).
    """

    tokens: Sequence[int]
    intact: int = 0
    keep: Keep | None = None
