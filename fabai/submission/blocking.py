"""What still stands in the way of presenting a project: errors of the checks, gaps, paragraphs that nobody reviewed,
pictures and facts that are missing.

Knows where each is asked for. Does not lay pages out (fabai.submission.package does) and mends nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from fabai.checks.report import check_report
from fabai.checks.violation import Findings, Violation
from fabai.dossier.recorded import recorded
from fabai.dossier.references import worded
from fabai.form import in_language
from fabai.store.project import Project

_HOLE = re.compile(r"\[\s*(?:falta|manca|missing)\b[^\]\n]*\]|\{\{[^{}\n]+\}\}", re.IGNORECASE)
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)[^)]*\)")
_FORMATTED = re.compile(r"(?m)^\s*(?:#{1,6}\s|\|.*\|)|\*\*|!\[|\]\(|^\s*[-*]\s", re.MULTILINE)
_REVIEWED = ("ai", "inherited")


def blockers(project: Project) -> Findings:
    """Everything that must be mended before the report is presented; `ok` is true where nothing must.

    Paragraphs that an AI wrote or an earlier report gave must have been reviewed by a person; a gap such as
    '[falta: fecha de la resolución]' must be filled.
    """
    report = project.report()
    off = project.rules_off()
    checked = check_report(project, recorded=recorded(project), off=off, worded=worded(project, report))
    media = project.media()
    found: list[Violation] = [one for one in checked.violations if one.severity == "error"]
    known = {(one.rule, one.section, one.quote) for one in found}
    for section in report:
        spec = project.form.spec(section.spec)
        for violation in _in_text(section.id, section.text, media.keys()):
            if (violation.rule, violation.section, violation.quote) not in known:
                found.append(violation)
        found += _unreviewed(project, section.id)
        if spec is not None and spec.kind == "web":
            found += _formatted(section.id, section.text, in_language(spec.heading, report.language))
    return Findings(tuple(found), checked.notices)


def _in_text(section: str, text: str, media: Collection[str]) -> Iterator[Violation]:
    for hole in _HOLE.finditer(text):
        quote = hole.group()
        yield Violation("blocked-hole", section, "error", quote, "", quote, hole.start(), hole.end())
    for picture in _PICTURE.finditer(text):
        name = picture.group(1)
        if name not in media and not name.startswith("data:"):
            yield Violation("blocked-picture", section, "error", name, "", name, picture.start(), picture.end())


def _unreviewed(project: Project, section: str) -> Iterator[Violation]:
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for paragraph in project.paragraphs(section):
        if paragraph.origin in _REVIEWED and paragraph.reviewed_by is None:
            counts[paragraph.origin] += 1
            first.setdefault(paragraph.origin, paragraph.text)
    for origin, number in counts.items():
        yield Violation(f"blocked-unreviewed-{origin}", section, "error", number, 0, first[origin][:60])


def _formatted(section: str, text: str, name: str) -> Iterator[Violation]:
    for mark in _FORMATTED.finditer(text):
        yield Violation("blocked-web-line", section, "error", mark.group().strip(), name, mark.group().strip())
        return
