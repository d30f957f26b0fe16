"""The steps that may follow at one section, and the best of them, most without being worked out.

Knows sizes, weights and what stands; how tokens are poured, and what a step is worth. Does not know which courses are
followed (fabai.window.foresight).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter, sub
from typing import NamedTuple

from fabai.settings import WarmSettings
from fabai.window.basin import Basin, enough

_BLOCK = 16
"""Tokens of a block of the server's prefix cache."""
_DEEP = 3
"""Sections from which a rewriting is deep enough to leave room for those to come."""
_BANDS = 14
"""Courses are compared among those with about the same room left: one of so many bands of the body."""
_ROUNDING = 1e-6
_SMALL = 32
"""Tokens of a section that a new pouring may well leave as they are by chance, as it may one that is almost whole. What
it leaves by chance beyond that no bound counts: such a step is hardly another than a shallower one."""


@dataclass(frozen=True, slots=True)
class Ground:
    """body: tokens for all sections. front, end: tokens of the fixed parts before and behind them."""

    body: int
    front: int
    end: int
    decay: float
    settings: WarmSettings


class Step(NamedTuple):
    """worth: of the course up to here. course: which of those side by side it goes on. intact: sections that stay.

    slack: room left. steep: whether the rest was poured steeply. total, tokens: of all sections, and of each.
    """

    worth: float
    course: int
    intact: int
    slack: int
    steep: bool
    total: int
    tokens: list[int]


class Likely(NamedTuple):
    """A step before it is worked out. bound: it is worth no more. place: in the order of looking.

    least, most: tokens of all sections. stay, near: tokens that stay, and how far they are from the ideal.
    """

    bound: float
    place: int
    course: int
    intact: int
    slack: int
    least: int
    most: int
    stay: int
    near: int


