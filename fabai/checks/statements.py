"""Statements that the report itself contradicts or does not support: all went well beside late rows, praise without a
figure, phrases of an earlier period.

Knows phrases of claims and of praise, recorded status in tables, and years. Does not know whether anything went well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from fabai.checks.known import Known, days_of
from fabai.checks.lists import any_of, fold_phrase, folded, lists, phrases
from fabai.checks.reading import Reading, remembered
from fabai.checks.repetition import Said, said
from fabai.checks.violation import Violation
from fabai.figures import accepted
from fabai.report import Language

_NEGATED = re.compile(r"(?:\bno\b|\bnot\b|\bni\b|\bsin\b|\bsense\b|n't)[^.;]{0,40}$", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\bno|\bnot|n't|\bni|\bsin|\bsense|\bwithout)(?! (?:solo|sólo|solamente|només|sols|only)\b)(?: \w+){0,2} $",
    re.IGNORECASE,
)
_GRADES = re.compile(
    r"\b(?:buen[ao]|notable|satisfactori[ao]|suficiente?|deficiente?|bona|bé|good|fair|poor)\b"
    r"[”»\"]?,? (?:[oyi]|or|and) [“«\"]?$",
    re.IGNORECASE,
)
_RECENT = 6
"""Years before a project in which an earlier period may lie; what lies further back is history."""


def check_claims(readings: Sequence[tuple[str, Reading]], missed: Sequence[str] = ()) -> Iterator[Violation]:
    """Claims that all went to plan, where tables or the dossier record that something did not.

    readings: by section, in order. missed: what the dossier has as not reached, in words.
    """
    late = [(section, row) for section, reading in readings for row in late_rows(reading)]
    late += [("", one) for one in missed]
    if not late:
        return
    for section, reading in readings:
        own = [row for other, row in late if other == section] or [row for _, row in late]
        for match in phrases(lists(reading.language).claims).finditer(reading.text):
            if reading.in_table(match.start()) or _is_negated(reading.text, match.start(), match[0]):
                continue
            sentence = reading.sentence(match.start())
            if re.search(
                r"(?i)\b(?:salvo|excepto|except|excepte|llevat|tret de|aunque|although|pero|però|but)\b",
                reading.text[match.end() : sentence.end],
            ):
                continue
            yield Violation(
                *(
                    "claim-contradicted",
                    section,
                    "error",
                    match[0],
                    str(len(own)),
                    match[0],
                    match.start(),
                    match.end(),
                ),
                evidence="; ".join(own[:4]),
            )


def _is_negated(text: str, start: int, phrase: str) -> bool:
    if re.match(r"(?i)no |sin |sense |without |all |tod|tot", phrase):
        return False
    return _NEGATED.search(text[max(0, start - 60) : start]) is not None


@remembered
def late_rows(reading: Reading) -> tuple[str, ...]:
    """Rows of a section's tables that record something late, missed or left undone: 'E4: retrasado'."""
    words = lists(reading.language)
    late = folded(words.late)
    found = []
    for table in reading.tables:
        heads = [fold_phrase(table.head(column)) for column in range(table.columns)]
        if not any(
            head in folded(words.status) or any(word in head.split() for word in folded(words.status)) for head in heads
        ):
            continue
        for row in table.body:
            for column, cell in enumerate(row):
                status = fold_phrase(cell.plain)
                if status in late or (
                    column < len(heads)
                    and heads[column] in folded(words.status)
                    and any(status.startswith(f"{one} ") for one in late)
                ):
                    found.append(f"{row[0].plain}: {cell.plain}" if column else cell.plain)
                    break
    return tuple(found)


@remembered
def check_praise(section: str, reading: Reading) -> tuple[Violation, ...]:
    """Superlatives in sentences without a figure. The last sections are remembered."""
    return tuple(_praise(section, reading))


def _praise(section: str, reading: Reading) -> Iterator[Violation]:
    figures = [one.start for one in reading.figures if one.kind != "label"]
    for match in phrases(lists(reading.language).praise).finditer(reading.text):
        sentence = reading.sentence(match.start())
        body = reading.text[sentence.start : sentence.end]
        if any(sentence.start <= at < sentence.end for at in figures) or re.search(r"\[\^|\[@|https?:", body):
            continue
        if reading.in_table(match.start()) or any(span.start <= match.start() < span.end for span in reading.code):
            continue
        if not _boasts(reading.text, match.start(), match.end(), match[0], reading.language):
            continue
        yield Violation("superlative", section, "warning", match[0], "", match[0], match.start(), match.end())


