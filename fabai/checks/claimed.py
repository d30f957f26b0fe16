"""The figures that a text claims: those of the matter, with what they count and the words around them.

Leaves out what no ledger holds: numbers of things ("fase 2", "núm. 5"), ordinals ("1.º", "2a"), telephones, hours,
codes, versions, laws, years alone, small numbers in words. Does not know what is true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from fabai.checks.lists import any_of, lists
from fabai.checks.reading import Reading, remembered
from fabai.figures import Figure
from fabai.report import Language
from fabai.window.words import stem, words

_BEFORE = 90
"""Characters in front of a figure that may name it; behind it half as many."""
_ORDINAL = re.compile(r"\.?[ºª°]|(?:st|nd|rd|th|er|ra|ro|do|da|to|ta|mo|ma|è|é|n|r|t|a|o)(?!\w)")
_CODE = re.compile(r"(?:[A-Za-z]{1,}[-_/.]\d*[-_/.]?|[-_/]|\d[.:/-]|#|@|\^|\\)$")
_CODE_BEHIND = re.compile(r"[-_/][A-Za-z\d]|[:.]\d|\.[A-Za-z]|[-]?[A-Za-z]{1,2}(?![\w'’·])|x\d")
_HOUR = re.compile(r"[ \u00a0]?(?:h\b|h\.|hs\b|a\.?m\b|p\.?m\b)|:\d\d|[.]\d\d[ \u00a0]?h")
_STOP = re.compile(r"[.;:!?|\n]|,[ \u00a0]")
_STOP_BEHIND = re.compile(r"[.;:!?|\n]|,[ \u00a0]|\s(?:y|e|i|and|mientras|while|frente|contra|but|pero|però)\s")
_NOUNS = re.compile(r"[ \u00a0\u202f]+(?:(?:de|d['’]|of)[ \u00a0]*)?((?:[^\W\d_]+(?:[·'’-][^\W\d_]+)*[ \u00a0]?){1,3})")
_LEGAL = re.compile(
    r"(?i)\b(?:arts?|artículos?|articles?|apdo|disposici[oó]n?|punto|letra|section|§)\.?[ \u00a0]*"
    r"(?:\d+(?:\.\d+)*(?:,?[ \u00a0]*(?:y|i|and|a|to|-|–)?[ \u00a0]*))*$"
)


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """One figure of a text. nouns: stems of the up to three words behind it (in a table: of its column's head); around:
    stems of the words that stand by it in its clause, up to the next figure. quote: as a finding shows it.
    """

    figure: Figure
    nouns: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    quote: str
    start: int
    end: int

    @property
    def around(self) -> frozenset[str]:
        return frozenset((*self.before, *self.after))


@remembered
def claims(reading: Reading) -> tuple[Claim, ...]:
    """The claims of a section in order. The last sections are remembered."""
    text, language = reading.text, reading.language
    found: list[Claim] = []
    figures = reading.figures
    for number, figure in enumerate(figures):
        if not is_claim(text, figure, language):
            continue
        left = figures[number - 1].end if number else 0
        right = figures[number + 1].start if number + 1 < len(figures) else len(text)
        found.append(_claim(reading, figure, left, right))
    return tuple(found)


def is_claim(text: str, figure: Figure, language: Language) -> bool:
    """Whether a figure says something of the matter that somebody must know from somewhere."""
    if figure.kind in ("label", "law", "date"):
        return False
    written = text[figure.start : figure.end]
    if figure.kind in ("amount", "percent"):
        return True
    if not any(map(str.isdigit, written)):
        return figure.kind == "count"
    digits = re.search(r"\d[\d.,'’ \u00a0\u202f\u2009]*\d|\d", written)
    start = figure.start + (digits.start() if digits is not None else 0)
    end = figure.start + (digits.end() if digits is not None else 0)
    before = text[max(0, start - 40) : start]
    after = text[end : end + 24]
    if _ORDINAL.match(after) or _CODE.search(before) or _CODE_BEHIND.match(after) or _HOUR.match(after):
        return False
    if _numbered(language).search(before) or _LEGAL.search(before):
        return False
    bare = re.sub(r"\D", "", written)
    # a code, a telephone, an account: nothing is counted in bare digits without marks
    return not (len(bare) >= 7 and not re.search(r"[.,]", written) and figure.kind == "number")


def _claim(reading: Reading, figure: Figure, left: int, right: int) -> Claim:
    text, language = reading.text, reading.language
    start = figure.start
    before = text[max(left, start - _BEFORE) : start]
    stops = list(_STOP.finditer(before))
    # "Importe concedido: 18.500 €" is named by what stands in front of the colon
    if stops and stops[-1][0] != ":":
        before = before[stops[-1].end() :]
    after = text[figure.end : min(right, figure.end + _BEFORE // 2)]
    end = _STOP_BEHIND.search(after)
    after = after[: end.start()] if end is not None else after
    nouns = _nouns(text, figure, language)
    if not nouns and reading.tables:
        nouns = _head(reading, figure)
    count = figure.kind in ("count", "number")
    quote_end = figure.end
    quote = text[start:quote_end]
    if count:
        digits = re.match(r".*\d", quote, re.DOTALL)
        if digits is not None:
            quote = digits[0]
    quote = quote.strip()
    return Claim(figure, nouns, stems_of(before, language), stems_of(after, language), quote, start, start + len(quote))


def _nouns(text: str, figure: Figure, language: Language) -> tuple[str, ...]:
    if figure.kind not in ("count", "number"):
        return ()
    match = _NOUNS.match(text, figure.end)
    return stems_of(match[1], language) if match is not None else (figure.noun,) if figure.noun else ()


def _head(reading: Reading, figure: Figure) -> tuple[str, ...]:
    for grid in reading.tables:
        if not grid.start <= figure.start < grid.end:
            continue
        for row in grid.body:
            for column, cell in enumerate(row):
                if cell.start <= figure.start < cell.end:
                    return stems_of(grid.head(column), reading.language)
    return ()


def stems_of(text: str, language: Language) -> tuple[str, ...]:
    """The stems of the words of a text that are neither stop words nor figures, in order."""
    return tuple(one for word in words(text) if not word[0].isdigit() and (one := stem(word, language)))


def value_text(value: Decimal) -> str:
    """A number as figures write their values."""
    return f"{value.normalize():f}"


@cache
def _numbered(language: Language) -> re.Pattern[str]:
    every = lists(language)
    names = (*every.numbered, *every.telephone)
    return re.compile(
        rf"(?<!\w)(?:{any_of(names)})(?:s|es)?\.?:?[ \u00a0]*(?:n\.?[ºo°]\.?[ \u00a0]*)?"
        rf"(?:\(?\+?\d[\d.)]*(?:,?[ \u00a0]*(?:y|i|and|a|to|al|–|-|/)?[ \u00a0]*))*\+?$",
        re.IGNORECASE,
    )
