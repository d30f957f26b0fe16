"""People in the text against the tables of people: a team of five beside six rows, a person whom no table has.

Knows tables with a column of names. Does not know slips in a name (fabai.checks.naming).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fabai.checks.lists import any_of, lists
from fabai.checks.naming import people_of, words_of
from fabai.checks.reading import Reading
from fabai.checks.violation import Violation
from fabai.names import fold_word
from fabai.number_words import value_of
from fabai.window.words import stem

_NAME = r"[A-ZÁÉÍÓÚÀÈÌÒÙÇÑ][\w·'’-]+(?:[ \u00a0](?:(?:de|del|i|y|la|los)[ \u00a0]){0,2}[A-ZÁÉÍÓÚÀÈÌÒÙÇÑ][\w·'’-]+){1,4}"


def check_staff(readings: Sequence[tuple[str, Reading]]) -> Iterator[Violation]:
    """Where text and tables disagree about people. readings: by section, in order."""
    tables = [(section, people) for section, reading in readings if len(people := people_of(reading)) >= 2]
    if not tables:
        return
    everyone = {words_of(name) for _, people in tables for name in people}
    for section, reading in readings:
        own = next((people for other, people in tables if other == section), tables[0][1] if len(tables) == 1 else ())
        if own:
            yield from _counted(section, reading, own)
        yield from _unlisted(section, reading, everyone)


def _counted(section: str, reading: Reading, people: Sequence[str]) -> Iterator[Violation]:
    words = lists(reading.language)
    stems = {stem(one, reading.language) for one in words.people} | {stem(one, reading.language) for one in words.who}
    pattern = re.compile(
        rf"(?<!\w)(?:{any_of(words.team)})[ \u00a0]+(?P<number>\d{{1,3}}|[^\W\d_]+(?:-i-[^\W\d_]+)?)"
        r"[ \u00a0]+(?P<noun>[^\W\d_]+)",
        re.I,
    )
    for match in pattern.finditer(reading.text):
        said = int(match["number"]) if match["number"].isdigit() else value_of(match["number"], reading.language)
        if (
            said is None
            or said < 2
            or said == len(set(people))
            or stem(match["noun"].lower(), reading.language) not in stems
        ):
            continue
        start, end = match.span("number")
        yield Violation(
            *("people-count", section, "warning", match["number"], str(len(set(people))), match[0], start, end),
            evidence="; ".join(people)[:200],
            suggestion=str(len(set(people))),
        )


def _unlisted(section: str, reading: Reading, everyone: set[tuple[str, ...]]) -> Iterator[Violation]:
    """Persons with a title whom no table of people has."""
    titles = lists(reading.language).titles
    sure = [one for one in titles if one.endswith(".") or one in ("don", "doña", "dr", "mr", "mrs", "ms", "prof", "dª")]
    pattern = re.compile(rf"(?<!\w)(?i:{any_of(sure)})[ \u00a0]+(?P<name>{_NAME})")
    for match in pattern.finditer(reading.text):
        words = words_of(match["name"])
        if reading.in_table(match.start()) or any(_same(words, other) for other in everyone):
            continue
        start, end = match.span("name")
        yield Violation("people-unlisted", section, "warning", match["name"], "", match["name"], start, end)


def _same(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names may be one person's: each word of the shorter, or its initial, stands in the longer."""
    short, long = sorted((words, other), key=len)
    return all(
        any(one == two or (len(one) == 1 and two.startswith(one)) for two in long) for one in map(fold_word, short)
    )
