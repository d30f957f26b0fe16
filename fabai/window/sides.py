"""Both sides of the section being written, in the modes that remember: only what stands in front of it can stay warm.

A section just written pushes everything behind it along, so the prompt from there on is read again whatever it holds.
What stands behind therefore takes its share under `fill`, and the mode settles the sections in front in what is left.

Knows sizes. Does not know texts, nor how a mode shares out.
"""

from __future__ import annotations

from collections.abc import Callable

from fabai.settings import WindowSettings
from fabai.window import fill
from fabai.window.shares import Question, Shares


def shares(question: Question, settings: WindowSettings, mode: Callable[[Question, WindowSettings], Shares]) -> Shares:
    """The shares of `mode` in front and of `fill` behind; where the same section is planned again, all as it stood."""
    ones, stood = question.candidates, question.standing
    front = [one for one in ones if not one.later]
    if len(front) == len(ones):
        return mode(question, settings)
    behind = fill.budgets(ones, question.body, settings)[len(front) :]
    taken = sum(behind)
    asked = Question(front, question.body - taken, question.front, question.end + taken, stood[: len(front)])
    found = mode(asked, settings)
    intact = found.intact
    if intact == len(front) and len(stood) == len(ones) and sum(size for _, size in stood) <= question.body:
        behind, intact = [budget for budget, _ in stood[len(front) :]], len(ones)
    return Shares([*found.tokens, *behind], intact, found.keep)
