"""Numbers written in words: "dieciocho mil quinientos euros", "vint-i-un mil", "twenty-five percent".

Reads Spanish, Catalan and English into the same figures as fabai.figures reads digits. Articles ("un", "uno de los
objetivos") are no numbers, nor is a lone word below `LEAST` without currency or percent sign: "los dos proyectos"
counts nothing that a ledger holds. Does not read fractions, ordinals or "un par". No library does the three languages
(docs/decisions.md has the comparison).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from fabai.figures import Figure, currency_code, noun_behind
from fabai.report import Language
from fabai.strict import build

LEAST = 13
"""The smallest number in words that is read as a count."""

_WORD = re.compile(r"[^\W\d_]+")
_GAP = re.compile(r"(?:[ \u00a0\u202f]+|-)")
_SPACES = re.compile(r"[ \u00a0\u202f]+")


@dataclass(frozen=True, slots=True)
class NumberWords:
    """The lists of one language in number_words.toml."""

    joined: tuple[str, ...]
    articles: tuple[str, ...]
    units: dict[str, int]
    tens: dict[str, int]
    hundreds: dict[str, int]
    hundred: tuple[str, ...]
    scales: dict[str, int]
    percent: tuple[str, ...]


@lru_cache(maxsize=20_000)
def number_words(text: str, language: Language) -> tuple[Figure, ...]:
    """The numbers in words of a text in order, as amounts, percents or counts. The last texts are remembered."""
    words = _words(language)
    found: list[Figure] = []
    end = 0
    for match in _starts(language).finditer(text):
        if match.start() < end:
            continue
        read = _number(text, match.start(), words)
        if read is None:
            continue
        value, end, articles_only = read
        figure = _figure(text, match.start(), end, value, articles_only, language)
        if figure is not None:
            found.append(figure)
            end = figure.end
    return tuple(found)


def value_of(text: str, language: Language) -> int | None:
    """The number that a whole text says, None where it says none: "vint-i-un mil" is 21000."""
    start = re.match(r"\s*", text)
    read = _number(text, start.end() if start is not None else 0, _words(language))
    return read[0] if read is not None and not read[2] and not text[read[1] :].strip() else None


def _figure(text: str, start: int, end: int, value: int, articles_only: bool, language: Language) -> Figure | None:
    words = _words(language)
    behind = _SPACES.match(text, end)
    if behind is not None:
        for percent in words.percent:
            if text[behind.end() : behind.end() + len(percent)].lower() == percent:
                return None if articles_only else Figure("percent", start, behind.end() + len(percent), str(value))
        word = re.compile(r"(?:(?:de|d['’]|of)[ \u00a0]*)?([^\W\d_]+)").match(text, behind.end())
        code = currency_code(word[1]) if word is not None else None
        if word is not None and code is not None:
            return None if articles_only else Figure("amount", start, word.end(), str(value), code)
    if articles_only or value < LEAST:
        return None
    noun = noun_behind(text, end, language)
    return Figure("count" if noun else "number", start, end, str(value), noun)


def _number(text: str, start: int, words: NumberWords) -> tuple[int, int, bool] | None:
    """The number that begins at a place: value, end, whether it is only an article."""
    total = group = 0
    last = 10**12
    """Of what size the last part of the group was: a smaller one may follow, a larger one ends the number."""
    end = start
    place = start
    parts: list[str] = []
    while match := _WORD.match(text, place):
        word = match[0].lower()
        if word in words.scales and (parts or words.scales[word] == 1000):
            scale = words.scales[word]
            if scale >= 1_000_000:
                total = (total + (group or (0 if total else 1))) * scale if total < scale else total
            else:
                total += (group or 1) * scale
            group, last = 0, min(last, scale) if scale < 1000 else 1_000
        elif word in words.hundred and (0 < group < 10 or (not parts and word == "hundred")):
            group, last = max(group, 1) * 100, 100
        elif word in words.hundreds and last > 100:
            group, last = group + words.hundreds[word], 100
        elif word in words.tens and last > 10 and not (word in words.units and not _goes_on(text, match.end(), words)):
            group, last = group + words.tens[word], 10
        elif word in words.units and last > 1 and (last != 10 or words.units[word] < 10):
            group, last = group + words.units[word], 1
        elif word in words.joined and parts and last > 1 and _follows(text, match.end(), words):
            gap = _GAP.match(text, match.end())
            place = match.end() if gap is None else gap.end()
            continue
        else:
            break
        parts.append(word)
        end = match.end()
        gap = _GAP.match(text, end)
        if gap is None:
            break
        place = gap.end()
        if last == 1 and group >= 1 and (following := _WORD.match(text, place)):
            # dos-cents, five hundred: only a scale, or hundreds, may follow a unit
            after = following[0].lower()
            if after not in words.scales and not (after in words.hundred and group % 100 < 10):
                break
    if not parts:
        return None
    return total + group, end, all(part in words.articles for part in parts)


def _goes_on(text: str, end: int, words: NumberWords) -> bool:
    """Whether "vint" is the ten of "vint-i-un"."""
    following = re.compile(r"-i-([^\W\d_]+)").match(text, end)
    return following is not None and following[1].lower() in words.units


def _follows(text: str, end: int, words: NumberWords) -> bool:
    gap = _GAP.match(text, end)
    following = _WORD.match(text, gap.end()) if gap is not None else None
    return following is not None and following[0].lower() in {**words.units, **words.tens, **words.hundreds}


@cache
def _words(language: Language) -> NumberWords:
    name = "number_words.toml"
    tables = tomllib.loads(resources.files("fabai").joinpath(name).read_text(encoding="utf-8"))
    return build(NumberWords, tables[language], f"{name} [{language}]")


@cache
def _starts(language: Language) -> re.Pattern[str]:
    words = _words(language)
    names = {*words.units, *words.tens, *words.hundreds, *words.scales}
    return re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})(?!\w)", re.I)
