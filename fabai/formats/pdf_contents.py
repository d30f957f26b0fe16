"""The printed table of contents of a PDF: its entries as evidence for headings, its rows taken out of the text.

Knows leaders, page numbers and the words that stand over such a table. Does not know headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fabai.formats.pdf_page import Row

TITLE = re.compile(
    r"^(?:\d+\.?\s+)?(?:[ií]ndice(?: general| de contenidos?| de la memoria)?|[ií]ndex(?: general| de continguts?)?|"
    r"contenidos?|continguts?|sumari[o]?|(?:table of )?contents|tabla de contenidos?|taula de continguts?|"
    r"(?:[ií]ndice|[ií]ndex|lista|llista|list) (?:de |d'|of )(?:las |los |les )?"
    r"(?:figur\w+|tabl\w+|taul\w+|tables|ilustracion\w+|il·lustracion\w+|gr[aà]fic\w+|cuadros|im[aá]gen\w+|algoritm\w+))[.:]?$",
    re.IGNORECASE,
)
CAPTION = re.compile(
    r"^(?:figura|figure|fig\.|tabla|taula|table|ilustraci[oó]n|il·lustraci[oó]|gr[aá]fico|gr[aà]fic|cuadro|quadre|"
    r"imagen|imatge|algoritmo|c[oó]digo)\s+\w{1,6}(?:[.\-]\d+)*\s*[.:\-–—]",
    re.IGNORECASE,
)
_LEADER = re.compile(r"^(?P<title>.*?)\s*(?:[.·…_]\s?){4,}\s*(?P<page>\d{1,4}|[ivxlcdm]{1,7})?\s*$", re.IGNORECASE)
_NUMBER = re.compile(r"^(?P<title>.*\S)\s+(?P<page>\d{1,4})$")
_ONLY_PAGE = re.compile(r"^(?:\d{1,4}|[ivxlcdm]{1,7})$", re.IGNORECASE)
_LEAST = 3
_BETWEEN = 3
"""Rows without a page number that may stand between two entries: the first lines of long ones."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table: its title, the number of the page that it names (None for none or a roman one), its x."""

    title: str
    label: int | None
    x0: float


@dataclass(frozen=True, slots=True)
class Contents:
    """entries in order; rows: (page, index) of the rows that belong to tables of contents, figures or tables; last:
    the last of them, (-1, 0) where there are none."""

    entries: tuple[Entry, ...]
    rows: frozenset[tuple[int, int]]

    @property
    def last(self) -> tuple[int, int]:
        return max(self.rows, default=(-1, 0))


def contents(pages: Sequence[Sequence[Row]]) -> Contents:
    """The tables of contents of a document; rows of a page from top to bottom."""
    flat = [(page, index, row) for page, rows in enumerate(pages) for index, row in enumerate(rows)]
    kinds = [_kind(row) for _, _, row in flat]
    entries: list[Entry] = []
    gone: set[tuple[int, int]] = set()
    position = 0
    while position < len(flat):
        titled = bool(TITLE.match(flat[position][2].text))
        start = position + 1 if titled else position
        if not titled and kinds[position] != "leader":
            position += 1
            continue
        end = _end(kinds, [row for _, _, row in flat], start, titled)
        found = _entries([row for _, _, row in flat[start:end]], kinds[start:end])
        if len(found) < (2 if titled else _LEAST):
            position += 1
            continue
        gone |= {(page, index) for page, index, _ in flat[position:end]}
        entries += [one for one in found if not CAPTION.match(one.title)]
        position = end
    return Contents(tuple(entries), frozenset(gone))


def _kind(row: Row) -> str:
    text = row.text
    if _LEADER.match(text) and re.search(r"(?:[.·…_]\s?){4,}", text):
        return "leader"
    return "number" if _NUMBER.match(text) or _ONLY_PAGE.match(text) else ""


def _end(kinds: Sequence[str], rows: Sequence[Row], start: int, titled: bool) -> int:
    """The index behind the last entry. Rows that merely end in a number count below a title, while the numbers rise."""
    last = start
    page = 0
    led = False
    for index in range(start, len(kinds)):
        if index - last > _BETWEEN:
            break
        if kinds[index] == "leader":
            led = True
            last = index + 1
        elif kinds[index] == "number" and titled and not led:
            match = _NUMBER.match(rows[index].text)
            number = int(match["page"]) if match else page
            if not page <= number <= page + 60:
                continue
            page = number
            last = index + 1
        elif kinds[index] == "number" and led and _ONLY_PAGE.match(rows[index].text):
            last = index + 1
    return last


def _entries(rows: Sequence[Row], kinds: Sequence[str]) -> list[Entry]:
    found: list[Entry] = []
    waiting: list[Row] = []
    for row, kind in zip(rows, kinds, strict=True):
        match = (_LEADER if kind == "leader" else _NUMBER).match(row.text) if kind else None
        if match is None:
            if not TITLE.match(row.text) and not _ONLY_PAGE.match(row.text):
                waiting.append(row)
            continue
        title = " ".join([*(one.text for one in waiting), match["title"]]).strip(" .·…_")
        page = match["page"]
        first = waiting[0] if waiting else row
        if title:
            found.append(Entry(title, int(page) if page and page.isdigit() else None, first.x0))
        waiting = []
    return found
