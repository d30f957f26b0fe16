"""Figures of the text against what is known: invented ones, and right ones in the wrong place.

Knows when a value is known, when what it counts belongs to another fact, and which fact a figure was meant to be. Does
not know tables' arithmetic (fabai.checks.arithmetic) or dates (fabai.checks.dates).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from fabai.checks.claimed import Claim, claims
from fabai.checks.known import Entry, Known, KnownFact
from fabai.checks.lists import lists, phrases
from fabai.checks.reading import Reading, remembered
from fabai.checks.violation import Violation
from fabai.figures import Figure
from fabai.ledger import Fact
from fabai.report import Language
from fabai.window.words import stem

_SMALL = 12
"""Counts up to here are told from any text; where they are not known it is a warning."""


@remembered
def check_figures(section: str, reading: Reading, known: Known) -> tuple[Violation, ...]:
    """What is wrong with a section's figures; nothing where nothing is known. The last sections are remembered."""
    if known.empty:
        return ()
    return tuple(_figures(section, reading, known))


def _figures(section: str, reading: Reading, known: Known) -> Iterator[Violation]:
    for claim in claims(reading):
        entries = known.values.get(claim.figure.value, ())
        if not entries and claim.figure.value.startswith("-"):
            entries = known.values.get(claim.figure.value[1:], ())
        if not entries:
            yield _unknown(section, claim, known)
            continue
        found = _misplaced(claim, entries, known)
        if found is not None:
            yield _swapped(section, claim, entries, found)
        elif (role := _role(reading, claim)) is not None:
            yield Violation("figure-role", section, "warning", claim.quote, role, claim.quote, claim.start, claim.end)


def _unknown(section: str, claim: Claim, known: Known) -> Violation:
    meant = _meant(claim, known)
    small = claim.figure.kind in ("count", "number") and "." not in claim.figure.value and len(claim.figure.value) < 3
    small = small and int(claim.figure.value) <= _SMALL
    if meant is None:
        return Violation(
            "figure-unknown",
            section,
            "warning" if small else "error",
            claim.quote,
            "",
            claim.quote,
            claim.start,
            claim.end,
        )
    fact, figure = meant
    repaired = _written(fact, figure, claim)
    return Violation(
        *("figure-varies", section, "error", claim.quote, fact.fact.value, claim.quote, claim.start, claim.end),
        evidence=fact.evidence,
        suggestion=repaired,
    )


def _meant(claim: Claim, known: Known) -> tuple[KnownFact, Figure] | None:
    """The one fact whose whole name stands by a figure of its kind, or whose noun it counts."""
    candidates: dict[int, KnownFact] = {}
    around = claim.around | set(claim.nouns)
    for one in around:
        for fact in known.by_stem.get(one, ()):
            candidates[id(fact)] = fact
    for noun in claim.nouns[:2]:
        for fact in known.owners.get(noun, ()):
            candidates[id(fact)] = fact
    fitting = []
    for fact in candidates.values():
        whole = fact.name and fact.name <= around
        counted = claim.figure.kind == "count" and claim.nouns and claim.nouns[0] in fact.nouns
        figure = next((one for one in fact.figures if _alike(one, claim.figure)), None)
        if figure is not None and (whole or counted):
            fitting.append((bool(whole), len(fact.name), fact, figure))
    if not fitting:
        return None
    best = max(fitting, key=lambda found: found[:2])
    if sum(found[:2] == best[:2] for found in fitting) > 1:
        return None
    return best[2], best[3]


def _alike(one: Figure, other: Figure) -> bool:
    """Whether two figures may say the same thing: amounts of a currency, percents, counts."""
    if {one.kind, other.kind} <= {"count", "number"}:
        return True
    if "number" in (one.kind, other.kind):
        return "percent" not in (one.kind, other.kind)
    return one.kind == other.kind and (one.kind != "amount" or one.noun == other.noun)


def _misplaced(claim: Claim, entries: Iterable[Entry], known: Known) -> KnownFact | None:
    """The other fact that a right value was written for; None where it stands well."""
    figure = claim.figure
    fits = [entry for entry in entries if _fits(figure, claim, entry)]
    # what is said somewhere with these very words is right
    if any(entry.nouns & set(claim.nouns) for entry in fits):
        return None if claim.figure.kind == "count" else _among_own(claim, fits, known)
    if figure.kind == "count" and any(entry.fact is not None and entry.nouns for entry in entries):
        # a bare number of a source does not outweigh a fact that counts the same thing
        owner = _other_owner(claim, known)
        if owner is not None:
            return owner
    if not fits:
        return _same_unit(claim, known)
    return _among_own(claim, fits, known)


