"""Spreadsheets on the way in: the columns that were recognised, corrected by the person, the rows and what is wrong
with them; only then saved. And the lists that a project has.

Knows how a reading is shown and asked for again. Does not know spreadsheets (fabai.formats.sheet) or rules
(fabai.dossier).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from fabai.checks.violation import Violation
from fabai.dossier.columns import ListKind, fields_of
from fabai.dossier.costs import keep_costs
from fabai.dossier.expense import Expense
from fabai.dossier.granted import terms_of
from fabai.dossier.hours_rules import check_hours
from fabai.dossier.kept import as_json
from fabai.dossier.listing import Entry, Listing, read_list
from fabai.dossier.lists import add_list, attendance, hours, indicators, known_layouts, list_files, people
from fabai.dossier.publications import check_publications, grant_references, publications
from fabai.dossier.rules import check_expenses, money
from fabai.dossier.table import Known, find_tables
from fabai.dossier.terms import Terms
from fabai.dossier.wording import sentence
from fabai.dossier.written import bare
from fabai.errors import UnreadableFile, UsageError
from fabai.formats.sheet import Sheet, column_name, read_sheets
from fabai.report import Language

from .call import Answer, Call
from .material import changed
from .waiting import Waiting

_SHOWN = 60  # rows of a reading that are shown
_SAMPLES = 3
_HEAD_WITHIN = 60


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A spreadsheet that waits. wish: the columns as the person set them, None as long as nobody did."""

    path: Path
    kind: ListKind
    known: Known
    wish: Mapping[str, int] | None = None


DESK = Waiting[Uploaded]()


def look(call: Call, path: Path) -> Answer:
    """Read an upload as a list; where its columns are not known the sheet is shown, so that a person names them."""
    kind = cast(ListKind, call.text("kind"))
    with call.project() as project:
        known = known_layouts(project, kind)
    return _read(call, Uploaded(path, kind, known))


def again(call: Call) -> Answer:
    """The same file with the columns that a person chose: {"creditor": 1, ...}, counted from 0."""
    one = DESK.get(call.text("token"))
    return _read(call, Uploaded(one.path, one.kind, one.known, _wish(call, one.kind)))


def save(call: Call) -> Answer:
    """Keep the rows; a newer file of the same name takes the older one's place."""
    one = DESK.get(call.text("token"))
    with call.project() as project:
        listing = read_list(one.path, one.kind, one.known, one.wish)
        before = {(each.kind, each.file): each.sha256 for each in list_files(project)}
        add_list(project, listing)
        keep_costs(project)
        old = before.get((listing.kind, listing.file))
    changed(call, "lists")
    return {"kind": one.kind, "rows": len(listing.entries), "replaced": old not in (None, listing.sha256)}


def listed(call: Call) -> Answer:
    """Every list but the expenses, and the publications, each with what is wrong with it."""
    with call.project() as project:
        terms = terms_of(project)
        worked = hours(project)
        rows: dict[ListKind, Sequence[Entry]] = {
            "hours": worked,
            "people": people(project),
            "indicators": indicators(project),
            "attendance": attendance(project),
        }
        found = check_hours(worked, terms).violations
        works = publications(project)
        faults = check_publications(works, terms, grant_references(project)).violations
        files = [{"file": one.file, "kind": one.kind, "rows": one.rows} for one in list_files(project)]
    return {
        "files": files,
        "lists": [
            {"kind": kind, "fields": _used(kind, entries), "rows": _rows(kind, entries, call.language), "findings": []}
            | ({"findings": _sentences(found, call.language)} if kind == "hours" else {})
            for kind, entries in rows.items()
            if entries
        ],
        "publications": [one.citation() for one in works],
        "publication_findings": [
            {"what": one.quote, **fault} for one, fault in zip(faults, _sentences(faults, call.language), strict=True)
        ],
    }


def _read(call: Call, one: Uploaded) -> Answer:
    try:
        listing: Listing | None = read_list(one.path, one.kind, one.known, one.wish)
    except UnreadableFile:
        listing = None
    sheet, head = _sheet(one)
    if sheet is None:
        raise UnreadableFile(f"{one.path.name} has no sheet with anything in it")
    with call.project() as project:
        terms = terms_of(project)
    fields = {} if listing is None else dict(listing.columns[0].fields)
    known = listing is not None and one.wish is None and any(each.layout in one.known for each in listing.columns)
    return {
        "token": DESK.put(one),
        "filename": one.path.name,
        "kind": one.kind,
        "columns": _columns(sheet, head),
        "fields": [name for name in fields_of(one.kind) if name != "order"],
        "mapping": {name: column for name, column in (one.wish or fields).items() if name != "order"},
        "remembered": known,
        "read": listing is not None,
        **({} if listing is None else _shown(listing, terms, call.language)),
    }


