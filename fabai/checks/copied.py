"""Passages copied word for word from elsewhere: from the sources, or from the reports that the model learnt from.

Knows runs of words by their hashes and where each was read. A figure, a name or a formula of law is too short to be a
copy. Does not know who may copy what: a person judges.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from zlib import crc32

from fabai.checks.reading import Reading, remembered
from fabai.checks.violation import Violation
from fabai.errors import UnreadableFile
from fabai.names import fold_word

RUN = 12
"""Words in a row that are hashed together."""
LEAST = 30
"""Words of the shortest copy that is reported."""
_WORD = re.compile(r"[^\W_]+")
_MAGIC = b"fabai-ngrams-1\n"
_KEPT = 4
"""Of every so many runs one is kept, by its hash: a copy of `LEAST` words still meets several."""


@dataclass(frozen=True, slots=True)
class Word:
    """text[start:end], folded."""

    start: int
    end: int
    folded: str


class Index:
    """Where runs of words were read. Memory: some hundred bytes for every four words of the texts."""

    def __init__(self) -> None:
        self.origins: list[str] = []
        self._where: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._where)

    def add(self, origin: str, text: str) -> None:
        """Take a text in under a name. A run keeps the first text that had it."""
        number = len(self.origins)
        self.origins.append(origin)
        for one in _runs(tuple(_words(text))):
            if one % _KEPT == 0:
                self._where.setdefault(one, number)

    def find(self, run: int) -> str | None:
        number = self._where.get(run)
        return None if number is None else self.origins[number]

    def save(self, path: Path) -> None:
        """Write the index; the texts cannot be read back from it."""
        names = "\n".join(one.replace("\n", " ") for one in self.origins).encode("utf-8")
        runs, where = array("Q", self._where.keys()), array("I", self._where.values())
        head = f"{len(names)} {len(runs)}\n".encode()
        path.write_bytes(_MAGIC + head + names + runs.tobytes() + where.tobytes())

    @classmethod
    def load(cls, path: Path) -> Index:
        """An index that `save` wrote; UnreadableFile where it is none."""
        data = path.read_bytes()
        try:
            if not data.startswith(_MAGIC):
                raise ValueError("another kind of file")
            head, _, rest = data[len(_MAGIC) :].partition(b"\n")
            length, count = map(int, head.split())
            index = cls()
            index.origins = rest[:length].decode("utf-8").split("\n")
            runs, where = array("Q"), array("I")
            runs.frombytes(rest[length : length + count * runs.itemsize])
            where.frombytes(rest[length + count * runs.itemsize :])
            if len(where) != count:
                raise ValueError("cut short")
        except (ValueError, UnicodeDecodeError) as error:
            raise UnreadableFile(f"{path.name} is no index of copied passages: make it again") from error
        index._where = dict(zip(runs, where, strict=True))
        return index


def index_of(texts: Iterable[tuple[str, str]]) -> Index:
    """An index of texts by name."""
    return _index(tuple(texts))


@lru_cache(maxsize=8)
def _index(texts: tuple[tuple[str, str], ...]) -> Index:
    index = Index()
    for origin, text in texts:
        index.add(origin, text)
    return index


@remembered
def check_copied(section: str, reading: Reading, indexes: tuple[Index, ...]) -> tuple[Violation, ...]:
    """Passages of a section that the indexes know."""
    return tuple(one for index in indexes for one in _copied(section, reading, index))


def _copied(section: str, reading: Reading, index: Index) -> Iterator[Violation]:
    if not len(index):
        return
    for piece in reading.pieces:
        words = tuple(
            Word(piece.start + one.start, piece.start + one.end, one.folded)
            for one in _words(reading.text[piece.start : piece.end])
        )
        if len(words) < LEAST:
            continue
        first = last = -1
        origin = ""
        for at, run in enumerate(_runs(words)):
            found = index.find(run) if run % _KEPT == 0 else None
            if found is None:
                continue
            # sampled runs of one copy lie close together
            if last >= 0 and found == origin and at - last <= 3 * RUN:
                last = at
                continue
            if last >= 0:
                yield from _passage(section, reading, words, first, last, origin)
            first = last = at
            origin = found
        if last >= 0:
            yield from _passage(section, reading, words, first, last, origin)


def _passage(
    section: str, reading: Reading, words: tuple[Word, ...], first: int, last: int, origin: str
) -> Iterator[Violation]:
    length = last + RUN - first
    # of the runs at either end, some were not kept
    if length < LEAST - RUN // 2:
        return
    start, end = words[first].start, words[min(last + RUN, len(words)) - 1].end
    quote = " ".join(reading.text[start:end].split())[:80]
    yield Violation("copied", section, "warning", length, origin, quote, start, end, evidence=origin)


def _words(text: str) -> Iterator[Word]:
    for match in _WORD.finditer(text):
        yield Word(match.start(), match.end(), fold_word(match[0]))


def _runs(words: tuple[Word, ...]) -> Iterator[int]:
    """A hash of 64 bits of each run, made from its words' hashes: base-31 polynomial, rolled on."""
    if len(words) < RUN:
        return
    hashes = [crc32(word.folded.encode("utf-8", "surrogatepass")) + 1 for word in words]
    mask = (1 << 61) - 1
    base = 1_000_003
    top = pow(base, RUN - 1, mask)
    rolled = 0
    for one in hashes[:RUN]:
        rolled = (rolled * base + one) % mask
    yield _mixed(rolled)
    for at in range(RUN, len(hashes)):
        rolled = ((rolled - hashes[at - RUN] * top) * base + hashes[at]) % mask
        yield _mixed(rolled)


def _mixed(number: int) -> int:
    return (number * 0x9E3779B97F4A7C15 >> 7) & ((1 << 63) - 1)
