"""Limits of length that a line states: so many pages, words or characters at most or at least, and what does not count.

Knows the wordings of Spanish, Catalan and English calls. Does not know which section a limit belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fabai.call.numbers import NUMBER, whole
from fabai.form import Unit

_UNITS: dict[Unit, str] = {
    "characters": r"car[aà]cteres|car[aà]cters|characters|signos|pulsaciones",
    "words": r"palabras|paraules|words",
    "pages": r"p[aá]ginas?|p[aà]gin(?:a|es)|pages?|folios|fulls|caras|cares|págs?\.|pàgs?\.|pp?\.",
}
_ANY_UNIT = "|".join(f"(?:{one})" for one in _UNITS.values())
_WITHOUT = re.compile(
    r"(?i)^\s*\(?(?:sin|sense|without|no|excluding)\s+(?:contar\s+|comptar\s+|incluir\s+|incloure\s+)?(?:los\s+|els\s+)?(?:espacios|espais|spaces)"
)
_N = rf"(?P<n>{NUMBER})"
_U = rf"(?P<u>{_ANY_UNIT})"
_JOIN = r"(?:\s+|\s*\(\d+\)\s*|-)"
_MOST = (
    r"(?:m[aá]xim[oa]s?|m[aà]xim(?:a|es|s)?|max(?:imum|\.)?|l[ií]mit(?:e|s|ació|ación)?|limitad[oa]|limited|"
    r"hasta|fins a|up to|"
    r"no (?:podr[aá]n? |pueden? |deber[aá]n? |pot |podr[aà] |may |must |should |shall )?(?:exceder|excedir|"
    r"exceed|superar|sobrepasar|sobrepassar|be longer than|superior)"
    r"|no (?:\w+ )?(?:m[aá]s|m[eé]s|more)|not (?:to )?exceed(?:ing)?|inferior a|menos de|menys de|less than|fewer than|"
    r"extensi[oó]n? (?:m[aá]xima|m[aà]xima)|extensi[oó]n?|superen|superin|superi[ne]?)"
)
_LEAST = (
    r"(?:m[ií]nim[oa]s?|m[ií]nim(?:a|es|s)?|min(?:imum|\.)|al menos|almenys|com a m[ií]nim|como m[ií]nimo|"
    r"at least|no inferior a|not less than|m[aá]s de|m[eé]s de|more than)"
)
_FILL = r"(?:[^.;:\d]{0,60}?|[^.;\d]{0,90}?:)\s*\(?"
_PATTERNS: tuple[tuple[Literal["most", "least"], re.Pattern[str]], ...] = (
    # 'no more than 4 pages' must be met before 'more than'
    # digits behind a colon are the limit, whatever number stands among the words in front
    ("most", re.compile(rf"(?i)\b{_MOST}(?P<x>[^.;\d]{{0,20}}?){_U}(?!\w)[^.;\d:]{{0,160}}:\s*(?P<n>\d[\d.,]*)"
        rf"(?![\d,.]*\d)")),
    ("most", re.compile(rf"(?i)\b{_MOST}{_FILL}\b{_N}{_JOIN}{_U}(?!\w)")),
    ("most", re.compile(rf"(?i)\b{_MOST}(?P<x>[^.;\d]{{0,20}}?){_U}(?!\w)[^.;\d]{{0,140}}?:?\s*{_N}(?![\d,.]*\d)")),
    ("most", re.compile(rf"(?i)\b{_U}\s*\(?(?:m[aá]x|m[aà]x|max)\w*\.?\)?\s*:?\s*{_N}\b")),
    ("most", re.compile(rf"(?i)\b{_N}{_JOIN}{_U}(?!\w)[^.;\d]{{0,40}}?\b(?:m[aá]xim[oa]s?|m[aà]xim|maximum|"
        rf"max\b|or (?:fewer|less)|o menos|limit)")),
    ("most", re.compile(rf"(?i)\[\s*(?:e\.?g\.? )?(?:[^\]\d]{{0,20}})?{_N}\s*{_U}\s*\]")),
    ("most", re.compile(rf"(?i)\b{_N}[- ](?P<u>page|word|character) limit\b")),
    ("least", re.compile(rf"(?i)\b{_LEAST}{_FILL}\b{_N}{_JOIN}{_U}(?!\w)")),
    ("least", re.compile(rf"(?i)\b{_N}{_JOIN}{_U}(?!\w)[^.;\d]{{0,30}}?\b(?:como m[ií]nimo|com a m[ií]nim|"
        rf"m[ií]nim[oa]s?|minimum|at least|or more|o m[aá]s)")),
)  # fmt: skip
_BETWEEN = re.compile(rf"(?i)\b(?:entre|between|de)\s+(?P<low>{NUMBER})\s+(?:y|i|and|a)\s+{_N}{_JOIN}{_U}(?!\w)")
_ABOUT = re.compile(r"(?i)aproximad|orientativ|aproximat|approximately|indicative|about|unas|unes|alrededor|al voltant")
_EXCLUDING = re.compile(
    r"(?i)(?:excluyendo|excluid[oa]s?|excepto|sin (?:contar|incluir)|no (?:se )?(?:computan?|incluyen?|cuentan?)"
    r"|exclo(?:ent|sos?|ses)|"
    r"sense (?:comptar|incloure)|tret de|excluding|not (?:including|counting)|except(?: for)?|exclusive of|"
    r"apart from)\s+(?P<what>[^.:;]+)"
)
_PARTS: tuple[tuple[str, str], ...] = (
    ("cover", r"portad|portada|coberta|cover|title page|car[aá]tula"),
    ("index", r"[ií]ndice|[ií]ndex|table of contents|contents|sumario|sumari"),
    ("summary", r"resumen|resum|summary|abstract"),
    ("annexes", r"anexo|annex"),
    ("references", r"bibliograf|referenc|references|bibliography"),
    ("tables", r"tablas|taules|tables"),
    ("figures", r"figuras|figures|im[aá]genes|imatges"),
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A limit as a line states it. about: only a hint ('aproximadamente'); excludes: what does not count."""

    unit: Unit
    maximum: int | None
    minimum: int | None
    excludes: tuple[str, ...]
    about: bool
    quote: str


