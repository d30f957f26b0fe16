"""Looking ahead: which course through the next sections keeps most of the prompt, at full windows that keep to the
decay.

A beam search over sizes alone. A step either grows the prompt at its end, or leaves its first sections as they stand
and pours the room behind them over the rest. Sections to come are taken to be as long as the mean of those there are:
their true length must not count, for in drafting nobody knows it. All sums are of integers and the order is fixed, so
that the same question has the same answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter, sub

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


_Poured = tuple[list[int], int, int]
"""Tokens, their sum, how far they are from the ideal."""
_Step = tuple[float, int, int, int, bool, list[int]]
"""Worth, tokens in all, sections that stay, room left, whether poured steeply, tokens of the other sections.

A plain tuple, for a window takes some hundreds of them.
"""
_Way = tuple[float, int, list[int], _Step, _Step]
"""Worth of all steps up to here, tokens in all, what stood before the last step, that step, the first step."""


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
    stood = [standing[i] for i in live if i < len(standing)]
    lengths = [sizes[i] for i in live]
    scene = _Scene(ground, mean, lengths, [weights[i] for i in live], [ideal[i] for i in live], len(stood))
    first = scene.steps(stood)
    _, _, stays, slack, steep, _ = search.follow(lengths, stood, first) if len(first) > 1 else first[0]
    # what is no longer live in front of what stays, stays too
    intact = live[stays] if stays < len(live) else len(standing)
    intact = min(intact, len(standing))
    power = ground.settings.steep if steep else 1.0
    return Course(intact, slack, tuple(weight**power for weight in weights))


class _Search:
    def __init__(self, ground: Ground, mean: int) -> None:
        self._ground = ground
        self._mean = mean
        self._powers = [1.0]

    def follow(self, sizes: list[int], stood: list[int], first: list[_Step]) -> _Step:
        """The first step whose best continuation is worth most."""
        ground = self._ground
        beam = self._best([(step[0], step[1], stood, step, step) for step in first])
        for _ in range(ground.settings.steps):
            if all(way[4] is beam[0][4] for way in beam):
                # whatever follows, the first step is settled
                break
            standing = len(sizes)
            sizes = [*sizes, self._mean]
            weights = self._decaying(len(sizes))
            scene = _Scene(ground, self._mean, sizes, weights, pour(sizes, weights, ground.body), standing)
            grown: list[_Way] = []
            for worth, _, before, last, origin in beam:
                tokens = before[: last[2]] + last[5]
                grown += [(worth + step[0], step[1], tokens, step, origin) for step in scene.steps(tokens)]
            beam = self._best(grown)
        return beam[0][4]

    def _best(self, ways: list[_Way]) -> list[_Way]:
        """The best few, not all with the same room left: room is worth something that only later steps show."""
        width, body = self._ground.settings.width, self._ground.body
        taken: dict[int, int] = {}
        found: list[_Way] = []
        for way in sorted(ways, key=itemgetter(0), reverse=True):
            band = (body - way[1]) * _BANDS // body
            if taken.get(band, 0) < max(1, width // 3):
                taken[band] = taken.get(band, 0) + 1
                found.append(way)
                if len(found) == width:
                    break
        return found

    def _decaying(self, count: int) -> list[float]:
        while len(self._powers) < count:
            self._powers.append(self._powers[-1] * self._ground.decay)
        return self._powers[count - 1 :: -1]


class _Scene:
    """The sections at one step, the same for all courses that are followed side by side."""

    def __init__(
        self, ground: Ground, mean: int, sizes: list[int], weights: list[float], ideal: list[int], standing: int
    ) -> None:
        self._ground, self._sizes, self._ideal = ground, sizes, ideal
        self._weights = (weights, [weight**ground.settings.steep for weight in weights])
        self._newest = min(ideal[-1], sizes[-1]) - 1
        self._tails: dict[tuple[int, bool], _Tail] = {}
        count = len(sizes)
        settings = ground.settings
        slacks = [(int(share * mean) + settings.spare, share) for share in settings.slacks]
        # how many sections may stay, deepest rewriting last, never more than stand; and the room to leave
        depths = {min(standing, count - depth) for depth in settings.depths if depth < count}
        self._ways = [
            (intact, [slack for slack, share in slacks if not share or count - intact >= _DEEP])
            for intact in sorted({*depths, min(standing, count - 1), 0}, reverse=True)
        ]

    def steps(self, standing: list[int]) -> list[_Step]:
        """All steps worth a look; the best last resort (everything anew) where none is good enough."""
        ground, sizes, ideal, newest = self._ground, self._sizes, self._ideal, self._newest
        body, count = ground.body, len(standing)
        filled = sum(standing)
        fresh = sizes[count:]
        apart = sum(map(abs, map(sub, standing, ideal)))
        if filled + sum(fresh) <= body and (fresh or standing)[-1] >= newest:
            far = apart + sum(map(abs, map(sub, fresh, ideal[count:])))
            if self._fidelity(far) >= ground.settings.least:
                return [self._step(standing, fresh, filled + sum(fresh), far, filled, count, 0, steep=False)]
        good: list[_Step] = []
        stays = count
        for intact, slacks in self._ways:
            if intact < stays:
                part = standing[intact:stays]
                filled -= sum(part)
                apart -= sum(map(abs, map(sub, part, ideal[intact:stays])))
                stays = intact
            seen: list[list[int]] = []
            for slack in slacks:
                room = body - filled - slack
                if room <= 0:
                    continue
                for steep in (False, True):
                    tail = self._tails.get((intact, steep)) or self._tail(intact, steep=steep)
                    rest, total, far = tail.known.get(room) or tail.pour(room)
                    # what the text goes on from is never shown below its share
                    if rest[-1] < newest or rest in seen:
                        continue
                    seen.append(rest)
                    if self._fidelity(apart + far) >= ground.settings.least:
                        good.append(
                            self._step(standing, rest, filled + total, apart + far, filled, intact, slack, steep=steep)
                        )
        if not good:
            spare = ground.settings.spare
            tail = self._tails.get((0, False)) or self._tail(0, steep=False)
            rest, total, far = tail.pour(max(0, body - spare))
            good = [self._step(standing, rest, total, far, 0, 0, spare, steep=False)]
        return good

    def _tail(self, intact: int, *, steep: bool) -> _Tail:
        tail = _Tail(self._sizes[intact:], self._weights[steep][intact:], self._ideal[intact:])
        self._tails[intact, steep] = tail
        return tail

    def _fidelity(self, apart: int) -> float:
        return 1.0 - apart / (2 * self._ground.body)

    def _step(
        self,
        standing: list[int],
        rest: list[int],
        total: int,
        apart: int,
        shared: int,
        intact: int,
        slack: int,
        *,
        steep: bool,
    ) -> _Step:
        ground, settings = self._ground, self._ground.settings
        shared += ground.front
        for at, now in enumerate(rest, intact):
            if at == len(standing):
                break
            before = standing[at]
            if before != now:
                shared += min(before, now)
                break
            shared += now
        reuse = shared // _BLOCK * _BLOCK / (ground.front + total + ground.end)
        worth = reuse + settings.used * total / ground.body + settings.fidelity * self._fidelity(apart)
        return worth, total, intact, slack, steep, rest


class _Tail:
    """The last sections, to be poured into many rooms: what `pour` gives, sorted once by when each is full."""

    def __init__(self, sizes: list[int], weights: list[float], ideal: list[int]) -> None:
        self._sizes, self._weights, self._ideal = sizes, weights, ideal
        self.known: dict[int, _Poured] = {}
        self._sum = sum(sizes)
        pairs = sorted(
            (size / weight if weight > 0.0 else float("inf"), size, weight)
            for size, weight in zip(sizes, weights, strict=True)
        )
        self._full = list(accumulate([size for _, size, _ in pairs], initial=0))
        self._open = list(accumulate([weight for _, _, weight in reversed(pairs)]))[::-1]
        self._rooms = [
            full + ratio * open_ if open_ > 0.0 else float("inf")
            for (ratio, _, _), full, open_ in zip(pairs, self._full, self._open, strict=False)
        ]

    def pour(self, room: int) -> _Poured:
        sizes = self._sizes
        if self._sum <= room:
            tokens = sizes
        else:
            full = min(bisect_right(self._rooms, room), len(sizes) - 1)
            # summed from those that are full last: their weights may be tiny next to the others
            open_ = self._open[full]
            level = (room - self._full[full]) / open_ if open_ > 0.0 else 0.0
            tokens = [
                int(share) if (share := level * weight) < size else size
                for size, weight in zip(sizes, self._weights, strict=True)
            ]
        found = tokens, sum(tokens), sum(map(abs, map(sub, tokens, self._ideal)))
        self.known[room] = found
        return found


def pour(sizes: Sequence[int], weights: Sequence[float], room: int) -> list[int]:
    """Water-filling with ceilings and no floors: as `fabai.window.fill.pour`, exact and quick."""
    return list(_Tail(list(sizes), list(weights), list(sizes)).pour(room)[0])
