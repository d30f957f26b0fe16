"""The lock as one regular expression, for servers that keep to those.

Knows how a graph of states becomes an expression: its states are taken out one by one, and what led through one leads
past it. Does not know facts or models. The syntax is what Rust's and Python's engines share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from fabai.lock.automaton import LANDS, byte_table, kinds_of
from fabai.lock.free import BLANKS, COUNTING, DIGIT, LED, LETTERS, LINE, MARKS, READY, SLOT, VALUE, WORD, free_text
from fabai.lock.gbnf import characters
from fabai.lock.wordgraph import word_graph
from fabai.report import Language

_START, _END, _BEGIN, _INNER = "@start", "@end", "@begin", "@inner"
_FIRST = {"number": "@first", "linked": "@first linked"}
_SPECIAL = frozenset("\\.+*?()|[]{}^$#&-~")
_IN_CLASS = {one: f"\\{one}" for one in "\\[]^-&~"} | {"\n": "\\n"}
# found by trying orders: it gives the shortest expression, a hundredth of what the states' own order gives
_ORDER = (
    "@rest value", "@rest valued", "@rest closed", "@rest counting", "@first linked", "@rest ready", "point",
    "bullet", "dash", "@rest dashed", "closed", "word", "dashed", "@rest line", "@rest digited", "valued", "line",
    "digited", "@rest digit", "@rest slot", "@rest bullet", "@inner", "@rest point", "@end ready", "counting",
)  # fmt: skip
_LAST = (LED, _BEGIN, DIGIT, VALUE, SLOT, _FIRST["number"], READY)


@dataclass(slots=True)
class _Graph:
    """steps: (from, to) -> the texts that lead there, as expressions; "" is none."""

    steps: dict[tuple[str, str], str] = field(default_factory=dict)
    into: dict[str, set[str]] = field(default_factory=dict)
    out: dict[str, set[str]] = field(default_factory=dict)

    def join(self, one: str, other: str, text: str) -> None:
        known = self.steps.get((one, other))
        self.steps[one, other] = text if known is None else _either((known, text))
        self.out.setdefault(one, set()).add(other)
        self.into.setdefault(other, set()).add(one)

    def leave(self, node: str) -> None:
        """Take a state out; what led through it leads past it."""
        before, behind = self.into.pop(node, set()) - {node}, self.out.pop(node, set()) - {node}
        around = _any_number(self.steps.pop((node, node), ""))
        first = {one: self.steps.pop((one, node)) for one in sorted(before)}
        then = {other: self.steps.pop((node, other)) for other in sorted(behind)}
        for one in first:
            self.out[one].discard(node)
        for other in then:
            self.into[other].discard(node)
        for one, text in first.items():
            for other, more in then.items():
                self.join(one, other, f"{text}{around}{more}")


def regex(forms: Sequence[str], language: Language, start: int | None = None) -> str:
    """The expression whose whole matches are the texts that the automaton accepts, from a state of its free text on
    (its number in fabai.lock.automaton's table), None: from the beginning of a line.
    """
    graph, found = word_graph(kinds_of(forms, language)), _Graph()
    for (one, other), text in _free(language, LINE if start is None else byte_table(language).names[start]).items():
        found.join(one, other, text)
    spelt = [""]
    for edges in graph.nodes[1:]:
        # a place comes behind those that it leads to
        spelt.append(_either([f"{_quoted(text)}{spelt[to]}" for text, to in edges]))
    for kind, root in graph.roots.items():
        found.join(LED if kind == LED else _BEGIN, LANDS[kind], spelt[root])
    for node in _LAST:
        found.leave(node)
    return found.steps[_START, _END]


@cache
def _free(language: Language, start: str) -> dict[tuple[str, str], str]:
    """The free text between the few states that are left when all others are out."""
    found = _states(language)
    found.join(_START, start, "")
    if _in_word(start):
        found.join(_START, _INNER, "")
    nodes = (found.into.keys() | found.out.keys()) - {_START, _END, *_LAST}
    for node in sorted(nodes, key=_turn):
        found.leave(node)
    return found.steps


def _turn(state: str) -> tuple[int, int, str]:
    """Beginnings of words from the longest on, then the order that was found."""
    return -len(state.partition(":")[2]), _ORDER.index(state) if state in _ORDER else -1, state


def _states(language: Language) -> _Graph:
    """The free text's states, with some more that make the expression short: what several states do alike a state does
    for them. Within a word all go on alike but at a blank or a mark, where it ends as a number or not (_INNER);
    whoever may begin a word goes on as _FIRST; where a value may begin is READY, or may do what it does; and marks that
    lead from two states the same ways have a state.
    """
    free, found = free_text(language), _Graph()
    first = {kind: _letters(free.moves[state]) for kind, state in (("number", READY), ("linked", COUNTING))}
    ways: dict[tuple[str, str], set[str]] = {}
    rests: dict[tuple[tuple[str, str], ...], str] = {}

    def go(state: str, moves: Mapping[str, str]) -> None:
        for one, to in moves.items():
            ways.setdefault((state, to), set()).add(one)
            if _in_word(to) and not _in_word(state):
                ways.setdefault((state, _INNER), set()).add(one)

    for state, moves in sorted(free.moves.items(), key=lambda one: (":" in one[0], one[0])):
        beyond = moves
        if state == LINE:
            found.join(LINE, READY, "")
            beyond = {one: to for one, to in moves.items() if free.moves[READY].get(one) != to}
        elif state in free.begins:
            found.join(state, _BEGIN, "")
        elif state in free.led:
            found.join(state, LED, "")
        for kind, letters in first.items():
            if _letters(beyond) == letters:
                found.join(state, _FIRST[kind], "")
                beyond = {one: to for one, to in moves.items() if one not in LETTERS}
        if _in_word(state):
            ends = {one: to for one, to in beyond.items() if one in BLANKS or one in MARKS}
            end = f"@end {ends[' ']}"
            found.join(state, end, "")
            go(end, ends)
            beyond = {one: to for one, to in beyond.items() if one not in ends}
        go(state, {one: to for one, to in beyond.items() if one in LETTERS or one in BLANKS})
        rest = {one: to for one, to in beyond.items() if one not in LETTERS and one not in BLANKS}
        if rest and (state == WORD or not _in_word(state)):
            key = tuple(sorted(rest.items()))
            if key not in rests:
                rests[key] = f"@rest {state}"
                go(rests[key], rest)
            found.join(_INNER if state == WORD else state, rests[key], "")
        if state in free.ends and not _in_word(state):
            found.join(state, _END, "")
    for kind, letters in first.items():
        go(_FIRST[kind], letters)
    ways[_INNER, _INNER] = set(LETTERS)
    found.join(_INNER, _END, "")
    for (state, to), ones in sorted(ways.items()):
        found.join(state, to, _class(ones))
    return found


def _in_word(state: str) -> bool:
    return state == WORD or state.startswith(("number:", "linked:"))


def _letters(moves: dict[str, str]) -> dict[str, str]:
    return {one: to for one, to in moves.items() if one in LETTERS}


def _class(ones: set[str]) -> str:
    return _quoted(*ones) if len(ones) == 1 else characters(ones, _IN_CLASS)


def _quoted(text: str) -> str:
    return "".join("\\n" if one == "\n" else f"\\{one}" if one in _SPECIAL else one for one in text)


def _either(texts: Sequence[str]) -> str:
    """One of the texts."""
    ways = tuple(dict.fromkeys(texts))
    if len(ways) == 1:
        return ways[0]
    some = tuple(one for one in ways if one)
    if len(some) < len(ways):
        return f"(?:{'|'.join(some)})?"
    return f"(?:{'|'.join(some)})"


def _any_number(text: str) -> str:
    return f"(?:{text})*" if text else ""
