"""A Violation: what a check found, where, and what was expected.

Knows the record that every check returns. Does not know any rule.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Violation:
    """One finding. An error must be mended before handing in; a warning is for a person to judge.

    rule: id of the check ("limit-words-maximum"). section: id, None for the whole report. found, expected: numbers
    where the rule counts, else text. quote: the text in question, "" where there is none. start, end: where it stands
    in the section's Markdown (text[start:end]), None where it has no place. evidence: where the right value is known
    from, as data ("importe concedido: 18.500,00 € (Resolución, p. 2)"), "" where nothing says it. suggestion: what
    should stand in place of text[start:end], "" to take it out, None where only a person can know.
    """

    rule: str
    section: str | None
    severity: Severity
    found: int | str
    expected: int | str
    quote: str = ""
    start: int | None = None
    end: int | None = None
    evidence: str = ""
    suggestion: str | None = None

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
