"""Where a value is known from, as a page can open it: the text of a document, or the rows of a list.

Knows the files of a project by name, and how places in a spreadsheet are written ("Gastos!2-14", "Gastos, row 3",
"E12"). Does not know values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabai.dossier.lists import list_files
from fabai.ledger import Origin
from fabai.store.project import Project

_NUMBERS = r"(\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)(?![\w!])"
_ROWS = tuple(re.compile(rf"{before}{_NUMBERS}") for before in (r"(?:!|\brow |\bfila )", r"\b[A-Z]{1,3}", r", "))
"""The surest first: a sheet may be called '2025'."""
_CELL = re.compile(r", ([A-Z]{1,3})\d+$")


@dataclass(frozen=True, slots=True)
class Places:
    """documents: ids of sources by name. lists: the part of the screen that shows a spreadsheet's rows, by its name.
    columns: by its name, then by sheet and field, the letter.
    """

    documents: Mapping[str, int | None]
    lists: Mapping[str, str]
    columns: Mapping[str, Mapping[str, Mapping[str, str]]]

    @classmethod
    def of(cls, project: Project) -> Places:
        files = list_files(project)
        return cls(
            {one.name: one.id for one in project.sources()},
            {one.file: "expenses" if one.kind == "expenses" else "lists" for one in files},
            {one.file: one.columns for one in files},
        )

    def named(self, evidence: str) -> str:
        """The file that a piece of evidence names, "" where it names none."""
        known = sorted((*self.documents, *self.lists), key=len, reverse=True)
        return next((name for name in known if name and name in evidence), "")

    def shown(self, file: str, evidence: str) -> dict[str, Any]:
        """document: the source to open at the words. part: the list to go to. spot: its rows that the evidence names,
        first and last of each stretch; where: the words that name them, with the sheet; field: what the column of the
        cell that they name was read as, "" where they name none.
        """
        part = self.lists.get(file, "")
        where = evidence.partition(file)[2].partition(")")[0] if part else ""
        return {
            "document": self.documents.get(file),
            "part": part,
            "spot": {"file": file, "where": where, "rows": _rows(where), "field": self._field(file, where)}
            if part
            else None,
        }

    def _field(self, file: str, where: str) -> str:
        cell = _CELL.search(where)
        sheets = self.columns.get(file, {})
        named = [fields for sheet, fields in sheets.items() if sheet in where]
        if cell is None or len(named) != 1:
            return ""
        return next((name for name, letter in named[0].items() if letter == cell[1]), "")

    def of_origin(self, origin: Origin | None) -> dict[str, Any]:
        """`shown`, of where a datum was read."""
        if origin is None:
            return self.shown("", "")
        return self.shown(origin.file, ", ".join((origin.file, origin.sheet, origin.cell)))


def _rows(where: str) -> list[list[int]]:
    found = next((match[1] for one in _ROWS if (match := one.search(where)) is not None), "")
    stretches = [[int(number) for number in one.split("-")] for one in found.split(",") if one]
    return [[one[0], one[-1]] for one in stretches]
