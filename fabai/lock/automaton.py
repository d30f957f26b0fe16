"""The lock's automaton over bytes: free text, and within it a trie of the whole written values.

Knows states and what each byte leads to. Does not know tokens, grammars or facts. A text is accepted where each of its
digits belongs to one of the forms, in a place where a value may stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from fabai.lock.free import ALPHABET, DIGIT, LINE, SLOT, VALUE, free_text
from fabai.report import Language

DEAD = -1
State = tuple[int, tuple[int, ...]]
"""The state of the free text (DEAD within a value), and the places in the trie."""


@dataclass(frozen=True, slots=True)
class ByteTable:
    """Free text by bytes. rows: state -> 256 next states, DEAD where the byte may not come. The first `whole` states
    stand between characters, the others within one. landing: state behind a value, by what it ends in.
    """

    rows: list[list[int]]
    names: tuple[str, ...]
    begins: frozenset[int]
    ends: frozenset[int]
    start: int
    landing: dict[str, int]

    @property
    def whole(self) -> int:
        return len(self.names)


@cache
def byte_table(language: Language) -> ByteTable:
    """The free text of a language by bytes; the same object each time."""
    free = free_text(language)
    names = tuple(sorted(free.moves))
    number = {name: place for place, name in enumerate(names)}
    rows = [[DEAD] * 256 for _ in names]
    shared: dict[tuple[tuple[int, int], ...], int] = {}

    def within(tree: _Bytes, moves: dict[str, str]) -> list[tuple[int, int]]:
        """(byte, next state) from a place within characters; places that lead alike are one."""
        found = []
        for byte, below in tree.items():
            if isinstance(below, str):
                if (to := moves.get(below)) is not None:
                    found.append((byte, number[to]))
            elif inner := tuple(within(below, moves)):
                if inner not in shared:
                    shared[inner] = len(rows)
                    rows.append(_row(inner))
                found.append((byte, shared[inner]))
        return found

    tree = _tree(ALPHABET)
    for name in names:
        rows[number[name]] = _row(within(tree, free.moves[name]))
    places = {kind: number[kind] for kind in (VALUE, DIGIT, SLOT)}
    return ByteTable(
        rows, names, frozenset(map(number.__getitem__, free.begins)), frozenset(map(number.__getitem__, free.ends)),
        number[LINE], places,
    )  # fmt: skip


_Bytes = dict[int, Any]
"""Characters by their bytes: byte -> the character that ends there, or the bytes that go on."""


def _tree(characters: Iterable[str]) -> _Bytes:
    tree: _Bytes = {}
    for one in characters:
        *head, last = one.encode()
        here = tree
        for byte in head:
            here = here.setdefault(byte, {})
        here[last] = one
    return tree


def _row(moves: Iterable[tuple[int, int]]) -> list[int]:
    row = [DEAD] * 256
    for byte, to in moves:
        row[byte] = to
    return row


def kind_of(form: str) -> str:
    """What a form ends in, and so what may follow it: VALUE, DIGIT or SLOT."""
    return SLOT if form.endswith("}") else DIGIT if form[-1].isnumeric() else VALUE


@dataclass(slots=True)
class Automaton:
    """Forms in the free text of a language. It holds no position: states are passed in and out."""

    language: Language
    forms: Sequence[str]
    table: ByteTable = field(init=False)
    trie: list[dict[int, int]] = field(init=False, repr=False)
    ends: dict[int, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.table = byte_table(self.language)
        self.trie, self.ends = [{}], {}
        for form in self.forms:
            node = 0
            for byte in form.encode():
                following = self.trie[node].get(byte)
                if following is None:
                    following = self.trie[node][byte] = len(self.trie)
                    self.trie.append({})
                node = following
            self.ends[node] = self.table.landing[kind_of(form)]

    @property
    def start(self) -> State:
        return (self.table.start, ())

    def step(self, state: State, byte: int) -> State | None:
        """The state behind a byte, None where it may not come."""
        free, nodes = state
        after = self.table.rows[free][byte] if free >= 0 else DEAD
        places = []
        if free in self.table.begins and (first := self.trie[0].get(byte)) is not None:
            places.append(first)
        for node in nodes:
            following = self.trie[node].get(byte)
            if following is not None:
                places.append(following)
        for node in places:
            if (landed := self.ends.get(node)) is not None:
                # a form has a digit or a brace, so free text did not come here
                after = landed
        if after < 0 and not places:
            return None
        return (after, tuple(node for node in places if self.trie[node]))

    def run(self, data: bytes, state: State | None = None) -> State | None:
        """The state behind the bytes, None where one of them may not come."""
        here = self.start if state is None else state
        for byte in data:
            following = self.step(here, byte)
            if following is None:
                return None
            here = following
        return here

    def final(self, state: State) -> bool:
        """Whether a text may end here: between characters, within no value, behind no word that alters one."""
        return state[0] in self.table.ends

    def accepts(self, text: str) -> bool:
        state = self.run(text.encode("utf-8", "surrogatepass"))
        return state is not None and self.final(state)