def _shown(listing: Listing, terms: Terms, language: Language) -> Answer:
    found: tuple[Violation, ...] = ()
    if listing.kind == "expenses":
        expenses = [one for one in listing.entries if isinstance(one, Expense)]
        found = check_expenses(expenses, terms, listing.sums).violations
    places = {str(one.place) for one in listing.entries}
    by_row = by_place(found, language)
    return {
        "rows": _rows(listing.kind, listing.entries[:_SHOWN], language, by_row),
        "shown": _used(listing.kind, listing.entries),
        "count": len(listing.entries),
        "more": max(0, len(listing.entries) - _SHOWN),
        "faulty": sum(str(one.place) in by_row for one in listing.entries),
        "findings": [one for place, ones in by_row.items() if place not in places for one in ones],
        "sums": [
            {
                "field": one.field,
                "stated": money(one.stated, language),
                "summed": money(one.summed, language),
                "ok": one.ok,
            }
            for one in listing.sums
        ],
        "notices": list(listing.notices),
    }


def by_place(found: Iterable[Violation], language: Language) -> dict[str, list[dict[str, str]]]:
    """Findings as sentences, by the place that they are about."""
    out: dict[str, list[dict[str, str]]] = {}
    for one in found:
        out.setdefault(one.evidence, []).append({"severity": one.severity, "sentence": sentence(one, language)})
    return out


def _sentences(found: Iterable[Violation], language: Language) -> list[dict[str, str]]:
    return [{"severity": one.severity, "sentence": sentence(one, language), "quote": one.quote} for one in found]


def _used(kind: ListKind, entries: Sequence[Entry]) -> list[str]:
    """The fields that any row fills, in the order of the kind."""
    filled = {name for one in entries for name in as_json(one)}
    return [name for name in fields_of(kind) if name in filled]


def _rows(
    kind: ListKind,
    entries: Sequence[Entry],
    language: Language,
    found: Mapping[str, list[dict[str, str]]] | None = None,
) -> list[dict[str, Any]]:
    return [
        {
            "row": one.place.row,
            "sheet": one.place.sheet,
            "file": one.place.file,
            "cells": {name: _cell(getattr(one, name), language) for name in fields_of(kind) if hasattr(one, name)},
            "findings": [] if found is None else found.get(str(one.place), []),
        }
        for one in entries
    ]


def _cell(value: Any, language: Language) -> str:
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return money(value, language)
    return str(value) if isinstance(value, str | int | datetime.date) else ""


def _sheet(one: Uploaded) -> tuple[Sheet | None, int]:
    """The sheet that the list stands in, and the number of its head row; the widest row where no head is known."""
    sheets = [sheet for sheet in read_sheets(one.path) if sheet.rows]
    shown = [sheet for sheet in sheets if not sheet.hidden] or sheets
    for sheet in shown:
        tables = [table for table in find_tables(sheet, one.kind, one.known, one.wish)[0] if table.lines]
        if tables:
            return sheet, tables[0].head
    if not shown:
        return None, 0
    widest = max(shown[0].rows[:_HEAD_WITHIN], key=lambda row: sum(cell.value is not None for cell in row.cells))
    return shown[0], widest.number


def _columns(sheet: Sheet, head: int) -> list[dict[str, Any]]:
    """Every column with its head and some of what stands below it."""
    heads = next((row for row in sheet.rows if row.number == head), None)
    below = [row for row in sheet.rows if row.number > head]
    width = max((len(row.cells) for row in sheet.rows), default=0)
    out = []
    for column in range(width):
        samples = [text for row in below[:_HEAD_WITHIN] if (text := bare(row.cell(column)))][:_SAMPLES]
        name = "" if heads is None else bare(heads.cell(column))
        if name or samples:
            out.append({"index": column, "letter": column_name(column), "head": name, "samples": samples})
    return out


def _wish(call: Call, kind: ListKind) -> dict[str, int]:
    given = call.args.get("columns")
    if not isinstance(given, dict) or not given:
        raise UsageError("choose at least one column")
    known = fields_of(kind)
    return {
        name: column
        for name, column in given.items()
        if name in known and isinstance(column, int) and not isinstance(column, bool) and column >= 0
    }
