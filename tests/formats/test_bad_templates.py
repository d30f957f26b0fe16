"""Templates and pictures that are not as they should be: each is used, or answered with one sentence."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from fabai.errors import UnreadableFile
from fabai.formats import safety
from fabai.formats.export import export_docx
from fabai.formats.media import picture_type
from fabai.formats.package import Package
from fabai.formats.printed import shown_media
from fabai.formats.template_file import template_file
from fabai.formats.wordml import W
from fabai.report import Report, Section
from fabai.settings import ReadingLimits

from .test_read import PNG
from .word import case, check_sound, parts, text, xpath

REPORT = Report("Memoria", "es", (Section("a", "Resumen", 1, "Texto nuevo."), Section("b", "Gastos", 1, "Diez euros.")))
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="20mm"><rect width="99" height="50" fill="#137"/>'
    b"</svg>"
)


def filled(template: bytes, report: Report = REPORT, notices: list[str] | None = None) -> bytes:
    data = export_docx(report, sources={}, original=None, media={}, template=template, notices=notices)
    check_sound(data, template)
    return data


def fresh(report: Report = REPORT) -> bytes:
    return export_docx(report, sources={}, original=None, media={})


def with_part(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as read, zipfile.ZipFile(out, "w") as written:
        for one in read.namelist():
            written.writestr(one, change(read.read(one)) if one == name else read.read(one))
    return out.getvalue()


def test_protection_against_changes_is_taken_off_and_said() -> None:
    mark = b'<w:documentProtection w:edit="forms" w:enforcement="1"/>'
    template = with_part(fresh(), "word/settings.xml", lambda part: part.replace(b"<w:zoom", mark + b"<w:zoom"))
    notices: list[str] = []
    data = filled(template, notices=notices)
    assert xpath(data, "count(//w:documentProtection)", "word/settings.xml") == 0
    assert any("protected against changes" in one for one in notices)
    assert "Texto nuevo." in text(data)


def test_a_picture_in_the_templates_header_stays_there() -> None:
    package = Package(case("024", "dos-secciones.docx").read_bytes())
    header = next(name for name in package.names if name.startswith("word/header"))
    package.put("word/media/logo.png", PNG, "image/png")
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
    rid = package.add_relation(header, kind, "word/media/logo.png")
    picture = Package(
        export_docx(
            Report("T", "es", (Section("a", "A", 1, "![Logo](media/x.png)"),)),
            sources={}, original=None, media={"media/x.png": PNG},
        )
    )  # fmt: skip
    drawing = next(picture.body.iter(W + "drawing"))
    for blip in drawing.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}blip"):
        blip.set("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed", rid)
    run = package.edit(header).find(W + "p").makeelement(W + "r")  # type: ignore[union-attr]
    run.append(drawing)
    package.edit(header).find(W + "p").append(run)  # type: ignore[union-attr]
    report = Report("Memoria", "es", (Section("a", "Resumen", 1, "Texto.\n\n![Foto](media/x.png)"),))
    other = io.BytesIO()
    Image.new("RGB", (9, 9)).save(other, "PNG")
    media = {"media/x.png": other.getvalue()}
    data = export_docx(report, sources={}, original=None, media=media, template=package.save())
    check_sound(data, package.save())
    assert xpath(data, "count(//a:blip)", header) == 1
    assert xpath(data, "count(//a:blip)") == 1
    assert len([name for name in parts(data) if "/media/" in name]) == 2


def test_headings_down_to_level_nine_and_text_from_right_to_left_fill_a_template() -> None:
    sections = tuple(Section(f"s{level}", f"Nivel {level}", level, "هذا تقرير مهم.") for level in range(1, 10))
    data = filled(case("017", "plantilla-minima.docx").read_bytes(), Report("تقرير", "es", sections))
    levels = [level for level in range(1, 10) if f'w:val="heading {level}"' in parts(data)["word/styles.xml"].decode()]
    assert levels == list(range(1, 10))
    assert text(data).count("هذا تقرير مهم.") == 9


def test_sections_of_one_heading_follow_each_other_under_it() -> None:
    """A form may repeat a section for each partner or objective; its template has the heading once."""
    report = Report(
        "Memoria", "es",
        (Section("a", "Resumen", 1, "Uno."), Section("b", "Resumen", 1, "Dos."), Section("c", "Resumen", 1, "Tres.")),
    )  # fmt: skip
    data = filled(case("024", "dos-secciones.docx").read_bytes(), report)
    found = text(data)
    assert found.count("Resumen") == 3
    assert found.index("Uno.") < found.index("Dos.") < found.index("Tres.") < found.index("Anexo económico")


def test_a_template_larger_than_the_bound_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "enorme.docx"
    with path.open("wb") as file:
        file.truncate(ReadingLimits().file_bytes + 1)
    with pytest.raises(UnreadableFile, match=r"enorme\.docx"):
        template_file(path, [])


@pytest.mark.slow
def test_a_template_of_a_hundred_megabytes_is_filled(tmp_path: Path) -> None:
    package = Package(case("017", "plantilla-minima.docx").read_bytes())
    for number in range(4):
        package.put(f"word/media/{number}.bin", bytes(26 * 10**6), "application/octet-stream")
    path = tmp_path / "grande.docx"
    with zipfile.ZipFile(io.BytesIO(package.save())) as read, zipfile.ZipFile(path, "w") as written:
        for name in read.namelist():
            written.writestr(name, read.read(name))
    assert path.stat().st_size > 100 * 10**6
    assert "Texto nuevo." in text(filled(template_file(path, [])))


def test_what_is_no_template_is_refused_with_what_to_give(tmp_path: Path) -> None:
    path = tmp_path / "plantilla.txt"
    path.write_text("Memoria")
    with pytest.raises(UnreadableFile, match=r"give a \.docx"):
        template_file(path, [])


@pytest.mark.slow
def test_an_old_word_template_is_converted_and_filled(
    tmp_path: Path, office: Callable[[bytes, str, str], bytes]
) -> None:
    old = office(case("024", "dos-secciones.docx").read_bytes(), "docx", "doc")
    path = tmp_path / "modelo.doc"
    path.write_bytes(old)
    assert safety.load(path, ReadingLimits()).kind == "doc"
    notices: list[str] = []
    data = filled(template_file(path, notices))
    assert "converted by LibreOffice" in notices[0]
    assert "CABECERA APAISADA" in text(data, "all")
    assert text(data).index("Resumen") < text(data).index("Texto nuevo.") < text(data).index("Anexo económico")


def test_a_webp_picture_is_shown_as_png() -> None:
    out = io.BytesIO()
    Image.new("RGB", (20, 10), (9, 120, 90)).save(out, "WEBP")
    shown = shown_media({"media/a.webp": out.getvalue()}, "![Mapa](media/a.webp)", [])
    assert picture_type(shown["media/a.webp"]) == "png"


@pytest.mark.slow
def test_a_drawing_is_shown_as_png_of_its_own_size(office: Callable[[bytes, str, str], bytes]) -> None:
    assert office
    notices: list[str] = []
    shown = shown_media({"media/a.svg": SVG}, "![Mapa](media/a.svg)", notices)
    with Image.open(io.BytesIO(shown["media/a.svg"])) as picture:
        assert (picture.format, picture.getpixel((9, 9))[:3]) == ("PNG", (0x11, 0x33, 0x77))
        assert picture.width / picture.info["dpi"][0] * 25.4 == pytest.approx(40, abs=1)
    assert notices == []


@pytest.mark.parametrize(
    "inside",
    [b'<image href="http://x.example/a.png"/>', b"<style>@import 'a.css'</style>", b"<script>1</script>", b"<rect"],
)
def test_a_drawing_that_reaches_outside_itself_or_is_broken_is_named_and_not_drawn(inside: bytes) -> None:
    data = SVG.replace(b"<rect", inside + b"<rect", 1) if inside != b"<rect" else b"<svg"
    notices: list[str] = []
    shown = shown_media({"media/a.svg": data}, "![Mapa](media/a.svg)", notices)
    assert shown["media/a.svg"] == data
    assert "media/a.svg" in notices[0]
