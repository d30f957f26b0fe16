"""Where something stands that was read: file, sheet and row, or file and heading.

Knows names and numbers. Does not know what stands there.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """sheet, row, cell: of a spreadsheet. section, page: of a document. sha256: of the file's content."""

    file: str
    sha256: str = ""
    sheet: str = ""
    row: int = 0
    cell: str = ""
    section: str = ""
    page: int = 0

    def __str__(self) -> str:
        parts = [self.file]
        if self.sheet:
            parts.append(self.sheet)
        if self.cell:
            parts.append(self.cell)
        elif self.row:
            parts.append(f"row {self.row}")
        if self.section:
            parts.append(self.section)
        if self.page:
            parts.append(f"p. {self.page}")
        return ", ".join(parts)
