"""The words that the rules know, from words.toml, as one record per language.

Knows what each list is for (the file says it). Does not know any rule.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fabai.names import fold_word
from fabai.report import Language
from fabai.strict import build


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of one language."""

    numbered: tuple[str, ...]
    telephone: tuple[str, ...]
    start: tuple[str, ...]
    end: tuple[str, ...]
    period: tuple[str, ...]
    law: tuple[str, ...]
    people: tuple[str, ...]
    measures: tuple[str, ...]
    events: tuple[str, ...]
    held: tuple[str, ...]
    total: tuple[str, ...]
    unsummed: tuple[str, ...]
    price: tuple[str, ...]
    quantity: tuple[str, ...]
    granted: tuple[str, ...]
    spent: tuple[str, ...]
    deviation: tuple[str, ...]
    share: tuple[str, ...]
    done_share: tuple[str, ...]
    who: tuple[str, ...]
    role: tuple[str, ...]
    titles: tuple[str, ...]
    team: tuple[str, ...]
    late: tuple[str, ...]
    status: tuple[str, ...]
    claims: tuple[str, ...]
    next: tuple[str, ...]
    period_of: tuple[str, ...]
    praise: tuple[str, ...]
    model: tuple[str, ...]
    blanks: tuple[str, ...]
    contrasts: tuple[str, ...]
    norms: tuple[str, ...]
    asks: tuple[str, ...]
    cases: tuple[str, ...]
    terms: dict[str, str]


@cache
def lists(language: Language) -> Lists:
    tables = tomllib.loads(resources.files("fabai.checks").joinpath("words.toml").read_text(encoding="utf-8"))
    return build(Lists, tables[language], f"words.toml [{language}]")


@cache
def folded(words: tuple[str, ...]) -> frozenset[str]:
    """The entries of a list without accents and in lower case, as `fold_phrase` has them."""
    return frozenset(map(fold_phrase, words))


@cache
def phrases(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that finds any entry of a list as whole words, whatever its case; the longest first."""
    return re.compile(rf"(?<![\w])(?:{any_of(words)})(?![\w])", re.IGNORECASE)


def any_of(words: Iterable[str]) -> str:
    """Alternatives for a pattern; a space stands for any white space within a line."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"[ \u00a0]+").replace("'", "['’]") for word in ordered)


def fold_phrase(text: str) -> str:
    """Lower case, no accents, single spaces, no marks at the ends."""
    return " ".join(fold_word(text).split()).strip(" .:*_()")
