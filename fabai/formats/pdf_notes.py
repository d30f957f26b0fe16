"""Footnotes: small rows at the foot of a page that begin with a mark, and the raised marks that call them.

Knows sizes and marks. Does not know paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fabai.formats.pdf_page import Row, Word

_SMALL = 0.93
"""Of the size of the text: notes are set smaller than this."""

_MARK = re.compile(r"^[(\[]?(\d{1,3}|\*{1,3}|[†‡])[)\].]?$")
_GLUED = re.compile(r"^(\d{1,3})(?=[^\W\d])")


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote: the page that it stands on, its mark, and its rows without the mark."""

    page: int
    mark: str
    rows: tuple[Row, ...]


def mark_of(word: str) -> str:
    """The mark in a word that may call a note, "" where it is none."""
    match = _MARK.match(word)
    return match[1] if match else ""


def notes_apart(pages: Sequence[Sequence[Row]], size: float) -> tuple[list[list[Row]], list[Note]]:
    """The rows of each page that are text, and all notes; one that a page cuts is whole. `size` is that of most of the
    document's letters."""
    texts: list[list[Row]] = []
    notes: list[Note] = []
    for number, rows in enumerate(pages):
        text, found = split(rows, size)
        start = _small_end(text, size)
        if 0 < start < len(text) and notes and notes[-1].page == number - 1 and _open(notes[-1]):
            notes[-1] = replace(notes[-1], rows=(*notes[-1].rows, *text[start:]))
            text = text[:start]
        texts.append(text)
        notes += found
    return texts, notes


def _open(note: Note) -> bool:
    return not note.rows[-1].text.endswith(".")


def _small_end(rows: Sequence[Row], size: float) -> int:
    """The index of the first of the small rows at the end of a page."""
    start = len(rows)
    while start and rows[start - 1].size <= _SMALL * size:
        start -= 1
    return start


def split(rows: Sequence[Row], size: float) -> tuple[list[Row], list[Note]]:
    """The rows of a page that are text, and the notes that begin on it.

    Notes are small rows at the end of the page whose marks are called by raised signs further up; without such a call
    everything is text.
    """
    start = _small_end(rows, size)
    called = {mark_of(word.text) for row in rows for word in row.words if word.raised} - {""}
    found: list[tuple[int, str]] = []
    for index in range(start, len(rows)):
        mark = _opening(rows[index])
        in_order = not found or not mark.isdigit() or not found[-1][1].isdigit() or int(mark) == int(found[-1][1]) + 1
        if mark and mark in called and in_order:
            found.append((index, mark))
    if not found or found[0][0] == 0:
        return list(rows), []
    notes = []
    for (index, mark), end in zip(found, [*(other for other, _ in found[1:]), len(rows)], strict=True):
        first = _without_mark(rows[index])
        if first is not None:
            notes.append(Note(rows[index].page, mark, (first, *rows[index + 1 : end])))
    return list(rows[: found[0][0]]), notes


def _opening(row: Row) -> str:
    word = row.words[0].text
    match = _GLUED.match(word)
    return match[1] if match else mark_of(word)


def _without_mark(row: Row) -> Row | None:
    first = row.words[0]
    match = _GLUED.match(first.text)
    if match is None:
        return Row(row.words[1:], row.y, row.page) if len(row.words) > 1 else None
    rest = Word(first.text[match.end() :], first.x0, first.x1, first.size, first.bold, first.italic)
    return Row((rest, *row.words[1:]), row.y, row.page)
