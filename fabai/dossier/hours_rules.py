"""The rules that hours must keep: no more than a person's agreement, a year, a day.

Knows sums per person and per year. Does not know expenses or spreadsheets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from fabai.checks.violation import Findings, Violation
from fabai.dossier.evidence import Hours
from fabai.dossier.terms import Terms
from fabai.report import fold

_DAY = Decimal(24)
_MONTH = Decimal(744)
"""Hours of a month of 31 days: a row may hold a day or a month."""


def check_hours(rows: Sequence[Hours], terms: Terms) -> Findings:
    """Persons over their agreement, over the hours of a year, and rows that no month can hold."""
    found: list[Violation] = []
    by_person: dict[str, Decimal] = defaultdict(Decimal)
    by_year: dict[tuple[str, int], Decimal] = defaultdict(Decimal)
    by_day: dict[tuple[str, object], Decimal] = defaultdict(Decimal)
    places: dict[str, str] = {}
    names: dict[str, str] = {}
    for row in rows:
        who = fold(row.person)
        names.setdefault(who, row.person)
        hours = row.hours or Decimal(0)
        by_person[who] += hours
        places[who] = str(row.place)
        if row.when is not None:
            by_year[(who, row.when.year)] += hours
            by_day[(who, row.when)] += hours
            outside = (terms.start is not None and row.when < terms.start.replace(day=1)) or (
                terms.end is not None and row.when > terms.end
            )
            if outside and hours:
                period = f"{terms.start or '…'} – {terms.end or '…'}"
                found.append(_of("hours-outside-period", row.person, str(row.when), period, str(row.place)))
        if hours > _MONTH or hours < 0:
            found.append(_of("hours-impossible", row.person, plain(hours), plain(_MONTH), str(row.place)))
    for name, most in terms.hours.items():
        done = by_person.get(fold(name), Decimal(0))
        if done > most:
            found.append(_of("hours-over-agreement", name, plain(done), plain(most), places[fold(name)]))
    if terms.hours_year is not None:
        for (who, year), done in sorted(by_year.items()):
            if done > terms.hours_year:
                label = f"{names[who]} ({year})"
                found.append(_of("hours-over-year", label, plain(done), plain(terms.hours_year), places[who]))
    return Findings(tuple(found), tuple(_unset(rows, terms)))


def _unset(rows: Sequence[Hours], terms: Terms) -> list[str]:
    if rows and not terms.hours and terms.hours_year is None:
        return ["hours were not held against anything: fabai terms PROJECT set hours:NAME HOURS, or hours_year HOURS"]
    return []


def _of(rule: str, person: str, found: str, expected: str, evidence: str) -> Violation:
    return Violation(rule, None, "error", found, expected, quote=person, evidence=evidence)


def plain(value: Decimal) -> str:
    """Without zeros behind the comma: 7,5."""
    return f"{value.quantize(Decimal('0.01')).normalize():f}".replace(".", ",")
