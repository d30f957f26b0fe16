"""The language of a text by its commonest words: Spanish, Catalan or English.

Knows a few words that one of the three uses all the time and the others hardly ever. Does not know any other
language: a text in one gives None, as does a text too short to tell."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from fabai.report import LANGUAGES, Language

_SPANISH = """
el los las y se en una con por para más como pero sus ha han fue ser este esta entre sobre sin también hasta desde muy o
donde cuando año años del al según durante cada ello lo le hay fueron está están tiene
"""
_CATALAN = """
els les i amb per pel pels és es són més com però seus seves ha han va van ser aquest aquesta entre sobre sense
també fins des molt on quan any anys del al segons durant cada això dels als pels aquests aquestes l d s hi el en una
"""
_ENGLISH = """
the and of to in is that for with as was on are by this be from at which have has an it not or were their will its can
we our
"""
_WORDS: dict[Language, frozenset[str]] = {
    "es": frozenset(_SPANISH.split()),
    "ca": frozenset(_CATALAN.split()),
    "en": frozenset(_ENGLISH.split()),
}
_WORD = re.compile(r"[^\W\d_]+")
_ENOUGH = 5
_SAMPLE = 60_000


def guess(text: str) -> Language | None:
    """The language of a text, None where fewer than five telling words are found or two languages come out even."""
    counted = Counter(_WORD.findall(unicodedata.normalize("NFC", text[:_SAMPLE]).lower()))
    scores = {language: sum(counted[word] for word in _WORDS[language] - _shared(language)) for language in LANGUAGES}
    (best, most), (_, second) = sorted(scores.items(), key=lambda item: -item[1])[:2]
    return best if most >= _ENOUGH and most > second * 1.2 else None


def _shared(language: Language) -> frozenset[str]:
    """Words that another language uses too: they tell nothing."""
    others = frozenset[str]().union(*(_WORDS[other] for other in LANGUAGES if other != language))
    return _WORDS[language] & others


def from_tag(tag: str) -> Language | None:
    """The language of a tag such as 'es-ES' or 'ca', None for any other language."""
    main = re.split(r"[-_]", tag.strip().lower())[0]
    return next((language for language in LANGUAGES if language == main), None)
