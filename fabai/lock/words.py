"""The words that the lock knows, read from words.toml, and the months of figures.toml.

Knows the files' keys. Does not know automata or facts.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from fabai.report import Language
from fabai.strict import build


@dataclass(frozen=True, slots=True)
class LockWords:
    """One language of words.toml, which says what each list is for."""

    number: tuple[str, ...]
    links: tuple[str, ...]
    after: tuple[str, ...]
    follow: tuple[str, ...]
    years: tuple[str, ...]
    counters: tuple[str, ...]
    percent: tuple[str, ...]
    million: tuple[str, ...]
    amount: dict[str, tuple[str, ...]]
    singular: dict[str, str]
    front: dict[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def lock_words(language: Language) -> LockWords:
    """The lists of a language; an unknown or missing key in the file is an error that names it."""
    text = resources.files("fabai.lock").joinpath("words.toml").read_text(encoding="utf-8")
    return build(LockWords, tomllib.loads(text)[language], f"lock/words.toml [{language}]")


@cache
def months(language: Language) -> tuple[str, ...]:
    """January first, in lower case."""
    text = resources.files("fabai").joinpath("figures.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)[language]["months"])
