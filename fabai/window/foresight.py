"""Looking ahead: which course through the next sections keeps most of the prompt, at full windows that keep to the
decay.

A beam search over sizes alone. A step either grows the prompt at its end, or leaves its first sections as they stand
and pours the room behind them over the rest. Sections to come are taken to be as long as the mean of those there are:
their true length must not count, for in drafting nobody knows it. All sums are of integers and the order is fixed, so
that the same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import sub

from fabai.settings import WarmSettings

_BLOCK = 16
"""Tokens of a block of the server's prefix cache."""
_DEEP = 3
"""Sections from which a rewriting is deep enough to leave room for those to come."""
_BANDS = 14
"""Courses are compared among those with about the same room left: one of so many bands of the body."""


@dataclass(frozen=True, slots=True)
class Ground:
    """body: tokens for all sections. front, end: tokens of the fixed parts before and behind them."""

    body: int
    front: int
    end: int
    decay: float
    settings: WarmSettings


@dataclass(frozen=True, slots=True)
class Course:
    """The first step of the best course: leave `intact` sections, pour all but `slack` over the rest by `weights`."""

    intact: int
    slack: int
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    worth: float
    tokens: list[int]
    intact: int
    slack: int
    steep: bool


def course(
    ground: Ground,
    sizes: Sequence[int],
    weights: Sequence[float],
    ideal: Sequence[int],
    standing: Sequence[int],
) -> Course:
    """The course for sections of these sizes, weights and shares under `fill`, the first of them standing as given.

    The last one is the newest: it is never shown below its share.
    """
    live = [i for i, share in enumerate(ideal) if share or (i < len(standing) and standing[i])]
    mean = max(1, sum(sizes) // max(1, len(sizes)))
    search = _Search(ground, mean)
    here = [weights[i] for i in live]
    stood = [standing[i] for i in live if i < len(standing)]
    first = list(search.steps([sizes[i] for i in live], here, [ideal[i] for i in live], stood))
    best = search.follow([sizes[i] for i in live], first) if len(first) > 1 else first[0]
    # what is no longer live in front of what stays, stays too
    intact = live[best.intact] if best.intact < len(live) else len(standing)
    intact = min(intact, len(standing))
    power = ground.settings.steep if best.steep else 1.0
    return Course(intact, best.slack, tuple(weight**power for weight in weights))


class _Search:
    def __init__(self, ground: Ground, mean: int) -> None:
        self._ground = ground
        self._mean = mean
        self._powers = [1.0]

    def follow(self, sizes: list[int], first: list[_Step]) -> _Step:
        """The first step whose best continuation is worth most."""
        ground, settings = self._ground, self._ground.settings
        beam = self._best([(step.worth, step.tokens, step) for step in first])
        for _ in range(settings.steps):
            sizes = [*sizes, self._mean]
            weights = self._decaying(len(sizes))
            ideal = pour(sizes, weights, ground.body)
            grown = [
                (worth + step.worth, step.tokens, origin)
                for worth, tokens, origin in beam
                for step in self.steps(sizes, weights, ideal, tokens)
            ]
            beam = self._best(grown)
        return beam[0][2]

    def steps(self, sizes: list[int], weights: list[float], ideal: list[int], standing: list[int]) -> Iterator[_Step]:
        """All steps worth a look; the best last resort (everything anew) where none is good enough."""
        ground, settings = self._ground, self._ground.settings
        count = len(sizes)
        newest = min(ideal[-1], sizes[-1]) - 1
        grown = [*standing, *sizes[len(standing) :]]
        if sum(grown) <= ground.body and grown[-1] >= newest:
            step, fidelity = self._step(grown, ideal, standing, len(standing), 0, steep=False)
            if fidelity >= settings.least:
                yield step
                return
        found: list[tuple[_Step, float]] = []
        seen: set[tuple[int, ...]] = set()
        powered = (weights, [weight**settings.steep for weight in weights])
        for intact in self._depths(count, len(standing)):
            room = ground.body - sum(standing[:intact])
            for share in settings.slacks:
                slack = int(share * self._mean) + settings.spare
                if room - slack <= 0 or (share and count - intact < _DEEP):
                    continue
                for steep in (False, True):
                    rest = pour(sizes[intact:], powered[steep][intact:], room - slack)
                    # what the text goes on from is never shown below its share
                    if rest[-1] < newest or (key := tuple(rest)) in seen:
                        continue
                    seen.add(key)
                    found.append(self._step([*standing[:intact], *rest], ideal, standing, intact, slack, steep=steep))
        good = [step for step, fidelity in found if fidelity >= settings.least]
        if not good:
            anew = pour(sizes, weights, max(0, ground.body - settings.spare))
            good = [self._step(anew, ideal, standing, 0, settings.spare, steep=False)[0]]
        yield from good

    def _depths(self, count: int, standing: int) -> list[int]:
        """How many sections may stay, deepest rewriting last; never more than stand."""
        depths = {min(standing, count - depth) for depth in self._ground.settings.depths if depth < count}
        return sorted({*depths, min(standing, count - 1), 0}, reverse=True)

    def _step(
        self, tokens: list[int], ideal: list[int], standing: list[int], intact: int, slack: int, *, steep: bool
    ) -> tuple[_Step, float]:
        ground, settings = self._ground, self._ground.settings
        shared = ground.front
        for before, now in zip(standing, tokens, strict=False):
            shared += min(before, now)
            if before != now:
                break
        body = sum(tokens)
        reuse = shared // _BLOCK * _BLOCK / (ground.front + body + ground.end)
        apart = sum(map(abs, map(sub, tokens, ideal)))
        fidelity = 1.0 - apart / (2 * ground.body)
        worth = reuse + settings.used * body / ground.body + settings.fidelity * fidelity
        return _Step(worth, tokens, intact, slack, steep), fidelity

    def _best(self, courses: list[tuple[float, list[int], _Step]]) -> list[tuple[float, list[int], _Step]]:
        """The best few, not all with the same room left: room is worth something that only later steps show."""
        width = self._ground.settings.width
        taken: dict[int, int] = {}
        found: list[tuple[float, list[int], _Step]] = []
        for entry in sorted(courses, key=lambda entry: -entry[0]):
            band = (self._ground.body - sum(entry[1])) * _BANDS // self._ground.body
            if taken.get(band, 0) < max(1, width // 3):
                taken[band] = taken.get(band, 0) + 1
                found.append(entry)
                if len(found) == width:
                    break
        return found

    def _decaying(self, count: int) -> list[float]:
        while len(self._powers) < count:
            self._powers.append(self._powers[-1] * self._ground.decay)
        return self._powers[count - 1 :: -1]


def pour(sizes: Sequence[int], weights: Sequence[float], room: int) -> list[int]:
    """Water-filling with ceilings and no floors: as `fabai.window.fill.pour`, exact and quick."""
    if sum(sizes) <= room:
        return list(sizes)
    tokens = list(sizes)
    open_ = range(len(sizes))
    left, total = float(room), sum(weights)
    while open_ and total > 0.0:
        level = left / total
        over = [i for i in open_ if level * weights[i] >= sizes[i]]
        if not over:
            break
        left -= sum(sizes[i] for i in over)
        total -= sum(weights[i] for i in over)
        full = set(over)
        open_ = [i for i in open_ if i not in full]  # type: ignore[assignment]  # a range or a list, read alike
    for i in open_:
        tokens[i] = int(left / total * weights[i]) if total > 0.0 else 0
    return tokens
