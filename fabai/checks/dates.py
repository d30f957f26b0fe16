"""Dates: days that no calendar has, days outside the project's period, and ends before their beginnings.

Knows days of a law or of a document's date, which may lie anywhere. Does not know how the period is found
(fabai.checks.known).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from datetime import date

from fabai.checks.known import Known, days_of
from fabai.checks.lists import fold_phrase, folded, lists, phrases
from fabai.checks.reading import Reading, remembered
from fabai.checks.violation import Violation
from fabai.figures import Figure, accepted

_REACH = 70
"""Characters in front of a date that say that it is a law's or a document's."""
_WRITTEN = re.compile(
    r"(?<![\w./-])(\d{1,2})([/.-])(\d{1,2})\2((?:1[89]|20)\d\d)(?![\w/-])|(?<![\w./-])((?:1[89]|20)\d\d)-(\d\d)-(\d\d)(?![\w/-])"
)
_RANGE = re.compile(
    r"^[ \u00a0]*(?:,[ \u00a0]*)?(?:(?:y[ \u00a0]+)?(?:hasta|al?|fins)(?:[ \u00a0]+(?:el|al?))?(?:[ \u00a0]+d[ií]a)?"
    r"|i[ \u00a0]+(?:el|fins al?)|y[ \u00a0]+el|to|until|till|through|and|–|-|—)(?:[ \u00a0]+(?:día|dia))?[ \u00a0]*$",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"(?:\b(?:del?|desde(?: el)?|entre(?: el)?|des del?|from|between|since)(?: (?:día|dia))?|\()[ \u00a0]*$",
    re.IGNORECASE,
)


@remembered
def check_dates(section: str, reading: Reading, known: Known) -> tuple[Violation, ...]:
    """What is wrong with a section's dates. The last sections are remembered."""
    return (*_impossible(section, reading), *_outside(section, reading, known), *_order(section, reading))


def _impossible(section: str, reading: Reading) -> Iterator[Violation]:
    text = reading.text
    seen = set()
    for one in reading.figures:
        if one.kind == "date" and re.fullmatch(r"(?:\d{4}|-)-\d\d-\d\d", one.value) and not _exists(one.value):
            seen.add(one.start)
            quote = text[one.start : one.end].strip()
            yield Violation("date-impossible", section, "error", quote, "", quote, one.start, one.start + len(quote))
    for match in _WRITTEN.finditer(text):
        if any(abs(match.start() - start) < 2 for start in seen) or any(
            one.start <= match.start() < one.end for one in reading.code
        ):
            continue
        day, month, year = (match[1], match[3], match[4]) if match[1] else (match[7], match[6], match[5])
        # month first is a custom of English
        orders = [(month, day), (day, month)] if match[1] and reading.language == "en" else [(month, day)]
        if not any(_exists(f"{year}-{int(one):02d}-{int(other):02d}") for one, other in orders):
            if match[1] and (int(day) > 31 or int(month) > 12) and match[2] != "/":
                continue
            yield Violation("date-impossible", section, "error", match[0], "", match[0], match.start(), match.end())


def _exists(value: str) -> bool:
    year, month, day = value[:4] if value[0] != "-" else "2024", value[-5:-3], value[-2:]
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def _outside(section: str, reading: Reading, known: Known) -> Iterator[Violation]:
    period = known.period
    if period is None:
        return
    laws = phrases(lists(reading.language).law)
    for one in reading.figures:
        if one.kind != "date" or "-" not in one.value or one.value.startswith("-"):
            continue
        days = days_of(one.value)
        if days is None or (days[1] >= period.start and days[0] <= period.end):
            continue
        if any(mark in known.dates for mark in accepted(one)):
            continue
        sentence = reading.sentence(one.start)
        before = reading.text[max(sentence.start, one.start - _REACH) : one.start]
        if laws.search(before):
            continue
        quote = reading.text[one.start : one.end].strip()
        near = min(abs((days[0] - period.end).days), abs((period.start - days[1]).days)) <= 400
        yield Violation(
            *("date-outside", section, "error" if near else "warning", quote, f"{period.start} – {period.end}", quote),
            *(one.start, one.start + len(quote)),
            evidence=period.evidence,
        )


def _order(section: str, reading: Reading) -> Iterator[Violation]:
    """'Del 5 de marzo al 1 de febrero': an end before its beginning, in text and in the rows of a table."""
    dates = [one for one in reading.figures if one.kind == "date"]
    for first, second in itertools.pairwise(dates):
        between = reading.text[first.end : second.start]
        if (
            len(between) > 24
            or not _RANGE.match(between)
            or not _FROM.search(reading.text[max(0, first.start - 16) : first.start])
        ):
            continue
        if _later(first, second):
            yield _backwards(section, reading, first, second)
    words = lists(reading.language)
    for table in reading.tables:
        heads = [fold_phrase(table.head(column)) for column in range(table.columns)]
        start = next((column for column, head in enumerate(heads) if head in folded(words.start)), None)
        end = next((column for column, head in enumerate(heads) if head in folded(words.end)), None)
        if start is None or end is None:
            continue
        for row in table.body:
            if max(start, end) >= len(row):
                continue
            one = next((figure for figure in dates if row[start].start <= figure.start < row[start].end), None)
            other = next((figure for figure in dates if row[end].start <= figure.start < row[end].end), None)
            if one is not None and other is not None and _later(one, other):
                yield _backwards(section, reading, one, other)


def _later(first: Figure, second: Figure) -> bool:
    """Days without a year tell nothing: a season may end in the next one."""
    one, other = days_of(first.value), days_of(second.value)
    return one is not None and other is not None and one[0] > other[1]


def _backwards(section: str, reading: Reading, first: Figure, second: Figure) -> Violation:
    quote = reading.text[second.start : second.end].strip()
    begun = reading.text[first.start : first.end].strip()
    return Violation(
        "date-order", section, "error", quote, begun, quote, second.start, second.start + len(quote), evidence=begun
    )
