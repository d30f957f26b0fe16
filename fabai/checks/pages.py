"""Page limits: the Word file is laid out by LibreOffice once; its pages are counted, whole and by section.

Knows what a count of pages is worth, and what a limit leaves out (cover, index, sections). Does not know how the Word
file is made nor how LibreOffice is run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from fabai.checks.fonts import asked, embedded, package_for, replaced
from fabai.checks.limits import against, applying
from fabai.checks.violation import Findings, Violation
from fabai.errors import MissingPart, UnreadableFile
from fabai.form import BESIDE, Form, Limit
from fabai.formats.package import Package
from fabai.formats.pages import heading_places
from fabai.formats.wordbody import styles_of, toc_children
from fabai.formats.wordml import W, child
from fabai.report import Report, Section

ToDocx = Callable[[Report], bytes]
ToPdf = Callable[[bytes], bytes]

_SLACK = 0.02
"""Of a page: what a heading's own height may differ."""


def check_pages(report: Report, form: Form, to_docx: ToDocx, to_pdf: ToPdf) -> Findings:
    """Violations of the form's page limits. to_docx makes the Word file of a report, to_pdf lays it out.

    Where the machine cannot lay it out, a notice says so and nothing is reported. What a limit excludes is taken off by
    the height that it has on the pages; a section counts from its heading to the next one that is not under it.
    """
    whole = [limit for limit in applying(form.limits, report) if limit.unit == "pages"]
    single = list(_single(report, form))
    if not whole and not single:
        return Findings()
    docx = to_docx(report)
    try:
        pdf = to_pdf(docx)
    except (MissingPart, UnreadableFile) as error:
        return Findings(notices=(f"the page limit was not checked: {error}",))
    laid = Laid(report, Package(docx), pdf)
    violations: list[Violation] = []
    notices: list[str] = []
    for limit in whole:
        violations += against(limit, laid.counted(limit), None)
    for index, limit in single:
        found = laid.pages_of(index)
        if found is None:
            heading = report.sections[index].heading
            notices.append(
                f"the page limit of '{heading}' was not checked: its heading is not in the document's outline"
            )
        else:
            violations += against(limit, found, report.sections[index].id)
    return Findings((*violations, *_fonts(docx, pdf)), tuple(notices))


class Laid:
    """A report on its pages: where each section begins and ends."""

    def __init__(self, report: Report, package: Package, pdf: bytes) -> None:
        self._report = report
        self._edges = _edges(package)
        self._starts, self.pages = heading_places(pdf, [section.heading for section in report], self._edges)
        self._has_index = bool(toc_children(package.body, styles_of(package)))

    def length(self, index: int) -> float | None:
        """Pages, in parts of one, of a section and those under it; None where its heading was not found."""
        start = self._starts[index]
        if start is None:
            return None
        level = self._report.sections[index].level
        for section, place in zip(self._report.sections[index + 1 :], self._starts[index + 1 :], strict=True):
            if place is not None and section.level <= level:
                return max(place - start, 0.0)
        return self.pages - start

    def pages_of(self, index: int) -> int | None:
        """Pages begun by a section and those under it; None where its heading was not found."""
        length = self.length(index)
        return None if length is None else _pages(length)

    def under(self, index: int) -> tuple[Section, ...]:
        """A section and those under it."""
        return self._report.sections[index : self._last_under(index) + 1]

    def counted(self, limit: Limit) -> int:
        """The pages that a limit counts."""
        return max(_pages(self.filled(limit)), 0)

    def filled(self, limit: Limit) -> float:
        """The pages that a limit counts, in parts of one."""
        beside = [one for one in limit.excludes if one in BESIDE]
        first = next((place for place in self._starts if place is not None), 0.0)
        left_out = 0.0
        if "cover" in beside and "index" in beside:
            left_out += math.floor(first + _SLACK)
        elif beside:
            # a cover is one page; what else stands in front of the first heading is the index
            front = math.floor(first + _SLACK)
            cover = min(front, 1) if front > (1 if self._has_index else 0) else 0
            left_out += cover if "cover" in beside else front - cover
        covered = -1
        for index, section in enumerate(self._report):
            if section.spec is None or section.spec not in limit.excludes or index <= covered:
                continue
            left_out += self.length(index) or 0.0
            covered = self._last_under(index)
        return self.pages - left_out

    def _last_under(self, index: int) -> int:
        level = self._report.sections[index].level
        for later in range(index + 1, len(self._report)):
            if self._report.sections[later].level <= level:
                return later - 1
        return len(self._report) - 1


def _pages(length: float) -> int:
    return math.ceil(length - _SLACK)


def _edges(package: Package) -> tuple[float, float]:
    """Top and bottom margin of the first page section, in points."""
    margins = next((child(one, "pgMar") for one in package.body.iter(W + "sectPr")), None)
    found: Sequence[str] = [
        ("1440" if margins is None else margins.get(W + side) or "1440") for side in ("top", "bottom")
    ]
    top, bottom = (abs(int(one)) / 20 if one.lstrip("-").isdigit() else 72.0 for one in found)
    return top, bottom


def _fonts(docx: bytes, pdf: bytes) -> Iterator[Violation]:
    for name, came in replaced(asked(Package(docx)), embedded(pdf)):
        package = package_for(name)
        expected = name if package is None else f"{name} (package {package})"
        yield Violation("font-missing", None, "warning", came, expected)


def _single(report: Report, form: Form) -> Iterator[tuple[int, Limit]]:
    for index, section in enumerate(report):
        spec = form.spec(section.spec)
        for limit in applying(spec.limits, report) if spec is not None else ():
            if limit.unit == "pages":
                yield index, limit
