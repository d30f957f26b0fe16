"""A report under way in memory: the same Desk that a Project is, without a file, so that a past report can be written
again section by section.

Knows what drafting a new report sees: accepted text in the sections before, headings only in those behind. Does not
know windows, models, or where the report comes from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from fabai.form import Form
from fabai.ledger import Ledger
from fabai.report import Language, Report
from fabai.window.plan import Pin
from fabai.window.retrieval import Text


@dataclass(frozen=True, slots=True)
class ReplaySource:
    """A document that the report was written from: the name a person knows it by, and its Markdown."""

    name: str
    text: str


@dataclass(slots=True)
class Replay:
    """A `fabai.desk.Desk`. now: the report as it stands; it starts with the headings alone."""

    form: Form
    facts: Ledger
    now: Report
    material: tuple[ReplaySource, ...] = ()
    instructions: str = ""
    _none: dict[str, Pin] = field(default_factory=dict)

    @property
    def language(self) -> Language:
        return self.now.language

    def report(self) -> Report:
        return self.now

    def ledger(self) -> Ledger:
        return self.facts

    def sources(self) -> Sequence[Text]:
        return self.material

    def pins(self) -> Mapping[str, Pin]:
        return self._none

    def summary(self, text_hash: str) -> str | None:  # noqa: ARG002 - no Writer has summarised anything yet
        return None

    def accept(self, section_id: str, text: str) -> None:
        """The section has its text now."""
        section = self.now.sections[self.now.index(section_id)]
        self.now = self.now.with_section(replace(section, text=text, status="accepted"))
