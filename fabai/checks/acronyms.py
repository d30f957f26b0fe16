"""Acronyms across sections: expanded in two ways, or never.

Knows acronyms by their letters and by the initials of what stands before a bracket. Does not know which body is meant.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from fabai.checks.known import Known
from fabai.checks.naming import WORD, words_of
from fabai.checks.reading import Reading, remembered
from fabai.checks.slip import distance
from fabai.checks.violation import Violation
from fabai.names import fold_word, names

_ACRONYM = r"[A-ZÁÉÍÓÚÇÑ][A-ZÁÉÍÓÚÇÑ0-9&]{1,7}s?"
_BRACKETED = rf"[(«“\"]+(?P<short>{_ACRONYM})[)»”\"]+"
_EXPANDED = re.compile(rf"(?P<long>[^\W\d_][^()\n|.;:!?]{{6,120}}?)[ \u00a0]*{_BRACKETED}")
_USED = re.compile(rf"(?<![\w./-]){_ACRONYM}(?![\w/-])")
_SMALL = re.compile("de|del|la|las|los|el|y|e|en|para|por|al|a|con|d|l|dels|les|els|i|per|amb|the|of|and|for|in|to|on")


def check_acronyms(readings: Sequence[tuple[str, Reading]], known: Known) -> Iterator[Violation]:
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
    spans = list(WORD.finditer(long))
    letters = [fold_word(one) for one in short if one.isalpha()]
    place = len(letters) - 1
    for match in reversed(spans):
        bare = fold_word(match[0])
        if place >= 0 and bare[:1] == letters[place]:
            place -= 1
            if place < 0:
                return long[match.start() :].strip(" *_«“\"'")
        elif not _SMALL.fullmatch(bare):
            return None
    return None


def _same_name(one: str, other: str) -> bool:
    first, second = (
        [word for word in map(fold_word, WORD.findall(text)) if not _SMALL.fullmatch(word)] for text in (one, other)
    )
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
