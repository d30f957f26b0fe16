"""What a report's figures and names can be known from: the ledger, the instructions, the form, the sources, the lists.

Knows each value with what it counts and where it stands, the names that are used, and the project's period. Does not
know the text of the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import NamedTuple

from fabai.checks.claimed import claims, stems_of
from fabai.checks.lists import any_of, folded, lists
from fabai.checks.reading import read
from fabai.checks.recorded import Listed
from fabai.figures import Figure, FigureKind, figures, marks
from fabai.form import Form
from fabai.ledger import Fact, Ledger
from fabai.names import folded_words
from fabai.number_words import number_words
from fabai.report import Language

_REMEMBERED = 64  # sources, and states of a brief


class Entry(NamedTuple):
    """A value that is known: of what kind, of what (stems; none where nothing says it), from which fact or source."""

    kind: FigureKind
    currency: str
    nouns: frozenset[str]
    fact: Fact | None
    source: str


class Period(NamedTuple):
    """From the first to the last day of a project; evidence: the facts that say so."""

    start: date
    end: date
    evidence: str


@dataclass(frozen=True, slots=True, eq=False)
class KnownFact:
    """A fact with the figures of its value. name: stems of its name. nouns: what it counts, its name included."""

    fact: Fact
    figures: tuple[Figure, ...]
    name: frozenset[str]
    nouns: frozenset[str]

    @property
    def evidence(self) -> str:
        return f"{self.fact.name}: {self.fact.value} ({self.fact.source})"


class Known:
    """Everything that is known when a report is checked. Two that were made from the same are one (`known`)."""

    def __init__(
        self, ledger: Ledger, texts: tuple[tuple[str, str], ...], listed: tuple[Listed, ...], language: Language
    ) -> None:
        self.language = language
        self.ledger = ledger
        self.texts = texts
        self.listed = listed
        self.facts = tuple(_fact(fact, language) for fact in ledger if fact.value.strip())

    @cached_property
    def empty(self) -> bool:
        """Whether there is nothing that a figure could be compared with."""
        return not (self.listed or any(fact.figures for fact in self.facts) or any(name for name, _ in self.texts))

    @cached_property
    def values(self) -> Mapping[str, tuple[Entry, ...]]:
        """Entries by value ("18500")."""
        found: dict[str, list[Entry]] = {}
        for known in self.facts:
            for one in known.figures:
                if one.kind not in ("date", "law"):
                    entry = Entry(one.kind, one.noun if one.kind == "amount" else "", known.nouns, known.fact, "")
                    found.setdefault(one.value, []).append(entry)
        for row in self.listed:
            counted = frozenset(() if row.kind == "amount" else stems_of(row.unit, self.language))
            entry = Entry(row.kind, row.unit if row.kind == "amount" else "", counted, None, row.source)
            found.setdefault(row.value, []).append(entry)
        for name, text in self.texts:
            for value, entries in _entries(name, text, self.language).items():
                found.setdefault(value, []).extend(entries)
        return {value: tuple(entries) for value, entries in found.items()}

    @cached_property
    def dates(self) -> frozenset[str]:
        """Marks of the dates that are known."""
        found: set[str] = set()
        for known in self.facts:
            for one in known.figures:
                if one.kind == "date":
                    found.update(marks(one))
        for _, text in self.texts:
            found.update(mark for one in figures(text, self.language) if one.kind == "date" for mark in marks(one))
        return frozenset(found)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the ledger's values and of the texts, folded."""
        found: set[str] = set()
        for known in self.facts:
            found |= folded_words(known.fact.value)
        for _, text in self.texts:
            found |= _folded(text)
        return frozenset(found)

    @cached_property
    def owners(self) -> Mapping[str, tuple[KnownFact, ...]]:
        """Facts with a count, by the stem of each thing that they count."""
        found: dict[str, list[KnownFact]] = {}
        for known in self.facts:
            if any(one.kind in ("count", "number") for one in known.figures):
                for noun in known.nouns:
                    found.setdefault(noun, []).append(known)
        return {noun: tuple(owners) for noun, owners in found.items()}

    @cached_property
    def by_stem(self) -> Mapping[str, tuple[KnownFact, ...]]:
        """Facts with figures by each stem of their names."""
        found: dict[str, list[KnownFact]] = {}
        for known in self.facts:
            if known.figures:
                for one in known.name:
                    found.setdefault(one, []).append(known)
        return {one: tuple(owners) for one, owners in found.items()}

    @cached_property
    def period(self) -> Period | None:
        """The project's period, where the ledger says it."""
        return _period(self.facts, self.language)


