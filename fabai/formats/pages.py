"""The page of every heading, as LibreOffice lays the document out, or by a guess where it is not there.

Knows the outline of a PDF. Does not know Word.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from fabai.formats.wordml import squeezed


def heading_pages(pdf: bytes, headings: Sequence[str]) -> list[int | None]:
    """The page, from 1, of each heading in order, by the PDF's outline; None for a heading that it does not list."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    listed = [(squeezed(str(one.title)), reader.get_destination_page_number(one)) for one in _flat(reader.outline)]
    pages: list[int | None] = []
    position = 0
    for heading in headings:
        wanted = squeezed(heading)
        found = next((index for index in range(position, len(listed)) if listed[index][0].endswith(wanted)), None)
        if found is None:
            pages.append(None)
            continue
        page = listed[found][1]
        pages.append(None if page is None else page + 1)
        position = found + 1
    return pages


def heading_places(pdf: bytes, headings: Sequence[str], edges: tuple[float, float]) -> tuple[list[float | None], int]:
    """Where each heading begins, in pages from 0.0 (2.5 is the middle of the third page), by the PDF's outline, and the
    number of pages. None for a heading that it does not list. edges: height of the margins above and below, in points.
    """
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    listed: list[tuple[str, float]] = []
    for one in _flat(reader.outline):
        number = reader.get_destination_page_number(one)
        if number is None or number < 0:
            continue
        height = float(reader.pages[number].mediabox.height)
        room = max(height - sum(edges), 1.0)
        top = one.get("/Top")
        down = 0.0 if top is None else min(max((height - edges[0] - float(top)) / room, 0.0), 1.0)
        # the space above a heading that opens a page is not a part of the page before
        listed.append((squeezed(str(one.title)), number + (down if down > _OPENING else 0.0)))
    places: list[float | None] = []
    position = 0
    for heading in headings:
        wanted = squeezed(heading)
        found = next((index for index in range(position, len(listed)) if listed[index][0].endswith(wanted)), None)
        places.append(None if found is None or not wanted else listed[found][1])
        position = position if found is None else found + 1
    return places, len(reader.pages)


_OPENING = 0.04
_WORDS_PER_PAGE = 430


def guessed_pages(words_before: Sequence[int], first: int) -> list[int | None]:
    """A page for each heading by the words in front of it; `first` is the page on which the text begins."""
    return [first + words // _WORDS_PER_PAGE for words in words_before]


def _flat(outline: Any) -> Iterator[Any]:
    for one in outline:
        if isinstance(one, list):
            yield from _flat(one)
        else:
            yield one
