"""Page limits: the Word file is laid out by LibreOffice and its pages are counted.

Knows what a count of pages is worth. Does not know how the Word file is made nor how LibreOffice is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fabai.checks.fonts import asked, embedded, package_for, replaced
from fabai.checks.limits import against, applying
from fabai.checks.violation import Findings, Violation
from fabai.errors import MissingPart, UnreadableFile
from fabai.form import Form, Limit
from fabai.formats.libreoffice import pages
from fabai.formats.package import Package
from fabai.report import Report

ToDocx = Callable[[Report], bytes]
ToPdf = Callable[[bytes], bytes]


def check_pages(report: Report, form: Form, to_docx: ToDocx, to_pdf: ToPdf) -> Findings:
    """Violations of the form's page limits. to_docx makes the Word file of a report, to_pdf lays it out.

    Where the machine cannot lay it out, a notice says so and nothing is reported. Sections that a limit excludes are
    left out of the file that is counted. A page limit of one section is not counted: a section has no pages of its own.
    """
    found = Findings(notices=tuple(_single(report, form)))
    for limit in applying(form.limits, report):
        if limit.unit == "pages":
            found += _count(report, limit, to_docx, to_pdf)
    return found


def _count(report: Report, limit: Limit, to_docx: ToDocx, to_pdf: ToPdf) -> Findings:
    counted = replace(
        report, sections=tuple(one for one in report if one.spec is None or one.spec not in limit.excludes)
    )
    docx = to_docx(counted)
    try:
        pdf = to_pdf(docx)
    except (MissingPart, UnreadableFile) as error:
        return Findings(notices=(f"the page limit was not checked: {error}",))
    violations = [*against(limit, pages(pdf), None), *_fonts(docx, pdf)]
    return Findings(tuple(violations))


def _fonts(docx: bytes, pdf: bytes) -> Iterator[Violation]:
    for name, came in replaced(asked(Package(docx)), embedded(pdf)):
        package = package_for(name)
        expected = name if package is None else f"{name} (package {package})"
        yield Violation("font-missing", None, "warning", came, expected)


def _single(report: Report, form: Form) -> Iterator[str]:
    for section in report:
        spec = form.spec(section.spec)
        if spec is not None and any(limit.unit == "pages" for limit in applying(spec.limits, report)):
            yield f"the page limit of '{section.heading}' is not checked: look at it in the exported document"
