"""Near-duplicates: pairs of sections that say the same in nearly the same words, within a document and across.

Knows shingles of words, MinHash and its index (datasketch), and checks each pair that the index proposes. Does not know
splits or what becomes of a duplicate.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fabai.names import fold_word
from fabai.settings import SplitSettings

from .document import CorpusDocument

DEFAULTS = SplitSettings()

_WORD = re.compile(r"\w+")
_MOST = 24
"""Candidates looked at: a text that stands in a thousand documents needs no million pairs to be found."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """One section of the corpus: a document's id and the position in it."""

    document: str
    section: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sections that are nearly the same; `first` stands earlier in the corpus. alike: Jaccard of their shingles.
    words: of the shorter one.
    """

    first: Place
    second: Place
    alike: float
    words: int


class Index:
    """Sections by what they say. Memory: some hundred bytes for each section and eight for each of its shingles."""

    def __init__(self, settings: SplitSettings = DEFAULTS) -> None:
        from datasketch import MinHashLSH  # type: ignore[import-untyped]

        self._settings = settings
        # each candidate is looked at, so the index may propose too many; tuned to the threshold itself it misses a
        # tenth of the pairs at 0.8 and half of those at 0.7
        self._lsh: Any = MinHashLSH(threshold=settings.alike - 0.2, num_perm=settings.permutations, weights=(0.2, 0.8))
        self._sketches: dict[Place, Any] = {}
        self._shingles: dict[Place, Any] = {}
        self._words: dict[Place, int] = {}

    def add(self, document: CorpusDocument) -> Iterator[Pair]:
        """Take a document in; the pairs of its sections with those taken in before, its own included."""
        for number, section in enumerate(document.sections):
            if section.kind not in ("contents", "references"):
                yield from self._add(Place(document.id, number), section.text)

    def _add(self, place: Place, text: str) -> Iterator[Pair]:
        import numpy
        from datasketch import MinHash

        words = [fold_word(word) for word in _WORD.findall(text)]
        if len(words) < self._settings.least:
            return
        found = shingles(words, self._settings.shingle)
        sketch: Any = MinHash(num_perm=self._settings.permutations, hashfunc=int)
        sketch.update_batch(found)
        own = numpy.unique(numpy.array(found, dtype=numpy.uint64))
        near = sorted((-sketch.jaccard(self._sketches[other]), other) for other in self._lsh.query(sketch))
        for _, other in near[:_MOST]:
            theirs = self._shingles[other]
            both = numpy.intersect1d(own, theirs, assume_unique=True).size
            alike = both / (own.size + theirs.size - both)
            if alike >= self._settings.alike:
                yield Pair(other, place, float(alike), min(len(words), self._words[other]))
        self._lsh.insert(place, sketch)
        self._sketches[place] = sketch
        self._shingles[place] = own
        self._words[place] = len(words)


def pairs(documents: Iterable[CorpusDocument], settings: SplitSettings = DEFAULTS) -> Iterator[Pair]:
    """All pairs of near-duplicate sections of a corpus."""
    index = Index(settings)
    for document in documents:
        yield from index.add(document)


def shingles(words: list[str], size: int) -> list[int]:
    """Hashes of 32 bits of each run of `size` words; of all words where they are fewer."""
    runs = [" ".join(words[start : start + size]) for start in range(max(1, len(words) - size + 1))]
    return [zlib.crc32(run.encode("utf-8", "surrogatepass")) for run in runs]
