"""Names across sections: nearly the right name, and acronyms that are expanded in two ways or never.

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
from fabai.checks.violation import Violation
from fabai.names import fold_word, names

_LONGEST = 5
"""Words of the longest stretch of a name that is compared by itself."""
_LEAST = 5
"""Letters of a word that can be a slip of another."""
_ACRONYM = r"[A-ZÁÉÍÓÚÇÑ][A-ZÁÉÍÓÚÇÑ0-9&]{1,7}s?"
_BRACKETED = rf"[(«“\"]+(?P<short>{_ACRONYM})[)»”\"]+"
_EXPANDED = re.compile(rf"(?P<long>[^\W\d_][^()\n|.;:!?]{{6,120}}?)[ \u00a0]*{_BRACKETED}")
_USED = re.compile(rf"(?<![\w./-]){_ACRONYM}(?![\w/-])")
_WORD = re.compile(r"[^\W\d_]+(?:[·-][^\W\d_]+)*")
_SMALL = frozenset(
    [
        "de",
        "del",
        "la",
        "las",
        "los",
        "el",
        "y",
        "e",
        "en",
        "para",
        "por",
        "al",
        "a",
        "con",
        "d",
        "l",
        "dels",
        "les",
        "els",
        "i",
        "per",
        "the",
        "of",
        "and",
        "for",
        "in",
        "to",
        "on",
        "amb",
    ]
)


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
    """Names that are one slip away from a right one, and what is odd about acronyms. readings: by section, in order."""
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
    yield from _acronyms(readings, known)


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
    spans = [match for match in _WORD.finditer(one.text) if not match[0][0].islower()]
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
            if column < len(row) and 1 < len(_WORD.findall(row[column].plain)) < 7 and row[column].plain[0].isupper():
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
    return tuple(fold_word(word) for word in _WORD.findall(name) if not word[0].islower())


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
        if len(word) < _LEAST - 1:
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


@lru_cache(maxsize=50_000)
def slip(word: str, other: str) -> bool:
    """Whether two words are one or two slips of the pen apart, and no plural, gender or numeral of each other."""
    if len(other) < _LEAST - (len(word) >= _LEAST) or abs(len(word) - len(other)) > 2:
        return False
    short, long = sorted((word, other), key=len)
    if long in (f"{short}s", f"{short}es", f"{short}a", f"{short}as") or re.fullmatch(r"[ivxlc]+", short):
        return False
    if word[:-1] == other[:-1] and {word[-1], other[-1]} <= set("aeo"):
        return False
    if word.rstrip("s")[:-1] == other.rstrip("s")[:-1] and {word.rstrip("s")[-1], other.rstrip("s")[-1]} <= set("aeo"):
        return False
    apart = distance(word, other)
    return apart == 1 or (apart == 2 and min(len(word), len(other)) >= 8 and word[0] == other[0])


def distance(word: str, other: str) -> int:
    """Letters put in, left out, changed or swapped with their neighbour (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(word, 1):
        current = [row]
        for column, theirs in enumerate(other, 1):
            best = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != theirs))
            if row > 1 and column > 1 and letter == other[column - 2] and word[row - 2] == theirs:
                best = min(best, before[column - 2] + 1)
            current.append(best)
        before, last = last, current
    return last[-1]


def _uses(name: str, readings: Sequence[tuple[str, Reading]]) -> int:
    return sum(reading.text.count(name) for _, reading in readings)


def _mended(one: Mention, position: int, name: Right, word: str) -> str:
    right = next((w for w in _WORD.findall(name.text) if fold_word(w) == word), word)
    seen = -1
    for match in _WORD.finditer(one.text):
        if not match[0][0].islower():
            seen += 1
            if seen == position:
                return one.text[: match.start()] + right + one.text[match.end() :]
    return name.text


def _acronyms(readings: Sequence[tuple[str, Reading]], known: Known) -> Iterator[Violation]:
    """Acronyms with two meanings, and those of the ledger that nothing in the report explains."""
    expansions: dict[str, list[tuple[str, str, int, int]]] = defaultdict(list)
    for section, reading in readings:
        for short, long, start, end in expanded(reading):
            expansions[short].append((section, long, start, end))
    for short, found in expansions.items():
        first = found[0]
        for section, long, start, end in found[1:]:
            if not _same_name(first[1], long):
                yield Violation(
                    *("acronym-twice", section, "warning", long, first[1], f"{long} ({short})", start, end),
                    evidence=f"{first[1]} ({short})",
                )
                break
    wanted = _wanted(known)
    for section, reading in readings:
        for match in _USED.finditer(reading.text):
            meaning = wanted.get(match[0])
            if meaning is None or match[0] in expansions:
                continue
            del wanted[match[0]]
            if any(_mentions(other.text, meaning) for _, other in readings):
                continue
            yield Violation(
                *("acronym-unexplained", section, "warning", match[0], meaning, match[0], match.start(), match.end()),
                evidence=f"{match[0]}: {meaning}",
                suggestion=f"{meaning} ({match[0]})",
            )


@remembered
def expanded(reading: Reading) -> tuple[tuple[str, str, int, int], ...]:
    """The acronyms that a section expands: short, long, and where."""
    found = []
    # most sections have none, which is found sooner than that no word leads to one
    for match in _EXPANDED.finditer(reading.text) if re.search(_BRACKETED, reading.text) else ():
        short = match["short"].rstrip("s")
        long = _initials(match["long"], short)
        if long is not None and not reading.in_table(match.start()):
            found.append((short, long, match.end("long") - len(long), match.end()))
    return tuple(found)


def _initials(long: str, short: str) -> str | None:
    """The last words of a stretch whose initials are an acronym; None where they are not."""
    spans = list(_WORD.finditer(long))
    letters = [fold_word(one) for one in short if one.isalpha()]
    place = len(letters) - 1
    for match in reversed(spans):
        bare = fold_word(match[0])
        if place >= 0 and bare[:1] == letters[place]:
            place -= 1
            if place < 0:
                return long[match.start() :].strip(" *_«“\"'")
        elif bare not in _SMALL:
            return None
    return None


def _same_name(one: str, other: str) -> bool:
    first, second = ([fold_word(w) for w in _WORD.findall(text) if fold_word(w) not in _SMALL] for text in (one, other))
    if len(first) != len(second):
        return False
    # singular and plural, and the same words in another language
    return all(a[:3] == b[:3] or (a[:1] == b[:1] and distance(a, b) <= 2) for a, b in zip(first, second, strict=True))


def _wanted(known: Known) -> dict[str, str]:
    """Acronyms that stand for a name of the ledger: by a fact of their own, or by initials."""
    longs = [fact.fact.value for fact in known.facts if not fact.figures and len(words_of(fact.fact.value)) > 1]
    found = {}
    for fact in known.facts:
        short = fact.fact.value.strip()
        if re.fullmatch(_ACRONYM, short):
            long = next((one for one in longs if _initials(one, short) is not None), None)
            if long is not None:
                found[short] = long
    return found


def _mentions(text: str, long: str) -> bool:
    words = words_of(long)
    return any(words_of(one.text) == words for one in names(text))
