"""The next period of a project: what carries over, what begins anew, and the reports of the periods before.

Carried: form, language, structure, texts (inherited until somebody reviews them), ledger, sources that bind,
commitments (what was achieved stays achieved, the rest is to be told anew), headings and other terms without dates,
column layouts, partners. Not carried: expenses, hours and other lists, proofs, notes. Does not know Word files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fabai.dossier.commitment import BOUND, Commitment
from fabai.dossier.commitments import keep_matrix, standing
from fabai.dossier.kept import as_json
from fabai.dossier.lists import own_terms
from fabai.errors import BadSetting
from fabai.report import Report
from fabai.store.project import Project
from fabai.store.record import Made

_DATED = ("start", "end", "pay_by", "notified", "paid_out", "awarded")
_WHOLE = ("layout", "partner")


@dataclass(frozen=True, slots=True)
class Carried:
    """What the new project began with."""

    sections: int
    texts: int
    facts: int
    commitments: int
    period: int


@dataclass(frozen=True, slots=True)
class EarlierReport:
    """The report of an earlier period: its name and all its text."""

    name: str
    text: str


def carry(old: Project, path: Path, period: int, title: str | None = None) -> tuple[Project, Carried]:
    """A new project at `path` for the next period of `old`. BadSetting where the number is none that can follow."""
    before = period_of(old)
    if period <= before:
        raise BadSetting(f"{old.path.name} is period {before}; the next one is {before + 1} or later")
    report = old.report()
    ledger = old.ledger()
    # the document that a plan was read from binds on; what was material for one report only does not
    sources = [replace(one, id=None) for one in old.sources() if one.kind in (*BOUND, "source")]
    project = Project.create(
        path,
        old.form,
        old.language,
        old.title if title is None else title,
        old.instructions,
        facts=ledger,
        sources=sources,
    )
    try:
        made = Made("inherited", settings={"from": old.path.name, "period": before})
        texts = project.inherit(old, made)
        commitments = [_anew(one) for one in standing(old)]
        items = project.items()
        items.save("commitment", [(one.key, as_json(one)) for one in commitments])
        keep_matrix(project)
        terms = own_terms(old).as_json()
        items.save("terms", [("terms", {name: value for name, value in terms.items() if name not in _DATED})])
        for kind in _WHOLE:
            items.save(kind, [(item.key, item.data) for item in old.items().all(kind)])
        items.save("earlier-report", [*_earlier_items(old), (f"{before}", _as_item(old, report))])
        items.save("period", [("period", {"number": period, "from": old.path.name})], event="period")
    except BaseException:
        project.close()
        path.unlink(missing_ok=True)
        raise
    return project, Carried(len(report), texts, len(ledger), len(commitments), period)


def _anew(one: Commitment) -> Commitment:
    if one.status == "achieved":
        return one
    return replace(one, status="", achieved="", evidence=(), explanation="")


def _earlier_items(old: Project) -> list[tuple[str, Mapping[str, Any] | None]]:
    return [(item.key, item.data) for item in old.items().all("earlier-report")]


def _as_item(old: Project, report: Report) -> dict[str, Any]:
    text = "\n\n".join(
        f"{'#' * min(max(one.level, 1), 6)} {one.heading}\n\n{one.text}".strip() for one in report if one.text.strip()
    )
    return {"name": f"{old.path.name} (period {period_of(old)})", "text": text}


def period_of(project: Project) -> int:
    """The period that the project reports on; 1 where nobody said."""
    found = project.items().all("period")
    return int((found[0].data or {}).get("number", 1)) if found else 1


def earlier_reports(project: Project) -> tuple[EarlierReport, ...]:
    """The reports of the periods before, the oldest first."""
    found = project.items().all("earlier-report")
    return tuple(EarlierReport(item.data["name"], item.data["text"]) for item in found if item.data is not None)
