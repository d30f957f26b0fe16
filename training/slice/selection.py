"""Which tokens stay: the order in which tokens are dropped, and where along it to stop.

Tokens are dropped one at a time, always one that no living token is built from, so that the rest stays closed. The
next to go is the one whose loss adds the fewest expected tokens, measured by encoding again every unit that holds it;
among those that cost nothing, first what no text and no list used in foreign scripts, then in the languages' own,
last the required ones never. Does not know files.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fabai.errors import BadSetting

from .closure import Ladder, closed
from .counts import LanguageCount

Unit = tuple[int, ...]

# Two losses that add as many tokens are told apart by how much text they cut differently.
_CUT = 1e-3


@dataclass(frozen=True)
class Order:
    """`dropped`: ids in the order in which they go. `costs[i]`: tokens added per million when the i-th goes (languages
    weighted alike), and a thousandth for each use that is cut differently. `required`: ids that never go, closed
    under derivation."""

    dropped: tuple[int, ...]
    costs: tuple[float, ...]
    required: frozenset[int]

    def alive(self, drops: int, everything: bytearray) -> bytearray:
        """The mask of tokens that live after the first `drops` of them have gone."""
        alive = bytearray(everything)
        for token in self.dropped[:drops]:
            alive[token] = 0
        return alive

    @property
    def seen(self) -> int:
        """How many can go before any use is lost."""
        return next((place for place, cost in enumerate(self.costs) if cost > 0), len(self.dropped))


def weigh(
    counts: Mapping[str, LanguageCount], lists: Sequence[LanguageCount], list_share: float
) -> tuple[dict[int, float], dict[Unit, float]]:
    """Expected tokens per million: every language weighs the same, and the word lists together `list_share` of them.

    Returns (token standing alone -> weight, longer unit -> weight).
    """
    alone: dict[int, float] = {}
    units: dict[Unit, float] = {}
    parts = [(count, (1.0 - (list_share if lists else 0.0)) / len(counts)) for count in counts.values()]
    parts += [(count, list_share / len(lists)) for count in lists]
    for count, share in parts:
        scale = share * 1e6 / max(1, count.total)
        for token in np.flatnonzero(count.tokens).tolist():
            alone[token] = alone.get(token, 0.0) + scale * int(count.tokens[token])
        for unit, times in count.units.items():
            units[unit] = units.get(unit, 0.0) + scale * times
    return alone, units


class Dropping:
    """Works out the Order; everything it changes is its own."""

    def __init__(
        self,
        ladder: Ladder,
        alone: Mapping[int, float],
        units: Mapping[Unit, float],
        required: Iterable[int],
        foreign: Iterable[int],
    ) -> None:
        self._ladder = ladder
        self._strings = ladder.family.strings
        self._alone = dict(alone)
        self._texts = ["".join(self._strings[token] for token in unit) for unit in units]
        self._now: list[Unit] = list(units)
        self._weights = list(units.values())
        self._required = frozenset(closed(required, ladder))
        self._foreign = frozenset(foreign)
        self._alive = bytearray(ladder.everything)
        # how many living tokens are built from each token directly
        self._children = [0] * ladder.family.size
        for pair in ladder.parents_of.values():
            for parent in set(pair):
                self._children[parent] += 1
        self._holding: dict[int, set[int]] = {}
        for place, unit in enumerate(self._now):
            for token in set(unit):
                self._holding.setdefault(token, set()).add(place)
        # (least cost, rank, -token, number of drops when the cost was found or -1, stamp)
        self._heap: list[tuple[float, int, int, int, int]] = []
        self._stamps = [0] * ladder.family.size
        # what dropping a token costs at least, as far as is known
        self._least: dict[int, float] = {}

    def order(self, most: int | None = None, until: float = float("inf")) -> Order:
        """Drop up to `most` tokens, or while the costs add up to no more than `until` tokens per million."""
        vocab = self._ladder.family.vocab.values()
        for token in vocab:
            self._offer(token)
        dropped: list[int] = []
        costs: list[float] = []
        spent = 0.0
        while self._heap and (most is None or len(dropped) < most):
            cost, rank, token, seen, stamp = heapq.heappop(self._heap)
            token = -token
            if stamp != self._stamps[token]:
                continue
            # what a token falls into may have gone since it was looked at, so costs rise and are looked at again
            if seen != len(dropped) and self._used(token):
                limit = self._heap[0][0] if self._heap else float("inf")
                cost, complete = self._cost(token, limit)
                self._least[token] = cost
                heapq.heappush(self._heap, (cost, rank, -token, len(dropped) if complete else -1, stamp))
                continue
            spent += cost
            if spent > until:
                break
            self._drop(token)
            dropped.append(token)
            costs.append(cost)
        return Order(tuple(dropped), tuple(costs), self._required)

    def _offer(self, token: int) -> None:
        """Put a token that nothing is built from on the heap, with a cost that it has at least."""
        if token in self._required or not self._alive[token] or self._children[token]:
            return
        self._stamps[token] += 1
        used = self._used(token)
        least = max(self._alone.get(token, 0.0), self._least.get(token, 0.0)) if used else 0.0
        rank = 2 if used else 0 if token in self._foreign else 1
        heapq.heappush(self._heap, (least, rank, -token, -1, self._stamps[token]))

    def _used(self, token: int) -> bool:
        """Whether any unit holds the token."""
        return token in self._alone or bool(self._holding.get(token))

    def _cost(self, token: int, limit: float) -> tuple[float, bool]:
        """Tokens per million that dropping it adds, and whether that is the whole of it: counting stops well above
        `limit`.
        """
        alive, encode = self._alive, self._ladder.encode
        alive[token] = 0
        cost = self._alone.get(token, 0.0)
        if cost:
            cost *= len(encode(self._strings[token], alive)) - 1 + _CUT
        complete = True
        for place in self._holding.get(token, ()):
            cost += self._weights[place] * (len(encode(self._texts[place], alive)) - len(self._now[place]) + _CUT)
            if cost > 2 * limit + 1e-9:
                complete = False
                break
        alive[token] = 1
        return cost, complete

    def _drop(self, token: int) -> None:
        self._alive[token] = 0
        touched = {token}
        if token in self._alone:
            # what stood alone is now a unit of several tokens
            place = len(self._now)
            self._texts.append(self._strings[token])
            self._weights.append(self._alone.pop(token))
            self._now.append(())
            self._replace(place, touched)
        for place in list(self._holding.get(token, ())):
            self._replace(place, touched)
        self._holding.pop(token, None)
        for parent in set(self._ladder.parents_of.get(token, ())):
            self._children[parent] -= 1
            touched.add(parent)
        for other in touched:
            self._offer(other)

    def _replace(self, place: int, touched: set[int]) -> None:
        old = self._now[place]
        new = tuple(self._ladder.encode(self._texts[place], self._alive))
        # what the old unit may have counted for is taken off the known least costs, so that they stay least costs
        most = self._weights[place] * len(self._texts[place])
        for token in old:
            self._holding[token].discard(place)
            if token in self._least:
                self._least[token] -= most
        for token in new:
            self._holding.setdefault(token, set()).add(place)
        self._now[place] = new
        touched.update(old, new)


def check_size(size: int, order_required: int, byte_count: int, added: int) -> None:
    """BadSetting where `size` rows cannot hold what is always kept."""
    if size < order_required:
        raise BadSetting(
            f"{size:,} rows are too few: the {byte_count} bytes, {added:,} added and special tokens and what the "
            "chat template "
            f"and their derivations need take {order_required:,}; give --size {order_required} or more"
        )
