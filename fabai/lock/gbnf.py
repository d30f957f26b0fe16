"""The lock as a grammar for llama.cpp (GBNF): a rule for each state of free text and each place in the graph of forms.

Knows GBNF's syntax (https://github.com/ggml-org/llama.cpp/tree/master/grammars) and that a rule which goes on by its
last part keeps one stack for each way. Does not know facts or models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from fabai.lock.automaton import LANDS, byte_table, kinds_of
from fabai.lock.free import LED, LINE, free_text
from fabai.lock.wordgraph import word_graph
from fabai.report import Language

_ESCAPES = {
    "\n": "\\n",
    '"': '\\"',
    "\\": "\\\\",
    "]": "\\]",
    "[": "\\[",
    "-": "\\x2D",
    "^": "\\x5E",
    "\u00a0": "\\u00A0",
}


def gbnf(forms: Sequence[str], language: Language, start: int | None = None) -> str:
    """The grammar whose texts are those that the automaton accepts, from a state of its free text on (its number in
    fabai.lock.automaton's table), None: from the beginning of a line.
    """
    graph = word_graph(kinds_of(forms, language))
    number = _numbers(language)
    first = LINE if start is None else byte_table(language).names[start]
    rules = [f"root ::= s{number[first]}", _free_rules(language, tuple(sorted(graph.roots)))]
    for kind, root in graph.roots.items():
        seen, waiting = set(), [root]
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            ways: dict[str, list[str]] = {}
            for text, to in graph.nodes[place]:
                ways.setdefault(f"s{number[LANDS[kind]]}" if to == 0 else f"{kind}{to}", []).append(text)
                if to:
                    waiting.append(to)
            rules.append(f"{kind}{place} ::= " + " | ".join(_way(texts, to) for to, texts in ways.items()))
        rules.append(f"{kind} ::= {kind}{root}")
    return "\n".join(rules) + "\n"


def _way(texts: list[str], to: str) -> str:
    """The texts that lead to one place: single characters as a class, else quoted ones."""
    if texts == [""]:
        return to
    if len(texts) > 1 and all(len(text) == 1 for text in texts):
        return f"{characters(texts)} {to}"
    quoted = [f'"{_quoted(text)}"' if text else '""' for text in texts]
    return f"{quoted[0]} {to}" if len(quoted) == 1 else f"({' | '.join(quoted)}) {to}"


@cache
def _free_rules(language: Language, kinds: tuple[str, ...]) -> str:
    free, number = free_text(language), _numbers(language)
    rules = []
    for state, moves in free.moves.items():
        ways: dict[str, list[str]] = {}
        for one in sorted(moves):
            ways.setdefault(f"s{number[moves[one]]}", []).append(one)
        # llama.cpp tries one way after the other on the whole vocabulary: those that most tokens take come first
        parts = [f"{characters(ones)} {to}" for to, ones in sorted(ways.items(), key=lambda way: -_worth(way[1]))]
        if state in free.begins:
            parts.extend(kind for kind in kinds if kind != LED)
        if state in free.led and LED in kinds:
            parts.append(LED)
        if state in free.ends:
            parts.append('""')
        rules.append(f"s{number[state]} ::= {' | '.join(parts)}")
    return "\n".join(rules)


def _worth(ones: Sequence[str]) -> int:
    return sum(8 if "a" <= one <= "z" else 200 if one == " " else 2 if one.isascii() else 1 for one in ones)


@cache
def _numbers(language: Language) -> dict[str, int]:
    return {state: place for place, state in enumerate(free_text(language).moves)}


def characters(ones: Iterable[str], escapes: Mapping[str, str] = _ESCAPES) -> str:
    """A class of characters, neighbours as ranges."""
    codes = sorted(map(ord, ones))
    runs: list[list[int]] = []
    for code in codes:
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    runs.sort(key=lambda run: (not chr(run[0]).islower(), run[0] > 127, run[0]))
    parts = []
    for low, high in runs:
        first, last = (escapes.get(chr(code), chr(code)) for code in (low, high))
        parts.append(first if low == high else f"{first}{last}" if high == low + 1 else f"{first}-{last}")
    return f"[{''.join(parts)}]"


def _quoted(text: str) -> str:
    return "".join(_ESCAPES.get(one, one) for one in text)
