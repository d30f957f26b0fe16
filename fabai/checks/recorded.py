"""What a project records beside its report: figures of imported lists (expenses, indicators, hours, attendance),
what was promised and not reached, and the references that it has.

Knows what the checks and the evidence need of it. Does not know spreadsheets or what a list means (fabai.dossier).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from fabai.figures import FigureKind

ListOf = Literal["expenses", "hours", "attendance", "indicators"]


class Listed(NamedTuple):
    """One figure and where it stands.

    of: the list that has it. value: without sign, as figures write it ("1234.56"). unit: of an amount its currency,
    else the words for what is counted. name: what the row is ("Imprenta Roma · F-12"), "Σ 14" where it sums so many.
    heading: of the budget, "" where it has none. files: names with their sha256. place: sheet and rows ("Gastos!2-14").
    """

    of: ListOf
    kind: FigureKind
    value: str
    unit: str
    name: str
    heading: str
    files: tuple[tuple[str, str], ...]
    place: str

    @property
    def source(self) -> str:
        return ", ".join((*dict(self.files), self.place))


class Recorded(NamedTuple):
    """listed: every figure of the lists. missed: commitments that were not reached, or not in full, each in words.
    references: the keys by which the literature can be cited.
    """

    listed: tuple[Listed, ...] = ()
    missed: tuple[str, ...] = ()
    references: frozenset[str] = frozenset()
