"""Pictures made for print: a PDF is shown as PNG where that can be made, what Word cannot show is named."""

from __future__ import annotations

import shutil
import struct
import zlib

import pytest

from fabai.formats.export import export_docx
from fabai.formats.media import picture_type
from fabai.formats.printed import shown_media
from fabai.report import Report, Section

from .word import check_sound, parts, text

PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj "
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj trailer<</Root 1 0 R>>"
)


def test_a_pdf_figure_is_shown_as_png() -> None:
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not installed: apt-get install poppler-utils")
    notices: list[str] = []
    shown = shown_media({"media/a.pdf": PDF}, "![Plano](media/a.pdf)", notices)
    assert picture_type(shown["media/a.pdf"]) == "png"
    assert notices == []


def test_what_word_cannot_show_is_left_out_and_named() -> None:
    media = {"media/b.eps": b"%!PS-Adobe", "media/c.pdf": b"%PDF-1.4 roto", "media/d.eps": b"%!PS"}
    notices: list[str] = []
    report = Report("T", "es", (Section("a", "A", 1, "![Esquema](media/b.eps)\n\n![Roto](media/c.pdf)"),))
    data = export_docx(report, sources={}, original=None, media=media, notices=notices)
    check_sound(data)
    assert not [name for name in parts(data) if "media/" in name]
    assert "Esquema" in text(data)
    assert len(notices) == 1
    assert "media/b.eps, media/c.pdf" in notices[0]


def png(width: int, height: int) -> bytes:
    """A picture that says that it is so large, and shows nothing."""
    out = b"\x89PNG\r\n\x1a\n"
    size = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    for kind, data in ((b"IHDR", size), (b"IDAT", zlib.compress(b"\0")), (b"IEND", b"")):
        out += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return out


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\nroto", b"\xff\xd8\xffroto", png(0, 0), png(60_000, 60_000)])
def test_a_picture_that_no_program_opens_is_left_out_and_named(data: bytes) -> None:
    notices: list[str] = []
    report = Report("T", "es", (Section("a", "A", 1, "![Plano](media/a.png)\n\n![Mapa](media/b.png)"),))
    media = {"media/a.png": data, "media/b.png": png(1, 1)}
    written = export_docx(report, sources={}, original=None, media=media, notices=notices)
    check_sound(written)
    assert len([name for name in parts(written) if "media/" in name]) == 1
    assert "media/a.png" in notices[0]
    assert "media/b.png" not in notices[0]


def test_a_picture_that_the_project_does_not_have_is_named() -> None:
    notices: list[str] = []
    report = Report("T", "es", (Section("a", "A", 1, "![Mapa](media/no.png) del barrio"),))
    check_sound(export_docx(report, sources={}, original=None, media={}, notices=notices))
    assert "media/no.png" in notices[0]
