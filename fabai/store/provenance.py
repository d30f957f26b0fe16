"""Where the paragraphs of a text come from: the first version that has each, also where it was moved or changed a
little since.

Knows versions and words. Does not know reviews, or where versions are kept.

A paragraph's words decide, not its place, so that moving, splitting and joining paragraphs changes nothing. The first
version of its section that has it says who wrote it. Where that is a person's version, the person may have changed or
moved what stood before: if at least half of the paragraph's words stand in runs of four that an earlier text has, it is
still that text's (`edited`), else the person's own. A model that repeats what a person wrote leaves it the person's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from fabai.store.record import Made, ParagraphOrigin, Version
from fabai.window.blocks import blocks

RUN = 4
"""Words in a row that tell that a passage was taken over."""
SHARE = 0.5
"""Of a paragraph's words that must have been taken over."""

_WORD = re.compile(r"\w+")
_BY_HAND: dict[str, ParagraphOrigin] = {"import": "imported", "inherited": "inherited", "person": "person"}


@dataclass(frozen=True, slots=True)
class Birth:
    """How a paragraph came to be. version: its id; edited: changed by a person since."""

    origin: ParagraphOrigin
    version: int
    made: Made
    edited: bool = False


@dataclass
class _Past:
    """What one section's versions had, oldest first."""

    births: dict[str, Birth] = field(default_factory=dict)
    runs: dict[tuple[str, ...], Birth] = field(default_factory=dict)


def split(text: str) -> list[tuple[int, int]]:
    """The paragraphs of a Markdown text as ranges: what a blank line parts, a list or a table whole; no bare marks."""
    return [
        (one.start, one.end)
        for one in blocks(text)
        if one.kind != "fence" and any(map(str.isalnum, text[one.start : one.end]))
    ]


def paragraph_hash(text: str) -> str:
    """Of the words and marks of a paragraph; line ends and spaces do not count."""
    return sha256(" ".join(unicodedata.normalize("NFC", text).split()).encode("utf-8", "surrogatepass")).hexdigest()


def origin_of(made: Made) -> ParagraphOrigin:
    """Who wrote what a version brings: anything that is no import and no person is a model."""
    return _BY_HAND.get(made.writer, "ai")


class Provenance:
    """Learns versions in the order of their ids, and then tells how each paragraph came to be."""

    def __init__(self) -> None:
        self.last = 0
        self._sections: dict[str, _Past] = {}
        self._everywhere: dict[str, Birth] = {}
        self._runs: dict[tuple[str, ...], Birth] = {}

    def learn(self, versions: Iterable[Version]) -> None:
        for version in versions:
            self._learn(version)
            self.last = max(self.last, version.id)

    def of(self, section: str, paragraph: str) -> Birth | None:
        """None where no version of the section had the paragraph."""
        past = self._sections.get(section)
        return None if past is None else past.births.get(paragraph_hash(paragraph))

    def _learn(self, version: Version) -> None:
        past = self._sections.setdefault(version.section, _Past())
        fresh: list[tuple[str, Birth]] = []
        for start, end in split(version.text):
            text = version.text[start:end]
            digest = paragraph_hash(text)
            if digest not in past.births:
                past.births[digest] = self._birth(version, past, digest, text)
            fresh.append((text, past.births[digest]))
            self._everywhere.setdefault(digest, past.births[digest])
        # a version is compared with what was before it, never with itself
        for text, birth in fresh:
            for run in _runs(text):
                past.runs.setdefault(run, birth)
                self._runs.setdefault(run, birth)

    def _birth(self, version: Version, past: _Past, digest: str, text: str) -> Birth:
        own = Birth(origin_of(version.made), version.id, version.made)
        if own.origin != "person":
            return own
        if digest in self._everywhere:
            return self._everywhere[digest]
        words = _WORD.findall(text.lower())
        if len(words) < RUN:
            return own
        taken: dict[int, int] = {}
        births: dict[int, Birth] = {}
        covered: list[Birth | None] = [None] * len(words)
        for at in range(len(words) - RUN + 1):
            run = tuple(words[at : at + RUN])
            birth = past.runs.get(run) or self._runs.get(run)
            if birth is not None:
                for place in range(at, at + RUN):
                    covered[place] = covered[place] or birth
        for one in covered:
            if one is not None and one.origin != "person":
                taken[one.version] = taken.get(one.version, 0) + 1
                births.setdefault(one.version, one)
        if sum(taken.values()) < SHARE * len(words):
            return own
        # of several texts that were joined, a model's counts first: it is what must be reviewed
        first = max(taken, key=lambda one: (births[one].origin == "ai", births[one].origin == "inherited", taken[one]))
        return Birth(births[first].origin, first, births[first].made, edited=True)


def _runs(text: str) -> Iterable[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
