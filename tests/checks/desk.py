"""A report in memory for the checks: what a Project gives them, without a file."""

from __future__ import annotations

from collections.abc import Sequence

from benches.checks_desk import Desk
from fabai.checks.report import check_report
from fabai.checks.violation import Findings, Violation
from fabai.form import Form, find_form
from fabai.ledger import Fact, Ledger
from fabai.report import Language, Report, Section
from fabai.store.record import Source

GENERIC = find_form("generic")


def desk(
    *texts: str,
    facts: Sequence[tuple[str, str]] = (),
    sources: Sequence[str] = (),
    language: Language = "es",
    form: Form = GENERIC,
    specs: Sequence[str | None] = (),
    headings: Sequence[str] = (),
) -> Desk:
    """Sections s0, s1 ... with these texts under the headings 'Apartado 0', 'Apartado 1' ..."""
    sections = tuple(
        Section(
            f"s{at}",
            headings[at] if at < len(headings) else f"Apartado {at}",
            1,
            text,
            spec=specs[at] if at < len(specs) else None,
        )
        for at, text in enumerate(texts)
    )
    ledger = Ledger(tuple(Fact(name, value, "Resolución, p. 2") for name, value in facts))
    papers = tuple(Source(f"fuente {at}", text, "", "source") for at, text in enumerate(sources))
    return Desk(form, language, "", Report("T", language, sections), ledger, papers)


def found(made: Desk, *rules: str) -> list[Violation]:
    """The findings of these rules, all where none is named; each one's span shows its quote's place."""
    findings: Findings = check_report(made)
    texts = {section.id: section.text for section in made.held}
    for one in findings.violations:
        if one.start is not None and one.end is not None:
            assert 0 <= one.start < one.end <= len(texts[one.section or ""])
    return [one for one in findings.violations if not rules or one.rule in rules]


def quotes(made: Desk, *rules: str) -> list[str]:
    return [one.quote for one in found(made, *rules)]