def _among_own(claim: Claim, fits: Sequence[Entry], known: Known) -> KnownFact | None:
    figure = claim.figure
    own = [entry.fact for entry in fits if entry.fact is not None]
    if not own or any(entry.fact is None and figure.kind != "amount" for entry in fits):
        return None
    return _named_other(claim, own, known)


def _fits(figure: Figure, claim: Claim, entry: Entry) -> bool:
    if figure.kind == "amount":
        return (entry.kind == "amount" and entry.currency == figure.noun) or entry.kind == "number"
    if figure.kind == "percent":
        return entry.kind in ("percent", "number")
    if entry.kind in ("amount", "percent"):
        # a table's head gives the currency or the sign
        return figure.kind == "number"
    if figure.kind == "number" or not claim.nouns or not entry.nouns:
        return True
    return bool(entry.nouns & set(claim.nouns))


def _other_owner(claim: Claim, known: Known) -> KnownFact | None:
    """The fact that counts what a figure with another fact's value counts."""
    measures = _stems(lists(known.language).measures, known.language)
    for noun in claim.nouns[:2]:
        owners = known.owners.get(noun, ())
        if noun in measures or any(one.value == claim.figure.value for fact in owners for one in fact.figures):
            continue
        if owners:
            return owners[0]
    return None


def _same_unit(claim: Claim, known: Known) -> KnownFact | None:
    """For an amount or percent with the value of a count: nothing but a fact named by the words around."""
    meant = _meant(claim, known) if claim.figure.kind in ("amount", "percent") else None
    return meant[0] if meant is not None else None


def _named_other(claim: Claim, own: list[Fact], known: Known) -> KnownFact | None:
    """A fact of that kind with another value, whose own words all stand by the figure, and none of the right one's."""
    around = claim.around
    if not around:
        return None
    values = {id(fact) for fact in own}
    mine = [one for one in known.facts if id(one.fact) in values]
    others: dict[int, KnownFact] = {}
    for one in around:
        for fact in known.by_stem.get(one, ()):
            if id(fact.fact) not in values:
                others[id(fact)] = fact
    for other in others.values():
        if not any(_alike(one, claim.figure) and one.value != claim.figure.value for one in other.figures):
            continue
        if any(one.value == claim.figure.value for one in other.figures):
            continue
        if all(_tells(other, right, around) for right in mine):
            return other
    return None


def _tells(other: KnownFact, right: KnownFact, around: frozenset[str]) -> bool:
    theirs, ours = other.name - right.name, right.name - other.name
    return bool(theirs) and bool(ours) and theirs <= around and not ours & around


def _swapped(section: str, claim: Claim, entries: Iterable[Entry], other: KnownFact) -> Violation:
    own = next((entry.fact for entry in entries if entry.fact is not None), None)
    figure = next((one for one in other.figures if _alike(one, claim.figure)), other.figures[0])
    evidence = other.evidence if own is None else f"{own.name}: {own.value} ({own.source}); {other.evidence}"
    return Violation(
        *("figure-swapped", section, "error", claim.quote, other.fact.value, claim.quote, claim.start, claim.end),
        evidence=evidence,
        suggestion=_written(other, figure, claim),
    )


def _written(fact: KnownFact, figure: Figure, claim: Claim) -> str:
    """What should stand in place of the quote: the fact's figure, its number alone where the quote is one."""
    written = fact.fact.value[figure.start : figure.end].strip()
    if claim.figure.kind in ("count", "number"):
        return _number(written)
    return written


def _number(written: str) -> str:
    digits = [place for place, sign in enumerate(written) if sign.isdigit()]
    return written[digits[0] : digits[-1] + 1] if digits else written


def _role(reading: Reading, claim: Claim) -> str | None:
    """The verb of events in front of a count of people: 'se realizaron 180 personas'."""
    if claim.figure.kind != "count" or not claim.nouns:
        return None
    words = lists(reading.language)
    if claim.nouns[0] not in _stems(words.people, reading.language):
        return None
    before = reading.text[max(0, claim.start - 24) : claim.start]
    held = next(reversed(list(phrases(words.held).finditer(before))), None)
    if held is None or before[held.end() :].strip():
        return None
    return held[0]


@lru_cache(maxsize=16)
def _stems(words: tuple[str, ...], language: Language) -> frozenset[str]:
    return frozenset(one for word in words if (one := stem(word, language)))
