"""The lists of a project: what was read of each spreadsheet, the layouts that were confirmed, and the grant's terms.

Knows that a newer file of the same name takes the older one's place, its rows with it. Does not know spreadsheets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from fabai.dossier.columns import ListKind
from fabai.dossier.evidence import Attendance, Hours, Indicator, Person
from fabai.dossier.expense import Expense
from fabai.dossier.kept import as_json, build
from fabai.dossier.listing import Listing, SumCheck
from fabai.dossier.terms import Terms
from fabai.store.project import Project

E = TypeVar("E", Expense, Hours, Person, Indicator, Attendance)


@dataclass(frozen=True, slots=True)
class ListFile:
    """A spreadsheet that was read. columns: the letter of each field by sheet, of those that stand in one column."""

    file: str
    kind: ListKind
    sha256: str
    rows: int
    sums: tuple[SumCheck, ...] = ()
    notices: tuple[str, ...] = ()
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def known_layouts(project: Project, kind: ListKind) -> dict[str, Mapping[str, int]]:
    """The columns of each layout that was imported before, by the layout's hash."""
    return {
        item.key.removeprefix(f"{kind}:"): item.data["fields"]
        for item in project.items().all("layout")
        if item.data is not None and item.key.startswith(f"{kind}:")
    }


def add_list(project: Project, listing: Listing) -> ListFile:
    """Keep what was read: rows, sums, layouts."""
    items = project.items()
    new = {f"{one.place.file}\x1f{one.place.sheet}\x1f{one.place.row}": as_json(one) for one in listing.entries}
    prefix = f"{listing.file}\x1f"
    gone = [item.key for item in items.all(listing.kind) if item.key.startswith(prefix) and item.key not in new]
    items.save(listing.kind, [*((key, None) for key in gone), *new.items()], event="list")
    items.save("layout", [(f"{listing.kind}:{one.layout}", {"fields": dict(one.fields)}) for one in listing.columns])
    file = ListFile(
        *(listing.file, listing.kind, listing.sha256, len(listing.entries), listing.sums, listing.notices),
        columns=_columns(listing),
    )
    items.save("list-file", [(f"{listing.kind}:{listing.file}", as_json(file))])
    return file


def _columns(listing: Listing) -> dict[str, dict[str, str]]:
    """Sheet -> field -> letter; a field that tables of one sheet have in different columns is in none."""
    found: dict[str, dict[str, set[str]]] = {}
    for one in listing.columns:
        for name, letter in one.shown.items():
            found.setdefault(one.sheet, {}).setdefault(name, set()).add(letter)
    return {
        sheet: {name: min(letters) for name, letters in fields.items() if len(letters) == 1}
        for sheet, fields in found.items()
    }


def list_files(project: Project) -> tuple[ListFile, ...]:
    """Every spreadsheet that counts, in the order in which they came."""
    return tuple(build(ListFile, item.data) for item in project.items().all("list-file") if item.data is not None)


def expenses(project: Project) -> tuple[Expense, ...]:
    """Every expense, by file in the order in which they came, then by row."""
    return _rows(project, "expenses", Expense)


def hours(project: Project) -> tuple[Hours, ...]:
    return _rows(project, "hours", Hours)


def people(project: Project) -> tuple[Person, ...]:
    return _rows(project, "people", Person)


def indicators(project: Project) -> tuple[Indicator, ...]:
    return _rows(project, "indicators", Indicator)


def attendance(project: Project) -> tuple[Attendance, ...]:
    return _rows(project, "attendance", Attendance)


def _rows(project: Project, kind: ListKind, cls: type[E]) -> tuple[E, ...]:
    found = [build(cls, item.data) for item in project.items().all(kind) if item.data is not None]
    files = {one.file: number for number, one in enumerate(list_files(project))}
    return tuple(sorted(found, key=lambda one: (files.get(one.place.file, len(files)), one.place.sheet, one.place.row)))


def set_term(project: Project, name: str, value: str, source: str = "") -> Terms:
    """Set one term of the grant as a person wrote it."""
    terms = own_terms(project).with_term(name, value, source)
    project.items().save("terms", [("terms", terms.as_json())], event="terms")
    return terms


def unset_term(project: Project, name: str) -> Terms:
    """Take back a term that a person set: what the documents say holds again. UnknownName where nobody set it."""
    terms = own_terms(project).without(name)
    project.items().save("terms", [("terms", terms.as_json())], event="terms")
    return terms


def own_terms(project: Project) -> Terms:
    """The terms that persons set."""
    found = project.items().all("terms")
    return Terms.from_json(found[0].data or {}) if found else Terms()
