"""Deadlines of a project: from the form's rules and from what resolutions say, with the days left.

Knows events (notification, end of the period, payment, award) and what a cap does. The arithmetic is fabai.demands'.
Does not know documents.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from fabai.demands import Deadline, due
from fabai.dossier.commitment import Commitment
from fabai.dossier.commitments import standing
from fabai.dossier.granted import terms_of
from fabai.dossier.promises import NUMBERS, duration_in
from fabai.dossier.terms import Terms
from fabai.holidays import next_working, works
from fabai.store.project import Project

_EVENTS = {"end": "end", "notification": "notified", "payment": "paid_out", "award": "awarded"}


@dataclass(frozen=True, slots=True)
class Due:
    """name: what is due. day None: the event that it runs from is not known; `waits_for` is its term ("notified").
    capped: a latest date made it earlier. until: the working day to which the term runs on by law where its last day is
    none (Ley 39/2015, art. 30.5), None where it does not. left: days from today, negative when it has passed.
    """

    name: str
    day: datetime.date | None
    left: int | None
    source: str
    capped: bool = False
    extendable: bool | None = None
    waits_for: str = ""
    until: datetime.date | None = None


def deadlines(project: Project, today: datetime.date) -> tuple[Due, ...]:
    """Every deadline, the nearest first, those without a date last."""
    terms = terms_of(project)
    spanish = project.language in ("es", "ca") and terms.place in (None, "ES", "CT")
    if spanish and terms.place is None:
        # whatever the region, these are holidays
        terms = replace(terms, place="ES")
    found = [*_of_form(project.form.deadlines, terms, today), *_of_commitments(standing(project), terms, today)]
    if not spanish:
        # a report to the Union or in another country is under another law
        found = [replace(one, until=None) for one in found]
    return tuple(sorted(found, key=lambda one: (one.day is None, one.day or today)))


def nearest(project: Project, today: datetime.date) -> Due | None:
    """The next deadline of the report, None where no date is known."""
    known = [one for one in deadlines(project, today) if one.day is not None]
    ahead = [one for one in known if one.left is not None and one.left >= 0]
    return next(iter((*ahead, *reversed(known))), None)


def _of_form(rules: Iterable[Deadline], terms: Terms, today: datetime.date) -> Iterable[Due]:
    for rule in rules:
        yield _due("report", rule, terms, today, rule.source)


def _of_commitments(commitments: Iterable[Commitment], terms: Terms, today: datetime.date) -> Iterable[Due]:
    for one in commitments:
        if one.kind == "deadline":
            rule = rule_of(one)
            if rule is not None:
                yield _due(one.ref or "deadline", rule, terms, today, str(one.place))
        elif one.kind in ("milestone", "deliverable") and one.due is not None and one.status != "achieved":
            name = f"{one.label} {one.text}".strip()
            yield Due(name[:80], one.due, (one.due - today).days, str(one.place))


def rule_of(one: Commitment) -> Deadline | None:
    """The rule that a deadline's words give: so many months or days after an event, at the latest on a date."""
    latest = None if one.due is None else one.due.isoformat()
    duration = duration_in(one.target)
    match = re.match(r"(\w+)[\s-]*(?:working )?(\w+)", duration)
    number = None if match is None else NUMBERS.get(match[1].lower(), int(match[1]) if match[1].isdigit() else 0)
    source = str(one.place)
    date = "2000-01-01" if latest is None else latest
    if match is not None and number and one.when in _EVENTS:
        unit = match[2].lower()
        working = "working" in one.text.lower() or "hàbil" in one.text.lower() or "hábil" in one.text.lower()
        if unit.startswith(("m", "mes")):
            return Deadline(one.when, source, date, months=number, latest=latest)  # type: ignore[arg-type]
        days = number * 7 if unit.startswith(("week", "seman", "setman")) else number
        if unit.startswith(("year", "a", "any")):
            return Deadline(one.when, source, date, months=number * 12, latest=latest)  # type: ignore[arg-type]
        return Deadline(one.when, source, date, days=days, working=working, latest=latest)  # type: ignore[arg-type]
    return None if latest is None else Deadline("fixed", source, date, latest=latest)


def _due(name: str, rule: Deadline, terms: Terms, today: datetime.date, source: str) -> Due:
    term = _EVENTS.get(rule.starts, "")
    start = getattr(terms, term) if term else None
    day = due(rule, start, partial(works, place=terms.place, closed=terms.closed))
    latest = None if rule.latest is None else datetime.date.fromisoformat(rule.latest)
    if day is None and latest is not None:
        return Due(name, latest, (latest - today).days, source, True, rule.extendable, term)
    capped = day is not None and rule.starts != "fixed" and day == latest
    left = None if day is None else (day - today).days
    until = None
    if day is not None and rule.starts != "fixed" and not capped:
        rolled = next_working(day, terms.place, terms.closed)
        until = rolled if rolled != day else None
    return Due(name, day, left, source, capped, rule.extendable, "" if day is not None else term, until)
