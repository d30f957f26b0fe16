"""What the value of a fact says: its kind, its number, what it counts or is measured in.

Knows signs, brackets of bookkeepers, units and codes, beyond what `fabai.figures` reads in running text. Does not know
running text or formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from fabai.figures import Figure, decimal, figures, noun_behind
from fabai.ledger import Fact, FactKind
from fabai.names import fold_word
from fabai.report import Language
from fabai.window.words import stem

_SPACE = " \u00a0\u202f\u2009"
_MINUS = "-−–"
_NUMBER = re.compile(rf"\d[\d.,'’{_SPACE}]*")
_MEASURE = re.compile(rf"(?P<number>\d[\d.,'’{_SPACE}]*?)[{_SPACE}]*(?P<unit>[^\d\s.,−–-][^\n]{{0,40}})")
_CODE = re.compile(
    r"(?=.*\d)[\w./:-]*[^\W\d_][\w./:-]*|\d+(?:[./:-]\d+){2,}|0\d+(?:[./:-]\d+)*|(?=.*\d)\w+(?:[./:-]\w+)+"
)
_PHONE = re.compile(r"(?:\+|00)\d{1,3}(?:[ -]?\d{2,4}){2,5}|[6789]\d\d(?: \d{3}){2}|[6789]\d\d(?: \d\d){3}")
_ORDINAL = re.compile(r"\d{1,3}(?:a|o|r|n|t|è|er|ra|ro|da|do|st|nd|rd|th)\.? [^\W\d_]{3,}", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+\.\w+|10\.\d{4,9}/\S+")
_FILED = re.compile(r"(?i)(?:expedient|exp\.|ref(?:er[eè]nc|\.)|n[º°.]|núm|file no|contrac?t|grant (?:no|agreement))")
_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ACRONYM = re.compile(r"[^\W\d_]{2,}(?:[-.&/][^\W\d_]+)*\.?")
_LINKS = frozenset(
    (
        "de",
        "del",
        "la",
        "las",
        "los",
        "el",
        "els",
        "les",
        "of",
        "the",
        "and",
        "for",
        "y",
        "i",
        "e",
        "d",
        "l",
        "per",
        "para",
        "a",
        "en",
    )
)
_UNITS = frozenset(
    ("h", "km", "m", "m2", "m²", "m3", "m³", "ha", "kg", "g", "t", "l", "kwh", "mwh", "kw", "mw", "km2", "km²", "ud",
     "uds", "cm", "mm", "kb", "mb", "gb", "tb", "hz", "ppm", "tco2", "co2", "°c", "ºc", "min", "s", "pm", "etc", "fte")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """kind: never "". number: of amounts (in units of the currency), percentages (28 for 28 %), counts and indicators;
    None elsewhere. decimals: written behind its mark. unit: ISO 4217 of an amount, an indicator's unit as written,
    "%". noun: what a count counts, as written ("personas"). stem: that noun's stem. key: equal for two values that say
    the same, whatever the language and spacing they are written in.
    """

    kind: FactKind
    key: str
    number: Decimal | None = None
    decimals: int = 0
    unit: str = ""
    noun: str = ""
    stem: str = ""
    date: str = ""


def read_fact(fact: Fact, language: Language) -> Reading:
    """The fact's value read; its own kind, noun and unit come before what the value says."""
    return read_value(fact.value, language, fact.kind, fact.noun, fact.unit)


@lru_cache(maxsize=50_000)
def read_value(value: str, language: Language, kind: FactKind = "", noun: str = "", unit: str = "") -> Reading:
    """A value as a ledger, a cell or a person writes it: "-35,20 €", "(50,00)", "126 personas", "Ley 38/2003"."""
    plain = " ".join(value.split())
    if kind not in ("name", "acronym", "reference", "text"):
        body, sign = _signed(plain)
        read = _figure(body, sign, language, kind, noun, unit)
        if read is not None:
            return read
    found = kind or _wordy(plain)
    if kind == "" and found == "name" and any(one.kind in ("amount", "percent") for one in figures(plain, language)):
        # "£19,800 (26862.66 USD)" is a sentence about money
        found = "text"
    return Reading(found, f"{found} {_folded(plain)}")


def same(one: Reading, two: Reading) -> bool:
    """Whether two values say the same; a bare number says the same as that number with a noun, unit or currency."""
    if one.key == two.key:
        return True
    if one.number is None or two.number is None or one.number != two.number:
        return False
    return any(read.kind == "count" and not read.noun and not read.unit for read in (one, two))


def two_values(facts: Iterable[Fact], language: Language) -> tuple[Fact, Fact] | None:
    """Two facts of one name that say different things, None where all agree."""
    seen: dict[str, Fact] = {}
    for fact in facts:
        first = seen.setdefault(fact.name, fact)
        if not same(read_fact(first, language), read_fact(fact, language)):
            return first, fact
    return None


def _signed(plain: str) -> tuple[str, int]:
    if plain.startswith("(") and plain.endswith(")"):
        return plain[1:-1].strip(), -1
    body = plain.lstrip(_MINUS)
    if len(plain) - len(body) == 1:
        return body.lstrip(_SPACE), -1
    body = re.sub(r"(?<![\d\w])[−–-](?=\d)", "", plain, count=1) if plain[:1] in "€$£" else plain
    if body != plain:
        return body, -1
    return plain.lstrip("+") if plain[:1] == "+" and not _PHONE.fullmatch(plain) else plain, 1


