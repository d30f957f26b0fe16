"""What a project's dossier records of the matter: the figures of its lists with the sums that reports tell (by
heading, by person, of all), the commitments that were missed, and the keys of the references.

Knows which cells of which list hold a figure of the matter. Does not know the text that they are evidence for
(fabai.checks, fabai.evidence).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import groupby

from fabai.checks.claimed import value_text
from fabai.checks.recorded import Listed, ListOf, Recorded
from fabai.dossier.commitments import standing
from fabai.dossier.evidence import Attendance, Hours, Indicator
from fabai.dossier.expense import Expense
from fabai.dossier.lists import attendance, expenses, hours, indicators, own_terms
from fabai.dossier.place import Place
from fabai.dossier.references import literature
from fabai.dossier.terms import Terms
from fabai.dossier.wording import words
from fabai.figures import FigureKind, figures
from fabai.report import Language, fold
from fabai.store.project import Project

_EURO = "EUR"


def recorded(project: Project) -> Recorded:
    """Figures of single rows first, then sums."""
    named = words(project.language)
    found = [
        *_expenses(expenses(project), own_terms(project)),
        *_hours(hours(project), named["field-hours"]),
        *_attendance(attendance(project), named["field-attendees"]),
        *(figure for one in indicators(project) for figure in _indicator(one, project.language)),
    ]
    missed = tuple(f"{one.label} {one.text}".strip()[:80] for one in standing(project) if one.deviates)
    listed = tuple(sorted(found, key=lambda one: one.name.startswith("Σ")))
    return Recorded(listed, missed, frozenset(literature(project).records))


def _expenses(rows: Sequence[Expense], terms: Terms) -> Iterator[Listed]:
    by_heading: dict[str, list[Expense]] = {}
    for one in rows:
        heading = terms.heading_of(one.heading) or one.heading
        by_heading.setdefault(heading, []).append(one)
        name = " · ".join(part for part in (one.creditor, one.number, one.concept) if part)
        for amount in dict.fromkeys((one.amount, one.cost, one.base)):
            if amount:
                yield _listed("expenses", "amount", amount, one.currency, name, heading, [one.place])
    for heading, ones in (*by_heading.items(), ("", rows)):
        for currency in dict.fromkeys(one.currency for one in ones):
            yield from _sum(
                *("expenses", "amount", currency),
                [(one.amount, one.place) for one in ones if one.currency == currency],
                heading,
            )


def _hours(rows: Sequence[Hours], unit: str) -> Iterator[Listed]:
    def person(one: Hours) -> str:
        return fold(one.nif or one.person)

    for one in rows:
        if one.hours:
            yield _listed("hours", "count", one.hours, unit, one.person, "", [one.place])
        if one.cost:
            yield _listed("hours", "amount", one.cost, _EURO, one.person, "", [one.place])
    for ones in (rows, *(list(own) for _, own in groupby(sorted(rows, key=person), person))):
        yield from _sum("hours", "count", unit, [(one.hours, one.place) for one in ones])
        yield from _sum("hours", "amount", _EURO, [(one.cost, one.place) for one in ones])


def _attendance(rows: Sequence[Attendance], unit: str) -> Iterator[Listed]:
    for one in rows:
        for many in dict.fromkeys((one.attendees, one.women, one.men)):
            if many:
                yield _listed("attendance", "count", Decimal(many), unit, one.activity, "", [one.place])
    for field in ("attendees", "women", "men"):
        counts = [(getattr(one, field), one.place) for one in rows]
        yield from _sum("attendance", "count", unit, [(None if n is None else Decimal(n), at) for n, at in counts])


def _indicator(one: Indicator, language: Language) -> Iterator[Listed]:
    """What was promised and what was reached, as the cells have them: "180", "180 personas", "85 %"."""
    for cell in dict.fromkeys((one.target, one.achieved)):
        for figure in figures(cell, language):
            if figure.kind in ("amount", "percent", "count", "number"):
                kind: FigureKind = "count" if figure.kind == "number" else figure.kind
                unit = figure.noun if kind == "amount" else f"{one.unit} {one.indicator} {cell[figure.end :]}"
                yield _listed("indicators", kind, Decimal(figure.value), unit, one.indicator, "", [one.place])


def _sum(
    of: ListOf, kind: FigureKind, unit: str, rows: Sequence[tuple[Decimal | None, Place]], heading: str = ""
) -> Iterator[Listed]:
    """What rows add up to; a row alone is no sum."""
    known = [(value, place) for value, place in rows if value is not None]
    total = sum((value for value, _ in known), Decimal(0))
    if len(known) > 1 and total:
        yield _listed(of, kind, total, unit, f"Σ {len(known)}", heading, [place for _, place in known])


def _listed(
    of: ListOf, kind: FigureKind, value: Decimal, unit: str, name: str, heading: str, places: Sequence[Place]
) -> Listed:
    files = tuple({one.file: one.sha256 for one in places}.items())
    return Listed(of, kind, value_text(abs(value)), unit, name, heading, files, "; ".join(_stretches(places)))


def _stretches(places: Iterable[Place]) -> Iterator[str]:
    """Rows of each sheet: "Gastos!2-14"; one row by itself."""
    by_sheet: dict[tuple[str, str], list[int]] = {}
    for one in places:
        by_sheet.setdefault((one.file, one.sheet), []).append(one.row)
    for (_, sheet), numbers in by_sheet.items():
        parts: list[str] = []
        start = last = min(numbers)
        for number in [*sorted(numbers)[1:], 0]:
            if number != last + 1:
                parts.append(f"{start}" if start == last else f"{start}-{last}")
                start = number
            last = number
        yield f"{sheet}!{','.join(parts)}" if sheet else ",".join(parts)
