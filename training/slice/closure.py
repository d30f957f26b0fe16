"""How BPE builds a token, and what must be kept with it.

In any text a token is built exactly as the encoder builds its string alone: no merge crosses its borders, and inside
them the lowest rank wins, leftmost first. So the pair that the encoder joins last when it is given the token's own
string are the token's parents, and a set closed under parents segments every text made of its tokens as the whole
vocabulary does (its merges are a part of the old ones in the old order, and hold each merge that the old ones would
have applied). Does not know files, corpora or costs.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from functools import cached_property

from .families import Family

Parents = tuple[int, int]


class Ladder:
    """The merges of a family, ready to encode one string at a time over any part of its vocabulary."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self._size = family.size
        self._ranks = {left * self._size + right: rank for rank, (left, right, _) in enumerate(family.merges)}
        self._made = [made for _, _, made in family.merges]

    def symbols(self, string: str, alive: bytearray) -> list[int]:
        """The ids that encoding starts from: one per character, or its bytes where that has no living token."""
        vocab, family = self.family.vocab, self.family
        if family.kind == "byte-level":
            return [vocab[char] for char in string if char in vocab]
        found: list[int] = []
        for char in string:
            token = vocab.get(char, -1)
            if token >= 0 and alive[token]:
                found.append(token)
            else:
                found.extend(family.byte_ids[byte] for byte in char.encode())
        return found

    def encode(self, string: str, alive: bytearray, *, whole: bool | None = None) -> list[int]:
        """Ids of one unit of text (never crossing a pre-token) with the tokens that `alive` marks.

        whole: look the unit up before merging; by default as the family's ignore_merges says.
        """
        if self.family.ignore_merges if whole is None else whole:
            token = self.family.vocab.get(string, -1)
            if token >= 0 and alive[token]:
                return [token]
        ids, _ = self._merge(self.symbols(string, alive), alive)
        return ids

    def parents(self, token: int, alive: bytearray) -> Parents | None:
        """The two tokens joined last when the encoder builds `token`; None for a base symbol or a token no merge chain
        builds.
        """
        ids, last = self._merge(self.symbols(self.family.strings[token], alive), alive)
        return last if ids == [token] else None

    def _merge(self, ids: list[int], alive: bytearray) -> tuple[list[int], Parents | None]:
        count, size, ranks, made = len(ids), self._size, self._ranks, self._made
        last: Parents | None = None
        if count < 2:
            return ids, last
        after = list(range(1, count + 1))
        before = list(range(-1, count - 1))
        # one integer per candidate (rank, then place) sorts as the encoder does: lowest rank, leftmost
        heap = []
        for place in range(count - 1):
            rank = ranks.get(ids[place] * size + ids[place + 1])
            if rank is not None and alive[made[rank]]:
                heap.append(rank * count + place)
        heapq.heapify(heap)
        while heap:
            rank, place = divmod(heapq.heappop(heap), count)
            right = after[place]
            if right >= count or ids[place] < 0 or ranks.get(ids[place] * size + ids[right]) != rank:
                continue
            last = (ids[place], ids[right])
            ids[place], ids[right] = made[rank], -1
            after[place] = after[right]
            if after[place] < count:
                before[after[place]] = place
            for one, two in ((before[place], place), (place, after[place])):
                if one >= 0 and two < count:
                    found = ranks.get(ids[one] * size + ids[two])
                    if found is not None and alive[made[found]]:
                        heapq.heappush(heap, found * count + one)
        return [token for token in ids if token >= 0], last

    @cached_property
    def everything(self) -> bytearray:
        """The mask in which every token of the BPE model lives."""
        alive = bytearray(self._size)
        for token in self.family.vocab.values():
            alive[token] = 1
        return alive

    @cached_property
    def parents_of(self) -> dict[int, Parents]:
        """Parents of every token that has some, by the encoder's own derivation."""
        alive, found = self.everything, {}
        for token in self.family.vocab.values():
            pair = self.parents(token, alive)
            if pair is not None:
                found[token] = pair
        return found


def closed(tokens: Iterable[int], ladder: Ladder) -> set[int]:
    """The tokens and all that their derivations pass through."""
    kept: set[int] = set()
    waiting = list(tokens)
    while waiting:
        token = waiting.pop()
        if token not in kept:
            kept.add(token)
            waiting.extend(ladder.parents_of.get(token, ()))
    return kept


def irreplaceable(family: Family) -> set[int]:
    """Tokens whose text no smaller tokens can spell: single symbols without bytes, and words holding a byte that is no
    token.
    """
    if family.kind == "byte-fallback":
        return set()
    known = {family.strings[token] for token in family.byte_ids}
    return {token for string, token in family.vocab.items() if not known.issuperset(string)}
