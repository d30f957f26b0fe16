"""Rows of a PDF to paragraphs and list items, over the ends of columns and pages.

Knows gaps, indents, list marks, and whether the next word would have found room on the line. Does not know headings
and does not build Markdown."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fabai.formats.pdf_columns import Stream
from fabai.formats.pdf_hyphens import is_cut
from fabai.formats.pdf_page import Grid, Row, most

BULLETS = frozenset("•●▪■◦○–—-*➢➔✓✔·❖§→►▶◆♦∙⁃−‣□▫")
_DASHES = frozenset("–—-−*·§→")
_NUMBERED = re.compile(
    r"^\(?(?:\d{1,2}|[a-zñ]|[ivx]{1,5})(?:[.)]|\.-|\.\)|º\.?|ª\.?)$|^\d{1,2}(?:\.\d{1,2})+[.)]?$", re.IGNORECASE
)
_FIRST = re.compile(r"^\(?(?:1|a|i)(?:[.)]|\.-|º)", re.IGNORECASE)
_END = re.compile(r"[.:;?!…][\"'»”’)\]]*$")
_WIDER = 1.32
"""Times the usual distance of lines: a wider one parts paragraphs."""


@dataclass(slots=True)
class Paragraph:
    """Rows that belong together. left, right: bounds of its column; `right` is where its lines must break."""

    rows: list[Row]
    left: float
    right: float

    @property
    def text(self) -> str:
        """The words as they stand, line ends as spaces."""
        return " ".join(row.text for row in self.rows)

    @property
    def size(self) -> float:
        """The size of most letters."""
        return most((row.size, len(row.text)) for row in self.rows)

    @property
    def bold(self) -> bool:
        """Whether every row is bold."""
        return all(row.bold for row in self.rows)

    @property
    def italic(self) -> bool:
        """Whether every row is italic."""
        return all(row.italic for row in self.rows)

    @property
    def bullet(self) -> bool:
        """Whether it is an item of a list without numbers."""
        return is_bullet(self.rows[0])

    @property
    def number(self) -> str:
        """The typed mark of a numbered item ("1.", "a)", "2.3"), "" where there is none."""
        first = self.rows[0].words[0].text
        return first if len(self.rows[0].words) > 1 and _NUMBERED.match(first) else ""

    @property
    def hang(self) -> float:
        """The x at which the words of its lines begin, apart from a first line's mark."""
        first = self.rows[0]
        if (self.bullet or self.number) and len(first.words) > 1:
            return first.words[1].x0
        return self.rows[-1].x0


Item = Paragraph | Grid


@dataclass(frozen=True, slots=True)
class Measures:
    """size: of most letters in the document; leading: the usual distance of its lines, in points."""

    size: float
    leading: float

    @classmethod
    def of(cls, pages: Iterable[Sequence[Row]]) -> Measures:
        """The measures of most of the text."""
        rows = [list(page) for page in pages]
        size = most((row.size, len(row.text)) for page in rows for row in page)
        steps = [
            (round((below.y - above.y) * 2) / 2, len(below.text))
            for page in rows
            for above, below in itertools.pairwise(page)
            if above.size == below.size == size and 0.9 * size < below.y - above.y < 2.6 * size
        ]
        return cls(size or 10.0, most(steps) or 1.2 * (size or 10.0))

    def usual(self, size: float) -> float:
        """The distance of lines to be expected in a size."""
        return self.leading * max(size, 1.0) / self.size


def is_bullet(row: Row) -> bool:
    """Whether a row begins with a bullet, or with the letter that stands for one in a symbol font."""
    first = row.words[0].text
    if first == "o":
        return row.starts_with_gap(0.7)
    return first in BULLETS and (first not in _DASHES or len(row.words) > 1)


def ends(text: str) -> bool:
    """Whether a text ends as a sentence or clause does."""
    return bool(_END.search(text))


def paragraphs(streams: Sequence[Stream], measures: Measures) -> list[Item]:
    """The paragraphs and tables of all streams of the document in order; those that a page or column cuts are
    whole."""
    out: list[Item] = []
    for stream in streams:
        found = list(_of_stream(stream, measures))
        if found and out and _goes_on(out[-1], found[0]):
            last, first = out[-1], found.pop(0)
            if isinstance(last, Paragraph) and isinstance(first, Paragraph):
                last.rows.extend(first.rows)
                last.right = first.right
        out.extend(found)
    return out


def _of_stream(stream: Stream, measures: Measures) -> Iterable[Item]:
    rows = [item for item in stream.items if isinstance(item, Row)]
    right = _right(rows, measures)
    current: Paragraph | None = None
    for item in stream.items:
        if isinstance(item, Grid):
            if current is not None:
                yield current
                current = None
            yield item
            continue
        if current is not None and not _breaks(current, item, measures):
            current.rows.append(item)
            continue
        if current is not None:
            yield current
        current = Paragraph([item], stream.left, right)
    if current is not None:
        yield current


def _right(rows: Sequence[Row], measures: Measures) -> float:
    """Where full lines end: the right end that one row in ten goes beyond."""
    usual = sorted(row.x1 for row in rows if abs(row.size - measures.size) < 1) or sorted(row.x1 for row in rows)
    return usual[int(0.9 * (len(usual) - 1))] if usual else 0.0


def room(last: Row, following: Row, right: float) -> float:
    """Points that would be left on a line that had taken the first word of the following one too; below 0 it had
    to break."""
    word = following.words[0]
    return right - last.x1 - (word.x1 - word.x0) - 0.3 * last.size


def _breaks(paragraph: Paragraph, row: Row, measures: Measures) -> bool:
    """Whether a row begins a new paragraph."""
    last = paragraph.rows[-1]
    gap = row.y - last.y
    size = max(last.size, row.size)
    if gap > _WIDER * measures.usual(size) or gap < 0 or abs(last.size - row.size) > 0.07 * size:
        return True
    if len(last.words) == 1 and last.words[0].text in BULLETS:
        return False
    if is_bullet(row):
        return True
    fits = room(last, row, paragraph.right) > 0.6 * size
    done = ends(last.text)
    begins_low = row.words[0].text[:1].islower()
    if len(row.words) > 1 and _NUMBERED.match(row.words[0].text):
        follows = bool(paragraph.number) or _FIRST.match(row.words[0].text) is not None
        if fits or (follows and (done or last.text.endswith(","))):
            return True
    if is_cut(last.words[-1].text) and begins_low:
        return False
    if last.bold != row.bold and fits:
        return True
    if fits and (done or not begins_low):
        return True
    shift = row.x0 - paragraph.hang
    if len(paragraph.rows) > 1 and shift > 0.8 * size and done:
        return True
    marked = bool(paragraph.bullet or paragraph.number)
    return shift < -0.8 * size and (marked or len(paragraph.rows) > 1) and not begins_low and done


def _goes_on(last: Item, first: Item) -> bool:
    """Whether a paragraph at the end of a page or column goes on in the first of the next."""
    if isinstance(last, Grid) or isinstance(first, Grid):
        return False
    end, start = last.rows[-1], first.rows[0]
    if first.bullet or abs(end.size - start.size) > 0.07 * end.size or end.bold != start.bold:
        return False
    if is_cut(end.words[-1].text):
        return True
    if ends(end.text) or (first.number and not start.words[0].text[:1].isdigit()):
        return False
    if start.words[0].text[:1].islower() and not first.number:
        return True
    return room(end, start, last.right) <= 0.6 * end.size and len(last.rows) > 1 and not first.number
