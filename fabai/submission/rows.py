"""What the dossier knows, as the rows of a form's table: expenses, budget, hours, people, commitments, risks,
indicators, publications, income, verified facts.

Knows which list or commitment fills which table. Does not know columns or how a table is written
(fabai.submission.tables).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from fabai.demands import Table
from fabai.dossier.commitment import Commitment
from fabai.dossier.commitments import standing
from fabai.dossier.expenses import expenses
from fabai.dossier.granted import terms_of
from fabai.dossier.lists import hours, indicators, people
from fabai.dossier.promise_tables import rows_of
from fabai.dossier.publications import publications
from fabai.dossier.rules import by_heading
from fabai.formats.changes import read_texts
from fabai.report import Language, fold
from fabai.settings import ReadingLimits
from fabai.store.project import Project

Value = str | Decimal | date | None
Row = Mapping[str, Value]
_CENT = Decimal("0.01")
_KINDS = {"deliverables": "deliverable", "milestones": "milestone"}
_STATUS: dict[Language, dict[str, str]] = {
    "es": {"achieved": "cumplido", "partly": "parcial", "not": "no cumplido"},
    "ca": {"achieved": "assolit", "partly": "parcial", "not": "no assolit"},
    "en": {"achieved": "achieved", "partly": "partly", "not": "not achieved"},
}
_DONE: dict[Language, tuple[str, str]] = {"es": ("sí", "no"), "ca": ("sí", "no"), "en": ("yes", "no")}
_ORIGINAL = re.compile(r"(?i)^\s*(?:s[ií]|yes|x|true|1|original|incluid|inclòs)")
_RESEARCHER = re.compile(r"\b(?:(?:co)?investigador|researcher|profesor|professor|catedratic|principal|docto?ra?\b)")
_RISK, _MEASURE = re.compile(r"\b(?:riesgos?|riscos?|risks?)\b"), re.compile(r"mitiga|contingenc|medida|mesur|measure")
_PACKAGE = re.compile(r"work packages?|paquetes?|paquets?|\bwps?\b")


def rows(project: Project, table: Table, language: Language) -> list[Row]:
    """The rows that fill a table, none where the dossier has nothing for it."""
    kind = table.filled
    if kind == "expenses":
        return [
            {
                "creditor": one.creditor, "nif": one.nif,
                "creditor_nif": f"{one.creditor} ({one.nif})" if one.nif else one.creditor,
                "number": one.number, "concept": one.concept, "heading": one.heading, "base": one.base, "vat": one.vat,
                "amount": one.amount, "spent": one.amount, "actual": one.amount, "issued": one.issued, "paid": one.paid,
            }
            for one in expenses(project)
        ]  # fmt: skip
    if kind in ("deviations", "budget"):
        return _budget(project)
    if kind == "hours":
        return _hours(project)
    if kind in ("people", "researchers", "support"):
        return _people(project, table)
    if kind == "indicators":
        return [
            {"text": one.indicator, "unit": one.unit, "target": one.target, "planned": one.target,
             "achieved": one.achieved, "actual": one.achieved, "evidence": one.source}
            for one in indicators(project)
        ]  # fmt: skip
    if kind == "publications":
        begin = terms_of(project).start
        return [
            {"text": one.citation(), "doi": one.doi, "evidence": one.doi, "when": str(one.year or "")}
            for one in publications(project)
            if begin is None or one.year is None or one.year >= begin.year
        ]
    if kind == "income":
        return [{"text": name, "creditor": name, "amount": amount} for name, amount in terms_of(project).income.items()]
    if kind == "ledger":
        return [{"text": fact.name, "amount": fact.value, "evidence": fact.source} for fact in project.ledger()]
    if kind == "risks":
        return _risks(project)
    return _commitments(project, table, language)


def _budget(project: Project) -> list[Row]:
    terms = terms_of(project)
    if not terms.heading:
        return []
    rows: list[Row] = []
    for name, spent in by_heading(expenses(project), terms).items():
        granted = terms.heading.get(name)
        difference = None if granted is None else spent - granted
        share = (
            None if not granted or difference is None else (100 * difference / granted).quantize(_CENT, ROUND_HALF_UP)
        )
        rows.append({"heading": name, "granted": granted, "spent": spent, "difference": difference, "share": share})
    return rows


def _hours(project: Project) -> list[Row]:
    planned = {fold(name): most for name, most in terms_of(project).hours.items()}
    worked: dict[str, Decimal] = {}
    for one in hours(project):
        worked[one.person] = worked.get(one.person, Decimal(0)) + (one.hours or Decimal(0))
    return [{"person": name, "planned": planned.get(fold(name)), "actual": sum_} for name, sum_ in worked.items()]


def _people(project: Project, table: Table) -> list[Row]:
    """Those of the list, else those that the proposal names. Of two tables, 'incluido' and 'no incluido', each takes
    its own people; so do those of researchers and of the staff that supports them.
    """
    named = [one for one in standing(project) if one.kind == "person"]
    listed: list[tuple[bool, Row]] = [
        (
            _ORIGINAL.match(one.original) is not None,
            {"person": one.name, "role": one.role, "start": one.start, "end": one.end},
        )
        for one in people(project)
    ] or [(True, {"person": one.text, "role": one.role}) for one in named]
    title = fold(" ".join((table.title or {}).values()))
    found: list[Row] = []
    for original, row in listed:
        if "inclu" in title and original == title.startswith(("no ", "not ")):
            continue
        if table.filled != "people" and _researches(row) != (table.filled == "researchers"):
            continue
        found.append(row)
    # a table that may stay empty says so, where the people are known
    return found or ([{"person": "—"}] if listed and table.rows == 0 else [])


def _researches(row: Row) -> bool:
    return _RESEARCHER.search(fold(str(row.get("role") or ""))) is not None


def _commitments(project: Project, table: Table, language: Language) -> list[Row]:
    bound = standing(project)
    packages = {one.ref: one for one in bound if one.kind == "activity" and not one.parent}
    if table.filled == "workpackages":
        chosen = list(packages.values())
    else:
        chosen = [one for one in bound if one.kind == _KINDS.get(table.filled or "")]
    granted = terms_of(project).heading
    found: list[Row] = []
    for one in chosen:
        name = f"{one.ref} {one.text}".strip()
        amount = one.amount if one.amount is not None else granted.get(name)
        yes, no = _DONE[language]
        found.append(
            {
                "text": name, "ref": one.ref, "parent": _package(one, packages), "person": one.role,
                "when": one.due or one.when, "target": one.target, "achieved": one.achieved, "amount": amount,
                "granted": amount, "status": _STATUS[language].get(one.status, ""), "explanation": one.explanation,
                "done": "" if not one.status else yes if one.status == "achieved" else no,
                "evidence": "; ".join(one.evidence), "start": one.start, "end": one.due,
            }
        )  # fmt: skip
    return found


def _package(one: Commitment, packages: Mapping[str, Commitment]) -> str:
    """What a deliverable or milestone belongs to: as the document says, else by its number, as D2.1 is of WP2."""
    number = re.match(r"[A-Z]+(\d+)\.", one.ref)
    by_number = f"WP{number[1]}" if number is not None else ""
    return one.parent or (by_number if by_number in packages else "")


def _risks(project: Project) -> list[Row]:
    """The rows of the sources' tables of risks and what is done about them."""
    limits = ReadingLimits()
    texts = [one.text for one in project.sources() if _RISK.search(fold(one.text)) and "|" in one.text]
    found: list[Row] = []
    for blocks in read_texts(texts, limits):
        for table in blocks:
            if table["t"] != "Table":
                continue
            heads, lines = rows_of(table)
            names = [fold(one) for one in heads]
            risk = next((at for at, name in enumerate(names) if _RISK.search(name)), None)
            measure = next((at for at, name in enumerate(names) if _MEASURE.search(name)), None)
            if risk is None or measure is None or risk == measure:
                continue
            package = next((at for at, name in enumerate(names) if _PACKAGE.search(name)), None)
            rest = [at for at in range(len(names)) if at not in (risk, measure, package)]
            for line in lines:
                weight = "; ".join(f"{heads[at].lower()}: {line[at]}" for at in rest if line[at].strip())
                found.append(
                    {
                        "text": f"{line[risk]} ({weight})" if weight else line[risk],
                        "explanation": line[measure],
                        "parent": line[package] if package is not None else "",
                    }
                )
    return found
