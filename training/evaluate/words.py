"""What an evaluation says, in Spanish, Catalan and English (report.toml), with numbers as each language writes them.

Knows keys, templates and decimal marks. Does not know figures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from fabai.report import Language
from fabai.strict import read_toml

_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?%?")
_TURNED = str.maketrans(",.", ".,")
_RECIPE = "advise_"
"""Keys of sentences whose numbers go into a recipe, and are written as there."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that can be told in each language: its key in report.toml, and what is put into it. Numbers are
    written as in English; a value "@key" is itself told in the language.
    """

    key: str
    values: dict[str, str] = field(default_factory=dict)

    def told(self, language: Language = "en") -> str:
        """The sentence."""
        return say(language, self.key, **self.values)


def say(language: Language, key: str, **values: str) -> str:
    """The template of `key` with its values; KeyError where there is none."""
    table = tables()[language]

    def told(value: str) -> str:
        if value.startswith("@"):
            return table[value[1:]]
        return numbers(language, value) if _NUMBER.fullmatch(value) and not key.startswith(_RECIPE) else value

    return table[key].format(**{name: told(value) for name, value in values.items()})


def called(language: Language, part: str) -> str:
    """A language, task or kind of section by what the figures call it; another name as it is."""
    return tables()[language].get(part, part)


def numbers(language: Language, text: str) -> str:
    """The numbers of an English text as the language writes them: 1.234,5 and 7 % in Spanish and Catalan."""
    if language == "en":
        return text
    return _NUMBER.sub(lambda match: match[0].translate(_TURNED).replace("%", "\N{NO-BREAK SPACE}%"), text)


@cache
def tables() -> dict[str, dict[str, str]]:
    """Templates by language and key."""
    found: dict[str, dict[str, str]] = read_toml(Path(__file__).parent / "report.toml")
    return found
