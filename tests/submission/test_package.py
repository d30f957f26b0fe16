"""The package that is handed in: ASCII names, numbered annexes, no camera data, what is missing, and what is frozen."""

from __future__ import annotations

import datetime
import hashlib
import io
import json
import sqlite3
from pathlib import Path

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fabai.demands import Annex, File
from fabai.form import Form, Limit, SectionSpec
from fabai.formats.exif import orientation, without_metadata
from fabai.formats.package import Package
from fabai.store.project import Made, Project
from fabai.submission import blockers
from fabai.submission.annexes import AnnexFile, merge
from fabai.submission.document import word_file
from fabai.submission.names import ascii_name, by_pattern
from fabai.submission.package import make_package

TODAY = datetime.date(2026, 3, 1)


def pdf(pages: int = 1) -> bytes:
    writer = pypdf.PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(595, 842)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def photo(turn: int = 1) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = turn
    exif[0x010F] = "Camera of somebody"
    out = io.BytesIO()
    Image.new("RGB", (60, 40), (10, 90, 160)).save(out, "JPEG", exif=exif, comment=b"by somebody")
    return out.getvalue()


def to_pdf(data: bytes, ending: str) -> bytes:
    """Stands for LibreOffice, which these tests do not need."""
    assert data
    assert ending
    return pdf(2)


FORM = Form(
    "f", {"es": "F"}, ("es",), "bases", "2026-01-02",
    sections=(
        SectionSpec("a", {"es": "Actividades"}),
        SectionSpec("w", {"es": "Resumen"}, kind="web", limits=(Limit("characters", 10, line_break=2),)),
    ),
    file=File(("pdf",), 15.0, "{project}_memòria {date}"),
    annexes=(Annex("facturas", {"es": "Facturas"}), Annex("fotos", {"es": "Fotografías"}, required=False)),
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.create(tmp_path / "barrio.fabai", FORM, "es", "Memoria del barrio")
    for section, text in (("a", "Se hicieron los talleres con las familias."), ("w", "Uno\n\nDos")):
        made.accept(made.save_version(section, text, Made("person")).id)
    return made


def package_of(project: Project, *annexes: AnnexFile):  # type: ignore[no-untyped-def]
    return make_package(project, word_file(project, fresh=True), annexes, to_pdf, today=TODAY)


def test_a_whole_report_with_its_annexes_is_ready_and_its_hashes_hold(project: Project) -> None:
    made = package_of(project, AnnexFile("facturas", "pdf", pdf()))
    assert made.ready, made.missing
    assert [one.name for one in made.files] == [
        "barrio_memoria_2026-03-01.pdf",
        "barrio_memoria_2026-03-01.docx",
        "barrio_memoria_2026-03-01_anexos.pdf",
        "campos/01_Resumen.txt",
        "falta.txt",
        "manifest.json",
    ]
    manifest = json.loads(made.manifest)
    assert manifest["presented"]
    for entry in manifest["files"]:
        file = next(one for one in made.files if one.name == entry["name"])
        assert hashlib.sha256(file.data).hexdigest() == entry["sha256"]
    # the portal counts the line break as two characters
    assert manifest["fields"] == [{"section": "w", "count": 8, "maximum": 10, "unit": "characters"}]


def test_without_a_required_annex_it_is_a_draft_that_says_so(project: Project) -> None:
    made = package_of(project)
    assert not made.ready
    assert any("Facturas" in one for one in made.missing)
    assert made.files[0].name.startswith("borrador_")
    listed = next(one.data.decode() for one in made.files if one.name == "falta.txt")
    assert "Facturas" in listed


def test_portal_fields_stand_in_files_of_their_own_and_not_in_the_document(project: Project) -> None:
    made = package_of(project, AnnexFile("facturas", "pdf", pdf()))
    assert next(one.data for one in made.files if one.name.startswith("campos/")).decode().split() == ["Uno", "Dos"]
    assert "Resumen" not in "".join(str(one) for one in Package(made.document).body.itertext())


def test_what_was_presented_is_kept_and_can_never_be_changed(project: Project) -> None:
    kept = project.presented.add("memoria.docx", b"data", "{}")
    assert (project.presented.all()[0].sha256, kept.document) == (hashlib.sha256(b"data").hexdigest(), b"data")
    assert project.events()[-1].kind == "presented"
    project.close()
    with sqlite3.connect(project.path) as db, pytest.raises(sqlite3.DatabaseError, match="handed in stays"):
        db.execute("UPDATE presented SET name = 'x'")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Costó [falta: importe] en total.", "blocked-hole"),
        ("Véase ![placa](media/placa.jpg).", "blocked-picture"),
    ],
)
def test_gaps_and_pictures_that_are_not_there_block(project: Project, text: str, rule: str) -> None:
    project.accept(project.save_version("a", text, Made("person")).id)
    assert rule in [one.rule for one in blockers(project).violations]


