"""References to facts in a drafted text: `{{key}}` becomes the fact's value, and where the ledger has no such fact a
hole that a person sees and fills.

Models are trained on past reports whose personal data were replaced by such references, so that they ask for a name and
never invent one. Knows their syntax. Does not know models or where the text goes.
"""

from __future__ import annotations

import re

from fabai.ledger import Ledger
from fabai.prompt.wording import wording
from fabai.report import Language, fold

_ONE = r"\{\{[ \t]*([^\W_][^{}\n$\\^]{1,79}?)[ \t]*\}\}"
"""A key has two letters or more, so that the braces of a formula ({{a}}) stay."""
_REFERENCE = re.compile(_ONE)
_RUN = re.compile(rf"(?<![\\\w{{}}^_])(?:{_ONE})+(?!\}})")
"""References side by side; not behind what opens a group in a formula (x^{{2}}, \\frac{{ab}}{{cd}})."""


def resolve(text: str, ledger: Ledger, language: Language) -> str:
    """The text with each reference replaced. A key is a fact's name, however it is accented, spaced or cased."""
    if "{{" not in text:
        return text
    values = {_key(fact.name): fact.value for fact in reversed(ledger.facts)}

    def value(match: re.Match[str]) -> str:
        found = values.get(_key(match[1]))
        return wording(language).hole.format(text=match[1].replace("_", " ")) if found is None else found

    return _RUN.sub(lambda run: _REFERENCE.sub(value, run[0]), text)


def references(text: str) -> list[str]:
    """The keys that a text refers to, in order."""
    return [match[1] for run in _RUN.finditer(text) for match in _REFERENCE.finditer(run[0])]


def _key(name: str) -> str:
    return fold(name.replace("_", " "))
