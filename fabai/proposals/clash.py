"""What a proposed fact says against the ledger and against other proposals: new, known already, or another value.

Knows names and values. Does not know who decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fabai.facts import Reading, read_fact, same
from fabai.ledger import Fact, Ledger
from fabai.report import Language, fold

Standing = Literal["new", "known", "conflict", "same value"]
"""known: this name with this value stands in the ledger. conflict: this name has another value there, or in another
proposal. same value: another name of the ledger has this value."""


@dataclass(frozen=True, slots=True)
class Clash:
    """standing: of one proposed fact. other: the fact it meets, None where it is new. proposed: whether that fact is
    itself only proposed.
    """

    standing: Standing
    other: Fact | None = None
    proposed: bool = False


def clashes(facts: Mapping[int, Fact], ledger: Ledger, language: Language) -> dict[int, Clash]:
    """The standing of each proposed fact, by the ids given."""
    by_name = {fold(fact.name): (fact, read_fact(fact, language)) for fact in ledger}
    by_key: dict[str, Fact] = {}
    for fact, reading in by_name.values():
        if reading.kind in ("amount", "date", "indicator", "reference", "name", "acronym"):
            by_key.setdefault(reading.key, fact)
    proposed: dict[str, list[tuple[int, Fact, Reading]]] = {}
    for number, fact in facts.items():
        proposed.setdefault(fold(fact.name), []).append((number, fact, read_fact(fact, language)))
    found: dict[int, Clash] = {}
    for name, ones in proposed.items():
        for number, _, reading in ones:
            known = by_name.get(name)
            rival = next((other for one, other, read in ones if one != number and not same(read, reading)), None)
            if known is not None:
                alike = same(known[1], reading)
                found[number] = Clash("known" if alike else "conflict", known[0])
            elif rival is not None:
                found[number] = Clash("conflict", rival, proposed=True)
            elif reading.key in by_key:
                found[number] = Clash("same value", by_key[reading.key])
            else:
                found[number] = Clash("new")
    return found
