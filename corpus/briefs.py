"""The Brief of a past report, rebuilt: the form, the ledger and the sources that its writer had.

Knows which facts a report states and how many of them a ledger has room for: first those that make most text
sayable. Some facts of other reports stand among them, so that a model learns to leave out what does not belong. Does
not know windows, prompts or files.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from fabai.form import Form
from fabai.ledger import Fact, Ledger
from fabai.report import Language, Report, Section
from fabai.settings import ExampleSettings

from .document import CorpusDocument, CorpusSection
from .facts import Found, facts
from .forms import form_of
from .replay import ReplaySource
from .support import evidence, statements

_SOURCE = "Brief"
_HEADING = 40  # characters of a heading in a fact's name
_SKIPPED = frozenset({"contents", "references", "code", "empty"})


@dataclass(frozen=True, slots=True)
class PastBrief:
    """What a report is written from. report: headings and specs, without text; texts: by section id what its writer
    wrote; targets: ids of the sections that teach, in order.
    """

    form: Form
    report: Report
    ledger: Ledger
    sources: tuple[ReplaySource, ...]
    texts: dict[str, str]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Stated:
    """One statement's facts and what it is worth: its length."""

    worth: int
    facts: tuple[Found, ...]
    heading: str


def past_brief(
    document: CorpusDocument,
    language: Language,
    *,
    room: int,
    count: Callable[[str], int],
    vocabulary: frozenset[str] = frozenset(),
    others: Sequence[Fact] = (),
    sources: Iterable[CorpusDocument] = (),
    left_out: Collection[int] = (),
    settings: ExampleSettings = ExampleSettings(),  # noqa: B008  (frozen)
) -> PastBrief:
    """room: tokens for the ledger, as `count` counts them. others: facts of other reports, some of which come to stand
    among its own. left_out: positions of sections that teach nothing (they repeat another text).
    """
    bare = [Section(f"s{number}", one.heading, one.level, one.text) for number, one in enumerate(document.sections)]
    form = form_of(bare, language)
    specs = {spec.id for spec in form.sections}
    # a form knows no text in front of its first heading
    report = Report(
        document.title,
        language,
        tuple(
            Section(one.id, one.heading, one.level, spec=one.id if one.id in specs else None)
            for one in bare
            if one.id in specs or not form.own_sections
        ),
        {"form": form.id},
    )
    present = {one.id for one in report}
    targets = tuple(
        f"s{number}"
        for number, one in enumerate(document.sections)
        if number not in left_out and f"s{number}" in present and _teaches(one, language)
    )
    wanted = [document.sections[int(identity[1:])] for identity in targets]
    ledger = _ledger(document, language, list(_stated(wanted, language, vocabulary)), room, count, others, settings)
    material = tuple(ReplaySource(one.path.rpartition("/")[2], one.text) for one in sources)
    return PastBrief(form, report, ledger, material, {one.id: one.text for one in bare}, targets)


def stated(document: CorpusDocument, language: Language, most: int) -> list[Fact]:
    """The facts of a document's first sections as another one's distractors: figures with a name of their own."""
    found: dict[str, Fact] = {}
    teaching = [section for section in document.sections if _teaches(section, language)][:most]
    for section in teaching:
        for fact in facts(section.text, language):
            if " " in fact.name and "{{" not in fact.value and any(map(str.isdigit, fact.value)):
                found.setdefault(fact.name, Fact(fact.name, fact.value, _SOURCE))
    return list(found.values())


def _teaches(section: CorpusSection, language: Language) -> bool:
    return section.kind not in _SKIPPED and section.language in (None, language) and any(map(str.isalpha, section.text))


def _stated(sections: Iterable[CorpusSection], language: Language, vocabulary: frozenset[str]) -> Iterator[_Stated]:
    for section in sections:
        for one in statements(section.text, language, vocabulary):
            text = section.text[one.start : one.end]
            found = facts(text, language, vocabulary) if one.claims else []
            # numbers of figures and codes of things are no facts of a ledger, and no other fact makes up for them
            if found and {mark for claim in one.claims for mark in claim.one_of} <= {
                mark for fact in found for marks in fact.marks for mark in marks
            }:
                yield _Stated(len(text), tuple(found), section.heading)


def _ledger(
    document: CorpusDocument,
    language: Language,
    found: Sequence[_Stated],
    room: int,
    count: Callable[[str], int],
    others: Sequence[Fact],
    settings: ExampleSettings,
) -> Ledger:
    chance = random.Random(sha256(f"{settings.seed} {document.id}".encode()).digest())  # noqa: S311 - an order, not a secret
    book = _Book(document.facts, language, count)
    left = int(room / (1.0 + settings.distractors)) - sum(map(book.cost, book.entries.values()))
    # statements that say most for the fewest tokens of facts come first; what they bring makes the next ones cheaper
    order = sorted(range(len(found)), key=lambda one: (-found[one].worth / book.price(found[one]), one))
    for _ in range(2):
        for one in order:
            price = book.price(found[one]) - 1
            if 0 < price <= left:
                left -= book.add(found[one])
    own = list(book.entries.values())
    pool = [fact for fact in others if fact.name not in book.entries]
    strange = chance.sample(pool, min(len(pool), round(settings.distractors * len(own))))
    entries = [*own, *strange]
    # in the order of the text a ledger would tell where each fact belongs
    chance.shuffle(entries)
    return Ledger(tuple(entries))


class _Book:
    """Facts by name; a name has one value, and a value that is known is not entered again."""

    def __init__(self, given: dict[str, str], language: Language, count: Callable[[str], int]) -> None:
        self._count = count
        self.entries = {
            name: Fact(name, value, _SOURCE) for name, value in given.items() if name.strip() and value.strip()
        }
        self._known = {
            mark for fact in self.entries.values() for mark in evidence(f"{fact.name}: {fact.value}", language)
        }
        self._costs: dict[tuple[str, str], int] = {}

    def cost(self, fact: Fact | Found) -> int:
        key = (fact.name, fact.value)
        if key not in self._costs:
            self._costs[key] = self._count(f"- {fact.name}: {fact.value}\n")
        return self._costs[key]

    def price(self, one: _Stated) -> int:
        """Tokens that the missing facts of a statement take, and one."""
        return 1 + sum(self.cost(fact) for fact in self._missing(one))

    def add(self, one: _Stated) -> int:
        spent = 0
        for fact in self._missing(one):
            name = self._free(fact, one.heading)
            self.entries[name] = Fact(name, fact.value, _SOURCE)
            self._known.update(mark for marks in fact.marks for mark in marks)
            spent += self._count(f"- {name}: {fact.value}\n")
        return spent

    def _missing(self, one: _Stated) -> list[Found]:
        found: dict[tuple[tuple[str, ...], ...], Found] = {}
        for fact in one.facts:
            if not all(any(mark in self._known for mark in marks) for marks in fact.marks):
                found.setdefault(fact.marks, fact)
        return list(found.values())

    def _free(self, fact: Found, heading: str) -> str:
        if fact.name not in self.entries:
            return fact.name
        place = " ".join(heading.split())[:_HEADING].strip()
        name = f"{fact.name} ({place})" if place else fact.name
        number = 2
        while name in self.entries:
            name = f"{fact.name} ({place}, {number})" if place else f"{fact.name} ({number})"
            number += 1
        return name
