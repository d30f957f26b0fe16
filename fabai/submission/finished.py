"""A finished Word file against its form, as the funder's own reader would look at it: one call, all rules.

Knows which rules there are for a document. Does not know the text rules of a report (fabai.checks), nor projects.
"""

from __future__ import annotations

from collections.abc import Iterable

from fabai.checks.violation import Findings
from fabai.form import Form
from fabai.formats.package import Package
from fabai.report import Language
from fabai.submission.frame import check_frame
from fabai.submission.leftovers import check_leftovers
from fabai.submission.places import Places
from fabai.submission.properties import check_properties
from fabai.submission.structure import check_structure


def check_document(
    data: bytes, form: Form, language: Language, *, name: str = "the file", names: Iterable[str] = ()
) -> Findings:
    """What a finished .docx must still mend: page, letters, sections, tables, leftovers, properties.

    language: the one that the report is handed in. name: stands in the sentence of UnreadableFile where the data is no
    Word file. names: those that its properties may show, the organisation's for one. A Violation's section is the id of
    the form's section, None for the whole document.
    """
    package = Package(data, name=name)
    places = Places(package, form)
    return Findings(
        (
            *check_structure(package, form, language, places),
            *check_frame(package, form, language, places),
            *check_leftovers(package, form, places),
            *check_properties(package, data, form, language, names),
        )
    )
