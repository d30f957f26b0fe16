"""Paragraphs, headings, tables and notes of a PDF to the blocks of pandoc's tree.

Knows inline signs: raised figures, notes, words cut by hyphens. Does not know places on a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabai.formats.ast import Element
from fabai.formats.pdf_hyphens import Vocabulary, is_cut, join
from fabai.formats.pdf_levels import Heading
from fabai.formats.pdf_notes import Note, mark_of
from fabai.formats.pdf_page import Grid, Row
from fabai.formats.pdf_paragraphs import BULLETS, Item, Paragraph

Notes = Mapping[tuple[int, str], Note]
"""Footnotes by page and mark."""

_COUNTERS = (
    (re.compile(r"^(\d{1,2})([.)])$"), "Decimal"),
    (re.compile(r"^\((\d{1,2})(\))$"), "Decimal"),
    (re.compile(r"^([a-z])([.)])$"), "LowerAlpha"),
    (re.compile(r"^\(([a-z])(\))$"), "LowerAlpha"),
)
_SIDE = 4.0
"""Points: items of one list begin at the same x."""


class Blocks:
    """Builds the blocks of one document."""

    def __init__(self, vocabulary: Vocabulary, notes: Sequence[Note]) -> None:
        self._vocabulary = vocabulary
        self._notes: Notes = {(note.page, note.mark): note for note in notes}
        self.called: set[tuple[int, str]] = set()

    def of(self, items: Sequence[Item], headings: Sequence[Heading]) -> list[Element]:
        """The blocks of the whole document; `called` then holds the notes that stand in them."""
        starts = {heading.start: heading for heading in headings}
        out: list[Element] = []
        waiting: list[Item] = []
        index = 0
        while index < len(items):
            heading = starts.get(index)
            if heading is None:
                waiting.append(items[index])
                index += 1
                continue
            out += self._flow(waiting)
            waiting = []
            out.append(self._heading(heading, items))
            index = max(heading.end, index + 1)
        return [*out, *self._flow(waiting)]

    def _heading(self, heading: Heading, items: Sequence[Item]) -> Element:
        rows = [row for item in items[heading.start : heading.end] if isinstance(item, Paragraph) for row in item.rows]
        return {"t": "Header", "c": [heading.level, ["", [], []], self.inlines(rows)]}

    def _flow(self, items: Sequence[Item]) -> Iterator[Element]:
        """Paragraphs, lists and tables between two headings."""
        index = 0
        while index < len(items):
            item = items[index]
            if isinstance(item, Grid):
                end = index + 1
                grids = [item]
                while end < len(items) and isinstance(follower := items[end], Grid) and _same(item, follower):
                    grids.append(follower)
                    end += 1
                yield self._table(grids)
                index = end
                continue
            end = _list_end(items, index)
            if end > index:
                found = [one for one in items[index:end] if isinstance(one, Paragraph)]
                yield self._bullets(found) if item.bullet else self._numbers(found)
                index = end
                continue
            inlines = self.inlines(item.rows)
            if inlines:
                yield {"t": "Para", "c": inlines}
            index += 1

    def _bullets(self, items: Sequence[Paragraph]) -> Element:
        """Items further to the right than the one before them form a list inside it."""
        entries: list[list[Element]] = []
        left = items[0].rows[0].x0
        index = 0
        while index < len(items):
            end = index + 1
            while end < len(items) and items[end].rows[0].x0 > left + _SIDE:
                end += 1
            entry = [{"t": "Plain", "c": self.inlines(_without_mark(items[index].rows))}]
            if end > index + 1:
                entry.append(self._bullets(items[index + 1 : end]))
            entries.append(entry)
            index = end
        return {"t": "BulletList", "c": entries}

    def _numbers(self, items: Sequence[Paragraph]) -> Element:
        start, kind, sign = counter(items[0].number) or (1, "Decimal", ".")
        delimiter = {".": "Period", ")": "OneParen", "()": "TwoParens"}[sign]
        entries = [[{"t": "Plain", "c": self.inlines(_without_mark(one.rows))}] for one in items]
        return {"t": "OrderedList", "c": [[start, {"t": kind}, {"t": delimiter}], entries]}

    def _table(self, grids: Sequence[Grid]) -> Element:
        rows: list[tuple[str, ...]] = list(grids[0].cells)
        for grid in grids[1:]:
            rows += grid.cells[1:] if grid.cells[0] == grids[0].cells[0] else grid.cells
        width = max(len(row) for row in rows)
        head, *body = [[self._cell(cell) for cell in (*row, *[""] * (width - len(row)))] for row in rows]
        attributes: list[Any] = ["", [], []]
        return {
            "t": "Table",
            "c": [
                attributes,
                [None, []],
                [[{"t": "AlignDefault"}, {"t": "ColWidthDefault"}] for _ in range(width)],
                [attributes, [[attributes, head]]],
                [[attributes, 0, [], [[attributes, row] for row in body]]],
                [attributes, []],
            ],
        }

    def _cell(self, text: str) -> list[Any]:
        words: list[str] = []
        for line in text.split("\n"):
            for place, word in enumerate(line.split()):
                if place == 0 and words and is_cut(words[-1]):
                    words[-1] = join(words[-1], word, self._vocabulary)
                else:
                    words.append(word)
        inlines = _spaced([[{"t": "Str", "c": word}] for word in words])
        content = [{"t": "Plain", "c": inlines}] if inlines else []
        return [["", [], []], {"t": "AlignDefault"}, 1, 1, content]

    def inlines(self, rows: Sequence[Row]) -> list[Element]:
        """The words of rows as inlines: cut words whole, raised signs raised or as the note that they call."""
        groups: list[list[Element]] = []
        end = 0.0
        cut = False
        for row in rows:
            for place, word in enumerate(row.words):
                text = word.text
                last = groups[-1][-1] if groups else None
                if word.raised and last is not None:
                    sign = self._raised(row.page, text)
                    near = 1.0 if sign["t"] == "Note" else 0.35
                    if place and word.x0 - end < near * row.size:
                        groups[-1].append(sign)
                    else:
                        groups.append([sign])
                elif cut and place == 0 and last is not None and last["t"] == "Str":
                    last["c"] = join(last["c"], text, self._vocabulary)
                elif place and last is not None and last["t"] != "Str" and _touches(text, word.x0 - end, row.size):
                    groups[-1].append({"t": "Str", "c": text})
                else:
                    groups.append([{"t": "Str", "c": text}])
                end = word.x1
            cut = bool(groups) and groups[-1][-1]["t"] == "Str" and is_cut(groups[-1][-1]["c"])
        return _spaced(groups)

    def _raised(self, page: int, text: str) -> Element:
        place = (page, mark_of(text))
        note = self._notes.get(place)
        if note is None or place in self.called:
            return {"t": "Superscript", "c": [{"t": "Str", "c": text}]}
        self.called.add(place)
        return {"t": "Note", "c": [{"t": "Para", "c": self.inlines(note.rows)}]}


def counter(mark: str) -> tuple[int, str, str] | None:
    """Value, pandoc's name of the style, and sign (".", ")" or "()") of a typed mark; None for any other word."""
    for pattern, kind in _COUNTERS:
        match = pattern.match(mark)
        if match:
            value = int(match[1]) if match[1].isdigit() else ord(match[1]) - ord("a") + 1
            return value, kind, "()" if mark.startswith("(") else match[2]
    return None