def test_marks_of_formatting_in_a_portal_field_block(project: Project) -> None:
    project.accept(project.save_version("w", "**Uno**", Made("person")).id)
    assert "blocked-web-line" in [one.rule for one in blockers(project).violations]


def test_paragraphs_of_the_ai_that_nobody_reviewed_block_until_they_are(project: Project) -> None:
    version = project.save_version("a", "Los talleres acogen a las familias.", Made("embedded", "qwen"))
    project.accept(version.id)
    assert "blocked-unreviewed-ai" in [one.rule for one in blockers(project).violations]
    for paragraph in project.paragraphs("a"):
        project.review("a", paragraph.hash, "Ana Ejemplo")
    assert "blocked-unreviewed-ai" not in [one.rule for one in blockers(project).violations]


def test_annexes_get_an_index_and_a_number_on_every_page() -> None:
    files = [AnnexFile("Facturas", "pdf", pdf(2)), AnnexFile("Foto", "jpg", photo(6)), AnnexFile("Hoja", "xyz", b"?")]
    found = merge(files, "es", to_pdf)
    assert found.pages == (2, 1)
    assert len(found.faults) == 1
    texts = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(found.parts[0])).pages]
    assert "Índice de anexos" in texts[0]
    assert "Facturas" in texts[0]
    assert [text.strip() for text in texts[1:]] == [
        "Anexo 1, página 1 de 2", "Anexo 1, página 2 de 2", "Anexo 2, página 1 de 1"
    ]  # fmt: skip


def test_annexes_beyond_the_size_limit_go_out_in_parts() -> None:
    noise = Image.effect_noise((900, 900), 90).convert("RGB")
    out = io.BytesIO()
    noise.save(out, "JPEG", quality=95)
    files = [AnnexFile(f"Foto {number}", "jpg", out.getvalue()) for number in range(4)]
    most = len(merge(files[:1], "en", to_pdf).parts[0]) * 2.4 / 10**6
    found = merge(files, "en", to_pdf, most)
    assert len(found.parts) == 2
    assert all(len(part) <= most * 10**6 for part in found.parts)


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4 cut", b"nonsense"])
def test_a_damaged_annex_is_named_and_the_others_go_on(data: bytes) -> None:
    found = merge([AnnexFile("Rota", "pdf", data), AnnexFile("Buena", "pdf", pdf())], "ca", to_pdf)
    assert [fault.split(":")[0] for fault in found.faults] == ["1. Rota"]
    assert len(found.parts) == 1


def test_camera_data_goes_and_the_picture_stands_upright() -> None:
    plain = without_metadata(photo())
    assert b"Camera" not in plain
    assert b"somebody" not in plain
    turned = without_metadata(photo(6))
    assert orientation(turned) is None
    with Image.open(io.BytesIO(turned)) as picture:
        assert picture.size == (40, 60)


def test_a_png_loses_its_words_and_keeps_its_pixels() -> None:
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Author", "Ana Ejemplo")
    out = io.BytesIO()
    Image.new("RGB", (5, 4), (1, 2, 3)).save(out, "PNG", pnginfo=info)
    plain = without_metadata(out.getvalue())
    assert b"Ana" not in plain
    with Image.open(io.BytesIO(plain)) as picture:
        assert picture.getpixel((2, 2)) == (1, 2, 3)


@given(st.binary(max_size=200))
def test_no_bytes_that_call_themselves_a_picture_break_the_cleaning(data: bytes) -> None:
    for head in (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b""):
        assert isinstance(without_metadata(head + data), bytes)


@given(st.text())
def test_names_are_ascii_and_never_empty(text: str) -> None:
    name = ascii_name(text)
    assert name.isascii()
    assert 0 < len(name) <= 60
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def test_a_pattern_is_filled_and_holes_without_a_value_leave_nothing() -> None:
    values = {"organisation": "Associació «Col·lectiu» l'Hort", "date": "2026-03-01"}
    assert (
        by_pattern("{organisation}_{call}_memoria_{date}", values) == "Associacio_Collectiu_l_Hort_memoria_2026-03-01"
    )


def test_a_rule_that_the_project_put_aside_does_not_hold_up_the_package(project: Project) -> None:
    assert "annex-missing" in {one.rule for one in package_of(project).findings.violations}
    project.set_rule("annex-missing", "no procede")
    assert "annex-missing" not in {one.rule for one in package_of(project).findings.violations}
