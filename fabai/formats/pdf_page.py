"""A page of a PDF as words, rows of words, and ruled tables, with their places.

Knows measures (points, from the top left corner) and how rows answer for their words. Does not know PDF files nor what
a row means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Word:
    """Letters between two gaps. x0, x1, size in points; raised: set smaller and above the line, as a note's mark is."""

    text: str
    x0: float
    x1: float
    size: float
    bold: bool = False
    italic: bool = False
    raised: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """Words on one baseline, from left to right. y: the baseline, from the top of the page; page: from 0."""

    words: tuple[Word, ...]
    y: float
    page: int

    @property
    def text(self) -> str:
        """The words with one space between them."""
        return " ".join(word.text for word in self.words)

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return max(word.x1 for word in self.words)

    @property
    def size(self) -> float:
        """The size that most letters have, in points, to half a point."""
        return most((round(word.size * 2) / 2, len(word.text)) for word in self.words)

    @property
    def bold(self) -> bool:
        """Whether nearly all letters are bold."""
        return _share(self.words, [word.bold for word in self.words]) > 0.85

    @property
    def italic(self) -> bool:
        """Whether nearly all letters are italic."""
        return _share(self.words, [word.italic for word in self.words]) > 0.85

    def starts_with_gap(self, factor: float) -> bool:
        """Whether the second word stands `factor` sizes or more to the right of the first."""
        return len(self.words) > 1 and self.words[1].x0 - self.words[0].x1 > factor * self.size


@dataclass(frozen=True, slots=True)
class Grid:
    """A ruled table: its frame, the x of its columns, and its cells as text, row by row."""

    top: float
    bottom: float
    columns: tuple[float, ...]
    cells: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What stands on a page.

    images: places (x0, top, x1, bottom) of pictures of some size; turned: vertical letters that were left aside;
    unmapped: letters whose font does not say which they are.
    """

    number: int
    width: float
    height: float
    rows: tuple[Row, ...] = ()
    grids: tuple[Grid, ...] = ()
    images: tuple[tuple[int, ...], ...] = ()
    turned: int = 0
    unmapped: int = 0

    def packed(self) -> dict[str, Any]:
        """The page as JSON values."""
        return {
            "number": self.number,
            "width": self.width,
            "height": self.height,
            "rows": [[row.y, [_packed(word) for word in row.words]] for row in self.rows],
            "grids": [[one.top, one.bottom, one.columns, one.cells] for one in self.grids],
            "images": self.images,
            "turned": self.turned,
            "unmapped": self.unmapped,
        }

    @classmethod
    def unpacked(cls, packed: dict[str, Any]) -> Page:
        """The page that `packed` gave."""
        number = packed["number"]
        rows = tuple(Row(tuple(_unpacked(one) for one in words), y, number) for y, words in packed["rows"])
        grids = tuple(
            Grid(top, bottom, tuple(columns), tuple(tuple(row) for row in cells))
            for top, bottom, columns, cells in packed["grids"]
        )
        return cls(
            number,
            packed["width"],
            packed["height"],
            rows,
            grids,
            tuple(tuple(one) for one in packed["images"]),
            packed["turned"],
            packed["unmapped"],
        )


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the document's own outline: level from 1, page from 0 (None where it leads nowhere), and the y of
    its place on the page where it has one."""

    title: str
    level: int
    page: int | None = None
    y: float | None = None


@dataclass(frozen=True, slots=True)
class Extract:
    """All pages of a document with its outline and the title that its metadata give."""

    pages: tuple[Page, ...]
    bookmarks: tuple[Bookmark, ...] = ()
    title: str = ""
    language: str = ""
    fields: int = 0
    notices: tuple[str, ...] = field(default=())

    @property
    def letters(self) -> int:
        """Letters in rows and tables of all pages."""
        rows = sum(len(word.text) for page in self.pages for row in page.rows for word in row.words)
        return rows + sum(len(cell) for page in self.pages for grid in page.grids for row in grid.cells for cell in row)


def most(weighted: Iterable[tuple[float, int]]) -> float:
    """The value with the largest total weight; 0 where there is none."""
    counted: Counter[float] = Counter()
    for value, weight in weighted:
        counted[value] += weight
    return max(counted.items(), key=lambda item: item[1])[0] if counted else 0.0


def _share(words: Sequence[Word], flags: Sequence[bool]) -> float:
    total = sum(len(word.text) for word in words)
    return sum(len(word.text) for word, flag in zip(words, flags, strict=True) if flag) / max(total, 1)


def _packed(word: Word) -> list[Any]:
    return [word.text, word.x0, word.x1, word.size, word.bold | word.italic << 1 | word.raised << 2]


def _unpacked(word: list[Any]) -> Word:
    text, x0, x1, size, bits = word
    return Word(text, x0, x1, size, bool(bits & 1), bool(bits & 2), bool(bits & 4))
