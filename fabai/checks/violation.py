"""A Violation: what a check found, where, and what was expected.

Knows the record that every check returns. Does not know any rule.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Violation:
    """One finding. An error must be mended before handing in; a warning tells how far a finding can be trusted.

    rule: id of the check ("limit-words-maximum"). section: id, None for the whole report. found, expected: numbers
    where the rule counts, else text. quote: the text in question, "" where there is none.
    """

    rule: str
    section: str | None
    severity: Severity
    found: int | str
    expected: int | str
    quote: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Findings:
    """What the checks of a report gave. notices: sentences about what could not be checked."""

    violations: tuple[Violation, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not any(one.severity == "error" for one in self.violations)

    def __add__(self, other: Findings) -> Findings:
        return Findings((*self.violations, *other.violations), (*self.notices, *other.notices))
