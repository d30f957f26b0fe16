"""Mode `tiers`: sections stand at a few sizes, and step down only when the window is full, freeing some room at once.

Knows sizes and their order. Does not know texts. Between two steppings the prompt only grows at its end.
"""

from __future__ import annotations

from fabai.settings import WindowSettings
from fabai.window import fill
from fabai.window.candidates import Candidate
from fabai.window.shares import Question, Shares


def shares(question: Question, settings: WindowSettings) -> Shares:
    """What stands stays, and new sections come in whole. Where that is too much, sections step down, the one farthest
    above its share under `fill` first, until `settings.slack` of the body is free."""
    ones = question.candidates
    standing = [min(budget, one.tokens) for (budget, _), one in zip(question.standing, ones, strict=False)]
    tokens = [*standing, *(one.tokens for one in ones[len(standing) :])]
    if sum(tokens) > question.body:
        ideal = fill.budgets(ones, question.body, settings)
        room = int((1.0 - settings.slack) * question.body)
        ladders = [tiers(one, room) for one in ones]
        while sum(tokens) > room and (one := _farthest_above(tokens, ideal)) is not None:
            tokens[one] = next(size for size in ladders[one] if size < tokens[one])
    intact = 0
    while intact < len(standing) and tokens[intact] == standing[intact]:
        intact += 1
    # cut from the end, so that what stands of a section that steps down still opens the prompt's new part
    return Shares(tokens, intact, "start")


def tiers(candidate: Candidate, room: int) -> tuple[int, ...]:
    """Whole, a half, a quarter, the least that shows anything (the summary), nothing but the heading; falling, in
    tokens.
    """
    # a section larger than the window steps down from what the window holds
    top = min(candidate.tokens, room)
    sizes = (candidate.tokens, top, top // 2, top // 4, candidate.floor)
    kept = [size for size in sizes if size >= candidate.floor]
    return (*sorted(set(kept), reverse=True), 0)


def _farthest_above(tokens: list[int], ideal: list[int]) -> int | None:
    """The section that exceeds its share most; the oldest of equals; None where none has anything left to give."""
    over = [(size - share, -index) for index, (size, share) in enumerate(zip(tokens, ideal, strict=True)) if size > 0]
    return -max(over)[1] if over else None
