"""What a section should say and does not: items of the form's guidance and criteria, facts that the form asks for; and
facts of the ledger that contradict each other.

Knows words in common, not meaning: a section that answers in other words is a warning that a person dismisses. Does not
know how good an answer is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from fabai.checks.claimed import stems_of
from fabai.checks.known import Known, KnownFact
from fabai.checks.lists import any_of, lists
from fabai.checks.reading import Reading, remembered
from fabai.checks.violation import Violation
from fabai.figures import accepted, marks
from fabai.names import folded_words
from fabai.report import Language, fold

_SPLIT = re.compile(r"(?<=[.;:?])\s+|\n+|(?:^|\s)(?:[-•*]|\(?[a-z0-9]\))\s+")
_ENOUGH = 0.25
"""Share of an item's words that a section must use."""
_LEAST = 2
"""Words of an item that say what it asks for."""


@remembered
def check_coverage(section: str, reading: Reading, guidance: str, criteria: str) -> tuple[Violation, ...]:
    """Items of a section's guidance and criteria that its text has no word of. The last sections are remembered."""
    language = reading.language
    if not reading.text.strip():
        return ()
    said = frozenset(stems_of(reading.text, language))
    asks, cases = lists(language).asks, _cases(language)
    found = []
    for rule, text in (("guidance-uncovered", guidance), ("criterion-uncovered", criteria)):
        for item in items(text):
            wanted = [one for one in dict.fromkeys(stems_of(item, language)) if not one.startswith(asks)]
            used = sum(_said(one, said) for one in wanted)
            if len(wanted) >= _LEAST and used < _ENOUGH * len(wanted) and not cases.match(item):
                found.append(Violation(rule, section, "warning", used, len(wanted), item[:120], evidence=item))
    return tuple(found)


@cache
def _cases(language: Language) -> re.Pattern[str]:
    """What is asked for only in some cases is no omission in the others."""
    return re.compile(rf"(?:{any_of(lists(language).cases)})(?!\w)", re.IGNORECASE)


def items(text: str) -> list[str]:
    """What a guidance asks for, one by one: its sentences and the items of its lists."""
    return [one for part in _SPLIT.split(text) if (one := part.strip(" .;:-•*\t")) and len(one) > 12]


def _said(stem: str, said: frozenset[str]) -> bool:
    return stem in said or (len(stem) > 5 and any(one[:5] == stem[:5] for one in said))


@remembered
def check_required_facts(section: str, reading: Reading, asked: str, known: Known) -> tuple[Violation, ...]:
    """Facts that the form asks for in a section by name, and whose value its text does not have. The last sections are
    remembered. asked: the form's heading, guidance and criteria.
    """
    if not reading.text.strip():
        return ()
    wanted = frozenset(stems_of(asked, known.language))
    found = []
    for fact in known.facts:
        if len(fact.name) >= 2 and fact.name <= wanted and not _carries(reading, fact):
            found.append(
                Violation(
                    "fact-missing", section, "warning", fact.fact.name, fact.fact.value, fact.fact.name,
                    evidence=fact.evidence,
                )
            )  # fmt: skip
    return tuple(found)


def _carries(reading: Reading, fact: KnownFact) -> bool:
    if fact.figures:
        held = {mark for one in reading.figures for mark in marks(one)} | {
            f"value {one.value}" for one in reading.figures
        }
        return all(any(mark in held for mark in (*accepted(one), f"value {one.value}")) for one in fact.figures)
    words = folded_words(fact.fact.value)
    return words <= _words(reading)


@remembered
def _words(reading: Reading) -> frozenset[str]:
    return folded_words(reading.text)


def check_ledger(known: Known) -> Iterator[Violation]:
    """Two facts of one name with two values: which one holds only a person knows."""
    named: dict[str, list[KnownFact]] = defaultdict(list)
    for fact in known.facts:
        named[fold(fact.fact.name)].append(fact)
    for facts in named.values():
        first = facts[0]
        for other in facts[1:]:
            if _values(first) != _values(other):
                yield Violation(
                    *("fact-conflict", None, "error", other.fact.value, first.fact.value, first.fact.name),
                    evidence=f"{first.evidence}; {other.evidence}",
                )


def _values(fact: KnownFact) -> object:
    return [(one.kind, one.value) for one in fact.figures] or fold(fact.fact.value)
