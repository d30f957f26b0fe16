"""Repetition: sentences said again in nearly the same words, within a section and across sections, and loops.

Knows when two sentences are nearly the same, and finds them without comparing each with each. Headings, labels and
rows of tables may repeat. Does not know copies from elsewhere (fabai.checks.copied).
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from fabai.checks.lists import any_of, folded, lists
from fabai.checks.reading import Reading, Span, remembered
from fabai.checks.violation import Violation
from fabai.names import fold_word
from fabai.report import Language

_LEAST = 10
"""Words of the shortest sentence that counts as repeated; of what does not end like one, twice as many."""
_ITEM = 14
"""Words of the shortest item of a list that counts so: items may well recur."""
_DENIED = frozenset(["no", "ni", "not", "nor", "sin", "sense", "without"])
"""One of them more is another case."""
_LOWER = 0.4
"""Share of words in small letters below which a sentence is a list of names."""
_SHORT = 15
"""Words from which a sentence is long."""
_ALIKE = 0.6
"""Jaccard index of the shingles from which two sentences are the same: two words in twenty may differ."""
_PART = 14
"""Shingles of the shortest sentence that is looked for in longer ones."""
_SHINGLE = 2
"""Words in a row."""
_SKETCH = 8
"""Hashes kept of each sentence: two that are alike share one of them almost surely."""
_MOST = 16
"""Earlier sentences that one is compared with."""
_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(r"<?https?://\S+|\]\([^)\n]*\)|\[\^[^\]]+\]|[*_`]+")
_POINTS = re.compile(r"https?://[^\s)>]+|(?<=\]\()[^)\s]+")
_IMAGE = re.compile(r"!\[[^\]]*\]\(")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w+")
_LOOP = 3
"""Times that a stretch must stand in a row to be a loop."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """A sentence as it is compared: its place, its shingles as hashes, the smallest of them under several orders, and
    its figures, names and contrasting words (first, up, not): where those differ, it is no repetition but another case.
    few: the words of a short sentence, of which one in another's place makes another case too. quiet: of an image or a
    short item of a list, which may say what the text says.
    """

    section: str
    start: int
    end: int
    shingles: frozenset[int]
    sketch: tuple[int, ...]
    told: frozenset[str]
    first: frozenset[str]
    few: frozenset[str]
    quiet: bool


def check_repetition(readings: Sequence[tuple[str, Reading]]) -> Iterator[Violation]:
    """Sentences that an earlier one already said. readings: by section, in order."""
    heads = dict(readings)
    index: dict[int, list[Said]] = defaultdict(list)
    for section, reading in readings:
        pending: Violation | None = None
        before: Said | None = None
        for one in said(section, reading):
            earlier = None if one.quiet else _earlier(one, index)
            for key in one.sketch:
                index[key].append(one)
            # a paragraph that is said again is one finding
            run = pending is not None and before is not None and earlier is not None and one.start - before.end < 4
            before = one if earlier is not None else None
            if earlier is None:
                continue
            if pending is not None:
                if run:
                    pending = replace(pending, end=one.end)
                    continue
                yield pending
            pending = _again(section, reading, one, earlier, heads[earlier.section].text)
        if pending is not None:
            yield pending
        yield from loops(section, reading)


def _again(section: str, reading: Reading, one: Said, earlier: Said, text: str) -> Violation:
    quote = " ".join(reading.text[one.start : one.end].split())[:80]
    within = earlier.section == section
    return Violation(
        *("repeated-sentence" if within else "repeated-across", section, "warning", quote),
        *("" if within else earlier.section, quote, one.start, one.end),
        evidence=" ".join(text[earlier.start : earlier.end].split())[:160],
        suggestion="",
    )


def _earlier(one: Said, index: dict[int, list[Said]]) -> Said | None:
    seen: set[int] = set()
    for key in one.sketch:
        for other in index.get(key, ())[:_MOST]:
            if id(other) in seen:
                continue
            seen.add(id(other))
            both = len(one.shingles & other.shingles)
            least = min(len(one.shingles), len(other.shingles))
            whole = both >= _ALIKE * (len(one.shingles) + len(other.shingles) - both) and same_case(one, other)
            # a sentence may have become the part of a longer one
            if whole or (least >= _PART and both >= 0.85 * least and same_case(one, other, part=True)):
                return other
    return None


def same_case(one: Said, other: Said, part: bool = False) -> bool:
    """Whether two sentences have the same figures and names; part: whether one has no more than the other.

    The word that opens a sentence has its capital from there.
    """
    opened = one.first | other.first
    left, right = one.told - other.told - opened, other.told - one.told - opened
    if (one.few and other.few and one.few - other.few and other.few - one.few) or (left | right) & _DENIED:
        return False
    return not left or not right if part else not left and not right


@remembered
def said(section: str, reading: Reading) -> tuple[Said, ...]:
    """The sentences of a section that can be repeated. The last sections are remembered."""
    found = []
    kinds = {piece.start: piece.kind for piece in reading.pieces}
    kind = "paragraph"
    contrasts = folded(lists(reading.language).contrasts)
    captions = [match.span() for match in _IMAGE.finditer(reading.text)]
    for span in reading.sentences:
        kind = kinds.get(span.start, kind)
        body = _ADDRESS.sub(" ", reading.text[span.start : span.end])
        plain = _WORD.findall(body)
        words = [fold_word(word) for word in plain]
        # a title, a caption and an item of a list may well recur
        whole = kind == "paragraph" and body.rstrip(' *_)»”"').endswith((".", "!", "?", "…", ":", ";"))
        item = kind == "list" and body.rstrip().endswith(".")
        least = _LEAST if whole or item else 2 * _LEAST
        if kind == "heading" or len(words) < least:
            continue
        # a list of names and the title of a law recur wherever they are due
        if sum(map(str.islower, plain)) < _LOWER * len(plain) or _norm(reading.language).match(body):
            continue
        # what is mostly signs is a formula, a log or code; a row may have lost its table
        if body.startswith("|") or sum(map(str.isalpha, body)) + body.count(" ") < 0.8 * len(body) or "\\" in body:
            continue
        # so are the attributes of a page's tags
        if '="' in body or '">' in body:
            continue
        shingles = frozenset(
            zlib.crc32(" ".join(words[at : at + _SHINGLE]).encode("utf-8", "surrogatepass"))
            for at in range(len(words) - _SHINGLE + 1)
        )
        sketch = tuple(
            min((one ^ mask) * 2_654_435_761 & 0xFFFFFFFF for one in shingles) * _SKETCH + at
            for at, mask in enumerate(_MASKS)
        )
        # addresses are names too: 'more in the guide' is said of each guide
        named = (word for word in plain[1:] if not word.islower())
        points = _POINTS.findall(reading.text[span.start : span.end])
        told = frozenset((*named, *points, *_MAIL.findall(body), *contrasts.intersection(words)))
        quiet = any(start < span.end and span.start < end for start, end in captions) or (item and len(words) < _ITEM)
        few = frozenset(word for word in words if len(word) > 3) if len(words) < _SHORT else frozenset()
        found.append(Said(section, span.start, span.end, shingles, sketch, told, frozenset(plain[:1]), few, quiet))
    return tuple(found)


_ABOUT = r"por (?:la|el|las|los) (?:que|cual)|per (?:la|el) qual|de modificaci|of the European Parliament"
"""What the title of a law goes on with."""


@cache
def _norm(language: Language) -> re.Pattern[str]:
    """'Orden de 5 de mayo, por la que se aprueban', with its article, number of a list or quotation mark in front."""
    front = r"\W*(?:[\dIVX]{1,4}[.)º-]* )?(?:\w{1,3}['’ ] ?)?"
    norms = any_of(lists(language).norms)
    return re.compile(rf"{front}(?:{norms})(?!\w).{{0,160}}?\b(?:{_ABOUT})", re.IGNORECASE | re.DOTALL)


_MASKS = tuple(zlib.crc32(str(number).encode()) for number in range(_SKETCH))


@remembered
def loops(section: str, reading: Reading) -> tuple[Violation, ...]:
    """Stretches that stand three times and more in a row: how a model runs on."""
    found = []
    for piece in reading.pieces:
        if piece.kind not in ("paragraph", "list"):
            continue
        body = reading.text[piece.start : piece.end]
        if "\\" in body or "$" in body or "@" in body:
            continue
        spans = [Span(*match.span()) for match in re.finditer(r"\w+(?:[·'’,.-]\w+)*", body)]
        words = [fold_word(body[one.start : one.end]) for one in spans]
        at = 0
        while at < len(words):
            run = _run(words, at)
            if run is None:
                at += 1
                continue
            size, times = run
            last = at + size * times
            start, end = piece.start + spans[at + size].start, piece.start + spans[last - 1].end
            quote = " ".join(reading.text[start:end].split())[:80]
            found.append(
                Violation(
                    "loop", section, "error", times, 1, quote, start, end,
                    evidence=" ".join(body[spans[at].start : spans[at + size - 1].end].split()), suggestion="",
                )
            )  # fmt: skip
            at = last
    return tuple(found)


def _run(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """The longest repetition in a row that begins here: words of one round, rounds; None where there is none."""
    for size in range(1, min(24, (len(words) - at) // _LOOP) + 1):
        if words[at] != words[at + size] or (size < 3 and (len(words[at]) < 4 or not words[at].isalpha())):
            continue
        times = 1
        while words[at + times * size : at + (times + 1) * size] == words[at : at + size]:
            times += 1
        # "muy muy muy" is a manner of speaking, four times are none; what stood for pictures is no text
        if words[at].startswith("imag"):
            return None
        if times >= (_LOOP + 1 if size < 3 else _LOOP) and len(set(words[at : at + size])) * 2 > size:
            return size, times
    return None
