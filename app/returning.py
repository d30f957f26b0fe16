"""The report back from Word: what was changed there comes in, and where both sides changed one place both texts are
shown.

Knows what a page shows of a merge. Does not know how it is made (fabai.submission.merge) or how files are read.
"""

from __future__ import annotations

from typing import Any

from fabai.formats.document import Document
from fabai.report import Report
from fabai.store.project import Project
from fabai.submission.merge import take_back

from .call import Answer, Call


def taken_back(call: Call, project: Project, document: Document, filename: str) -> Answer:
    """Merge an edited file into the project. clashes: sections in which the project's text stayed, with both texts;
    the file's is the version named.
    """
    project.workbench.settle()
    found = take_back(project, document, filename, call.shown)
    report = project.report()
    for section in (*found.taken, *found.merged):
        call.tell("section", section=section)
    return {
        "taken": len(found.taken) + len(found.merged),
        "same": len(found.same),
        "clashes": [_clash(project, report, one) for one in found.conflicts],
        "unknown": list(found.unknown),
        "absent": [_title(report, one) for one in found.absent],
        "notices": list(document.notices),
    }


def _clash(project: Project, report: Report, section: str) -> dict[str, Any]:
    newest = project.versions(section)[-1]
    return {
        "section": section,
        "title": _title(report, section),
        "version": newest.id,
        "mine": project.workbench.standing(section).text,
        "file": newest.text,
    }


def _title(report: Report, section: str) -> str:
    place = report.index(section)
    return f"{report.numbers()[place]} {report.sections[place].heading}".strip()
