"""The terms of a grant and the deadlines that follow from them, as the pages show them.

Knows which terms a person may set and that the grant's own deadline follows the terms until somebody types another.
Does not know how documents give terms (fabai.dossier.granted).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fabai.dossier.costs import keep_costs
from fabai.dossier.deadlines import Due, deadlines
from fabai.dossier.granted import terms_of
from fabai.dossier.lists import own_terms, set_term, unset_term
from fabai.dossier.rules import money
from fabai.dossier.terms import Terms
from fabai.errors import BadSetting
from fabai.report import Language
from fabai.store.project import Project

from .call import Answer, Call
from .material import changed

DATES = ("notified", "awarded", "paid_out", "start", "end", "pay_by")
AMOUNTS = ("grant", "cost", "tolerance", "quotes_from", "works_from", "hours_year")
NAMED = ("heading", "hours", "income")
_REPORT = "report"
_UNSET = Terms()


def listed(call: Call) -> Answer:
    """Every term with its value and its source, and every deadline with the days left."""
    with call.project() as project:
        terms, own = terms_of(project), own_terms(project)
        dues = deadlines(project, datetime.date.today())
        typed = project.workbench.deadline()
    waited = {one.waits_for for one in dues if one.waits_for}
    return {
        "terms": [
            {
                **_term(name, getattr(terms, name), terms, waited, call.language),
                "own": getattr(own, name) != getattr(_UNSET, name),
            }
            for name in (*DATES, *AMOUNTS)
        ],
        "named": {
            kind: [
                {
                    "name": name,
                    "value": money(amount, call.language),
                    "source": terms.sources.get(f"{kind}:{name}", ""),
                    "own": name in getattr(own, kind),
                }
                for name, amount in getattr(terms, kind).items()
            ]
            for kind in NAMED
        },
        "deadlines": [_due(one) for one in dues],
        "deadline": typed,
        "computed": str(_day(dues) or ""),
    }


def put(call: Call) -> Answer:
    """Set one term as a person wrote it."""
    name, value = call.text("name").strip(), call.text("value").strip()
    if not value:
        raise BadSetting("write a value: a date such as 2026-03-31, or an amount such as 1.200,00")
    with call.project() as project, following(project):
        set_term(project, name, value, call.text("source", "").strip() or call.shown)
    changed(call, "terms")
    return listed(call)


def remove(call: Call) -> Answer:
    """Take back what a person set: what the documents say holds again, or nothing."""
    with call.project() as project, following(project):
        unset_term(project, call.text("name").strip())
    changed(call, "terms")
    return listed(call)


@contextmanager
def following(project: Project) -> Iterator[None]:
    """What is done inside may move the sums' headings and the report's deadline; a deadline that somebody typed stays
    as it is.
    """
    typed = project.workbench.deadline()
    before = report_day(project)
    yield
    keep_costs(project)
    after = report_day(project)
    if after is not None and after != before and typed in ("", str(before)):
        project.workbench.describe(deadline=str(after))


def take_deadline(project: Project) -> None:
    """Give a new grant the deadline that its form and its terms have, where nobody typed one."""
    day = report_day(project)
    if day is not None and not project.workbench.deadline():
        project.workbench.describe(deadline=str(day))


def report_day(project: Project) -> datetime.date | None:
    """The last day for the report, as its form and its resolution give it."""
    return _day(deadlines(project, datetime.date.today()))


def _day(dues: tuple[Due, ...]) -> datetime.date | None:
    """What a resolution says goes before the form, of two the earlier."""
    days = [one.day for one in dues if one.name == _REPORT and one.day is not None]
    return min(days, default=None)


def _term(name: str, value: Any, terms: Terms, waited: set[str], language: Language) -> dict[str, Any]:
    shown = "" if value is None else str(value) if isinstance(value, datetime.date) else money(value, language)
    return {
        "name": name,
        "value": shown,
        "date": name in DATES,
        "source": terms.sources.get(name, ""),
        "waited": name in waited,
    }


def _due(one: Due) -> dict[str, Any]:
    return {
        "name": one.name,
        "day": "" if one.day is None else str(one.day),
        "days": one.left,
        "source": one.source,
        "capped": one.capped,
        "fixed": one.extendable is False,
        "waits_for": one.waits_for,
    }
