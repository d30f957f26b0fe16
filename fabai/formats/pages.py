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
