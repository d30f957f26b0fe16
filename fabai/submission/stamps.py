"""Plain words on PDF pages: an index of annexes, and the number of its annex on every page.

Knows pypdf and one of the fonts that every viewer has. Does not know where annexes come from.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import pypdf
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, FloatObject, NameObject

A4 = (595.28, 841.89)
"""Points."""
_EDGE = 62.0
_LINE = 17.0
_PER_PAGE = 38
_WIDTH = 0.5
"""Of a letter, in sizes of the font, on average: enough to know where to cut a long title."""


def index_pages(title: str, head: tuple[str, str, str], rows: Sequence[tuple[str, str, str]]) -> list[bytes]:
    """PDF pages that list number, title and first page of each annex; one page for so many rows."""
    groups = [rows[start : start + _PER_PAGE] for start in range(0, len(rows), _PER_PAGE)] or [()]
    pages = []
    for group in groups:
        high = A4[1] - _EDGE
        commands = [_text(_EDGE, high, 16, title)]
        for place, row in enumerate([head, *group]):
            y = high - 34 - _LINE * place
            size = 9.5 if place == 0 else 10.5
            commands += [_text(_EDGE, y, size, row[0]), _text(_EDGE + 44, y, size, _cut(row[1], size, 360))]
            commands.append(_text(A4[0] - _EDGE - len(row[2]) * size * _WIDTH, y, size, row[2]))
        pages.append(_page("\n".join(commands)))
    return pages


def stamp(page: pypdf.PageObject, words: str) -> None:
    """Write the words at the top right of a page, in place."""
    page.transfer_rotation_to_content()
    box = page.mediabox
    x = float(box.right) - 28 - len(words) * 8 * _WIDTH
    y = float(box.top) - 18
    over = pypdf.PdfReader(io.BytesIO(_page(_text(x, y, 8, words), (float(box.right), float(box.top))))).pages[0]
    page.merge_page(over)


def _cut(text: str, size: float, room: float) -> str:
    most = int(room / (size * _WIDTH))
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _text(x: float, y: float, size: float, words: str) -> str:
    coded = words.encode("cp1252", "replace")
    return f"BT /F1 {size:g} Tf 1 0 0 1 {x:.2f} {y:.2f} Tm <{coded.hex()}> Tj ET"


def _page(commands: str, size: tuple[float, float] = A4) -> bytes:
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(*size)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
            NameObject("/Encoding"): NameObject("/WinAnsiEncoding"),
        }
    )
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F1"): writer._add_object(font)})}
    )
    page[NameObject("/MediaBox")] = ArrayObject([FloatObject(0), FloatObject(0), *(FloatObject(one) for one in size)])
    stream = DecodedStreamObject()
    stream.set_data(commands.encode("latin-1"))
    page[NameObject("/Contents")] = writer._add_object(stream)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
