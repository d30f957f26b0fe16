"""Every figure of a report with what it rests on: figure, sentence, file and place, who reviewed it and when.

Knows the ledger, the dossier's lists and the texts of the sources. Does not judge: what is false or missing is told by
fabai.checks; here a figure without evidence is simply listed first. Does not know files that are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fabai.checks.reading import Reading, read
from fabai.checks.recorded import Listed, ListOf
from fabai.checks.tables import plain
from fabai.dossier.lists import own_terms
from fabai.dossier.recorded import recorded
from fabai.facts import read_fact
from fabai.facts.formula import names_in
from fabai.figures import Figure, accepted, figures, marks
from fabai.ledger import Fact, Origin
from fabai.proposals.wording import source_of
from fabai.report import Language, Report, fold
from fabai.store.project import Paragraph, Project, Source
from fabai.window.words import stems

Kind = ListOf | Literal["ledger", "derived", "source", "none"]

_HEADING = re.compile(r"(?m)^#{1,6}\s+(.+)$")
_YEAR = re.compile(r"(?:1[89]|20)\d\d(?:/\d\d)?")
_SENTENCE = 400
"""Characters of a sentence or row that are shown."""


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of the report. heading: of the budget, "" where none is named. section: number and title. kind: what
    it rests on. fact: the name of the fact or row. source, sha256: the file and its hash. place: sheet and cell,
    page or heading. confirmed_by, confirmed: who stood up for the fact; reviewed_by, reviewed: for the paragraph.
    """

    figure: str
    heading: str
    section: str
    sentence: str
    kind: Kind = "none"
    fact: str = ""
    source: str = ""
    sha256: str = ""
    place: str = ""
    confirmed_by: str = ""
    confirmed: str = ""
    reviewed_by: str = ""
    reviewed: str = ""


def trace(project: Project) -> tuple[Line, ...]:
    """Every figure of the report that stands now: those without evidence first, then by budget heading, each in the
    order of the text.
    """
    report = project.report()
    known = _Known(project)
    lines: list[Line] = []
    for section, number in zip(report, report.numbers(), strict=True):
        if not section.text.strip():
            continue
        reading = read(section.text, report.language)
        title = " ".join(part for part in (number, section.heading) if part) or report.title
        paragraphs = project.paragraphs(section.id)
        for figure in reading.figures:
            if not _tells(figure):
                continue
            sentence = _sentence(reading, figure)
            written = " ".join(section.text[figure.start : figure.end].split())
            line = Line(_signed(section.text, figure, written), known.budget(sentence), title, sentence)
            lines.append(_reviewed(known.line(line, figure), paragraphs, figure))
    order = {name: number for number, name in enumerate(known.headings)}
    return tuple(sorted(lines, key=lambda one: (one.kind != "none", order.get(one.heading, len(order)))))


class _Known:
    """What figures can rest on, by value."""

    def __init__(self, project: Project) -> None:
        self._language: Language = project.language
        self._facts: dict[str, list[Fact]] = {}
        self._by_name = {fact.name: fact for fact in project.ledger()}
        for fact in self._by_name.values():
            for key in _keys(fact, self._language):
                self._facts.setdefault(key, []).append(fact)
        self._listed: dict[str, list[Listed]] = {}
        for one in recorded(project).listed:
            self._listed.setdefault(one.value, []).append(one)
        terms = own_terms(project)
        used = (one.heading for ones in self._listed.values() for one in ones if one.heading)
        self.headings = tuple(dict.fromkeys((*terms.heading, *used)))
        self._folded = {fold(name): name for name in self.headings if fold(name)}
        self._sources = [(one, _marked(one, self._language)) for one in project.sources()]

    def budget(self, text: str) -> str:
        """The heading of the budget that a sentence or row names, the longest where it names several."""
        said = f" {fold(text)} "
        found = [name for name in self._folded if f" {name} " in said]
        return self._folded[max(found, key=len)] if found else ""

    def line(self, line: Line, figure: Figure) -> Line:
        """The line with the best evidence that there is."""
        fact = self._fact(figure, line.sentence)
        if fact is not None:
            return self._of_fact(line, fact)
        row = self._row(figure, line.sentence)
        if row is not None:
            return self._of_row(line, row)
        for source, marked in self._sources:
            for mark in accepted(figure):
                if mark in marked:
                    place = _heading_at(source.text, marked[mark])
                    return replace(line, kind="source", source=source.name, sha256=source.sha256, place=place)
        return line

    def _fact(self, figure: Figure, sentence: str) -> Fact | None:
        """Of the facts with that value, the one whose name shares most words with the sentence."""
        ones = [fact for mark in accepted(figure) for fact in self._facts.get(mark, ())]
        said = set(stems(sentence, self._language))
        return max(ones, key=lambda one: len(said & set(stems(one.name, self._language))), default=None)

    def _of_fact(self, line: Line, fact: Fact) -> Line:
        origin = fact.origin
        line = replace(
            line,
            kind="derived" if fact.derived else "ledger",
            heading=line.heading or self.budget(fact.name),
            fact=fact.name,
            source=fact.source if origin is None else origin.file,
            sha256="" if origin is None else origin.sha256,
            place="" if origin is None else place_of(origin),
            confirmed_by=fact.confirmed_by,
            confirmed=fact.confirmed,
        )
        if not fact.derived:
            return line
        bases = list(_bases(fact, self._by_name))
        files = {one.origin.sha256: one.origin.file for one in bases if one.origin is not None and one.origin.sha256}
        told = [f"{one.name} ({source_of(one.origin, self._language) if one.origin else one.source})" for one in bases]
        return replace(line, source="; ".join(told), sha256=" ".join(files), place=fact.derived)

    def _row(self, figure: Figure, sentence: str) -> Listed | None:
        """Of the listed figures with that value and kind, the one whose name shares most words with the sentence."""
        ones = [
            one
            for one in self._listed.get(figure.value.lstrip("-"), ())
            if figure.kind in (one.kind, "number") and (figure.kind != "amount" or figure.noun == one.unit)
        ]
        said = set(stems(sentence, self._language))
        if figure.kind == "count":
            ones = [one for one in ones if not one.unit or said & set(stems(one.unit, self._language))]
        named = {id(one): set(stems(f"{one.name} {one.heading}", self._language)) for one in ones}
        return max(ones, key=lambda one: len(said & named[id(one)]), default=None)

    def _of_row(self, line: Line, row: Listed) -> Line:
        return replace(
            line,
            kind=row.of,
            heading=line.heading or row.heading,
            fact=row.name,
            source="; ".join(name for name, _ in row.files),
            sha256=" ".join(digest for _, digest in row.files if digest),
            place=row.place,
        )


