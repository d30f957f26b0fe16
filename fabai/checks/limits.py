"""Limits of the form against the text: characters, words, sections left empty.

Knows how each unit is counted on plain text. Does not know pages (fabai.checks.pages), Markdown or projects.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping

from fabai.checks.plain import plains
from fabai.checks.violation import Findings, Violation
from fabai.form import Form, Limit, Unit, holding
from fabai.report import Report, count_words

_QUOTE = 60  # characters
_SPACE = re.compile(r"\s")

Text = Callable[[str], str]


def measure(plain: str, unit: Unit, line_break: int = 1) -> int:
    """How much of a unit a plain text has. line_break: characters that a line break counts as."""
    if unit == "words":
        return count_words(plain)
    if unit == "characters_without_spaces":
        return len(_SPACE.sub("", plain))
    if unit == "characters":
        return len(plain) + plain.count("\n") * (line_break - 1)
    raise ValueError(f"{unit} are not counted on text")


def check_limits(report: Report, form: Form) -> Findings:
    """Violations of the word and character limits of the form and its sections, and required sections without text."""
    wanted = [section for section in report if form.limits or _limits(form, section.spec, report)]
    texts = dict(zip((one.id for one in wanted), plains([one.text for one in wanted]), strict=True))
    return Findings((*_empty(report, form), *_sections(report, form, texts), *_whole(report, form, texts)))


def applying(limits: tuple[Limit, ...], report: Report) -> tuple[Limit, ...]:
    """The limits that hold in the report's language and in the year of its call, where it says which (`meta`)."""
    year = report.meta.get("year", "")
    return holding(limits, report.language, int(year) if year.isdigit() else None)


def _limits(form: Form, spec_id: str | None, report: Report) -> tuple[Limit, ...]:
    spec = form.spec(spec_id)
    return () if spec is None else applying(spec.limits, report)


def _empty(report: Report, form: Form) -> Iterator[Violation]:
    for section in report:
        spec = form.spec(section.spec)
        if spec is not None and spec.required and not section.text.strip():
            yield Violation("section-empty", section.id, "error", 0, 1)


def _sections(report: Report, form: Form, texts: Mapping[str, str]) -> Iterator[Violation]:
    for section in report:
        for limit in _limits(form, section.spec, report):
            # an empty section is one finding, not two
            if limit.unit != "pages" and section.text.strip():
                yield from _compare(limit, texts[section.id], section.id)


def _whole(report: Report, form: Form, texts: Mapping[str, str]) -> Iterator[Violation]:
    for limit in applying(form.limits, report):
        if limit.unit == "pages":
            continue
        counted = [texts[section.id] for section in report if section.spec not in limit.excludes]
        yield from _compare(limit, "\n".join(text for text in counted if text), None)


def _compare(limit: Limit, plain: str, section: str | None) -> Iterator[Violation]:
    found = measure(plain, limit.unit, limit.line_break)
    yield from against(limit, found, section, _excess(plain, limit) if limit.maximum is not None else "")


def against(limit: Limit, found: int, section: str | None, quote: str = "") -> Iterator[Violation]:
    """The violations of a limit by a count. quote: the text from where the maximum is passed."""
    unit = limit.unit.replace("_", "-")
    if limit.maximum is not None and found > limit.maximum:
        yield Violation(f"limit-{unit}-maximum", section, "error", found, limit.maximum, quote)
    if limit.minimum is not None and found < limit.minimum:
        yield Violation(f"limit-{unit}-minimum", section, "error", found, limit.minimum)


def _excess(plain: str, limit: Limit) -> str:
    """The text from the point where the maximum is passed, so that a person finds it."""
    low, high = 0, len(plain)
    maximum = sys.maxsize if limit.maximum is None else limit.maximum
    while low < high:
        middle = (low + high + 1) // 2
        if measure(plain[:middle], limit.unit, limit.line_break) <= maximum:
            low = middle
        else:
            high = middle - 1
    return " ".join(plain[low:].split())[:_QUOTE]
