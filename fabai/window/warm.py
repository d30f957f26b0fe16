"""Mode `warm`: as much of the prompt before as possible stays at its front, without letting go of the decay.

Each window either grows at its end or is written anew from some section on: the room behind what stays is poured over
the sections there, the newest never below its share. How deep to go, how much room to leave
and how steeply to pour is settled by looking some sections ahead, each of them as long as the mean of those before
(fabai.window.foresight).

Knows sections by size and weight. Does not know texts.
"""

from __future__ import annotations

from fabai.settings import WindowSettings
from fabai.window import fill
from fabai.window.foresight import course
from fabai.window.shares import Question, Shares
from fabai.window.steps import Ground


def shares(question: Question, settings: WindowSettings) -> Shares:
    """The shares of the best course found. Everything whole where that fits."""
    ones, body = question.candidates, question.body
    sizes = [one.tokens for one in ones]
    standing = list(question.standing)
    budgets = [budget for budget, _ in standing]
    if sum(sizes) <= body:
        whole = next((i for i, size in enumerate(sizes[: len(standing)]) if budgets[i] < size), len(standing))
        return Shares(sizes, whole, "start")
    ideal = fill.budgets(ones, body, settings)
    if not any(ideal):
        return Shares([0] * len(ones), 0, "start")
    shown = [size for _, size in standing]
    ground = Ground(body, question.front, question.end, settings.decay, settings.warm)
    weights = fill.weights(ones, settings)
    chosen = course(ground, sizes, weights, ideal, shown)
    rest = range(chosen.intact, len(ones))
    room = max(0, body - sum(shown[: chosen.intact]) - chosen.slack)
    floors = [min(ones[index].floor, ideal[index]) for index in rest]
    tokens = fill.pour(floors, sizes[chosen.intact :], [one**chosen.power for one in weights[chosen.intact :]], room)
    # a section that the decay has brought down to its heading takes nothing from the others
    tokens = [size if ideal[index] else 0 for index, size in zip(rest, tokens, strict=True)]
    return Shares([*budgets[: chosen.intact], *tokens], chosen.intact, "start")
