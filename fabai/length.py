"""Where a section's text must end so that it keeps the form's limit: at its last whole sentence within it.

Knows limits in words and characters; pages are only known once Word has set them. Does not know models. While a text
is written its Markdown is measured, which is quick and a little too long; at the end, the text as a reader sees it.
"""

from __future__ import annotations

from collections.abc import Sequence

from fabai.answer import land
from fabai.checks.limits import applying, measure
from fabai.checks.plain import plain
from fabai.form import Form, Limit
from fabai.report import Language, Report, Section
from fabai.window.segment import boundaries

_MARKS = 1.1
"""How much longer than its plain text a text in Markdown may look before it is stopped."""


class Length:
    """The maxima of one section, none where its form sets none."""

    def __init__(self, limits: Sequence[Limit], language: Language) -> None:
        self._limits = [one for one in limits if one.maximum is not None and one.unit != "pages"]
        self._language = language

    @classmethod
    def of(cls, section: Section, report: Report, form: Form) -> Length:
        """Of a section of the report."""
        spec = form.spec(section.spec)
        return cls(() if spec is None else applying(spec.limits, report), report.language)

    @property
    def limited(self) -> bool:
        """Whether the form sets any maximum that text is measured against."""
        return bool(self._limits)

    def passed(self, text: str) -> bool:
        """Whether a text in Markdown is past a maximum for certain, so that nothing that follows can stay."""
        return any(
            measure(text, one.unit, one.line_break) > _MARKS * one.maximum + 20
            for one in self._limits
            if one.maximum is not None
        )

    def kept(self, text: str) -> bool:
        """Whether the text keeps every maximum, counted as the check counts it."""
        if not self._limits:
            return True
        bare = plain(text)
        return all(
            one.maximum is None or measure(bare, one.unit, one.line_break) <= one.maximum for one in self._limits
        )

    def land(self, text: str) -> tuple[str, bool]:
        """The longest beginning of whole sentences that keeps every maximum; (text, False) where not even one does."""
        if self.kept(text):
            return text, True
        ends = boundaries(text, self._language)
        low, high = 0, len(ends)
        best = ""
        while low < high:
            middle = (low + high) // 2
            tried, whole = land(text[: ends[middle]], self._language)
            if self.kept(tried):
                best, low = (tried if whole else best), middle + 1
            else:
                high = middle
        return (best, True) if best else (text, False)
