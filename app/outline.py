"""The outline: each section's number, heading, state, count against its limit, and what is to be mended in it.

Knows how these are put together. Does not know how they are found.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from fabai.checks.limits import applying, measure
from fabai.form import Limit, in_language
from fabai.report import Report, Section
from fabai.store.project import Project

from . import pagecount
from .call import Answer, Call


def outline(call: Call) -> Answer:
    """Every section, in reading order."""
    with call.project() as project:
        report = project.report()
        findings = call.house.watch.known(call.place)
        call.house.watch.look(call.space, call.name, call.place)
        counts: Counter[str] = Counter()
        errors: Counter[str] = Counter()
        for one in findings.violations if findings is not None else ():
            counts[one.section or ""] += 1
            errors[one.section or ""] += one.severity == "error"
        limits = {one.id: limits_of(project, report, one) for one in report}
        limited = [one for one in report if limits[one.id]]
        plain = dict(zip((one.id for one in limited), call.house.plain.sections(project, limited), strict=True))
        pins = project.pins()
        paged, whole = _pages(call, project, report)
        rows = []
        for section, number in zip(report, report.numbers(), strict=True):
            measures = [_measured(limit, plain[section.id]) for limit in limits[section.id]] + paged.get(section.id, [])
            rows.append(
                {
                    "id": section.id,
                    "number": number,
                    "heading": section.heading,
                    "level": section.level,
                    "status": section.status,
                    "words": section.words,
                    "limits": measures,
                    "findings": counts[section.id],
                    "errors": errors[section.id],
                    "pin": pins.get(section.id, ""),
                }
            )
        return {"sections": rows, "title": report.title, "whole": counts[""], "pages": whole}


def limits_of(project: Project, report: Report, section: Section) -> tuple[Limit, ...]:
    """The limits of a section that are counted on its text."""
    spec = project.form.spec(section.spec)
    return () if spec is None else tuple(one for one in applying(spec.limits, report) if one.unit != "pages")


def counts(call: Call, project: Project, report: Report, section: Section) -> list[dict[str, Any]]:
    """A section's counts against its limits, pages as they were last counted; words where it has none."""
    limits = limits_of(project, report, section)
    # who has no limit is not worth a pandoc
    plain = call.house.plain.sections(project, [section])[0] if limits else ""
    found = [_measured(limit, plain) for limit in limits]
    found += _pages(call, project, report)[0].get(section.id, [])
    return found or [{"unit": "words", "count": section.words, "maximum": None, "minimum": None}]


def guidance(project: Project, section: Section) -> Answer:
    """What the template asks for in a section."""
    spec = project.form.spec(section.spec)
    if spec is None:
        return {"guidance": "", "criteria": "", "source": "", "needs": []}
    return {
        "guidance": in_language(spec.guidance, project.language),
        "criteria": in_language(spec.criteria, project.language),
        "source": spec.source or project.form.source,
        "needs": list(spec.needs),
    }


def _pages(
    call: Call, project: Project, report: Report
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, Any] | None]:
    """Pages as they were last counted, of the sections that have a limit of them and of the whole document."""
    specs = {one.id: project.form.spec(one.spec) for one in report}
    single = {
        section: found
        for section, spec in specs.items()
        if spec is not None and (found := pagecount.page_limits(spec.limits, report))
    }
    whole = next(iter(pagecount.page_limits(project.form.limits, report)), None)
    if not single and whole is None:
        return {}, None
    counted, marked = call.house.pages.known(call.place), pagecount.mark(report)
    if counted is None or counted.mark != marked:
        call.house.pages.look(call.space, call.name, call.place)
    sections = {
        section: [
            pagecount.shown(one, None if counted is None else counted.sections.get(section), counted, marked)
            for one in limits
        ]
        for section, limits in single.items()
    }
    if whole is None:
        return sections, None
    return sections, pagecount.shown(whole, None if counted is None else counted.whole, counted, marked)


def _measured(limit: Limit, plain: str) -> dict[str, Any]:
    return {
        "unit": limit.unit,
        "count": measure(plain, limit.unit, limit.line_break),
        "maximum": limit.maximum,
        "minimum": limit.minimum,
        "break": limit.line_break,
    }
