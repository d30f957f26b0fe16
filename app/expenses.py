"""The expenses as the pages show them: rows with what is wrong with each, sums by heading, the funder's sheet filled.

Knows what a row needs to be looked at. Does not know rules or spreadsheets (fabai.dossier).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from fabai.dossier.annexes import proofs, row_key
from fabai.dossier.expense import Expense
from fabai.dossier.expenses import check_lists, expenses, sums_by_heading
from fabai.dossier.filling import fill
from fabai.dossier.granted import terms_of
from fabai.dossier.lists import list_files
from fabai.dossier.rules import money
from fabai.dossier.terms import Terms
from fabai.errors import BadSetting
from fabai.report import Language

from .call import Answer, Call
from .lists import by_place
from .submission import put


def listed(call: Call) -> Answer:
    """Every row in order, numbered from 1; what concerns the whole list; sums against what was granted."""
    with call.project() as project:
        rows, terms = expenses(project), terms_of(project)
        found = [one for one in check_lists(project, terms).violations if not one.rule.startswith("hours-")]
        sums = sums_by_heading(project, terms)
        files = [one for one in list_files(project) if one.kind == "expenses"]
        proved: dict[str, list[str]] = {}
        for proof in proofs(project):
            for key in proof.rows:
                proved.setdefault(key, []).append(proof.file)
    language = call.language
    findings = by_place(found, language)
    own = {str(one.place) for one in rows}
    tolerance = terms.tolerance or Decimal(0)
    return {
        "rows": [
            {
                **_row(number, one, language),
                "findings": findings.get(str(one.place), []),
                "proofs": proved.get(row_key(one), []),
            }
            for number, one in enumerate(rows, start=1)
        ],
        "findings": [one for place, ones in findings.items() if place not in own for one in ones],
        "sums": [_sum(name, granted, charged, tolerance, language) for name, (granted, charged) in sums.items()],
        "granted": _money(sum(terms.heading.values(), Decimal(0)) if terms.heading else None, language),
        "charged": money(_total(one.amount for one in rows), language),
        "cost": money(_total(one.cost for one in rows), language),
        "grant": _money(terms.grant, language),
        "files": [{"file": one.file, "rows": one.rows, "sums": _sums_ok(one.sums)} for one in files],
        "unset": _unset(terms),
    }


def filled(call: Call, path: Path) -> Answer:
    """The funder's own sheet with every row written into it, ready to be downloaded."""
    output = path.with_name(f"{secrets.token_hex(8)}.xlsx")
    with call.project() as project:
        rows = expenses(project)
    if not rows:
        raise BadSetting("there are no expenses to fill in yet: bring the list of expenses first")
    try:
        done = fill(path, output, rows)
        data = output.read_bytes()
    finally:
        output.unlink(missing_ok=True)
    answer = put(call, data, "xlsx", path.stem)
    return {**answer, "rows": done.rows, "sheet": done.sheet, "first": done.first, "notices": list(done.notices)}


def _row(number: int, one: Expense, language: Language) -> dict[str, Any]:
    return {
        "number": number,
        "place": one.place.row,
        "sheet": one.place.sheet,
        "file": one.place.file,
        "creditor": one.creditor,
        "nif": one.nif,
        "invoice": one.number,
        "concept": one.concept,
        "heading": one.heading,
        "issued": str(one.issued or ""),
        "paid": str(one.paid or ""),
        "cost": _money(one.cost, language),
        "charged": _money(one.amount, language),
        "currency": one.currency,
        "partner": one.partner,
    }


def _sum(
    name: str, granted: Decimal | None, charged: Decimal, tolerance: Decimal, language: Language
) -> dict[str, Any]:
    most = None if granted is None else granted * (100 + tolerance) / 100
    return {
        "heading": name,
        "granted": _money(granted, language),
        "charged": money(charged, language),
        "left": "" if granted is None else money(granted - charged, language),
        "over": granted is None or (most is not None and charged > most),
    }


def _sums_ok(sums: Iterable[Any]) -> bool:
    return all(one.ok for one in sums)


def _unset(terms: Terms) -> list[str]:
    """Terms without which a rule finds nothing, by the names of app.terms."""
    missing = {
        "start": terms.start is None and terms.end is None,
        "pay_by": terms.pay_by is None,
        "heading": not terms.heading,
        "tolerance": bool(terms.heading) and terms.tolerance is None,
        "grant": terms.grant is None,
    }
    return [name for name, lacking in missing.items() if lacking]


def _total(amounts: Iterable[Decimal | None]) -> Decimal:
    return sum((one for one in amounts if one is not None), Decimal(0))


def _money(value: Decimal | None, language: Language) -> str:
    return "" if value is None else money(value, language)
