"""Names across sections that are nearly the right name.

Knows the names of the ledger, of the sources, of tables of people, and those that the report itself uses most. Does not
know which names are people.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fabai.checks.known import Known
from fabai.checks.lists import fold_phrase, folded, lists
from fabai.checks.reading import Reading, remembered
from fabai.checks.slip import LEAST, slip
from fabai.checks.violation import Violation
from fabai.names import fold_word

_LONGEST = 5
"""Words of the longest stretch of a name that is compared by itself."""
WORD = re.compile(r"[^\W\d_]+(?:[·-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    """A name where it stands. words: its capitalised words, folded."""

    section: str
    start: int
    end: int
    text: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Right:
    """A name that is known to be right, from where."""

    text: str
    words: tuple[str, ...]
    evidence: str
    sure: bool


def check_names(readings: Sequence[tuple[str, Reading]], known: Known) -> Iterator[Violation]:
    """Names that are one slip away from a right one. readings: by section, in order."""
    mentions = [one for section, reading in readings for one in mentions_of(section, reading)]
    right = list(_right(mentions, readings, known))
    sure = {tail for one in right if one.sure for tail in _tails(one.words)}
    slots: dict[tuple[str, ...], list[Right]] = defaultdict(list)
    for name in right:
        for tail in _tails(name.words):
            for position in range(len(tail)):
                slots[(*tail[:position], "", *tail[position + 1 :])].append(name)
    for one in mentions:
        parts = _parts(one)
        if any(part.words in sure and len(part.words) == len(one.words) for part in parts):
            continue
        found = next(
            (found for part in parts if (found := _nearest(part, slots, readings, sure, known)) is not None), None
        )
        if found is None:
            continue
        part, right_one, suggestion = found
        yield Violation(
            *(
                "name-varies",
                one.section,
                "error" if right_one.sure else "warning",
                part.text,
                right_one.text,
                part.text,
            ),
            *(part.start, part.end),
            evidence=right_one.evidence,
            suggestion=suggestion,
        )


def _right(
    mentions: Sequence[Mention],
    readings: Sequence[tuple[str, Reading]],
    known: Known,
) -> Iterator[Right]:
    for fact in known.facts:
        if fact.figures:
            continue
        words = words_of(fact.fact.value)
        if words and len(fact.fact.value) < 120:
            yield Right(fact.fact.value, words, fact.evidence, True)
    for section, reading in readings:
        for name in people_of(reading):
            words = words_of(name)
            if len(words) > 1:
                yield Right(name, words, f"{section}: {name}", True)
    seen: set[tuple[str, ...]] = set()
    for mention in mentions:
        for one in _parts(mention):
            if len(one.words) > 1 and one.words not in seen:
                seen.add(one.words)
                yield Right(one.text, one.words, one.text, False)


@lru_cache(maxsize=8_192)
def _parts(one: Mention) -> tuple[Mention, ...]:
    """A name and the stretches of two words and more in it, longest first: "Illes Balears" in an agency's name."""
    spans = [match for match in WORD.finditer(one.text) if not match[0][0].islower()]
    size = len(spans)
    found = [one]
    for length in range(min(size - 1, _LONGEST), 1, -1):
        for at in range(size - length + 1):
            start, end = spans[at].start(), spans[at + length - 1].end()
            words = one.words[at : at + length]
            found.append(Mention(one.section, one.start + start, one.start + end, one.text[start:end], words))
    return tuple(found)


@remembered
def people_of(reading: Reading) -> tuple[str, ...]:
    """The names in the tables of people of a section."""
    words = lists(reading.language)
    found = []
    for table in reading.tables:
        column = next((n for n in range(table.columns) if fold_phrase(table.head(n)) in folded(words.who)), None)
        if column is None:
            continue
        for row in table.body:
            if column < len(row) and 1 < len(WORD.findall(row[column].plain)) < 7 and row[column].plain[0].isupper():
                found.append(row[column].plain)
    return tuple(found)


@remembered
def mentions_of(section: str, reading: Reading) -> tuple[Mention, ...]:
    """The names of a section. The last sections are remembered."""
    return tuple(
        Mention(section, one.start, one.end, one.text, words)
        for one in reading.names
        if (words := words_of(one.text)) and not any(span.start <= one.start < span.end for span in reading.code)
    )


@lru_cache(maxsize=50_000)
def words_of(name: str) -> tuple[str, ...]:
    """The capitalised words of a name, folded."""
    return tuple(fold_word(word) for word in WORD.findall(name) if not word[0].islower())


def _tails(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A name and what is left of it where its first word opens a sentence."""
    yield words
    if len(words) > 2:
        yield words[1:]


def _nearest(
    one: Mention,
    slots: Mapping[tuple[str, ...], list[Right]],
    readings: Sequence[tuple[str, Reading]],
    sure: Collection[tuple[str, ...]],
    known: Known,
) -> tuple[Mention, Right, str] | None:
    """The right name that a stretch of a name is one slip away from, and the stretch mended."""
    if one.words in sure:
        return None
    for position, word in enumerate(one.words):
        if len(word) < LEAST - 1:
            continue
        for name in slots.get((*one.words[:position], "", *one.words[position + 1 :]), ()):
            theirs = name.words[position + len(name.words) - len(one.words)]
            if theirs == word or not slip(word, theirs):
                continue
            if len(one.words) == 1 and (not name.sure or len(word) < 6):
                continue
            # what is written so more than once, or in a source, is another name; what is written so once is no better
            if not name.sure and (
                all(word in known.words for word in one.words)
                or _uses(one.text, readings) > 1
                or _uses(name.text, readings) < 2
            ):
                continue
            return one, name, _mended(one, position, name, theirs)
    return None


def _uses(name: str, readings: Sequence[tuple[str, Reading]]) -> int:
    return sum(reading.text.count(name) for _, reading in readings)


def _mended(one: Mention, position: int, name: Right, word: str) -> str:
    right = next((w for w in WORD.findall(name.text) if fold_word(w) == word), word)
    seen = -1
    for match in WORD.finditer(one.text):
        if not match[0][0].islower():
            seen += 1
            if seen == position:
                return one.text[: match.start()] + right + one.text[match.end() :]
    return name.text