def _figure(body: str, sign: int, language: Language, kind: FactKind, noun: str, unit: str) -> Reading | None:
    """A value that is one figure and what belongs to it; None where it is something else."""
    found = figures(body, language)
    if body[:1] in ",." and body[1:2].isdigit():
        return _figure(f"0{body}", sign, language, kind, noun, unit)
    if _CODE.fullmatch(body) and not (len(found) == 1 and found[0].kind in ("date", "amount", "percent")):
        whole = _NUMBER.fullmatch(body)
        if whole is None or not _is_number(body, language):
            return None
    if _ADDRESS.fullmatch(body) or _PHONE.fullmatch(body):
        return None
    one = found[0] if len(found) == 1 else None
    if one is not None and one.start == 0 and one.end == len(body):
        if one.kind == "date" and kind in ("", "date"):
            return Reading("date", f"date {one.value}", date=one.value)
        if one.kind == "law":
            return Reading("reference", f"reference {_folded(body)}")
        if one.kind in ("amount", "percent"):
            return _number(one.kind, sign * Decimal(one.value), body, one.noun if one.kind == "amount" else "%", kind)
    match = _MEASURE.fullmatch(body)
    if match is None:
        whole = _NUMBER.fullmatch(body)
        if whole is None or not _is_number(body, language):
            return None
        number = sign * decimal(body, language, money=kind == "amount")
        if kind == "amount" or (unit and len(unit) == 3 and unit.isupper() and kind == ""):
            return _number("amount", number, body, unit or "EUR", kind)
        if kind == "percent":
            return _number("percent", number, body, "%", kind)
        return _counted(number, body, noun, unit, language, kind)
    if _ORDINAL.match(body) or not _is_number(match["number"], language):
        return None
    if one is not None and (one.kind in ("law", "label") or (one.kind == "date" and not _year_of(one, body, language))):
        return None
    number = sign * decimal(match["number"].strip(), language, money=kind == "amount")
    said = match["unit"].strip()
    first = fold_word(said.split()[0].rstrip("."))
    if len(found) > 1 and any(map(str.isdigit, said)) and not _is_unit(first, said):
        return None
    if kind == "indicator" or (kind == "" and _is_unit(first, said)):
        return _number("indicator", number, match["number"], unit or said, "indicator")
    return _counted(
        number, match["number"], noun or re.sub(rf"^(?:de|d['’]|of)[{_SPACE}]*", "", said), unit, language, kind
    )


def _year_of(date: Figure, body: str, language: Language) -> bool:
    """Whether what was read as a year counts what stands behind it: "2023 personas"."""
    return len(date.value) == 4 and noun_behind(body, date.end, language) != ""


def _counted(number: Decimal, written: str, noun: str, unit: str, language: Language, kind: FactKind) -> Reading:
    if kind == "indicator" or (unit and not noun):
        return _number("indicator", number, written, unit, "indicator")
    noun = noun if noun[:1].isalpha() else ""
    words = noun.split()
    root = stem(words[0].lower(), language) if words else ""
    key = f"count {_plain(number)} {root}"
    return Reading("count", key, number, _decimals(written), "", noun, root)


def _number(kind: FactKind, number: Decimal, written: str, unit: str, wanted: FactKind) -> Reading:
    kind = wanted or kind
    return Reading(
        kind,
        f"{kind} {_plain(number)} {_folded(unit) if kind == 'indicator' else unit}",
        number,
        _decimals(written),
        unit,
    )


def _is_number(text: str, language: Language) -> bool:
    """Whether the text is one number and no row of them, nor a code with dots."""
    found: tuple[Figure, ...] = figures(f"{text.strip()} €", language)
    return len(found) == 1 and found[0].start == 0 and found[0].kind == "amount"


def _is_unit(first: str, said: str) -> bool:
    return first in _UNITS or any(mark in said for mark in "/²³°") or said[0] in "‰°"


def _decimals(written: str) -> int:
    match = re.search(r"[.,](\d{1,2})(?!\d)\D*$", written)
    return len(match[1]) if match is not None else 0


def _wordy(plain: str) -> FactKind:
    if any(map(str.isdigit, plain)) and _FILED.match(plain):
        return "reference"
    if _ROMAN.fullmatch(plain):
        return "text"
    if _ADDRESS.fullmatch(plain) or _PHONE.fullmatch(plain) or _CODE.fullmatch(plain):
        return "reference"
    if _ACRONYM.fullmatch(plain) and plain.isupper() and len(plain) <= 14:
        return "acronym"
    words = re.findall(r"[^\W\d_]+(?:[·'’-][^\W\d_]+)*", plain)
    named = [word for word in words if word.lower() not in _LINKS]
    capital = [word for word in named if word[0].isupper() or re.match(r"[dl]['’][^\W\d_]", word)]
    if (
        words
        and len(words) <= 14
        and words[0][0].isupper()
        and len(capital) > 0.6 * len(named)
        and plain[-1] not in ".;:"
    ):
        return "name"
    return "text"


def _folded(text: str) -> str:
    return " ".join(fold_word(word) for word in re.findall(r"\w+", text))


def _plain(value: Decimal) -> str:
    return f"{value.normalize() + 0:f}"
