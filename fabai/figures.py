"""Figures in running text: amounts, percentages, dates, counts with their noun, references to laws, bare numbers.

Reads Spanish, Catalan and English and brings each figure to one value, so that "18.500,00 €", "18 500 euros" and
"18,500 EUR" are the same. Knows what is no figure of the matter: list marks, numbers of headings, notes, links, code.
Does not read numbers written in words, and does not know ledgers, prompts or checks.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from importlib import resources
from typing import Literal

from fabai.report import Language
from fabai.strict import build
from fabai.window.words import stem

FigureKind = Literal["amount", "percent", "date", "count", "law", "label", "number"]

_SPACE = " \u00a0\u202f\u2009"
_NUMBER = (
    rf"\d{{1,3}}(?:[.{_SPACE}'’]\d{{3}})+(?:,\d+)?(?![\d])"
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)"
    r"|\d+(?:[.,]\d+)?"
)
_NOUN = re.compile(rf"[{_SPACE}]+(?:(?:de|d['’]|of)[{_SPACE}]*)?([^\W\d_]{{3,}}(?:[·'’-][^\W\d_]+)*)")
_BEFORE = 28
"""Characters in front of a number that tell what it is."""

_NOT_OURS = re.compile(
    r"(?m)^ {0,3}(?:`{3,}|~{3,}).*?^ {0,3}(?:`{3,}|~{3,})[ \t]*$"  # code
    r"|\$\$.*?\$\$|(?<![\\$\w])\$(?=[^\s$])[^$\n]{1,200}?(?<=[^\s\\])\$(?![\d$])"  # equations
    r"|`[^`\n]+`|\]\([^)\n]*\)|<https?:[^>\s]*>|https?://\S+|www\.\S+|\S+@\S+\.\w+"  # code, links, addresses
    r"|\[\^[^\]\n]+\]:?|\[-?@[^\]\n]*\]|\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]"  # notes, citations
    r"|^[ \t>]*(?:\(?\d{1,3}(?:\.\d{1,3})*[.)]|#{1,6}[ \t]+\d+(?:\.\d+)*\.?)(?=\s)"  # list marks, numbers of headings
    r"|\{\{[^{}\n]*\}\}|\{#[^}\n]*\}|!\[[^\]\n]*\]"  # references to facts, attributes, captions of images
    r"|\\[a-zA-Z]+(?:\[[^\]\n]*\])?(?:\{[^{}\n]*\})*",  # LaTeX
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """text[start:end] of the text that it was read from.

    kind: a label is the number of a figure, table, chapter or page. value: the one way to write it: "18500" (currency
    in `noun`), "28", "2025-03-14", "2025-03", "2025", "--03-14", "38/2003". noun: for an amount the currency (ISO
    4217), for a count the stem of what is counted, for a law its kind, else "".
    """

    kind: FigureKind
    start: int
    end: int
    value: str
    noun: str = ""


@dataclass(frozen=True, slots=True)
class FigureWords:
    """The lists of one language in figures.toml."""

    months: tuple[str, ...]
    other_months: dict[str, int]
    of: tuple[str, ...]
    percent: tuple[str, ...]
    scales: dict[str, int]
    labels: tuple[str, ...]
    laws: tuple[str, ...]


@lru_cache(maxsize=20_000)
def figures(text: str, language: Language) -> tuple[Figure, ...]:
    """The figures of a Markdown text in order; none overlaps another. The last texts are remembered."""
    if not any(map(str.isdigit, text)):
        return ()
    taken = [match.span() for match in _NOT_OURS.finditer(text)]
    patterns = _patterns(language)
    found: list[Figure] = []
    for pattern, read in ((patterns.date, _date), (patterns.law, _law)):
        for match in pattern.finditer(text):
            if not _within(taken, match.start()) and (figure := read(match, patterns)) is not None:
                found.append(figure)
                taken.append(match.span())
    for match in patterns.number.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            figure = _number(text, match, patterns, language)
            if figure is not None:
                found.append(figure)
    return tuple(sorted(found, key=lambda figure: figure.start))


def marks(figure: Figure) -> tuple[str, ...]:
    """What a figure in a prompt is evidence of; a text's figure is supported where one of its `accepted` is among
    them.
    """
    if figure.kind == "date":
        return tuple(f"date {value}" for value in _covered(figure.value))
    if figure.kind == "law":
        return (f"law {figure.value}",)
    return (f"value {figure.value}", f"{figure.kind} {figure.value} {figure.noun}")


def accepted(figure: Figure) -> tuple[str, ...]:
    """The marks of which one supports the figure: the same value of the same kind and noun.

    A bare number (a table's head says what it is) supports any kind and is supported by any; a date supports its month
    and its year.
    """
    if figure.kind in ("date", "law"):
        return (f"{figure.kind} {figure.value}",)
    if figure.kind in ("number", "label"):
        return (f"value {figure.value}",)
    return (f"{figure.kind} {figure.value} {figure.noun}", f"number {figure.value} ")


def noun_behind(text: str, end: int, language: Language) -> str:
    """The stem of the word behind a number, which says what it counts; "" for a stop word and where none follows."""
    noun = _NOUN.match(text, end)
    return stem(noun[1].lower(), language) if noun is not None else ""


def currency_code(word: str) -> str | None:
    """The ISO 4217 code of a currency's name or sign in any of the languages, None where it is none."""
    return next((code for code, names in _currencies().items() if word.lower() in names), None)


def _covered(value: str) -> Iterator[str]:
    """A date and what it says too: 2025-03-14 is in 2025-03, in 2025, and is a 14 March."""
    yield value
    year, *rest = value.split("-") if not value.startswith("--") else ("",)
    if rest and year:
        yield year
    if len(rest) == 2:
        yield f"{year}-{rest[0]}"
        yield f"--{rest[0]}-{rest[1]}"


@dataclass(frozen=True, slots=True)
class _Patterns:
    date: re.Pattern[str]
    law: re.Pattern[str]
    number: re.Pattern[str]
    label: re.Pattern[str]
    months: dict[str, int]
    scales: dict[str, int]
    currencies: dict[str, str]


@cache
def _tables() -> dict[str, dict[str, object]]:
    tables: dict[str, dict[str, object]] = tomllib.loads(
        resources.files("fabai").joinpath("figures.toml").read_text(encoding="utf-8")
    )
    return tables


@cache
def _words(language: Language) -> FigureWords:
    return build(FigureWords, _tables()[language], f"figures.toml [{language}]")


@cache
def _patterns(language: Language) -> _Patterns:
    words = _words(language)
    months = {name: number for number, name in enumerate(words.months, 1)} | words.other_months
    month = _any(months)
    of = rf"(?:[{_SPACE}]*(?:{_any(words.of)})[{_SPACE}'’]+|[{_SPACE}]+)"
    year = r"(?:1[89]|20)\d\d"
    currencies = {name: code for code, names in _currencies().items() for name in names}
    money = "|".join(
        rf"{re.escape(name)}(?!\w)" if name[-1].isalpha() else re.escape(name)
        for name in sorted(currencies, key=len, reverse=True)
    )
    percent = "|".join(map(re.escape, words.percent))
    date = (
        rf"(?<![\w.,/-])(?:(?P<d1>\d{{1,2}})(?:º|\.º|st|nd|rd|th)?{of}(?P<m1>{month})(?:(?:{of}|,?[{_SPACE}]+)(?P<y1>{year}))?"
        rf"|(?P<m2>{month})[{_SPACE}]+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:,?[{_SPACE}]+(?P<y2>{year}))?(?!\d)"
        rf"|(?P<m3>{month})(?:{of}|,?[{_SPACE}]+)(?P<y3>{year})"
        rf"|(?P<y4>{year})-(?P<m4>\d\d)-(?P<d4>\d\d)"
        rf"|(?P<d5>\d{{1,2}})[/.-](?P<m5>\d{{1,2}})[/.-](?P<y5>{year})"
        rf"|(?P<y6>{year})[-–/](?P<z6>\d\d(?:\d\d)?)"
        # "1850 euros" and "2000 por ciento" are no years
        rf"|(?P<y7>{year})(?![{_SPACE}]?(?:{money}|%|(?:{percent})(?!\w))))(?![\w%]|[.,/-]\d)"
    )
    law = rf"(?<!\w)(?P<law>{_any(words.laws)})[{_SPACE}]+(?:[A-Z]{{2,4}}/)?(?P<no>\d+(?:[./]\d+)*)"
    scale = "|".join(rf"{re.escape(name)}(?!\w)" for name in sorted(words.scales, key=len, reverse=True))
    number = (
        rf"(?:(?<!\w)(?P<front>{money})[{_SPACE}]?)?"
        rf"(?<![\w/#])(?<!\d[.,])(?P<number>{_NUMBER})(?!\d|/\d)"
        rf"(?:[{_SPACE}]?(?P<percent>%|(?:{percent})(?!\w))"
        rf"|(?P<scale>(?:[{_SPACE}](?:{scale}))+|(?:k|K|M)(?=[{_SPACE}]?[€$£]))?(?:[{_SPACE}]?(?:(?:de|d['’]|of)[{_SPACE}]*)?(?P<behind>{money}))?)"
    )
    return _Patterns(
        re.compile(date, re.IGNORECASE),
        re.compile(law, re.IGNORECASE),
        re.compile(number, re.IGNORECASE),
        re.compile(
            rf"(?<!\w)(?:{_any(words.labels)})s?[{_SPACE}]*(?:n[º.]+[{_SPACE}]*)?(?:\d+(?:\.\d+)*(?:,[{_SPACE}]*|[{_SPACE}]*(?:y|i|and|-|–|a)[{_SPACE}]*))*$",
            re.IGNORECASE,
        ),
        months,
        {name.lower(): value for name, value in words.scales.items()} | {"k": 1_000, "m": 1_000_000},
        currencies,
    )


def _currencies() -> dict[str, list[str]]:
    found: dict[str, list[str]] = _tables()["currencies"]  # type: ignore[assignment]  # the file is ours
    return found


def _any(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def _within(spans: list[tuple[int, int]], at: int) -> bool:
    return any(start <= at < end for start, end in spans)


def _date(match: re.Match[str], patterns: _Patterns) -> Figure | None:
    parts = {key: value for key, value in match.groupdict().items() if value is not None}
    year = next((value for key, value in parts.items() if key[0] == "y"), "")
    month, day = (next((value for key, value in parts.items() if key[0] == kind), "") for kind in "md")
    number = int(month) if month.isdigit() else patterns.months.get(month.lower(), 0)
    if "z6" in parts:
        end = parts["z6"]
        if len(end) == 2 and 1 <= int(end) <= min(12, int(year[2:])) and match[0][4] == "-":
            # 2023-24 is a school year, 2023-05 a month
            return Figure("date", match.start(), match.end(), f"{year}-{end}")
        return Figure("date", match.start(), match.end(), f"{year}/{end[-2:]}")
    if not month:
        return Figure("date", match.start(), match.end(), year)
    if not 1 <= number <= 12 or (day and not 1 <= int(day) <= 31):
        return None
    value = f"{year or '-'}-{number:02d}" + (f"-{int(day):02d}" if day else "")
    return Figure("date", match.start(), match.end(), value)


def _law(match: re.Match[str], patterns: _Patterns) -> Figure:  # noqa: ARG001 - read alike
    return Figure("law", match.start(), match.end(), match["no"], match["law"].lower())


def _number(text: str, match: re.Match[str], patterns: _Patterns, language: Language) -> Figure | None:
    start, end = match.start("number"), match.end()
    before = text[max(0, start - _BEFORE) : start]
    if patterns.label.search(before):
        return Figure("label", start, match.end("number"), match["number"])
    currency = match["front"] or match["behind"]
    value = decimal(match["number"], language, money=currency is not None)
    if match["percent"]:
        return Figure("percent", match.start(), end, _plain(value))
    for word in (match["scale"] or "").split():
        value *= patterns.scales[word.lower()]
    if currency is not None:
        return Figure("amount", match.start(), end, _plain(value), patterns.currencies[currency.lower()])
    if text[end : end + 1].isalpha() or text[end : end + 1] == "_":
        # 3D, 10km, 2x: a measure or a name, with its unit as noun
        unit = re.match(r"\w+", text[end:])
        return Figure("count", match.start(), end, _plain(value), unit[0].lower()) if unit is not None else None
    counted = noun_behind(text, end, language)
    return Figure("count" if counted else "number", match.start(), end, _plain(value), counted)


@lru_cache(maxsize=20_000)
def decimal(written: str, language: Language, *, money: bool = False) -> Decimal:
    """The number in "18.500,00", "18,500.00", "18 500". money: three digits behind one mark are thousands, as no
    currency has three decimals; else the language decides.
    """
    bare = re.sub(rf"[{_SPACE}'’]", "", written)
    point, comma = bare.rfind("."), bare.rfind(",")
    mark = max(point, comma)
    if mark < 0:
        return Decimal(bare)
    groups = re.split(r"[.,]", bare)
    alike = (point < 0) != (comma < 0)
    if alike:
        thousands = len(groups) > 2 or (
            len(groups[-1]) == 3 and (money or bare[mark] == ("," if language == "en" else ".")) and groups[0] != "0"
        )
        if thousands:
            return Decimal("".join(groups))
    return Decimal(f"{''.join(groups[:-1])}.{groups[-1]}")


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"
