"""A Word file that holds one wide table, on pages turned to their side.

Knows how its texts become Markdown that means nothing else. Does not know what the table says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fabai.formats.export import export_docx
from fabai.formats.package import Package
from fabai.formats.wordml import W
from fabai.report import Language, Report, Section
from fabai.settings import ExportSettings

_WIDTH = 14_000
"""Twentieths of a point between the margins of A4 on its side."""
_CHARACTERS = 125
"""Characters of small type that stand in it."""
_WORD, _LINE = 24, 60
_SIGNS = re.compile(r"([\\`*_{}\[\]<>#$^~|@!&])")


def table_document(title: str, rows: Sequence[Sequence[str]], language: Language) -> bytes:
    """A .docx of A4 on its side; the first row is the head."""
    head, *body = [[literal(text) for text in row] for row in rows]
    lines = [head, ["---"] * len(head), *body]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    report = Report(title, language, (Section("table", title, 1, table),))
    data = export_docx(report, sources={}, original=None, media={}, settings=ExportSettings(cover=False, toc=False))
    package = Package(data)
    for size in package.edit(package.document).iter(W + "pgSz"):
        width, height = size.get(W + "w") or "11906", size.get(W + "h") or "16838"
        if int(width) < int(height):
            size.set(W + "w", height)
            size.set(W + "h", width)
            size.set(W + "orient", "landscape")
    _set_widths(package, rows)
    return package.save()


def _set_widths(package: Package, rows: Sequence[Sequence[str]]) -> None:
    """Each column as wide as its longest word at least, the rest shared out by how much it says."""
    columns = list(zip(*rows, strict=True))
    least = [max(len(word) for cell in column for word in (*cell.split(), "")[:400]) + 2 for column in columns]
    least = [min(one, _WORD) for one in least]
    says = [min(_LINE, max(map(len, column))) for column in columns]
    spare = max(0, _CHARACTERS - sum(least))
    wanted = [max(0, much - few) for much, few in zip(says, least, strict=True)]
    shares = [few + spare * more / max(1, sum(wanted)) for few, more in zip(least, wanted, strict=True)]
    widths = [round(_WIDTH * share / sum(shares)) for share in shares]
    for table in package.body.iter(W + "tbl"):
        for column, width in zip(table.iter(W + "gridCol"), widths, strict=False):
            column.set(W + "w", str(width))
        for row in table.iter(W + "tr"):
            for cell, width in zip(row.iter(W + "tc"), widths, strict=False):
                for told in cell.iter(W + "tcW"):
                    told.set(W + "w", str(width))
                    told.set(W + "type", "dxa")


def literal(text: str) -> str:
    """Markdown that shows the text as it is, on one line."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))
