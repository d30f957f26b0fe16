"""The texts of a report as they go out: with the tables that the form asks for and the questions that are answered,
without what stands in no document.

Knows which sections of a form are not shown. Does not know Word.
"""

from __future__ import annotations

from dataclasses import replace

from fabai.report import Report, Section, fold
from fabai.store.project import Project
from fabai.submission.tables import with_tables


def outgoing(project: Project, report: Report) -> Report:
    """The report with its tables, and each answer under the question as the funder asked it."""
    return with_questions(project, with_tables(project, report))


def with_questions(project: Project, report: Report) -> Report:
    """The report with the whole question over each answer whose heading holds only a part of it."""
    for section in report:
        spec = project.form.spec(section.spec)
        question = "" if spec is None else spec.question(report.language)
        if question and section.text.strip() and fold(question) not in fold(section.heading):
            quoted = "\n".join(f"> {line}".rstrip() for line in question.strip().split("\n"))
            report = report.with_section(replace(section, text=f"{quoted}\n\n{section.text.strip()}"))
    return report


def shown(project: Project, report: Report) -> Report:
    """The report without the fields of a portal, and without what may stay empty and is."""
    kept: list[Section] = []
    for section in reversed(report.sections):
        spec = project.form.spec(section.spec)
        if spec is not None:
            below = bool(kept) and kept[-1].level > section.level
            if spec.kind == "web" or not (spec.required or below or section.text.strip()):
                continue
        kept.append(section)
    return replace(report, sections=tuple(reversed(kept)))
