"""The Ledger: facts that must agree everywhere, each with its source, its place there and who confirmed it.

Knows facts and their order. Does not know how figures are read in running text, nor how a derived fact is computed
(fabai.facts does both).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fabai.errors import BadSetting

FactKind = Literal["", "amount", "percent", "date", "count", "indicator", "name", "acronym", "reference", "text"]
"""What a value is; "" where nobody said so: `fabai.facts.reading.read_fact` reads it from the value."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where in a file a value stands. file: its name, without folder. sha256: of the file. page: of a PDF, from 1.
    sheet, cell: of a spreadsheet ("Gastos", "E12"); cell "fila 4" or the like where a table has no letters. place: the
    heading or sentence of a text. "" and None where unknown.
    """

    file: str
    sha256: str = ""
    page: int | None = None
    sheet: str = ""
    cell: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: a name ("importe concedido"), its value as written ("18.500,00 €") and where it comes from.

    noun: what a count counts ("personas"), where the value does not say it. unit: an indicator's ("kWh"), an amount's
    currency (ISO 4217), where the value does not say it. confirmed_by, confirmed: who stood up for it, and when (ISO
    8601). derived: the formula over other facts that gives the value; such a value is computed, never typed.
    """

    name: str
    value: str
    source: str
    kind: FactKind = ""
    noun: str = ""
    unit: str = ""
    origin: Origin | None = None
    confirmed_by: str = ""
    confirmed: str = ""
    derived: str = ""

    def __post_init__(self) -> None:
        for key in ("name", "value", "source"):
            if not getattr(self, key).strip() and not (key == "value" and self.derived.strip()):
                raise BadSetting(f"a fact needs a {key}")

    @property
    def bare(self) -> Fact:
        """Name, value and source alone: what a prompt may know of it."""
        plain = Fact(self.name, self.value, self.source)
        return self if self == plain else plain


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

    @property
    def bare(self) -> Ledger:
        """Names, values and sources alone; the same ledger where it knows no more."""
        plain = tuple(fact.bare for fact in self.facts)
        return self if all(one is two for one, two in zip(plain, self.facts, strict=True)) else Ledger(plain)
