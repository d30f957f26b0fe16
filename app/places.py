"""Where a value is known from, as a page can open it: the text of a document, or a list's rows.

Knows the files of a project by name. Does not know values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabai.dossier.lists import list_files
from fabai.store.project import Project


@dataclass(frozen=True, slots=True)
class Places:
    """documents: ids of sources by name. lists: the part of the screen that shows a spreadsheet's rows, by its name."""

    documents: Mapping[str, int | None]
    lists: Mapping[str, str]

    @classmethod
    def of(cls, project: Project) -> Places:
        return cls(
            {one.name: one.id for one in project.sources()},
            {one.file: "expenses" if one.kind == "expenses" else "lists" for one in list_files(project)},
        )

    def named(self, evidence: str) -> str:
        """The file that a piece of evidence names, "" where it names none."""
        known = sorted((*self.documents, *self.lists), key=len, reverse=True)
        return next((name for name in known if name and name in evidence), "")

    def shown(self, file: str) -> dict[str, Any]:
        """document: the source to open at the words. part: the list to go to."""
        return {"document": self.documents.get(file), "part": self.lists.get(file, "")}
