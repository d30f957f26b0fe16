"""A fact that a document seems to state, with the words it was read from.

Knows how candidates of one document are told apart and named apart. Does not know how they are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fabai.facts import read_fact
from fabai.ledger import Fact
from fabai.report import Language, fold
from fabai.window.words import stems

_ONCE = ("amount", "count", "indicator", "name", "acronym", "reference")
"""Kinds of which a value that comes again under a name like the first is the same fact told in other words."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """context: the sentence, or the row of the table. table: cells name their facts well, sentences less so."""

    fact: Fact
    context: str
    table: bool = False


def told_apart(found: Iterable[Candidate], language: Language) -> Iterator[Candidate]:
    """Each fact once; facts of one name and different values get the place where they stand behind their names, else a
    number.
    """
    told: dict[str, list[set[str]]] = {}
    taken: set[str] = set()
    for one in found:
        reading = read_fact(one.fact, language)
        said = set(stems(one.fact.name, language))
        before = told.setdefault(reading.key, [])
        if any(said == other for other in before):
            continue
        # another sentence that has the value, and names it with a word of the first or with none of its own
        if not one.table and reading.kind in _ONCE and any(said & other or not said or not other for other in before):
            continue
        before.append(said)
        name = _free(one, taken)
        taken.add(fold(name))
        yield replace(one, fact=replace(one.fact, name=name))


def _free(one: Candidate, taken: set[str]) -> str:
    name = one.fact.name
    if fold(name) not in taken:
        return name
    place = one.fact.origin.place if one.fact.origin is not None else ""
    if place and fold(f"{name} ({place})") not in taken:
        return f"{name} ({place})"
    number = 2
    while fold(f"{name} ({number})") in taken:
        number += 1
    return f"{name} ({number})"
