"""What a finding of the dossier says to a person; the sentences are in es.toml, ca.toml and en.toml beside this file.

Knows how values are set into a sentence. Does not know how they were found, nor the rules of the text (fabai.checks).
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib import resources

from fabai.checks import wording
from fabai.checks.violation import Violation
from fabai.checks.wording import dressed
from fabai.report import Language

_ROW = re.compile(r"\brow (\d+)$")


@functools.cache
def words(language: Language) -> dict[str, str]:
    """The sentences of one language by rule."""
    return tomllib.loads(resources.files("fabai.dossier").joinpath(f"{language}.toml").read_text(encoding="utf-8"))


def sentence(violation: Violation, language: Language) -> str:
    """One sentence: what is wrong and what to do; rules of the text are worded by fabai.checks."""
    text = words(language).get(violation.rule)
    if text is None:
        return wording.sentence(violation, language)
    found = violation.found
    if violation.rule == "expense-incomplete":
        found = ", ".join(_field(name, language) for name in str(found).split(", "))
    quote = _field(violation.quote, language) if violation.rule == "sheet-total" else violation.quote
    # a place names its row in English (fabai.dossier.place)
    expected = _ROW.sub(f"{_field('row', language)} \\1", str(violation.expected))
    values = {"found": str(found), "expected": expected, "quote": quote}
    return text.format(**{name: dressed(value, language) for name, value in values.items()})


def _field(name: str, language: Language) -> str:
    return words(language).get(f"field-{name}", name)