def _boasts(text: str, start: int, end: int, phrase: str, language: Language) -> bool:
    """'The best' of a comparison ('the best value of k') and of a custom ('best practices') praises nobody, nor does
    what is denied ('no és insuperable').
    """
    if _DENIED.search(text[max(0, start - 40) : start]) is not None or _named(text, start, end):
        return False
    first = phrase.lower().split()[0]
    if first not in ("el", "la", "los", "las", "els", "les", "the"):
        return True
    before = text[max(0, start - 24) : start].lower()
    owners = {
        "es": r"\b(?:somos|son|es|fue|ser|como)\s*$",
        "ca": r"\b(?:som|són|és|va ser|ser|com)\s*$",
        "en": r"\b(?:are|is|was|were|be|as)\s*$",
    }
    after = text[end : end + 40].lower()
    return (
        re.search(owners[language], before) is not None
        and re.search(
            r"^\s*(?:de|del|of|in|en|d['’])\s*(?:la|el|l['’]|the|españa|europa|europe|catalunya|sector|mundo|world|món)",
            after,
        )
        is not None
    )


def _named(text: str, start: int, end: int) -> bool:
    """Whether the word is a name's ('el Tribunal Revolucionari'), stands in quotation marks, or is one of several marks
    that are given ('deficiente, buena o excelente').
    """
    opens = (
        text[:start].rstrip(' *_"«“¡')[-1:] in ("", ".", "!", "?", ":", "|") or "\n" in text[max(0, start - 2) : start]
    )
    if text[start].isupper() and not opens and not text[start:end].isupper():
        return True
    if text[start - 1 : start] in ('"', "“", "«", "‘", "'") and text[end : end + 1] in ('"', "”", "»", "’", "'"):
        return True
    return _GRADES.search(text[max(0, start - 60) : start]) is not None


@remembered
def check_earlier(
    section: str, reading: Reading, known: Known, earlier: tuple[tuple[str, str], ...]
) -> tuple[Violation, ...]:
    """Phrases that speak of an earlier period. earlier: reports of earlier periods, name and text. The last sections
    are remembered.
    """
    found = {one.start: one for one in _years(section, reading, known)}
    for one in _kept(section, reading, earlier):
        found.setdefault(one.start, one)
    return tuple(found.values())


def _years(section: str, reading: Reading, known: Known) -> Iterator[Violation]:
    period = known.period
    if period is None:
        return
    text = reading.text
    words = lists(reading.language)
    before_year = re.compile(rf"(?<!\w)(?:{any_of(words.period_of)})[ \u00a0]+$", re.IGNORECASE)
    planned = phrases(words.next)
    for one in reading.figures:
        if one.kind != "date" or reading.in_table(one.start):
            continue
        days = days_of(one.value)
        if days is None:
            continue
        quote = text[one.start : one.end].strip()
        sentence = reading.sentence(one.start)
        ahead = text[sentence.start : one.start]
        past = days[1] < period.start and period.start.year - days[1].year <= _RECENT
        by_year = "-" not in one.value and before_year.search(text[max(0, one.start - 40) : one.start]) is not None
        announced = (
            days[1] < date(period.end.year, 1, 1) and planned.search(ahead[-60:]) is not None and days[1] < period.start
        )
        if past and (by_year or announced) and not any(mark in known.dates for mark in accepted(one)):
            yield Violation(
                *("earlier-period", section, "warning", quote, f"{period.start} – {period.end}", quote),
                *(one.start, one.start + len(quote)),
                evidence=period.evidence,
            )


def _kept(section: str, reading: Reading, earlier: tuple[tuple[str, str], ...]) -> Iterator[Violation]:
    """Sentences with a figure or a date that an earlier report already had."""
    if not earlier:
        return
    index = _sentences_of(earlier, reading.language)
    for one in said(section, reading):
        if not any(figure.kind != "label" and one.start <= figure.start < one.end for figure in reading.figures):
            continue
        for key in one.sketch:
            name = next((name for name, other in index.get(key, ()) if _same(one, other)), None)
            if name is not None:
                quote = " ".join(reading.text[one.start : one.end].split())[:80]
                yield Violation(
                    "earlier-phrase", section, "warning", quote, name, quote, one.start, one.end, evidence=name
                )
                break


def _same(one: Said, other: Said) -> bool:
    both = len(one.shingles & other.shingles)
    return both >= 0.9 * (len(one.shingles) + len(other.shingles) - both)


@lru_cache(maxsize=8)
def _sentences_of(earlier: tuple[tuple[str, str], ...], language: Language) -> dict[int, list[tuple[str, Said]]]:
    from fabai.checks.reading import read

    index: dict[int, list[tuple[str, Said]]] = {}
    for name, text in earlier:
        for one in said(name, read(text, language)):
            for key in one.sketch:
                index.setdefault(key, []).append((name, one))
    return index
