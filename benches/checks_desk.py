"""A report in memory, as benches/checks judges it, and how sure a share is. Does not know what was planted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from benches.checks_case import Sections
from fabai.checks.violation import Violation
from fabai.form import Form, find_form
from fabai.ledger import Fact, Ledger
from fabai.report import Language, Report, Section
from fabai.store.record import Source


@dataclass(frozen=True, slots=True)
class Desk:
    """A report in memory."""

    form: Form
    language: Language
    instructions: str
    held: Report
    facts: Ledger
    papers: tuple[Source, ...]

    def report(self) -> Report:
        return self.held

    def ledger(self) -> Ledger:
        return self.facts

    def sources(self) -> Sequence[Source]:
        return self.papers


def desk(
    language: Language, sections: Sections, facts: Sequence[Fact] = (), sources: Sequence[tuple[str, str]] = ()
) -> Desk:
    made = tuple(Section(f"s{at}", heading, level, text) for at, (heading, level, text) in enumerate(sections))
    papers = tuple(Source(name, text, "", "source") for name, text in sources)
    return Desk(find_form("generic"), language, "", Report("", language, made), Ledger(tuple(facts)), papers)


def at(one: Violation, sections: Sections) -> str:
    """The section's text that a finding stands in."""
    return sections[int((one.section or "s0")[1:])][2]


def words(one: Violation, sections: Sections) -> str:
    """What a finding stands at."""
    return at(one, sections)[one.start : one.end]


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if of == 0:
        return 0.0, 1.0
    z, share = 1.959964, hits / of
    middle = share + z * z / (2 * of)
    width = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - width) / (1 + z * z / of), (middle + width) / (1 + z * z / of)