def _list_end(items: Sequence[Item], start: int) -> int:
    """The index behind the list that begins at `start`; `start` where none does. Numbers must follow one another."""
    first = items[start]
    if not isinstance(first, Paragraph):
        return start
    end = start + 1
    if first.bullet:
        while end < len(items) and isinstance(item := items[end], Paragraph) and item.bullet:
            end += 1
        return end
    last = counter(first.number)
    while last is not None and end < len(items):
        item = items[end]
        found = counter(item.number) if isinstance(item, Paragraph) else None
        if found != (last[0] + 1, last[1], last[2]):
            break
        last = found
        end += 1
    return end if end > start + 1 else start


def _without_mark(rows: Sequence[Row]) -> list[Row]:
    first = rows[0]
    word = first.words[0]
    marked = word.text in BULLETS or word.text == "o" or counter(word.text) is not None
    if not marked:
        return list(rows)
    rest = [Row(first.words[1:], first.y, first.page)] if len(first.words) > 1 else []
    return [*rest, *rows[1:]]


def _same(one: Grid, other: Grid) -> bool:
    """Whether two tables have their columns at the same places, as one that a page cuts has."""
    return len(one.columns) == len(other.columns) and all(
        abs(left - right) < _SIDE for left, right in zip(one.columns, other.columns, strict=True)
    )


def _touches(text: str, gap: float, size: float) -> bool:
    """Whether a word follows a raised sign without a space."""
    return gap < 0.1 * size or (text[0] in ".,;:)»”" and gap < size)


def _spaced(groups: Sequence[Sequence[Element]]) -> list[Element]:
    out: list[Element] = []
    for group in groups:
        if out:
            out.append({"t": "Space"})
        out.extend(group)
    return out