def limits_in(text: str) -> Iterator[Stated]:
    """The limits of one line, each once, in the order in which they stand."""
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, Stated]] = []
    for match in _BETWEEN.finditer(text):
        low, high = whole(match["low"]), whole(match["n"])
        if low is not None and high is not None and low < high:
            taken += [match.span("low"), match.span("n")]
            unit = _unit(match["u"], text[match.end() :])
            found.append((match.start(), Stated(unit, high, low, exclusions(text), False, text)))
    for bound, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span("n")
            number = whole(match["n"])
            if number is None or any(start < other_end and other < end for other, other_end in taken):
                continue
            # neither number of this wording is read again in another one
            taken.append((start, end) if match.start() > start else (match.start(), match.end()))
            taken.append((min(match.start("u"), start), max(match.end("u"), end)))
            unit = _unit(match["u"], text[match.end() :] if match.end("u") >= match.end("n") else "")
            around = text[max(0, match.start() - 40) : match.end()]
            limit = Stated(
                unit,
                number if bound == "most" else None,
                number if bound == "least" else None,
                exclusions(text),
                _ABOUT.search(around) is not None,
                text,
            )
            found.append((start, limit))
    yield from (limit for _, limit in sorted(found, key=lambda one: one[0]))


def exclusions(text: str) -> tuple[str, ...]:
    """What a line says does not count: 'cover', 'index', 'summary', 'annexes', 'references', 'tables', 'figures'."""
    out: dict[str, None] = {}
    for match in _EXCLUDING.finditer(text):
        for name, words in _PARTS:
            if re.search(rf"(?i)\b(?:{words})", match["what"]):
                out[name] = None
    return tuple(out)


def _unit(word: str, behind: str) -> Unit:
    for unit, words in _UNITS.items():
        if re.fullmatch(rf"(?i){words}|{unit[:-1]}", word):
            return "characters_without_spaces" if unit == "characters" and _WITHOUT.match(behind) else unit
    return "pages"