@lru_cache(maxsize=_REMEMBERED)
def known(
    ledger: Ledger,
    sources: tuple[tuple[str, str], ...],
    told: tuple[str, ...],
    language: Language,
    listed: tuple[Listed, ...] = (),
) -> Known:
    """What is known for a report; the same object for the same brief. sources: name and text. told: instructions and
    the form's own words. listed: the figures of imported lists.
    """
    return Known(ledger, (*sources, *(("", text) for text in told if text.strip())), listed, language)


def asked(form: Form, language: Language) -> str:
    """What a form says to the writer, as one text."""
    return "\n\n".join(filter(None, _asked(form, language)))


def _asked(form: Form, language: Language) -> Iterator[str]:
    for rule in form.rules:
        yield rule.text.get(language, "")
    for spec in form.sections:
        for texts in (spec.guidance, spec.criteria):
            if texts and texts.get(language):
                yield texts[language]


def _fact(fact: Fact, language: Language) -> KnownFact:
    name = frozenset(stems_of(fact.name, language))
    found = _figures(fact.value, language)
    behind = re.sub(r"\d[\d.,'’ \u00a0\u202f\u2009]*", " ", fact.value)
    nouns = {*name, *stems_of(f"{behind} {fact.noun}", language)}
    unit = fact.unit.strip().upper()
    if unit and re.fullmatch(r"[A-Z]{3}", unit):
        found = tuple(
            Figure("amount", one.start, one.end, one.value, unit) if one.kind in ("number", "count") else one
            for one in found
        )
    return KnownFact(fact, found, name, frozenset(nouns))


def _figures(text: str, language: Language) -> tuple[Figure, ...]:
    digits = figures(text, language)
    if digits:
        return digits
    return number_words(text, language)


@lru_cache(maxsize=_REMEMBERED)
def _entries(name: str, text: str, language: Language) -> Mapping[str, tuple[Entry, ...]]:
    reading = read(text, language)
    found: dict[str, set[Entry]] = {}
    told = {id(claim.figure): claim for claim in claims(reading)}
    for one in reading.figures:
        if one.kind in ("date", "law"):
            if re.fullmatch(r"\d{4}", one.value):
                # "En 1.200" read as a year is a number all the same
                found.setdefault(one.value, set()).add(Entry("number", "", frozenset(), None, name))
            continue
        claim = told.get(id(one))
        nouns = frozenset(claim.nouns) if claim is not None and one.kind == "count" else frozenset()
        kind: FigureKind = "number" if one.kind == "label" else one.kind
        entry = Entry(kind, one.noun if kind == "amount" else "", nouns, None, name)
        found.setdefault(one.value, set()).add(entry)
    return {value: tuple(entries) for value, entries in found.items()}


@lru_cache(maxsize=_REMEMBERED)
def _folded(text: str) -> frozenset[str]:
    return folded_words(text)


def _period(facts: Iterable[KnownFact], language: Language) -> Period | None:
    every = lists(language)
    starts: list[tuple[date, KnownFact]] = []
    ends: list[tuple[date, KnownFact]] = []
    for one in facts:
        days = [span for figure in one.figures if figure.kind == "date" and (span := days_of(figure.value)) is not None]
        if not days:
            continue
        name = " ".join(sorted(folded((one.fact.name,))))
        if _named(name, every.start):
            starts.append((days[0][0], one))
        elif _named(name, every.end):
            ends.append((days[-1][1], one))
        elif _named(name, every.period):
            starts.append((min(day for day, _ in days), one))
            ends.append((max(day for _, day in days), one))
    if not starts or not ends:
        return None
    first = min(starts, key=lambda found: found[0])
    last = max(ends, key=lambda found: found[0])
    if first[0] > last[0]:
        return None
    evidence = "; ".join(dict.fromkeys(found.evidence for _, found in (first, last)))
    return Period(first[0], last[0], evidence)


def _named(name: str, words: tuple[str, ...]) -> bool:
    return name in folded(words) or re.search(rf"^(?:{any_of(folded(words))})(?!\w)", name) is not None


def days_of(value: str) -> tuple[date, date] | None:
    """The first and last day of a date as figures write it ("2025-03-14", "2025-03", "2025", "2024/25"); None where it
    has no year or is no day of the calendar.
    """
    full = re.fullmatch(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?|/(\d\d))?", value)
    if full is None:
        return None
    year, month, day, other = full.groups()
    try:
        if day is not None:
            return (one := date(int(year), int(month), int(day))), one
        if month is not None:
            first = date(int(year), int(month), 1)
            following = date(first.year + first.month // 12, first.month % 12 + 1, 1)
            return first, date.fromordinal(following.toordinal() - 1)
        last = int(year) if other is None else int(year[:2] + other)
        return (date(int(year), 1, 1), date(last, 12, 31)) if last >= int(year) else None
    except ValueError:
        return None
