"""All checks of a report under way: every rule that needs no laid-out pages, in the order of the text.

Knows which rules there are to run and which are switched off. Does not know Word files or pages
(fabai.checks.pages, fabai.submission), nor who looks at the findings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from fabai.checks.acronyms import check_acronyms
from fabai.checks.arithmetic import check_arithmetic
from fabai.checks.cited import check_cited
from fabai.checks.copied import Index, check_copied, index_of
from fabai.checks.costs import check_costs
from fabai.checks.coverage import check_coverage, check_ledger, check_required_facts
from fabai.checks.dates import check_dates
from fabai.checks.figure_pairs import check_pairs
from fabai.checks.figures import check_figures
from fabai.checks.known import Known, asked, known
from fabai.checks.leftovers import check_leftovers
from fabai.checks.limits import check_limits
from fabai.checks.naming import check_names
from fabai.checks.planted import check_planted
from fabai.checks.reading import Reading, read
from fabai.checks.recorded import Recorded
from fabai.checks.repetition import check_repetition
from fabai.checks.staff import check_staff
from fabai.checks.statements import check_claims, check_earlier, check_praise
from fabai.checks.tongues import check_tongues
from fabai.checks.violation import Findings, Violation
from fabai.form import Form
from fabai.ledger import Ledger
from fabai.report import Language, Report, Section

_NOTHING_KNOWN = (
    "figures were not compared: the project has no facts and no sources; add them with 'fabai facts' and 'fabai import'"
)
_NOTHING_RECORDED = Recorded()
_ELSEWHERE = frozenset({"repeated-across", "figure-differs"})
"""Rules whose findings name another section."""


class Text(Protocol):
    """A document that the report is written from: its name and what it says."""

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...


class Checked(Protocol):
    """What the checks read of a report under way; a Project and every other Desk have it."""

    @property
    def form(self) -> Form: ...

    @property
    def language(self) -> Language: ...

    @property
    def instructions(self) -> str: ...

    def report(self) -> Report: ...

    def ledger(self) -> Ledger: ...

    def sources(self) -> Sequence[Text]: ...


def check_report(
    desk: Checked,
    *,
    recorded: Recorded = _NOTHING_RECORDED,
    earlier: Sequence[Text] = (),
    corpus: Index | None = None,
    off: Collection[str] = (),
    worded: Report | None = None,
) -> Findings:
    """What every rule finds in the report that stands now, by section and place; the whole report's findings last.

    recorded: what the project's dossier has; its figures are evidence as facts and sources are. earlier: reports of
    earlier periods, whose phrases should not be left. corpus: the reports that the model learnt
    from, whose passages it might copy. off: ids of rules that were switched off.
    worded: the report with its citations as documents show them, which limits count; None: as they are written. What
    was found in a text is remembered, so that a check after one edit reads only the section that changed.
    """
    report = desk.report()
    sources = tuple((one.name, one.text) for one in desk.sources())
    told = (desk.instructions, asked(desk.form, desk.language))
    brief = known(desk.ledger(), sources, told, desk.language, recorded.listed)
    limits = check_limits(report if worded is None else worded, desk.form)
    readings = [(section.id, read(section.text, desk.language)) for section in report]
    headings = {section.id: section.heading or section.id for section in report}
    found = [
        *limits.violations,
        *(
            one
            for section, (_, reading), above in zip(report, readings, _headings(report), strict=True)
            for one in _local(section, reading, above, desk.form, brief)
        ),
        *(
            one
            for identity, reading in readings
            for one in check_earlier(identity, reading, brief, tuple((text.name, text.text) for text in earlier))
        ),
        *(one for identity, reading in readings for one in check_cited(identity, reading, recorded.references)),
        *_copies(readings, sources, corpus),
        *(one for section in report for one in check_planted(section.text, section=section.id)),
        *(one for name, text in sources for one in check_planted(text, source=name)),
        *_across(readings, brief, recorded),
    ]
    place = {section.id: position for position, section in enumerate(report)}
    kept = sorted(
        (_headed(one, headings) for one in found if one.rule not in off),
        key=lambda one: (place.get(one.section or "", len(place)), -1 if one.start is None else one.start, one.rule),
    )
    nothing = (_NOTHING_KNOWN,) if brief.empty and any(section.text.strip() for section in report) else ()
    return Findings(tuple(kept), (*limits.notices, *nothing))


def _headings(report: Report) -> Iterator[tuple[str, ...]]:
    """Each section's heading with those above it, () in front of the first."""
    above: list[Section] = []
    for section in report:
        above = [one for one in above if one.level < section.level] if section.level else []
        above.append(section)
        yield tuple(one.heading for one in above if one.heading)


def _local(
    section: Section, reading: Reading, headings: tuple[str, ...], form: Form, brief: Known
) -> Iterator[Violation]:
    """The rules that look at one section alone."""
    yield from check_figures(section.id, reading, brief)
    yield from check_arithmetic(section.id, reading)
    yield from check_dates(section.id, reading, brief)
    yield from check_leftovers(section.id, reading)
    yield from check_tongues(section.id, reading, headings)
    yield from check_praise(section.id, reading)
    spec = form.spec(section.spec)
    if spec is not None:
        guidance, criteria, heading = (
            (texts or {}).get(brief.language, "") for texts in (spec.guidance, spec.criteria, spec.heading)
        )
        yield from check_coverage(section.id, reading, guidance, criteria)
        yield from check_required_facts(section.id, reading, f"{heading}\n{guidance}\n{criteria}", brief)


def _across(readings: Sequence[tuple[str, Reading]], brief: Known, recorded: Recorded) -> Iterator[Violation]:
    """The rules that look at all sections together."""
    yield from check_costs(readings)
    yield from check_names(readings, brief)
    yield from check_acronyms(readings, brief)
    yield from check_staff(readings)
    yield from check_claims(readings, recorded.missed)
    yield from check_repetition(readings)
    yield from check_pairs(readings)
    yield from check_ledger(brief)


def _copies(
    readings: Sequence[tuple[str, Reading]], sources: tuple[tuple[str, str], ...], corpus: Index | None
) -> Iterator[Violation]:
    indexes = tuple(index for index in (index_of(sources), corpus) if index is not None)
    for identity, reading in readings:
        yield from check_copied(identity, reading, indexes)


def _headed(one: Violation, headings: dict[str, str]) -> Violation:
    """A finding that names another section by its heading."""
    if one.rule in _ELSEWHERE and isinstance(one.expected, str):
        return replace(one, expected=headings.get(one.expected, one.expected))
    return one
