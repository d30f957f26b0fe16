"""The smallest graph of characters that spells a set of forms; forms with the same endings share them.

Knows strings. Does not know grammars; they are written from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Edge = tuple[str, int]


@dataclass(frozen=True, slots=True)
class WordGraph:
    """nodes: for each place the texts that lead on and where to; place 0 is where forms end, and an empty text leads
    there where a form ends that others go on from. roots: by kind of form, where its forms begin.
    """

    nodes: tuple[tuple[Edge, ...], ...]
    roots: dict[str, int]


def word_graph(kinds: Mapping[str, Iterable[str]]) -> WordGraph:
    """Forms of different kinds (fabai.lock.automaton.kinds_of) do not share a root; each ends at place 0."""
    nodes: list[tuple[Edge, ...]] = [()]
    known: dict[tuple[bool, tuple[Edge, ...]], int] = {}
    roots = {}
    for kind, ones in sorted(kinds.items()):
        trie: dict[str, dict[str, object]] = {}
        for form in ones:
            here: dict[str, object] = trie  # type: ignore[assignment]
            for one in form:
                here = here.setdefault(one, {})  # type: ignore[assignment]
            here[""] = {}
        roots[kind] = _place(trie, nodes, known)  # type: ignore[arg-type]
    return WordGraph(tuple(nodes), roots)


def _place(
    trie: dict[str, object], nodes: list[tuple[Edge, ...]], known: dict[tuple[bool, tuple[Edge, ...]], int]
) -> int:
    """The node that spells what hangs from a place in the trie, made where there is none yet."""
    edges: dict[int, list[str]] = {}
    ends = "" in trie
    for one, below in trie.items():
        if one:
            text, to = one, _place(below, nodes, known)  # type: ignore[arg-type]
            only = nodes[to]
            if len(only) == 1 and to:
                # a place with one way on is part of that way
                text, to = text + only[0][0], only[0][1]
            edges.setdefault(to, []).append(text)
    found = tuple(sorted((text, to) for to, texts in edges.items() for text in texts))
    if ends and not found:
        return 0
    if ends:
        found = (("", 0), *found)
    key = (ends, found)
    if key not in known:
        known[key] = len(nodes)
        nodes.append(found)
    return known[key]
