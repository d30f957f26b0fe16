"""Small PDFs made by hand: words at places, rules, bookmarks. For tests of the PDF reader."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import pypdf

WIDTH, HEIGHT = 595, 842


@dataclass(frozen=True)
class Line:
    """Words at a place: x and the baseline from the top of the page, in points."""

    x: float
    y: float
    text: str
    size: float = 11
    bold: bool = False
    turned: bool = False


@dataclass(frozen=True)
class Rule:
    """A line drawn between two places."""

    x0: float
    y0: float
    x1: float
    y1: float


def pdf(pages: Sequence[Sequence[Line | Rule]], bookmarks: Sequence[tuple[str, int]] = (), password: str = "") -> bytes:
    """The file; bookmarks as (title, page from 0)."""
    return finished([_content(page) for page in pages], bookmarks, password)


def finished(contents: Sequence[bytes], bookmarks: Sequence[tuple[str, int]] = (), password: str = "") -> bytes:
    """A file of pages with the given content streams."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>"
        % (len(contents), b" ".join(b"%d 0 R" % (5 + 2 * number) for number in range(len(contents)))),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, content in enumerate(contents):
        packed = zlib.compress(content)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % (WIDTH, HEIGHT, 6 + 2 * number)
        )
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed))
    data = assembled(objects)
    if not bookmarks and not password:
        return data
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    for title, page in bookmarks:
        writer.add_outline_item(title=title, page_number=page)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def assembled(objects: Sequence[bytes]) -> bytes:
    """A file of numbered objects, the first of which is the catalogue."""
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


def column(x: float, top: float, lines: Sequence[str], size: float = 11, leading: float = 14) -> list[Line]:
    """Lines below one another."""
    return [Line(x, top + leading * number, text, size) for number, text in enumerate(lines)]


def table(
    x: float, top: float, cells: Sequence[Sequence[str]], width: float = 120, height: float = 20
) -> list[Line | Rule]:
    """A ruled table."""
    rows, columns = len(cells), len(cells[0])
    out: list[Line | Rule] = []
    out += [Rule(x, top + height * row, x + width * columns, top + height * row) for row in range(rows + 1)]
    out += [Rule(x + width * place, top, x + width * place, top + height * rows) for place in range(columns + 1)]
    for row, texts in enumerate(cells):
        out += [Line(x + width * place + 4, top + height * row + 14, text) for place, text in enumerate(texts) if text]
    return out


def _content(page: Sequence[Line | Rule]) -> bytes:
    parts = []
    for one in page:
        if isinstance(one, Rule):
            places = (one.x0, HEIGHT - one.y0, one.x1, HEIGHT - one.y1)
            parts.append(b"%.2f %.2f m %.2f %.2f l S" % places)
            continue
        text = one.text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        turn = b"0 1 -1 0" if one.turned else b"1 0 0 1"
        font = b"F2" if one.bold else b"F1"
        parts.append(b"BT /%s %.1f Tf %s %.2f %.2f Tm (%s) Tj ET" % (font, one.size, turn, one.x, HEIGHT - one.y, text))
    return b"\n".join(parts)
