"""What a finding says to a person; the sentences are in es.toml, ca.toml and en.toml beside this file, those of
finished documents in fabai/submission.

Knows how numbers are set into a sentence. Does not know how they were found.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib import resources

from fabai.checks.violation import Violation
from fabai.report import Language

_AMOUNT = re.compile(r"\d{1,3}(?:\u00a0\d{3})*,\d{2}(?!\d)")
_DAY = re.compile(r"(?<![\w-])(\d{4})-(\d\d)-(\d\d)(?![\w-])")


@functools.cache
def words(language: Language) -> dict[str, str]:
    """The sentences of one language by rule, and the words around them."""
    found: dict[str, str] = {}
    for room in ("submission", "checks"):
        file = resources.files("fabai").joinpath(room, f"{language}.toml")
        found |= tomllib.loads(file.read_text(encoding="utf-8"))
    return found


def sentence(violation: Violation, language: Language) -> str:
    """One sentence: what is wrong and what to do."""
    found, expected = violation.found, violation.expected
    if isinstance(expected, str):
        expected = dressed(expected, language)
    difference = abs(found - expected) if isinstance(found, int) and isinstance(expected, int) else "…"
    values = {
        name: _number(value, language)
        for name, value in (("found", found), ("expected", expected), ("difference", difference))
    }
    return words(language)[violation.rule].format(**values)


def dressed(value: str, language: Language) -> str:
    """A value that rules write alike for every reader ("12 345,60", "2026-12-31"), as the reader's language has it."""
    if language == "en":
        value = _AMOUNT.sub(lambda one: one[0].replace(",", ".").replace("\u00a0", ","), value)
    return _DAY.sub(r"\3/\2/\1", value)


def _number(value: int | str, language: Language) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if language == "en" else f"{value:,}".replace(",", ".")
