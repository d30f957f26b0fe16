"""The program that opens a PDF: started by `pdf_process` in a process of its own, which can be ended at any time.

Reads the file's bytes from stdin and writes JSON lines: {"document": ...}, then {"page": ...} for each page, then
{"end": true}; or {"refused": reason}. Knows pdfplumber and pypdf; what the pages mean is for others."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pdfplumber
import pypdf
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfplumber.utils.exceptions import PdfminerException
from pypdf.errors import PyPdfError

from fabai.formats.pdf_letters import rows_of
from fabai.formats.pdf_page import Bookmark, Grid, Page

_TABLES = {
    "vertical_strategy": "lines",
    "horizontal_strategy": "lines",
    "snap_tolerance": 3,
    "intersection_tolerance": 4,
}
_MOST_LETTERS = 20_000_000
"""In a whole file: some ten thousand pages of text."""

_MOST_RULES = 1_500
"""Rules on a page; more are a drawing."""

_ONE_COLUMN = 40.0
"""Points between the left rules of cells that belong to one column, where the rules of its rows do not meet."""

_MOST_BOOKMARKS = 5_000
_FAULTS = (PyPdfError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OSError)
"""What the two libraries raise on damaged files; neither wraps all of it in an error of its own."""


def main() -> None:
    """Arguments: most pages, most MiB of memory."""
    pages, memory = int(sys.argv[1]), int(sys.argv[2])
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    _bound(memory)
    data = sys.stdin.buffer.read()
    try:
        for line in _read(data, pages):
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
        sys.stdout.write('{"end": true}\n')
    except MemoryError:
        sys.stdout.write('{"refused": "memory"}\n')


def _bound(memory: int) -> None:
    if sys.platform != "win32":
        import resource

        # a system that sets its own lower bound refuses ours, and keeps its own
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory * 2**20, memory * 2**20))


def _read(data: bytes, most: int) -> Iterator[dict[str, Any]]:
    try:
        document = pdfplumber.open(io.BytesIO(data))
        count = len(document.pages) if not _too_many(data, most) else most + 1
    except (PdfminerException, *_FAULTS) as error:
        locked = isinstance(error, PDFPasswordIncorrect) or any(
            isinstance(one, PDFPasswordIncorrect) for one in error.args
        )
        yield {"refused": "password" if locked else "damaged"}
        return
    if count > most:
        yield {"refused": "pages"}
        return
    yield {"document": _about(data), "pages": count}
    letters = 0
    for number, page in enumerate(document.pages):
        try:
            letters += len(page.chars)
            if letters > _MOST_LETTERS:
                yield {"refused": "letters"}
                return
            yield {"page": _page(page, number).packed()}
        except (PdfminerException, *_FAULTS):
            yield {"page": Page(number, float(page.width), float(page.height)).packed(), "fault": True}
        page.close()


def _too_many(data: bytes, most: int) -> bool:
    """Whether the page tree says that it holds more; pdfplumber would build every page first."""
    try:
        return len(pypdf.PdfReader(io.BytesIO(data)).pages) > most
    except _FAULTS:
        return False


def _about(data: bytes) -> dict[str, Any]:
    """Outline and metadata; a fault in them leaves the pages readable."""
    about: dict[str, Any] = {"title": "", "language": "", "fields": 0, "bookmarks": []}
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        about["title"] = str((reader.metadata.title if reader.metadata else "") or "")[:300]
        root: Any = reader.trailer["/Root"]
        about["language"] = str(root.get("/Lang") or "")[:20]
        about["fields"] = len(reader.get_fields() or {})
        for bookmark in _bookmarks(reader, reader.outline, 1):
            about["bookmarks"].append([bookmark.title, bookmark.level, bookmark.page, bookmark.y])
            if len(about["bookmarks"]) >= _MOST_BOOKMARKS:
                break
    except _FAULTS:
        return about
    return about


def _bookmarks(reader: pypdf.PdfReader, entries: Any, level: int) -> Iterator[Bookmark]:
    for entry in entries:
        if isinstance(entry, list):
            yield from _bookmarks(reader, entry, level + 1)
            continue
        try:
            page = reader.get_destination_page_number(entry)
            top = entry.top
            height = float(reader.pages[page].mediabox.top) if page is not None else 0.0
            y = height - float(top) if page is not None and isinstance(top, int | float) else None
        except _FAULTS:
            page, y = None, None
        yield Bookmark(" ".join(str(entry.title or "").split())[:400], level, page, y)


def _page(page: Any, number: int) -> Page:
    letters = page.chars
    upright = [one for one in letters if _stands(one["matrix"])]
    turned = [one for one in letters if not _stands(one["matrix"])]
    width, height = float(page.width), float(page.height)
    if _shown(turned) > _shown(upright):
        rows, unmapped = rows_of([one for letter in turned if (one := _upright(letter, width, height))], number)
        return Page(number, height, width, rows, unmapped=unmapped)
    inside = [
        one for one in upright if one["x1"] > 0 and one["x0"] < width and one["bottom"] > 0 and one["top"] < height
    ]
    places = [tuple(round(one[key]) for key in ("x0", "top", "x1", "bottom")) for one in page.images]
    large = tuple(one for one in places if (one[2] - one[0]) * (one[3] - one[1]) > 0.01 * width * height)
    grids: list[Grid] = []
    rest = inside
    rules = len(page.rects) + len(page.lines)
    if 3 < rules <= _MOST_RULES:
        for table in page.find_tables(_TABLES):
            grid, within = _grid(table, rest, number)
            if grid is not None:
                grids.append(grid)
                taken = {id(one) for one in within}
                rest = [one for one in rest if id(one) not in taken]
    rows, unmapped = rows_of(rest, number)
    return Page(
        number, width, height, rows, tuple(grids), large, sum(not one["text"].isspace() for one in turned), unmapped
    )


def _stands(matrix: Any) -> bool:
    """Whether a letter is set upright; its own `upright` fails it for a slant of a billionth."""
    a, b, _, d, _, _ = matrix
    return bool(a > 0 and d > 0 and abs(b) < 0.05 * a)


def _shown(letters: list[Any]) -> int:
    return sum(not one["text"].isspace() for one in letters)


def _upright(letter: Any, width: float, height: float) -> dict[str, Any] | None:
    """A letter of a page that is to be read from the side, as it stands when the page is turned; None for one that is
    slanted."""
    a, b, _, _, x, _ = letter["matrix"]
    if abs(a) > 0.1 * abs(b):
        return None
    place = (
        {"x0": height - letter["bottom"], "x1": height - letter["top"], "top": x}
        if b > 0
        else {"x0": letter["top"], "x1": letter["bottom"], "top": width - x}
    )
    # `rows_of` takes the baseline from top, y1 and the matrix: here it is `top` itself
    return {**letter, **place, "y1": 0.0, "matrix": (1, 0, 0, 1, 0, 0), "size": letter["x1"] - letter["x0"]}


def _grid(table: Any, letters: list[Any], number: int) -> tuple[Grid | None, list[Any]]:
    """The table where it surely is one (two columns and rows or more that hold text), and the letters in it."""
    x0, top, x1, bottom = table.bbox
    within = [one for one in letters if x0 - 1 <= _middle(one) <= x1 + 1 and top - 1 <= _height(one) <= bottom + 1]
    cells = list(table.cells)
    lefts = _distinct(cell[0] for cell in cells)
    tops = _distinct(cell[1] for cell in cells)
    if len(lefts) < 2 or len(tops) < 2 or len(lefts) > 40 or not within:
        return None, []
    texts = [["" for _ in lefts] for _ in tops]
    placed = 0
    for left, cell_top, right, cell_bottom in cells:
        inner = [one for one in within if left <= _middle(one) <= right and cell_top <= _height(one) <= cell_bottom]
        placed += len(inner)
        rows, _ = rows_of(inner, number)
        texts[_index(tops, cell_top)][_index(lefts, left)] = "\n".join(row.text for row in rows)
    filled = sum(bool(cell) for row in texts for cell in row)
    columns = sum(any(row[place] for row in texts) for place in range(len(lefts)))
    shown = [row for row in texts if any(row)]
    if (
        placed < 0.9 * len(within)
        or filled < 4
        or columns < 2
        or len(shown) < 2
        or filled < 0.25 * len(shown) * columns
    ):
        return None, []
    together = sum(sum(bool(cell) for cell in row) > 1 for row in shown)
    if together < 0.5 * len(shown) or _cuts_words(within, shown, number):
        return None, []
    kept = _columns(lefts, shown)
    grid = Grid(
        float(top),
        float(bottom),
        tuple(round(float(lefts[group[0]]), 1) for group in kept),
        tuple(tuple("".join(row[place] for place in group) for group in kept) for row in shown),
    )
    return grid, within


def _cuts_words(letters: list[Any], cells: list[list[str]], number: int) -> bool:
    """Whether the rules go through words, as those of a highlighted or underlined text do."""
    rows, _ = rows_of(letters, number)
    whole = Counter(word.text for row in rows for word in row.words)
    parts = Counter(word for row in cells for cell in row for word in cell.split())
    return (whole - parts).total() > 0.02 * whole.total()


def _columns(lefts: list[float], rows: list[list[str]]) -> list[list[int]]:
    """Places of cells by column: columns that nothing stands in are left out, and two whose rules lie close together,
    and that no row fills both, are one."""
    groups: list[list[int]] = []
    for place, left in enumerate(lefts):
        if not any(row[place] for row in rows):
            continue
        last = groups[-1] if groups else None
        close = last is not None and left - lefts[last[-1]] < _ONE_COLUMN
        if last is not None and close and not any(row[place] and any(row[one] for one in last) for row in rows):
            last.append(place)
        else:
            groups.append([place])
    return groups


def _distinct(values: Any) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 3:
            found.append(value)
    return found


def _index(values: list[float], value: float) -> int:
    return min(range(len(values)), key=lambda index: abs(values[index] - value))


def _middle(letter: Any) -> float:
    return float(letter["x0"] + letter["x1"]) / 2


def _height(letter: Any) -> float:
    return float(letter["top"] + letter["bottom"]) / 2


if __name__ == "__main__":
    main()
