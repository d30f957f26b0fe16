"""All the ways in which a fact may be written in a text: whole typed forms, each with its noun, unit or currency.

Knows the habits of Spanish, Catalan and English. Does not know automata, prompts or how a value is read
(fabai.facts.reading). A form is never a bare number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache

from fabai.facts.reading import Reading, read_fact
from fabai.facts.writing import write_number
from fabai.ledger import Fact
from fabai.lock.words import lock_words, months
from fabai.report import Language, fold

_LONGEST = 120  # characters of a form
_BLANKS = (" ", "\u00a0")
_MINUS = ("-", "−")
_MILLION = Decimal(1_000_000)
_YEARS = range(1_800, 2_100)
_MONTHS_WITH_VOWEL = ("a", "o")


@lru_cache(maxsize=50_000)
def written(fact: Fact, language: Language) -> tuple[str, ...]:
    """The forms of a fact in a text of that language, the usual one first; () where the fact has no digit, for such a
    fact needs no lock.

    A date gives its month and its year too, an amount also millions where that is exact.
    """
    if not any(map(str.isdigit, fact.value)):
        return ()
    read = read_fact(fact, language)
    if re.fullmatch(r"0\d+", fact.value.strip()):
        # a code: what counts never begins with a nought
        return tuple(_verbatim(fact))
    makers = {"amount": _amounts, "percent": _percents, "date": _dates, "count": _counts, "indicator": _indicators}
    make = makers.get(read.kind)
    forms = _verbatim(fact) if make is None or (read.number is None and not read.date) else make(fact, read, language)
    return tuple(dict.fromkeys(one for form in forms if _typed(one := unicodedata.normalize("NFC", form))))


def slot(fact: Fact) -> str:
    """What stands for a fact where no digit may be written: "{{importe_concedido}}"; "" where its name makes no key."""
    key = re.sub(r"[\s{}$\\^]+", "_", unicodedata.normalize("NFC", fact.name).strip()).strip("_")
    return f"{{{{{key}}}}}" if re.fullmatch(r"[^\W_][^{}\n$\\^]{1,79}", key) else ""


def counted(fact: Fact, read: Reading) -> str:
    """What a count counts, as written: the value's own noun, else the fact's name without "número de" and the like."""
    noun = read.noun or fact.noun
    if not noun.strip():
        words = re.sub(r"\([^()]*\)", " ", fact.name).replace("_", " ").split()
        counters = {fold(word) for words in (lock_words(one).counters for one in ("es", "ca", "en")) for word in words}
        while len(words) > 1 and fold(words[0].removesuffix(":")) in counters:
            words.pop(0)
        noun = " ".join(words)
        noun = noun if noun[1:].lower() != noun[1:] else noun.lower()
    return " ".join(noun.split())


def _typed(form: str) -> bool:
    """A form has a digit, something that is none, and no line break or slot's brace."""
    return (
        0 < len(form) <= _LONGEST
        and any(map(str.isdigit, form))
        and any(one.isalpha() or one in "%€$£‰/" for one in form)
        and not set(form) & set("\n\r\t{}")
        and form == form.strip()
    )


def _numbers(number: Decimal, decimals: int, language: Language, *, cents: bool = False) -> list[str]:
    """18.500, 4500 (not in English) and 4.500, and with the decimals that the value has; cents: with ",00" too."""
    exact = max(0, -int(number.normalize().as_tuple().exponent))
    places = {
        max(exact, decimals) if exact else 0,
        *((2,) if cents and exact <= 2 else ()),
        *((decimals,) if not cents else ()),
    }
    found = []
    for place in sorted(one for one in places if one >= exact):
        grouped = write_number(abs(number), place, language)
        found.append(grouped)
        # "durante 2023 jornadas" and "May 16, 4500 people" begin like dates
        if 1_000 <= abs(number) < 10_000 and language != "en" and (cents or abs(number) not in _YEARS):
            found.append(grouped.replace(".", "", 1))
    return found


def _signs(number: Decimal) -> tuple[str, ...]:
    return _MINUS if number < 0 else ("",)


def _amounts(_: Fact, read: Reading, language: Language) -> Iterator[str]:
    assert read.number is not None
    words, currency = lock_words(language), read.unit or "EUR"
    behind = words.amount.get(currency, (f" {currency}",))
    front = words.front.get(currency, ())
    numbers = _numbers(read.number, read.decimals, language, cents=True)
    for sign in _signs(read.number):
        if language == "en":
            yield from (f"{sign}{mark}{one}" for mark in front for one in numbers)
        for one in numbers:
            for name in behind:
                single = abs(read.number) == 1 and one == "1"
                yield f"{sign}{one}{_single(name, words.singular) if single else name}"
        yield from _millions(
            read.number, sign, language, [name.strip() for name in behind if name.strip().isalpha()], front
        )


