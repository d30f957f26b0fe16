"""Whether a finished text keeps to the lock: every figure is one of the facts, with its own noun, unit or currency.

Reads the text by itself, with patterns and arithmetic, and compares values. Does not know the automaton, the grammars
made from it or the written forms: what one of them lets through by mistake is seen here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Literal

from fabai.facts.reading import read_fact
from fabai.ledger import Fact
from fabai.lock.words import lock_words, months
from fabai.lock.written import counted
from fabai.report import Language

Fault = Literal["figure", "noun", "place", "sign"]

_BLANK = " \u00a0"
_DIGITS = re.compile(r"[0-9](?:[0-9.,:/'’–-]*[0-9])?")
_OPENED = re.compile(r"(?:\A|[\s(\[«“\"|*_¿¡‘])[-−]?\Z")
_SIGNED = re.compile(rf"[-–—+/=~<>^&−±×][{_BLANK}]*\Z")
_LIST_ITEM = re.compile(rf"(?:\A|\n)[{_BLANK}(\[«“\"|*_¿¡‘]*-[{_BLANK}]+[(\[«“\"|*_¿¡‘]*\Z")
_CLOSED = re.compile(r"[\s.,;:!?)\]»”…*_\"|]|\Z")
_GLUED = re.compile(r"[.,;:!?…)\]»”*_\"]+[^\W_]")
_WORD = re.compile(rf"[*_\"]*[{_BLANK}]+[*_\"]*([^\W\d_]+)")
_CURRENCIES = {
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "$": "USD", "us$": "USD", "usd": "USD", "dólar": "USD",
    "dólares": "USD", "dòlar": "USD", "dòlars": "USD", "dollar": "USD", "dollars": "USD", "£": "GBP", "gbp": "GBP",
    "libra": "GBP", "libras": "GBP", "lliura": "GBP", "lliures": "GBP", "pound": "GBP", "pounds": "GBP",
}  # fmt: skip
_MONEY = "|".join(sorted(map(re.escape, _CURRENCIES), key=len, reverse=True))
_AMOUNT = re.compile(
    rf"(?P<scale>[{_BLANK}](?:mill[oó]n(?:es)?|mili(?:ó|ons)|million))?(?:[{_BLANK}]de(?=[{_BLANK}])|[{_BLANK}]d['’])?"
    rf"[{_BLANK}]?(?P<money>{_MONEY}|[A-Z]{{3}}(?![^\W_]))(?![^\W_])",
    re.IGNORECASE,
)
_FRONT = re.compile(r"(?P<sign>[-−]?)(?P<money>(?<![^\W_])(?:US\$|EUR |USD |GBP )|[€$£])(?P<inner>[-−]?)\Z")
_SCALED = re.compile(rf"[{_BLANK}]million(?![^\W_])")
_PERCENT = re.compile(rf"[{_BLANK}]?%|[{_BLANK}](?:por ciento|per cent|percent)(?![^\W_])", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_YEARS = re.compile(r"((?:1[89]|20)\d\d)[-/–]((?:1[89]|20)?\d\d)")


@dataclass(frozen=True, slots=True)
class Slip:
    """text[start:end] that is not as the lock wants it.

    fault: "figure" is none of the facts; "noun" is a fact's number with another noun, unit or currency; "place" stands
    beside what alters it; "sign" is a character that may not come at all.
    """

    start: int
    end: int
    text: str
    fault: Fault


@dataclass(slots=True)
class _Known:
    """What the facts say, by kind."""

    amounts: set[tuple[Decimal, str]] = field(default_factory=set)
    percents: set[Decimal] = field(default_factory=set)
    dates: set[str] = field(default_factory=set)
    counts: dict[Decimal, list[str]] = field(default_factory=dict)
    verbatim: list[str] = field(default_factory=list)
    numbers: set[Decimal] = field(default_factory=set)


class Checker:
    """The facts of one lock, read once. checker.slips(text) for each text."""

    def __init__(self, facts: Iterable[Fact], language: Language) -> None:
        self._language = language
        self._known = known = _Known()
        for fact in facts:
            if any(map(str.isdigit, fact.value)):
                _learn(known, fact, language)
        known.verbatim.sort(key=len, reverse=True)
        firsts = "|".join(re.escape(one) for one in known.verbatim)
        self._verbatim = re.compile(rf"(?<![^\W_])(?:{firsts})(?![^\W_])", re.IGNORECASE) if firsts else None

    def slips(self, text: str) -> tuple[Slip, ...]:
        """All that is wrong, in order of place."""
        taken = [match.span() for match in self._verbatim.finditer(text)] if self._verbatim is not None else []
        found = list(_signs(text, taken))
        place = 0
        for match in _DIGITS.finditer(text):
            start, end = match.span()
            if start < place:
                continue
            inside = next(((a, b) for a, b in taken if a <= start < b), None)
            if inside is not None:
                place = inside[1]
                found.extend(self._beside(text, inside[0], inside[1], bare=text[place - 1].isnumeric()))
                continue
            begin, place, fault, bare = self._figure(text, start, end)
            if fault is not None:
                found.append(Slip(begin, place, text[begin:place], fault))
            else:
                found.extend(self._beside(text, begin, place, bare=bare))
        return tuple(sorted(found, key=lambda slip: slip.start))

    def figures(self, text: str) -> int:
        """How many figures a text has, right or wrong."""
        return len(_DIGITS.findall(text))

    def _figure(self, text: str, start: int, end: int) -> tuple[int, int, Fault | None, bool]:
        """(start, end, fault, whether it ends in a digit) of the figure whose number is text[start:end]."""
        known, after = self._known, text[end:]
        dated = _date(text, start, end, self._language)
        if dated is not None:
            begin, stop, said = dated
            return begin, stop, None if said in known.dates else "figure", text[stop - 1].isdigit()
        front = _FRONT.search(text[:start])
        sign = text[start - 1 : start] if front is None else front["sign"] or front["inner"]
        begin = start - len(sign) if front is None and sign in ("-", "−") else start if front is None else front.start()
        value = _value(text[start:end], self._language)
        if value is None:
            return begin, end, "figure", True
        value = -value if sign and sign in "-−" else value
        if front is not None:
            scaled = _SCALED.match(after)
            stop = end if scaled is None else end + scaled.end()
            money = (value * (1_000_000 if scaled else 1), _CURRENCIES[front["money"].strip().lower()])
            return begin, stop, self._judge(money in known.amounts, value), scaled is None
        if (percent := _PERCENT.match(after)) is not None:
            return begin, end + percent.end(), self._judge(value in known.percents, value), False
        if (amount := _AMOUNT.match(after)) is not None:
            name = amount["money"].lower()
            money = (value * (1_000_000 if amount["scale"] else 1), _CURRENCIES.get(name, name.upper()))
            if money in known.amounts or name in _CURRENCIES:
                return begin, end + amount.end(), self._judge(money in known.amounts, value), False
        for noun in known.counts.get(value, ()):
            said = after[1 : 1 + len(noun)]
            if (
                after[:1] in ("", *_BLANK)
                and said.lower() == noun.lower()
                and not after[1 + len(noun) : 2 + len(noun)].isalnum()
            ):
                return begin, end + 1 + len(noun), None, noun[-1].isnumeric()
        return begin, end, self._judge(False, value), True

    def _judge(self, right: bool, value: Decimal) -> Fault | None:
        return None if right else "noun" if value in self._known.numbers else "figure"

    def _beside(self, text: str, start: int, end: int, bare: bool) -> Iterator[Slip]:
        """What stands beside a right figure and alters it."""
        left, right = text[max(0, start - 40) : start], text[end : end + 40]
        words = lock_words(self._language)
        said = tuple(word for word in words.number if word not in _CURRENCIES)
        blank, apart, links = f"[{_BLANK}]", rf"[{_BLANK}*_\"]+", _any(words.links)
        # "92,5 por ciento y 180 personas" and "14 March and 12 workshops" are two figures
        two = rf"(?<!por )(?<!per )(?!(?<=\d{blank})(?:{_any(months(self._language))}){apart}(?:{links}){apart})"
        number = rf"(?<![^\W_]){two}(?:(?:{_any(said)})(?:{apart}(?:{links}))?|EUR|USD|GBP){apart}\Z"
        # "mil en 2025", "18 EUR en 2025": its own word parts a year from what stands in front
        led = re.match(rf"(?:{_any(words.years)}) ", text[start:end], re.IGNORECASE) is not None
        wrong = (
            not _OPENED.search(left)
            or (_SIGNED.search(left) is not None and not _LIST_ITEM.search(left))
            or (re.search(number, left, re.IGNORECASE) is not None and not led)
            or not _CLOSED.match(right)
            or _GLUED.match(right) is not None
            or re.match(
                rf"[*_\"]*[{_BLANK}]{apart}?(?:(?:{_any(words.after)})(?![^\W_])|[0-9%‰€$£])", right, re.IGNORECASE
            )
            is not None
        )
        following = _WORD.match(right)
        if bare and following is not None and following[1].lower() not in words.follow:
            wrong = True
        if wrong:
            yield Slip(start, end, text[start:end], "place")


def _learn(known: _Known, fact: Fact, language: Language) -> None:
    read = read_fact(fact, language)
    code = re.fullmatch(r"0\d+", fact.value.strip()) is not None
    if read.number is not None and not code:
        known.numbers.add(read.number)
    if read.kind == "amount" and read.number is not None:
        known.amounts.add((read.number, read.unit or "EUR"))
    elif read.kind == "percent" and read.number is not None:
        known.percents.add(read.number)
    elif read.kind == "date" and read.date:
        known.dates.update(_covered(read.date))
    elif read.kind in ("count", "indicator") and read.number is not None and not code:
        noun = counted(fact, read) if read.kind == "count" else read.unit or fact.unit or counted(fact, read)
        first = noun.split()[0].rstrip(",;:(") if read.kind == "count" and noun.split() else noun
        known.counts.setdefault(read.number, []).extend(sorted({noun, first}, key=len, reverse=True))
    else:
        value = unicodedata.normalize("NFC", " ".join(fact.value.split()))
        name = unicodedata.normalize("NFC", " ".join(fact.name.replace("_", " ").split()))
        alone = not any(map(str.isalpha, value)) and "/" not in value
        known.verbatim.extend([f"{name} {value}"] if alone else [value])
        if value[:1].isdigit() and not alone and "/" not in value:
            known.verbatim.append(f"{name} {value}")


def _covered(date: str) -> Iterator[str]:
    """A date says its month and its year too; a day without a year stands as --03-14."""
    yield date
    parts = date.split("-")
    if date.startswith("--") or "/" in date:
        return
    yield parts[0]
    if len(parts) > 1:
        yield f"{parts[0]}-{parts[1]}"
    if len(parts) == 3:
        yield f"--{parts[1]}-{parts[2]}"


def _date(text: str, start: int, end: int, language: Language) -> tuple[int, int, str] | None:
    """(start, end, value) of the date that the digits at that place belong to, None where they are no date."""
    digits, after = text[start:end], text[end:]
    names = months(language)
    name = _any(names)
    of = r"(?: de | d['’]| del )" if language != "en" else " "
    year = r"(?:(?: del? | )(?P<year>\d{4})(?!\d))?" if language != "en" else r"(?: (?P<year>\d{4})(?!\d))?"
    if re.fullmatch(r"\d{1,2}", digits) and (
        found := re.match(rf"{of}(?P<month>{name})(?![^\W_]){year}", after, re.IGNORECASE)
    ):
        month, day = names.index(found["month"].lower()) + 1, int(digits)
        return start, end + found.end(), f"{found['year'] or '-'}-{month:02d}-{day:02d}"
    for pattern, order in ((r"(\d{1,2})([/-])(\d{1,2})\2(\d{4})", (3, 2, 0)), (r"(\d{4})(-)(\d\d)-(\d\d)", (0, 2, 3))):
        if (found := re.fullmatch(pattern, digits)) is not None:
            one, two, three = (found.groups()[place] for place in (order if pattern[4] != "4" else (0, 2, 3)))
            return start, end, f"{one}-{int(two):02d}-{int(three):02d}"
    before = text[max(0, start - 24) : start]
    if language == "en" and (found := re.search(rf"(?<![^\W_])({name}) \Z", before, re.IGNORECASE)):
        month, begin = names.index(found[1].lower()) + 1, start - (len(before) - found.start())
        if (rest := re.match(r", (\d{4})(?!\d)", after)) and re.fullmatch(r"\d{1,2}", digits):
            return begin, end + rest.end(), f"{rest[1]}-{month:02d}-{int(digits):02d}"
        if re.fullmatch(r"\d{1,2}", digits):
            return begin, end, f"--{month:02d}-{int(digits):02d}"
        if _YEAR.fullmatch(digits):
            return begin, end, f"{digits}-{month:02d}"
    if (
        language != "en"
        and (found := re.search(rf"(?<![^\W_])({name}) del? \Z", before, re.IGNORECASE))
        and _YEAR.fullmatch(digits)
    ):
        return start - (len(before) - found.start()), end, f"{digits}-{names.index(found[1].lower()) + 1:02d}"
    led = re.search(rf"(?<![^\W_])(?:{_any(lock_words(language).years)}) \Z", before, re.IGNORECASE)
    if led is None:
        return None
    begin = start - (len(before) - led.start())
    if _YEAR.fullmatch(digits) and not re.match(rf"[{_BLANK}]?(?:%|{_MONEY})(?![^\W_])", after, re.IGNORECASE):
        return begin, end, digits
    if (found := _YEARS.fullmatch(digits)) is not None:
        return begin, end, f"{found[1]}/{found[2][-2:]}"
    return None


def _value(written: str, language: Language) -> Decimal | None:
    """The number in that language's way of writing, None where it is none."""
    thousands, mark = (",", ".") if language == "en" else (".", ",")
    if re.fullmatch(r"\d+", written):
        return Decimal(written)
    groups = rf"\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+(?:{re.escape(mark)}\d+)?"
    if re.fullmatch(groups, written) or re.fullmatch(rf"\d+{re.escape(mark)}\d+", written):
        return Decimal(written.replace(thousands, "").replace(mark, "."))
    return None


def _signs(text: str, taken: list[tuple[int, int]]) -> Iterator[Slip]:
    """Digits of other scripts, fractions, superscripts, and what cannot be seen."""
    for place, one in enumerate(text):
        if one.isascii() and (one.isprintable() or one == "\n"):
            continue
        kind = unicodedata.category(one)
        digit = kind[0] == "N" or unicodedata.numeric(one, None) is not None
        hidden = kind in ("Cc", "Cf", "Co", "Cn", "Cs", "Mn", "Me", "Zl", "Zp")
        if (digit or hidden) and not any(start <= place < end for start, end in taken):
            yield Slip(place, place + 1, one, "sign")


@cache
def _any(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
