"""Mode `fill`: the whole cap is used, each section by its weight, nothing remembered.

Knows water-filling with floors and ceilings. Does not know texts: a section is its size, its least size and its weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from fabai.settings import WindowSettings
from fabai.window.candidates import Candidate
from fabai.window.shares import Question, Shares

_SMALL = 512
"""Tokens: a floor above this (one long table row, say) does not keep farther sections out."""


def shares(question: Question, settings: WindowSettings) -> Shares:
    """The shares of `budgets`. What stood before counts for nothing."""
    return Shares(budgets(question.candidates, question.body, settings))


def budgets(candidates: Sequence[Candidate], body: int, settings: WindowSettings) -> list[int]:
    """Tokens for each candidate, in their order, at most `body` together; 0 for those that are only a heading.

    Which sections are present is settled first, by rules that a larger body can only widen. Then the body is poured
    over those by weight. Text that is due to be replaced has a small share of its own, more where the others are
    whole.
    """
    due = [one for one in candidates if one.due]
    if not due:
        return _budgets(candidates, body, settings)
    aside = min(int(settings.due * body), sum(one.tokens for one in due))
    others = [one for one in candidates if not one.due]
    own, whole = _budgets(others, body - aside, settings), sum(one.tokens for one in others)
    # before the others are whole their sum may jump, when one more of them becomes present
    room = body - whole if sum(own) == whole else aside
    first, second = iter(own), iter(_nearest(due, room, settings))
    return [next(second if one.due else first) for one in candidates]


def _nearest(ones: Sequence[Candidate], body: int, settings: WindowSettings) -> list[int]:
    """Tokens for the nearest whose floors `body` holds together, poured by weight; 0 for the others."""
    order = ranked(ones)
    reach = accumulate(ones[one].floor for one in order)
    near = [one for one, floors in zip(order, reach, strict=True) if floors <= body]
    weight = weights(ones, settings)
    floors, tops = [ones[one].floor for one in near], [ones[one].tokens for one in near]
    result = [0] * len(ones)
    for one, tokens in zip(near, pour(floors, tops, [weight[one] for one in near], body), strict=True):
        result[one] = tokens
    return result


def _budgets(candidates: Sequence[Candidate], body: int, settings: WindowSettings) -> list[int]:
    order = ranked(candidates)
    weight = weights(candidates, settings)
    floors = dict.fromkeys(present(candidates, order, weight, body, settings), 0)
    floors = {one: candidates[one].floor for one in floors}
    for one, most in needed(candidates, list(floors), body, settings).items():
        floors[one] = max(floors[one], most)
    while floors and sum(floors.values()) > body:
        floors.popitem()
    ones = list(floors)
    poured = pour(
        [floors[one] for one in ones], [candidates[one].tokens for one in ones], [weight[one] for one in ones], body
    )
    result = [0] * len(candidates)
    for one, tokens in zip(ones, poured, strict=True):
        result[one] = tokens
    return result


def rank(candidate: Candidate) -> tuple[bool, int, bool]:
    """Sort key: needed sections first, then the nearest, the earlier of two equally near."""
    return (not candidate.needed, candidate.distance, candidate.later)


def ranked(candidates: Sequence[Candidate]) -> list[int]:
    """Their places by rank."""
    if not any(one.needed or one.later for one in candidates):
        return list(range(len(candidates) - 1, -1, -1))
    keys = [rank(one) for one in candidates]
    return sorted(range(len(keys)), key=keys.__getitem__)


def weights(candidates: Sequence[Candidate], settings: WindowSettings) -> list[float]:
    """decay ** distance; a needed section weighs as much as the nearest."""
    powers = _powers(settings.decay, 64 * (1 + max((one.distance for one in candidates), default=0) // 64))
    return [1.0 if one.needed else powers[one.distance] for one in candidates]


@lru_cache(maxsize=64)
def _powers(decay: float, count: int) -> list[float]:
    return [decay**distance for distance in range(count)]


def present(
    candidates: Sequence[Candidate], order: Sequence[int], weight: Sequence[float], body: int, settings: WindowSettings
) -> list[int]:
    """The candidates of which text is shown, in rank. One of three must hold, each of them easier with a larger body.

    Its plain share of the body by weight holds its floor; or it has a summary, and the summaries up to it fit into
    the share for floors; or everything in front of it fits whole.
    """
    total = sum(weight) or 1.0
    share = (1.0 - settings.floors) * body
    found: list[int] = []
    whole = summaries = small = 0
    for one in order:
        candidate = candidates[one]
        floor = candidate.floor
        small += floor if floor < _SMALL else _SMALL
        if small > body:
            break
        summaries += floor if candidate.summary else 0
        if (
            whole + floor <= body
            or share * weight[one] / total >= floor
            or (candidate.summary and summaries <= settings.floors * body)
        ):
            found.append(one)
        whole += candidate.tokens
    return found


def needed(candidates: Sequence[Candidate], ones: Sequence[int], body: int, settings: WindowSettings) -> dict[int, int]:
    """Tokens kept for the needed sections before any weight counts: an equal pouring of their share of the body."""
    ones = [one for one in ones if candidates[one].needed]
    sizes = [candidates[one].tokens for one in ones]
    return dict(zip(ones, pour([0] * len(ones), sizes, [1.0] * len(ones), int(settings.needs * body)), strict=True))


def pour(floors: Sequence[int], ceilings: Sequence[int], weights: Sequence[float], body: int) -> list[int]:
    """clamp(level * weight, floor, ceiling) for the level at which the whole is `body`, rounded down.

    The ceilings where they fit together, the floors where those alone reach the body. A larger body gives nobody less.
    """
    if sum(ceilings) <= body:
        return list(ceilings)
    # the whole grows with the level as a chain of straight lines: each section joins at its floor and leaves at its
    # ceiling
    bends = sorted(
        bend
        for least, top, weight in zip(floors, ceilings, weights, strict=True)
        if top > least and weight > 0.0
        for bend in ((least / weight, weight), (top / weight, -weight))
    )
    whole, slope, level = float(sum(floors)), 0.0, 0.0
    for at, turn in bends:
        if whole + slope * (at - level) >= body:
            break
        whole += slope * (at - level)
        slope, level = slope + turn, at
    if slope > 0.0 and whole < body:
        level += (body - whole) / slope
    return [
        int(min(top, max(least, level * weight))) for least, top, weight in zip(floors, ceilings, weights, strict=True)
    ]
