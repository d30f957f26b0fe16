"""The lock's exported grammars, read back from their own text and followed character by character.

Knows the part of GBNF and of regular expressions that the exports use, from those languages' descriptions. Does not
know the lock, its automaton or how the texts were made: what an export says wrongly is seen here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_HEX = {"x": 2, "u": 4, "U": 8}


class Machine:
    """Follows a grammar that needs no memory. States are numbers; 0 is the beginning."""

    def __init__(self) -> None:
        self._steps: list[list[tuple[frozenset[str], int]]] = [[], []]
        self._free: list[list[int]] = [[], []]
        self._numbers: dict[frozenset[int], int] = {}
        self._sets: list[frozenset[int]] = []
        self._known: list[dict[str, int]] = []

    @classmethod
    def of_regex(cls, text: str) -> Machine:
        found = cls()
        reader = _Reader(text)
        found._regex(reader, 0, 1)
        if not reader.over:
            raise ValueError(f"the expression does not end at {reader.at}")
        found._begin()
        return found

    @classmethod
    def of_gbnf(cls, text: str) -> Machine:
        found = cls()
        places: defaultdict[str, int] = defaultdict(found._node)
        places["root"] = 0
        for line in text.splitlines():
            name, _, body = line.partition(" ::= ")
            found._rule(_Reader(body), places[name], 1, places)
        found._begin()
        return found

    def step(self, state: int, one: str) -> int | None:
        """The state behind a character, None where it may not come."""
        known = self._known[state]
        if one not in known:
            to = frozenset(
                self._reach(to for node in self._sets[state] for ones, to in self._steps[node] if one in ones)
            )
            known[one] = self._number(to) if to else -1
        return known[one] if known[one] >= 0 else None

    def open(self, state: int) -> frozenset[str]:
        """The characters that may come."""
        return frozenset().union(*(ones for node in self._sets[state] for ones, _ in self._steps[node]))

    def final(self, state: int) -> bool:
        return 1 in self._sets[state]

    def accepts(self, text: str) -> bool:
        state: int | None = 0
        for one in text:
            if (state := self.step(state, one)) is None:  # type: ignore[arg-type]
                return False
        assert state is not None
        return self.final(state)

    def _begin(self) -> None:
        self._number(frozenset(self._reach(iter([0]))))

    def _reach(self, nodes: Iterator[int]) -> set[int]:
        found: set[int] = set()
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.add(node)
                waiting.extend(self._free[node])
        # nodes that only lead on without a character say nothing
        return {node for node in found if self._steps[node] or node == 1}

    def _number(self, nodes: frozenset[int]) -> int:
        if nodes not in self._numbers:
            self._numbers[nodes] = len(self._sets)
            self._sets.append(nodes)
            self._known.append({})
        return self._numbers[nodes]

    def _node(self) -> int:
        self._steps.append([])
        self._free.append([])
        return len(self._steps) - 1

    def _spell(self, here: int, text: str) -> int:
        for one in text:
            here, before = self._node(), here
            self._steps[before].append((frozenset(one), here))
        return here

    def _regex(self, reader: _Reader, begin: int, end: int) -> None:
        """Ways parted by "|", up to ")" or the end."""
        while True:
            here = begin
            while not reader.over and reader.peek() not in "|)":
                first, last = self._node(), self._node()
                self._free[here].append(first)
                if reader.take("(?:"):
                    self._regex(reader, first, last)
                    reader.expect(")")
                elif reader.peek() == "[":
                    self._steps[first].append((reader.characters(), last))
                else:
                    self._steps[first].append((frozenset(reader.one()), last))
                if reader.take("*"):
                    self._free[last].append(first)
                    self._free[first].append(last)
                elif reader.take("?"):
                    self._free[first].append(last)
                here = last
            self._free[here].append(end)
            if not reader.take("|"):
                return

    def _rule(self, reader: _Reader, begin: int, end: int, places: defaultdict[str, int]) -> None:
        """Ways parted by "|", up to ")" or the end of the line."""
        while True:
            here, over = begin, False
            while not reader.over and reader.peek() not in "|)":
                if over:
                    raise ValueError("a rule is named before the end of a way, which needs a memory")
                if reader.take(" "):
                    continue
                if reader.take('"'):
                    while not reader.take('"'):
                        here = self._spell(here, reader.one())
                elif reader.take("("):
                    behind = self._node()
                    self._rule(reader, here, behind, places)
                    reader.expect(")")
                    here = behind
                elif reader.peek() == "[":
                    behind = self._node()
                    self._steps[here].append((reader.characters(), behind))
                    here = behind
                else:
                    self._free[here].append(places[reader.name()])
                    over = True
                reader.take(" ")
            if not over:
                self._free[here].append(end)
            if not reader.take("|"):
                return


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self.at = text, 0

    @property
    def over(self) -> bool:
        return self.at >= len(self._text)

    def peek(self) -> str:
        return self._text[self.at]

    def take(self, text: str) -> bool:
        if not self._text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise ValueError(f"no {text} at {self.at}")

    def name(self) -> str:
        begin = self.at
        while not self.over and self._text[self.at].isalnum():
            self.at += 1
        if begin == self.at:
            raise ValueError(f"no name at {begin}")
        return self._text[begin : self.at]

    def one(self) -> str:
        """A character, written out or escaped."""
        one = self._text[self.at]
        self.at += 1
        if one != "\\":
            return one
        kind = self._text[self.at]
        self.at += 1
        if kind in _HEX:
            digits = self._text[self.at : self.at + _HEX[kind]]
            self.at += _HEX[kind]
            return chr(int(digits, 16))
        return _ESCAPED.get(kind, kind)

    def characters(self) -> frozenset[str]:
        """A class in brackets."""
        self.expect("[")
        if self.peek() == "^":
            raise ValueError("a class of what is not in it")
        found: set[str] = set()
        while not self.take("]"):
            low = self.one()
            high = self.one() if self.take("-") else low
            found.update(map(chr, range(ord(low), ord(high) + 1)))
        return frozenset(found)
