"""What the core says in English, in the language of a page: errors and notices.

Knows the sentences by their words, with holes that names and figures fill, and that a hole may be filled by such a
sentence again. Does not know who says them; a test reads them from the source, so that none is forgotten.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from fabai.report import LANGUAGES, Language

from .words import words

_HOLE = re.compile(r"\{(\d)([#&]?)\}")
_BETWEEN = re.compile(r"(, | and )")
_AND: dict[Language, str] = {"es": " y ", "ca": " i ", "en": " and "}
_LONGEST, _NAMES = 2_000, 6  # characters of a sentence that is looked up, and places where it may begin
_PLAIN_START = re.compile(r"[a-z]+\s")


@dataclass(frozen=True, slots=True)
class _Pattern:
    """core: the longest words of its own, without which it cannot fit."""

    fits: re.Pattern[str]
    core: str
    other: str


def said(sentence: str, language: Language) -> str:
    """A sentence in a language, as a sentence that stands alone; what is known in no other language is named as a
    detail for whoever runs the server.
    """
    if language == "en":
        whole = sentence[:1].upper() + sentence[1:] if _PLAIN_START.match(sentence) else sentence
        return whole if whole.endswith((".", "?", "!", "…")) else f"{whole}."
    return known(sentence, language) or words(language)["detail"].format(what=sentence)


def said_everywhere(sentence: str) -> dict[Language, str] | None:
    """The sentence in every language, for what is told to pages of several; None for none."""
    return {one: said(sentence, one) for one in LANGUAGES} if sentence else None


def spoken(answer: dict[str, Any], language: Language) -> dict[str, Any]:
    """An answer with its notices in the language."""
    if "notices" not in answer:
        return answer
    return {**answer, "notices": [said(one, language) for one in answer["notices"]]}


def known(sentence: str, language: Language) -> str | None:
    """The sentence in a language, None where its words are known in English alone."""
    if len(sentence) > _LONGEST:
        return None
    # a name may stand in front of a sentence: '2. Invoice: the PDF is damaged ...'
    starts = [0, *(place.end() for place in re.finditer(": ", sentence))]
    for start in starts[:_NAMES]:
        other = _alone(sentence[start:], language)
        if other is not None:
            return f"{sentence[:start]}{other}"
    return None


def _alone(sentence: str, language: Language) -> str | None:
    for one in _patterns(language):
        match = one.fits.fullmatch(sentence) if one.core in sentence else None
        if match is not None:
            return _in_other_words(one.other, match, language)
    return None


def _in_other_words(other: str, match: re.Match[str], language: Language) -> str:
    def fill(hole: re.Match[str]) -> str:
        value = _filled(match[f"h{hole[1]}"], language)
        return value.replace(" and ", _AND[language]) if hole[2] == "&" else value

    return _HOLE.sub(fill, other)


def _filled(value: str, language: Language) -> str:
    whole = known(value, language) if value else value
    if whole is not None:
        return whole
    parts = _BETWEEN.split(value)
    found = [known(one, language) for one in parts[::2]]
    if not any(found):
        return value
    said = [other or own for other, own in zip(found, parts[::2], strict=True)]
    between = [_AND[language] if one == " and " else one for one in parts[1::2]]
    return "".join(f"{one}{gap}" for one, gap in zip(said, [*between, ""], strict=True))


@cache
def _patterns(language: Language) -> tuple[_Pattern, ...]:
    """Those with the most words of their own first."""
    text = resources.files("fabai.app").joinpath("words", f"sentences.{language}.toml").read_text(encoding="utf-8")
    table = {english: str(other) for english, other in tomllib.loads(text).items()}
    ordered = sorted(table, key=lambda english: -len(_HOLE.sub("", english)))
    return tuple(_pattern(english, table[english]) for english in ordered)


def _pattern(english: str, other: str) -> _Pattern:
    words, at = [], 0
    expression = ""
    for hole in _HOLE.finditer(english):
        words.append(english[at : hole.start()])
        filler = r"\d+" if hole[2] == "#" else ".*?"
        expression += f"{re.escape(words[-1])}(?P<h{hole[1]}>{filler})"
        at = hole.end()
    words.append(english[at:])
    return _Pattern(re.compile(expression + re.escape(words[-1]), re.DOTALL), max(words, key=len), other)