class Scene:
    """The sections at one step, the same for all courses that are followed side by side."""

    def __init__(
        self,
        ground: Ground,
        mean: int,
        sizes: list[int],
        weights: tuple[list[float], list[float]],
        ideal: list[int],
        standing: int,
    ) -> None:
        """weights: plain and steep. ideal: shares under `fill`. standing: how many sections stand. mean: tokens of one
        to come.
        """
        self._ground, self._sizes, self._ideal, self._weights = ground, sizes, ideal, weights
        self._newest = min(ideal[-1], sizes[-1]) - 1
        self._basins: dict[tuple[int, bool], Basin] = {}
        self._size_sums = list(accumulate(sizes, initial=0))
        self._ideal_sums = list(accumulate(ideal, initial=0))
        self._apart_sums = list(accumulate(map(abs, map(sub, sizes, ideal)), initial=0))
        # room from which on the newest has its share, where the sections from there on are poured, plainly and steeply
        self._enough = [enough(sizes, by, self._newest) for by in weights]
        count, settings = len(sizes), ground.settings
        slacks = [(int(share * mean) + settings.spare, share) for share in settings.slacks]
        # how many sections may stay, deepest rewriting last, never more than stand; and the room to leave
        depths = {min(standing, count - depth) for depth in settings.depths if depth < count}
        self._ways = [
            (intact, [slack for slack, share in slacks if not share or count - intact >= _DEEP])
            for intact in sorted({*depths, min(standing, count - 1), 0}, reverse=True)
        ]

    def best(self, courses: Sequence[tuple[float, list[int]]]) -> list[Step]:
        """The best few steps from here, the best first, not all with the same room left: room is worth something that
        only later steps show. Everything anew, as a last resort, where no step is good enough.

        courses: worth so far, and what is shown of the sections that stand.
        """
        settings, body = self._ground.settings, self._ground.body
        found: list[tuple[float, int, Step]] = []
        likely: list[Likely] = []
        for course, (worth, standing) in enumerate(courses):
            grown = self._grown(course, worth, standing)
            if grown is None:
                likely += self.likely(course, worth, standing, len(likely))
            else:
                found.append((-grown.worth, 2 * len(likely), grown))
        alike = max(1, settings.width // 3)
        bands: dict[int, list[float]] = {}
        least: dict[int, float] = {}
        for one in sorted(likely, key=itemgetter(0), reverse=True):
            # enough others with as much room left are worth more than this can be
            near, far = (body - one.most) * _BANDS // body, (body - one.least) * _BANDS // body
            if one.bound < least.get(near, -1.0) and (
                near == far or all(one.bound < least.get(band, -1.0) for band in range(near, far + 1))
            ):
                continue
            worth, standing = courses[one.course]
            for step in self._steps(one, worth, standing):
                found.append((-step.worth, 2 * one.place + step.steep, step))
                band = (body - step.total) * _BANDS // body
                better = bands.setdefault(band, [])
                better.append(step.worth)
                better.sort(reverse=True)
                if len(better) >= alike:
                    least[band] = better[alike - 1]
        if not found:
            return [self._anew(*courses[0])]
        taken: dict[int, int] = {}
        chosen: list[Step] = []
        for _, _, step in sorted(found, key=itemgetter(0, 1)):
            band = (body - step.total) * _BANDS // body
            if taken.get(band, 0) < alike:
                taken[band] = taken.get(band, 0) + 1
                chosen.append(step)
                if len(chosen) == settings.width:
                    break
        return chosen

    def _grown(self, course: int, worth: float, standing: list[int]) -> Step | None:
        """The step that leaves all as it stands and shows the new sections whole, where that is good enough."""
        ground, count = self._ground, len(standing)
        fresh = self._sizes[count:]
        filled = sum(standing)
        total = filled + sum(fresh)
        if total > ground.body or (fresh or standing)[-1] < self._newest:
            return None
        apart = sum(map(abs, map(sub, standing, self._ideal))) + self._apart_sums[-1] - self._apart_sums[count]
        if self._fidelity(apart) < ground.settings.least:
            return None
        worth += self._worth(standing, fresh, total, apart, filled, count)
        return Step(worth, course, count, 0, False, total, [*standing, *fresh])

    def likely(self, course: int, worth: float, standing: list[int], place: int) -> Iterator[Likely]:
        """The steps that may be good enough, each with a bound of its worth, from sums alone."""
        ground, settings, count, body = self._ground, self._ground.settings, len(self._sizes), self._ground.body
        around = ground.front + ground.end
        filled = list(accumulate(standing, initial=0))
        apart = list(accumulate(map(abs, map(sub, standing, self._ideal)), initial=0))
        for intact, slacks in self._ways:
            stay, near = filled[intact], apart[intact]
            whole = self._size_sums[-1] - self._size_sums[intact]
            wanted = self._ideal_sums[-1] - self._ideal_sums[intact]
            least_room = self._enough[True][count - 1 - intact] - _ROUNDING
            # with no more room than their shares, none of the rest is shown above its own
            tops = self._ideal if body - stay - slacks[0] <= wanted else self._sizes
            shared = ground.front + self._alike(standing, intact, stay, tops)
            for slack in slacks:
                room = body - stay - slack
                if room < max(1.0, least_room):
                    break
                fits = whole <= room
                if fits:
                    least = most = stay + whole
                    far = self._apart_sums[-1] - self._apart_sums[intact]
                else:
                    # each section is rounded down
                    least, most = body - slack - (count - intact), body - slack
                    far = max(wanted - room, room - (count - intact) - wanted, 0)
                fidelity = 1.0 - (near + far) / (2 * body)
                if fidelity >= settings.least:
                    reuse = shared / (around + least)
                    bound = worth + reuse + settings.used * most / body + settings.fidelity * fidelity
                    yield Likely(bound, place, course, intact, slack, least, most, stay, near)
                    place += 1
                if fits:
                    # more room left free would change nothing
                    break

    def _alike(self, standing: list[int], intact: int, stay: int, tops: list[int]) -> int:
        """Tokens of the sections that may begin as they stand: those that stay, and of the next what both can show."""
        for at in range(intact, len(standing)):
            before, top = standing[at], tops[at]
            if before > top or _SMALL < before < self._sizes[at] - 1 - self._sizes[at] // 64:
                return stay + min(top, before)
            stay += before
        return stay

    def _steps(self, one: Likely, worth: float, standing: list[int]) -> Iterator[Step]:
        """The step poured plainly and steeply, where it is good enough."""
        intact, room = one.intact, self._ground.body - one.stay - one.slack
        poured: list[int] = []
        plainly = room >= self._enough[False][len(self._sizes) - 1 - intact] - _ROUNDING
        for steep in (False, True) if plainly else (True,):
            basin = self._basins.get((intact, steep)) or self._basin(intact, steep=steep)
            rest, total, far = basin.known.get(room) or basin.pour(room)
            # what the text goes on from is never shown below its share
            if rest[-1] < self._newest or rest == poured:
                continue
            poured = rest
            apart, total = one.near + far, one.stay + total
            if self._fidelity(apart) >= self._ground.settings.least:
                value = worth + self._worth(standing, rest, total, apart, one.stay, intact)
                yield Step(value, one.course, intact, one.slack, steep, total, standing[:intact] + rest)

    def _anew(self, worth: float, standing: list[int]) -> Step:
        """The last resort: everything poured anew."""
        ground, spare = self._ground, self._ground.settings.spare
        basin = self._basins.get((0, False)) or self._basin(0, steep=False)
        rest, total, far = basin.pour(max(0, ground.body - spare))
        return Step(worth + self._worth(standing, rest, total, far, 0, 0), 0, 0, spare, False, total, rest)

    def _basin(self, intact: int, *, steep: bool) -> Basin:
        basin = Basin(self._sizes[intact:], self._weights[steep][intact:], self._ideal[intact:])
        self._basins[intact, steep] = basin
        return basin

    def _fidelity(self, apart: int) -> float:
        return 1.0 - apart / (2 * self._ground.body)

    def _worth(self, standing: list[int], rest: list[int], total: int, apart: int, shared: int, intact: int) -> float:
        ground, settings = self._ground, self._ground.settings
        shared += ground.front
        for before, now in zip(standing[intact:], rest, strict=False):
            if before != now:
                shared += min(before, now)
                break
            shared += now
        reuse = shared // _BLOCK * _BLOCK / (ground.front + total + ground.end)
        return reuse + settings.used * total / ground.body + settings.fidelity * self._fidelity(apart)
