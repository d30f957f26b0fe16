"""The lock's automaton over bytes: free text, and within it a trie of the whole written values.

Knows states and what each byte leads to. Does not know tokens, grammars or facts. A text is accepted where each of its
digits belongs to one of the forms, in a place where a value may stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from fabai.lock.free import ALPHABET, DIGIT, LED, LINE, SLOT, VALUE, free_text
from fabai.lock.words import lock_words
from fabai.report import Language

DEAD = -1
LANDS = {VALUE: VALUE, DIGIT: DIGIT, SLOT: SLOT, LED: DIGIT}
"""The state of the free text behind a form, by its kind."""
_ALL, _LED = 0, 1  # roots of the trie
State = tuple[int, tuple[int, ...]]
"""The state of the free text (DEAD within a value), and the places in the trie."""


@dataclass(frozen=True, slots=True)
class ByteTable:
    """Free text by bytes. rows: state -> 256 next states, DEAD where the byte may not come. The first `whole` states
    stand between characters, the others within one. begins, led: states in which a value may begin, or only one that a
    year's word leads. landing: state behind a value, by its kind.
    """

    rows: list[list[int]]
    names: tuple[str, ...]
    begins: frozenset[int]
    led: frozenset[int]
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
    begins, led, ends = (frozenset(map(number.__getitem__, some)) for some in (free.begins, free.led, free.ends))
    landing = {kind: number[LANDS[kind]] for kind in LANDS}
    return ByteTable(rows, names, begins, led, ends, number[LINE], landing)


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


def kinds_of(forms: Iterable[str], language: Language) -> dict[str, list[str]]:
    """The forms by kind, those that there are. A kind says what may follow, so what a form ends in: VALUE, DIGIT or
    SLOT. LED has again those of DIGIT that a year's word leads.
    """
    found: dict[str, list[str]] = {}
    years = tuple(f"{word} " for word in lock_words(language).years)
    for form in forms:
        kind = SLOT if form.endswith("}") else DIGIT if form[-1].isnumeric() else VALUE
        found.setdefault(kind, []).append(form)
        if kind == DIGIT and form.lower().startswith(years):
            found.setdefault(LED, []).append(form)
    return found


@dataclass(slots=True)
class Automaton:
    """Forms in the free text of a language. It holds no position: states are passed in and out."""

    language: Language
    forms: Sequence[str]
    table: ByteTable = field(init=False)
    trie: list[dict[int, int]] = field(init=False, repr=False)
    ends: dict[int, int] = field(init=False, repr=False)
    _plain: list[bool] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.table = byte_table(self.language)
        self.trie, self.ends = [{}, {}], {}
        values = self.table.begins | self.table.led
        self._plain = [state not in values for state in range(len(self.table.rows))]
        for kind, forms in kinds_of(self.forms, self.language).items():
            for form in forms:
                node = _LED if kind == LED else _ALL
                for byte in form.encode():
                    following = self.trie[node].get(byte)
                    if following is None:
                        following = self.trie[node][byte] = len(self.trie)
                        self.trie.append({})
                    node = following
                self.ends[node] = self.table.landing[kind]

    @property
    def start(self) -> State:
        return (self.table.start, ())

    def step(self, state: State, byte: int) -> State | None:
        """The state behind a byte, None where it may not come."""
        free, nodes = state
        after = self.table.rows[free][byte] if free >= 0 else DEAD
        places = []
        root = _ALL if free in self.table.begins else _LED if free in self.table.led else None
        if root is not None and (first := self.trie[root].get(byte)) is not None:
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
        following: State | None
        rows, plain = self.table.rows, self._plain
        for byte in data:
            free, nodes = here
            if free >= 0 and not nodes and plain[free]:
                # as step, for most bytes of a text: no value is under way and none may begin
                following = None if (after := rows[free][byte]) < 0 else (after, ())
            else:
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
