"""A table-like document as a Word file on wide pages.

Knows the page. Does not know what the document says.
"""

from __future__ import annotations

from fabai.formats.export import export_docx
from fabai.formats.package import Package
from fabai.formats.wordml import W
from fabai.report import Report
from fabai.settings import ExportSettings

_MARGIN = 850
"""Twentieths of a point: 1.5 cm, so that wide tables have room."""


def word_file(report: Report, *, landscape: bool) -> bytes:
    """The .docx: title, text, no table of contents."""
    data = export_docx(report, sources={}, original=None, media={}, settings=ExportSettings(toc=False))
    if not landscape:
        return data
    package = Package(data, name="the evidence")
    for size in package.edit(package.document).iter(f"{W}pgSz"):
        width, height = size.get(f"{W}w"), size.get(f"{W}h")
        if width is not None and height is not None and int(width) < int(height):
            size.set(f"{W}w", height)
            size.set(f"{W}h", width)
            size.set(f"{W}orient", "landscape")
    for margins in package.edit(package.document).iter(f"{W}pgMar"):
        for side in ("left", "right"):
            margins.set(f"{W}{side}", str(_MARGIN))
    return package.save()
