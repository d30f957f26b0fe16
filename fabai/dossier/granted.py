"""The terms of the grant as they stand: what confirmed commitments say, and over them what a person set.

Knows which commitment gives which term. Does not know documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

from fabai.dossier.commitment import Commitment
from fabai.dossier.commitments import standing
from fabai.dossier.lists import own_terms
from fabai.dossier.promises import duration_in
from fabai.dossier.terms import Terms
from fabai.dossier.written import amount_of
from fabai.formats.sheet import Cell
from fabai.report import fold
from fabai.store.project import Project

_DEFAULT = Terms()


def terms_of(project: Project) -> Terms:
    """What the documents say, then what a person set."""
    found = from_commitments(standing(project))
    own = own_terms(project)
    changed: dict[str, Any] = {}
    for one in fields(Terms):
        value = getattr(own, one.name)
        if one.name in ("heading", "hours", "income", "sources"):
            changed[one.name] = {**getattr(found, one.name), **value}
        elif value != getattr(_DEFAULT, one.name):
            changed[one.name] = value
    return replace(found, **changed)


def from_commitments(commitments: Iterable[Commitment]) -> Terms:
    """The terms that confirmed commitments give."""
    terms: dict[str, Any] = {"heading": {}, "hours": {}, "sources": {}}
    for one in commitments:
        named: dict[str, Any] = {}
        if one.kind == "period" and one.start is not None and one.due is not None and not one.parent:
            named = {"start": one.start, "end": one.due}
        elif one.kind == "deadline" and one.ref == "payment" and one.due is not None:
            named = {"pay_by": one.due}
        elif one.kind == "budget" and one.ref == "grant" and one.amount is not None:
            named = {"grant": one.amount}
        elif one.kind == "budget" and one.ref == "tolerance":
            named = {"tolerance": _number(one.target)}
        elif one.kind == "budget" and one.amount is not None and fold(one.text).startswith("total"):
            named = {"cost": one.amount} if not one.parent else {}
        elif one.kind == "budget" and one.amount is not None and not one.parent:
            terms["heading"][one.text] = one.amount
            terms["sources"][f"heading:{one.text}"] = str(one.place)
        elif one.kind == "person" and "h" in duration_in(one.target).lower():
            hours = _number(duration_in(one.target).split()[0])
            if hours is not None:
                terms["hours"][one.text] = hours
                terms["sources"][f"hours:{one.text}"] = str(one.place)
        for name, value in named.items():
            if value is not None:
                terms[name] = value
                terms["sources"][name] = str(one.place)
    return Terms(**terms)


def _number(text: str) -> Decimal | None:
    return amount_of(Cell("A1", text.replace("%", ""), text))