def _millions(
    number: Decimal, sign: str, language: Language, names: Iterable[str], front: Iterable[str]
) -> Iterator[str]:
    millions = abs(number) / _MILLION
    places = max(0, -int(millions.normalize().as_tuple().exponent))
    if millions < 1 or places > 2:
        return
    one = write_number(millions, places, language)
    unit = lock_words(language).million[0 if millions == 1 else 1]
    for name in names:
        if not name.isupper():
            yield f"{sign}{one} {unit}{name}" if unit.endswith("'") else f"{sign}{one} {unit} {name}"
    for mark in front:
        yield f"{sign}{mark}{one} {unit}"


def _single(name: str, singular: dict[str, str]) -> str:
    word = name.strip()
    return name.replace(word, singular.get(word, word))


def _percents(_: Fact, read: Reading, language: Language) -> Iterator[str]:
    assert read.number is not None
    for sign in _signs(read.number):
        for one in _numbers(read.number, read.decimals, language):
            yield from (f"{sign}{one}{unit}" for unit in lock_words(language).percent)


def _counts(fact: Fact, read: Reading, language: Language) -> Iterator[str]:
    assert read.number is not None
    noun = counted(fact, read)
    first = re.match(r"[^\s,;:(]+", noun)
    nouns = dict.fromkeys([noun, *([first[0]] if first is not None and len(first[0]) > 2 else [])])
    for name in nouns:
        yield from _measured(read, name, language)


def _indicators(fact: Fact, read: Reading, language: Language) -> Iterator[str]:
    yield from _measured(read, read.unit or fact.unit or counted(fact, read), language)


def _measured(read: Reading, unit: str, language: Language) -> Iterator[str]:
    assert read.number is not None
    for sign in _signs(read.number):
        for one in _numbers(read.number, read.decimals, language):
            yield from (f"{sign}{one}{blank}{unit}" for blank in _BLANKS)


def _dates(_: Fact, read: Reading, language: Language) -> Iterator[str]:
    year, _mark, rest = read.date.partition("/") if "/" in read.date else read.date.partition("-")
    if read.date.startswith("--"):
        yield from _day(int(read.date[2:4]), int(read.date[5:7]), language)
    elif "/" in read.date:
        first = _years(year, language)
        yield from (f"{one}{mark}{end}" for one in first for end in (f"{year[:2]}{rest}", rest) for mark in "-/–")
    elif not rest:
        yield from _years(year, language)
    else:
        month, _mark, day = rest.partition("-")
        name = months(language)[int(month) - 1]
        if day:
            yield from _whole(int(year), int(month), int(day), language)
            yield from _day(int(month), int(day), language)
        for said in {name, name.capitalize()} if language != "en" else {name.capitalize()}:
            yield f"{said} {year}" if language == "en" else f"{said} de {year}"
            if language != "en":
                yield f"{said} del {year}"
        yield from _years(year, language)


def _whole(year: int, month: int, day: int, language: Language) -> Iterator[str]:
    if language == "en":
        name = months(language)[month - 1].capitalize()
        yield from (f"{day} {name} {year}", f"{name} {day}, {year}", f"{day:02d}/{month:02d}/{year}")
    else:
        for said in _day(month, day, language):
            yield from (f"{said} de {year}", f"{said} del {year}")
        yield from (f"{day:02d}/{month:02d}/{year}", f"{day}/{month}/{year}", f"{day:02d}-{month:02d}-{year}")
    yield f"{year}-{month:02d}-{day:02d}"


def _day(month: int, day: int, language: Language) -> Iterator[str]:
    name = months(language)[month - 1]
    if language == "en":
        yield from (f"{day} {name.capitalize()}", f"{name.capitalize()} {day}")
    elif language == "ca" and name.startswith(_MONTHS_WITH_VOWEL):
        yield f"{day} d'{name}"
        yield f"{day} d’{name}"
    else:
        yield f"{day} de {name}"


def _years(year: str, language: Language) -> Iterator[str]:
    """A year never stands alone: "en 2025"."""
    for word in lock_words(language).years:
        yield f"{word} {year}"
        yield f"{word[0].upper()}{word[1:]} {year}"


def _verbatim(fact: Fact) -> Iterator[str]:
    """A reference, a name, a code: as it stands, with a small or a large letter in front. What has digits only is
    written behind the fact's name.
    """
    plain = " ".join(fact.value.split())
    if (any(map(str.isalpha, plain)) and not plain[0].isdigit()) or "/" in plain:
        yield plain
        if plain.split()[0].isalpha() and plain[1:2].islower():
            # "ley 38/2003" within a sentence, "Ley 38/2003" at its beginning
            yield plain[0].swapcase() + plain[1:]
        return
    if any(map(str.isalpha, plain)):
        yield plain
    name = " ".join(fact.name.replace("_", " ").split())
    if not any(map(str.isdigit, name)):
        cased = dict.fromkeys((name, name[0].upper() + name[1:], name[0].lower() + name[1:]))
        yield from (f"{one} {plain}" for one in cased)
