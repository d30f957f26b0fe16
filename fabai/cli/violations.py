"""What a check of the dossier found, each finding in a sentence of the report's language.

Knows the table and the JSON of it. Does not know any rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fabai.checks.violation import Findings, Violation
from fabai.cli import show
from fabai.dossier.wording import sentence
from fabai.report import Language


def as_plain(violations: Iterable[Violation], language: Language) -> list[dict[str, Any]]:
    """Each with its sentence, for --json."""
    return [{**one.as_dict(), "sentence": sentence(one, language)} for one in violations]


def tell(findings: Findings, language: Language, about: str, what: str, field: str, as_json: bool) -> int:
    """Print them and return the exit code: 3 where something is to fix. about, what: the heads of the table. field:
    what a finding is about, "quote" or "evidence".
    """
    if as_json:
        show.as_json({"violations": as_plain(findings.violations, language)})
    else:
        rows = [(str(getattr(one, field)), sentence(one, language)) for one in findings.violations]
        show.table([(about, "left"), (what, "left")], rows, wide=1, wrap=True)
    return 0 if findings.ok else 3
