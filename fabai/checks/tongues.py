"""Paragraphs in another language than the report, and official terms of one language in a text of another.

Knows that an abstract, its keywords, a quotation, a title cited and a name may be in any language. Does not know how a
language is told (fabai.languages).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from fabai.checks.lists import any_of, lists
from fabai.checks.reading import Piece, Reading, remembered
from fabai.checks.violation import Violation
from fabai.languages import identify
from fabai.report import LANGUAGES, Language, fold
from fabai.window.words import stop_words

_LEAST = 45
"""Letters of a paragraph, quotations and italics left out, below which its language is not judged."""
_WORD = re.compile(r"[^\W\d_]+")
_LEFT_OUT = re.compile(
    r"`[^`\n]*`|\$[^$\n]*\$|<?https?://\S+|\S+@\S+|\]\([^)\n]*\)|\{\{[^{}\n]*\}\}|\\?\[[^\]\n]*\\?\]|«[^»]{0,2000}»|“[^”]{0,2000}”"
    r"|\"[^\"\n]{0,2000}\"|(?<![\w*])\*(?!\*)[^*\n]{1,400}\*(?![\w*])|(?<!\w)_[^_\n]{1,400}_(?!\w)|\\[a-zA-Z]+(?:\{[^{}\n]*\})*"
)
_BILINGUAL = re.compile(
    r"^(?:abstract|summary|executive summary|resumen|resum|resumo|keywords|palabras clave|paraules clau|bibliogra"
    r"|referenc|licenc|license|glosar|glossar|extended abstract|laburpena)"
)
_LABEL = re.compile(
    r"^[\s*_]*(?:abstract|summary|keywords|key words|resumen|resum|palabras clave|paraules clau)\b[\s*_]*[.:—-]",
    re.IGNORECASE,
)
_CITED = re.compile(r"(?:^|\s)(?:\(\d{4}[a-z]?\)|pp?\.\s*\d|vol\.|doi|isbn|https?:)", re.IGNORECASE)


@remembered
def check_tongues(section: str, reading: Reading, headings: tuple[str, ...]) -> tuple[Violation, ...]:
    """What a section says in the wrong language. headings: its own and those above it; none for the text in front of
    the first heading, where titles and abstracts stand. The last sections are remembered.
    """
    if not headings or any(_BILINGUAL.match(fold(one)) for one in headings):
        return ()
    return (*_paragraphs(section, headings[-1], reading), *_terms(section, reading))


def _paragraphs(section: str, heading: str, reading: Reading) -> Iterator[Violation]:
    """One finding for each run of paragraphs in one foreign language; none where the heading is in it too, which is an
    annex that somebody wanted so.
    """
    last: tuple[Language, int] | None = None
    abstract = False
    for number, piece in enumerate(reading.pieces):
        body = reading.text[piece.start : piece.end]
        if len(body) < 60:
            # a title in bold over an abstract; any other title ends it
            abstract = _BILINGUAL.match(fold(body)) is not None or (abstract and piece.kind != "heading")
        told = None if abstract else foreign(reading, piece)
        if told is None or _titled(heading, told):
            continue
        if last is None or last != (told, number - 1):
            quote = " ".join(reading.text[piece.start : piece.end].split())[:80]
            yield Violation(
                "language-paragraph", section, "error", told, reading.language, quote, piece.start, piece.end
            )
        last = (told, number)


def _titled(heading: str, told: Language) -> bool:
    words = _WORD.findall(heading.lower())
    return len(words) > 1 and any(word in _own(told) for word in words) and identify(heading) == told


def foreign(reading: Reading, piece: Piece) -> Language | None:
    """The other language of the three that a paragraph is in, None where it is in the report's or cannot be told."""
    if piece.kind in ("heading", "footnote", "fence"):
        return None
    body = reading.text[piece.start : piece.end]
    if _LABEL.match(body) or ">" in reading.text[max(0, piece.start - 3) : piece.start].rpartition("\n")[2]:
        return None
    return _told(body, reading.language)


@lru_cache(maxsize=8_192)
def _told(body: str, language: Language) -> Language | None:
    bare = _LEFT_OUT.sub(" ", body)
    words = [word for word in _WORD.findall(bare) if word[0].islower()]
    if sum(map(len, words)) < _LEAST or len(words) < 7:
        return None
    # a list of works cited is in the languages of the works
    if len(_CITED.findall(body)) >= 2:
        return None
    told = identify(bare)
    if told is None or told == language:
        return None
    lower = [word.lower() for word in words]
    ours = sum(word in _against(language, told) for word in lower)
    theirs = sum(word in _against(told, language) for word in lower)
    if ours > 0.12 * len(words) or theirs < 2 or theirs <= 2 * ours:
        return None
    return told


@cache
def _own(language: Language) -> frozenset[str]:
    """Small words that the language has and the other two have not."""
    stops = stop_words()
    others = frozenset().union(*(stops[other] for other in LANGUAGES if other != language))
    return stops[language] - others


@cache
def _against(language: Language, other: Language) -> frozenset[str]:
    """Small words that a language has and another one has not."""
    return stop_words()[language] - stop_words()[other]


def _terms(section: str, reading: Reading) -> Iterator[Violation]:
    terms = lists(reading.language).terms
    text = reading.text
    for match in _pattern(reading.language).finditer(text):
        term = match[0].lower()
        right = terms.get(term)
        if right is None or right == term:
            continue
        start, end = match.span()
        # a name keeps its language: "Ayuntamiento de Valdeluz", "Ajuntament d'Olot"
        if match[0][0].isupper() and not _opens(text, start):
            continue
        piece = next((one for one in reading.pieces if one.start <= start < one.end), None)
        if piece is None or any(
            left <= start - piece.start < right_ for left, right_ in _quotations(text[piece.start : piece.end])
        ):
            continue
        if foreign(reading, piece) is not None or _beside(text, start, end, reading.language):
            continue
        if _of_path(text, start, end):
            continue
        suggestion = right.capitalize() if match[0][0].isupper() else right
        yield Violation(
            "language-term", section, "warning", match[0], suggestion, match[0], start, end, suggestion=suggestion
        )


def _opens(text: str, start: int) -> bool:
    return re.search(r"(?:\A|[.!?:]\s+|\n\s*(?:[-*+]\s+)?)[*_]*$", text[max(0, start - 12) : start]) is not None


def _quotations(body: str) -> list[tuple[int, int]]:
    return [match.span() for match in _LEFT_OUT.finditer(body)]


def _beside(text: str, start: int, end: int, language: Language) -> bool:
    """Whether the words around are in the other language too: a title, an institution, a quotation without marks."""
    around = _WORD.findall(text[max(0, start - 40) : start])[-3:] + _WORD.findall(text[end : end + 40])[:3]
    if any(word[0].isupper() for word in around[-3:]) and text[end : end + 1] == " ":
        return True
    others = frozenset().union(*(_own(other) for other in LANGUAGES if other != language))
    return any(word.lower() in others for word in around)


def _of_path(text: str, start: int, end: int) -> bool:
    """Whether a word is a part of an address or of a file's place: '/oficina/solicitud/alta'."""
    first, last = text[max(0, start - 80) : start].split()[-1:], text[end : end + 80].split()[:1]
    before = first[0] if first and not text[start - 1].isspace() else ""
    behind = last[0] if last and not text[end : end + 1].isspace() else ""
    return (before + behind).count("/") > 1 or before.endswith(("=", "@", "_")) or behind.startswith(("=", "_"))


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w·-])(?:{any_of(lists(language).terms)})(?![\w·-])", re.IGNORECASE)
