"""The kinds of files that a dossier holds, written: sheets of expenses, tables, photographs, proofs, lists of faults.

Does not know any dossier.
"""

from __future__ import annotations

import csv
import datetime
import io
import struct
import zlib
from decimal import Decimal
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Font
from PIL import Image
from stdnum.es import cif

ROOT = Path(__file__).parents[1] / "tests" / "data" / "dossiers"
Row = dict[str, Any]


def company(number: int, letter: str = "B") -> str:
    """A tax number with a right check digit."""
    bare = f"{letter}{number:07d}"
    return bare + cif.calc_check_digits(bare)[0]


def expense(
    creditor: str,
    nif: str,
    number: str,
    concept: str,
    heading: str,
    issued: str,
    paid: str,
    base: str,
    rate: int = 21,
    **more: Any,
) -> Row:
    net = Decimal(base)
    vat = (net * rate / 100).quantize(Decimal("0.01"))
    return {
        "creditor": creditor,
        "nif": nif,
        "number": number,
        "concept": concept,
        "heading": heading,
        "issued": datetime.date.fromisoformat(issued),
        "paid": datetime.date.fromisoformat(paid),
        "base": net,
        "vat": vat,
        "total": net + vat,
        "percent": Decimal(100),
        "charged": net + vat,
        **more,
    }


def of_total(total: str, rate: int = 21) -> str:
    """The net amount of which the whole invoice is a round total, to the cent."""
    return str((Decimal(total) * 100 / (100 + rate)).quantize(Decimal("0.01")))


def workbook(
    path: Path, sheet: str, title: str, heads: dict[str, str], rows: list[Row], total: str, wrong: Decimal = Decimal(0)
) -> None:
    """A list with a title, heads, rows and a total that is computed, with the value that Excel would have saved."""
    book = Workbook()
    page = book.active
    page.title = sheet
    page["A1"] = title
    page["A1"].font = Font(bold=True)
    page.append([])
    page.append(list(heads.values()))
    for row in rows:
        page.append([_cell(row.get(field)) for field in heads])
    sums: list[Any] = ["" for _ in heads]
    sums[0] = total
    for column, field in enumerate(heads):
        if field in ("base", "vat", "total", "charged"):
            sums[column] = float(sum((row[field] for row in rows), Decimal(0)) + (wrong if field == "charged" else 0))
    page.append(sums)
    for row in page.iter_rows(min_row=4, max_row=page.max_row):
        for cell in row:
            if isinstance(cell.value, datetime.date):
                cell.number_format = "dd/mm/yyyy"
            elif isinstance(cell.value, float):
                cell.number_format = "#,##0.00"
    for letter, width in zip("ABCDEFGHIJKLM", (26, 12, 12, 30, 20, 12, 12, 11, 11, 11, 9, 11, 20), strict=True):
        page.column_dimensions[letter].width = width
    _save(book, path)


def _cell(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def _save(book: Workbook, path: Path) -> None:
    moment = datetime.datetime(2026, 1, 1)
    book.properties.created = book.properties.modified = moment
    book.properties.creator = "dossier"
    book.save(path)


def plain(path: Path, heads: list[str], rows: list[list[Any]], separator: str = ";", encoding: str = "utf-8") -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator)
    writer.writerow(heads)
    writer.writerows(rows)
    path.write_bytes(out.getvalue().encode(encoding))


def table_book(path: Path, sheet: str, heads: list[str], rows: list[list[Any]]) -> None:
    book = Workbook()
    page = book.active
    page.title = sheet
    page.append(heads)
    for row in rows:
        page.append(row)
    _save(book, path)


def photo(path: Path, colour: tuple[int, int, int]) -> None:
    """A small picture with a place, a device and a name in its EXIF data, as a telephone writes them."""
    picture = Image.new("RGB", (320, 240), colour)
    for x in range(0, 320, 8):
        for y in range(0, 240, 8):
            picture.putpixel((x, y), (255 - colour[0], colour[1], 255 - colour[2]))
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x013B] = "Fictional Phones", "FP-1", "Laia P."
    place = exif.get_ifd(0x8825)
    place[1], place[2], place[3], place[4] = "N", (41.0, 55.0, 12.0), "E", (2.0, 11.0, 9.0)
    picture.save(path, "JPEG", quality=70, exif=exif)


def proof(path: Path, text: str) -> None:
    """A PDF of one page that says what it proves."""
    shown = text.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    stream = b"BT /F1 12 Tf 60 780 Td (" + shown + b") Tj ET"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding "
        b"/WinAnsiEncoding >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    out = b"%PDF-1.4\n"
    places = []
    for number, part in enumerate(parts, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, start)
    path.write_bytes(out)


def faults(path: Path, first: int, found: list[tuple[int, str, str]]) -> None:
    """faults.toml: the row of the sheet, the rule that must find it and what was changed."""
    lines = ["# Planted into expenses-faulty; the clean twin has none. row 0: the fault is of the whole list.\n"]
    for index, rule, why in found:
        row = 0 if index < 0 else first + index
        lines.append(f'[[fault]]\nrow = {row}\nrule = "{rule}"\nwhy = "{why}"\n')
    path.write_text("\n".join(lines), encoding="utf-8")


def later(day: str, days: int) -> str:
    return str(datetime.date.fromisoformat(day) + datetime.timedelta(days=days))


def settle(rows: list[Row], wanted: dict[str, str]) -> None:
    """Round totals: the cents that net amounts lose go to the VAT, and each heading must add up to what the report
    says.
    """
    for row in rows:
        rest = row["total"].quantize(Decimal(1)) - row["total"]
        for field in ("vat", "total", "charged"):
            row[field] += rest
    for heading, total in wanted.items():
        found = sum(row["charged"] for row in rows if row["heading"] == heading)
        assert found == Decimal(total), (heading, found, total)


def png(path: Path) -> None:
    """A picture of one colour as PNG, with a text chunk."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    raw = b"".join(b"\0" + b"\x50\x78\x3c" * 16 for _ in range(16))
    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    data = (
        chunk(b"IHDR", header)
        + chunk(b"tEXt", b"Author\0Laia P.")
        + chunk(b"IDAT", zlib.compress(raw))
        + chunk(b"IEND", b"")
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)