def place_of(origin: Origin) -> str:
    """Sheet and cell, page, or heading: "Gastos!E12", "p. 2", "Resultados"."""
    if origin.cell:
        return f"{origin.sheet}!{origin.cell}" if origin.sheet else origin.cell
    return f"p. {origin.page}" if origin.page is not None else origin.place


def _tells(figure: Figure) -> bool:
    """Labels, laws and bare years are no figures that an auditor asks about."""
    return figure.kind not in ("label", "law") and not (figure.kind == "date" and _YEAR.fullmatch(figure.value))


def _keys(fact: Fact, language: Language) -> Iterable[str]:
    """The marks of what a fact is evidence of."""
    found = {mark for one in figures(fact.value, language) for mark in marks(one)}
    reading = read_fact(fact, language)
    if reading.number is not None:
        value = f"{abs(reading.number).normalize() + 0:f}"
        found.add(f"value {value}")
        if reading.kind == "amount":
            found.add(f"amount {value} {reading.unit}")
        if reading.kind == "count" and not reading.noun:
            # "126" under the name "personas participantes"
            found.update(f"count {value} {one}" for one in stems(fact.name, language))
    return found


def _marked(source: Source, language: Language) -> dict[str, int]:
    """The marks of a source's figures, each with the first place where it stands."""
    found: dict[str, int] = {}
    for figure in figures(source.text, language):
        for mark in marks(figure):
            found.setdefault(mark, figure.start)
    return found


def _heading_at(text: str, at: int) -> str:
    last = ""
    for match in _HEADING.finditer(text, 0, at):
        last = match[1].strip()
    return last


def _bases(fact: Fact, facts: dict[str, Fact]) -> Iterator[Fact]:
    """The facts that nothing is computed from any further, in order, each once."""
    seen: set[str] = set()
    waiting = list(reversed(names_in(fact.derived)))
    while waiting:
        name = waiting.pop()
        one = facts.get(name)
        if one is None or name in seen:
            continue
        seen.add(name)
        if one.derived:
            waiting += reversed(names_in(one.derived))
        else:
            yield one


def _sentence(reading: Reading, figure: Figure) -> str:
    """The sentence that holds the figure, or the row of its table."""
    for grid in reading.tables:
        if grid.start <= figure.start < grid.end:
            for row in grid.rows:
                if row and any(cell.start <= figure.start < cell.end for cell in row):
                    return " | ".join(cell.plain for cell in row)[:_SENTENCE]
    span = reading.sentence(figure.start)
    return plain(reading.text[span.start : span.end])[:_SENTENCE]


def _signed(text: str, figure: Figure, written: str) -> str:
    before = text[figure.start - 1 : figure.start]
    return f"{before}{written}" if before in ("-", "−") and before else written


def _reviewed(line: Line, paragraphs: Sequence[Paragraph], figure: Figure) -> Line:
    for one in paragraphs:
        if one.start <= figure.start < one.end:
            return replace(line, reviewed_by=one.reviewed_by or "", reviewed=one.reviewed or "")
    return line


def titles(report: Report) -> dict[str, str]:
    """Number and heading by section id."""
    return {
        section.id: " ".join(part for part in (number, section.heading) if part) or report.title
        for section, number in zip(report, report.numbers(), strict=True)
    }
