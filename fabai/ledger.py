"""The Ledger: facts that must agree everywhere, each with its source.

Knows facts and their order. Does not know how figures are read in running text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabai.errors import BadSetting


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: a name ("importe concedido"), its value as written ("18.500,00 €") and where it comes from."""

    name: str
    value: str
    source: str

    def __post_init__(self) -> None:
        for key in ("name", "value", "source"):
            if not getattr(self, key).strip():
                raise BadSetting(f"a fact needs a {key}")


@dataclass(frozen=True, slots=True)
class Ledger:
    """The facts of a project in the order they were added; a name appears once, its last value counts."""

    facts: tuple[Fact, ...] = ()

    def __iter__(self) -> Iterator[Fact]:
        return iter(self.facts)

    def __len__(self) -> int:
        return len(self.facts)

    def get(self, name: str) -> Fact | None:
        return next((fact for fact in self.facts if fact.name == name), None)

    def with_fact(self, fact: Fact) -> Ledger:
        """The ledger with the fact added, or with the fact of that name replaced in its place."""
        if self.get(fact.name) is None:
            return Ledger((*self.facts, fact))
        return Ledger(tuple(fact if old.name == fact.name else old for old in self.facts))
