"""Annexes of many kinds as one PDF with an index, every page with its annex's number; in parts where a size limit asks.

Knows PDF, pictures and office files as annexes, and those that a project holds. Does not know which annexes a form asks
for (fabai.submission.package).
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from fabai.dossier.annexes import annexes
from fabai.errors import ExportError, FabaiError, UnreadableFile
from fabai.report import Language
from fabai.store.project import Project

MEGABYTE = 10**6
OFFICE = ("docx", "doc", "odt", "rtf", "xlsx", "xls", "ods")
PICTURES = ("jpg", "jpeg", "png", "tif", "tiff", "gif", "bmp", "webp")
_WORDS: dict[Language, dict[str, str]] = {
    "es": {"index": "Índice de anexos", "number": "Nº", "title": "Anexo", "page": "Página",
           "stamp": "Anexo {0}, página {1} de {2}"},
    "ca": {"index": "Índex d'annexos", "number": "Núm.", "title": "Annex", "page": "Pàgina",
           "stamp": "Annex {0}, pàgina {1} de {2}"},
    "en": {"index": "Index of annexes", "number": "No.", "title": "Annex", "page": "Page",
           "stamp": "Annex {0}, page {1} of {2}"},
}  # fmt: skip
_ACTIVE = ("/JavaScript", "/Launch", "/SubmitForm", "/ImportData", "/GoToR")

ToPdf = Callable[[bytes, str], bytes]


@dataclass(frozen=True, slots=True)
class AnnexFile:
    """A file to be annexed: its title for the index, its ending without dot, its bytes."""

    title: str
    ending: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Merged:
    """PDF parts in order; faults: a sentence for each annex that could not be taken in."""

    parts: tuple[bytes, ...]
    pages: tuple[int, ...]
    faults: tuple[str, ...]


def merge(files: Sequence[AnnexFile], language: Language, to_pdf: ToPdf, most: float | None = None) -> Merged:
    """All annexes numbered from 1. to_pdf turns an office file of an ending into a PDF. most: megabytes for one part;
    a part ends between two annexes, and its index lists its own.
    """
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    faults: list[str] = []
    made: list[tuple[int, AnnexFile, bytes, int]] = []
    for number, file in enumerate(files, start=1):
        try:
            pdf, count = _numbered(_as_pdf(file, to_pdf), number, language)
        except FabaiError as error:
            faults.append(f"{number}. {file.title}: {error}")
            continue
        made.append((number, file, pdf, count))
    parts: list[bytes] = []
    for group in _groups(made, most):
        parts.append(_joined(group, language))
    if most is not None:
        faults += [f"{len(one) / MEGABYTE:.1f} MB > {most:g} MB" for one in parts if len(one) > most * MEGABYTE]
    return Merged(tuple(parts), tuple(count for _, _, _, count in made), tuple(faults))


def files_of(project: Project) -> list[AnnexFile]:
    """The proofs that a project holds, in the order of the expenses that they prove."""
    items = project.items()
    return [
        AnnexFile(one.title, PurePath(one.file).suffix.lower().lstrip("."), items.attachment(one.sha256).data)
        for one in annexes(project)
    ]


def together(project: Project) -> Merged:
    """Every proof of a project in one PDF; ExportError where it holds none, or none that can be taken in."""
    files = files_of(project)
    if not files:
        raise ExportError("there are no annexes yet: bring proofs first (fabai import PROJECT FILE.pdf --as proofs)")
    made = merge(files, project.language, _no_office)
    if not made.parts:
        raise ExportError(f"none of the annexes can be put into a PDF: {made.faults[0]}")
    return made


def _no_office(data: bytes, ending: str) -> bytes:  # noqa: ARG001 - a proof is taken in as a PDF or a picture
    raise UnreadableFile(f"a proof is a PDF or a picture, not .{ending}")


def _groups(
    made: Sequence[tuple[int, AnnexFile, bytes, int]], most: float | None
) -> list[list[tuple[int, AnnexFile, bytes, int]]]:
    groups: list[list[tuple[int, AnnexFile, bytes, int]]] = []
    size = 0.0
    for one in made:
        if not groups or (most is not None and size + len(one[2]) > 0.97 * most * MEGABYTE):
            groups.append([])
            size = 0.0
        groups[-1].append(one)
        size += len(one[2])
    return groups


def _as_pdf(file: AnnexFile, to_pdf: ToPdf) -> bytes:
    ending = file.ending.lower()
    if ending == "pdf":
        return file.data
    if ending in PICTURES:
        return _picture_pdf(file.data)
    if ending in OFFICE:
        return to_pdf(file.data, ending)
    raise UnreadableFile(f"a .{ending} file cannot be annexed: save it as PDF")


def _picture_pdf(data: bytes) -> bytes:
    """A picture upright on an A4 page, without what its camera wrote into it."""
    import pypdf
    from PIL import Image, ImageOps, UnidentifiedImageError

    from fabai.submission.stamps import A4

    try:
        with Image.open(io.BytesIO(data)) as picture:
            plain = ImageOps.exif_transpose(picture).convert("RGB")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        raise UnreadableFile(f"the picture cannot be read ({error}): save it anew") from None
    out = io.BytesIO()
    width, height = (A4[0] - 80) / 72, (A4[1] - 100) / 72
    # no larger than the page, and no larger than a screen shows it
    plain.save(out, "PDF", resolution=max(plain.width / width, plain.height / height, 96.0), quality=90)
    page = pypdf.PdfReader(io.BytesIO(out.getvalue())).pages[0]
    writer = pypdf.PdfWriter()
    sheet = writer.add_blank_page(*A4)
    x, y = (A4[0] - float(page.mediabox.width)) / 2, (A4[1] - float(page.mediabox.height)) / 2
    sheet.merge_translated_page(page, x, y)
    return _bytes(writer)


def _numbered(pdf: bytes, number: int, language: Language) -> tuple[bytes, int]:
    """The pages with the annex's number on them, and how many they are; the file's actions and scripts are left out."""
    import pypdf
    from pypdf.errors import PyPdfError

    from fabai.submission.stamps import stamp

    try:
        reader = pypdf.PdfReader(io.BytesIO(pdf))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableFile("the PDF is protected with a password: save it without")
        writer = pypdf.PdfWriter()
        for page in reader.pages:
            writer.add_page(page)
        total = len(writer.pages)
        for place, page in enumerate(writer.pages, start=1):
            page.pop("/AA", None)
            _drop_actions(page)
            stamp(page, _WORDS[language]["stamp"].format(number, place, total))
        return _bytes(writer), total
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableFile(f"the PDF is damaged ({type(error).__name__}): print it to PDF anew") from None


def _drop_actions(page: object) -> None:
    annotations = page.get("/Annots")  # type: ignore[attr-defined]
    if annotations is None:
        return
    kept = []
    for one in annotations.get_object():
        action = one.get_object().get("/A")
        kind = None if action is None else action.get_object().get("/S")
        if kind not in _ACTIVE and one.get_object().get("/Subtype") != "/FileAttachment":
            kept.append(one)
    annotations.get_object()[:] = kept


def _joined(group: Sequence[tuple[int, AnnexFile, bytes, int]], language: Language) -> bytes:
    import pypdf

    from fabai.submission.stamps import index_pages

    words = _WORDS[language]
    head = (words["number"], words["title"], words["page"])
    length = len(index_pages(words["index"], head, [("", "", "")] * len(group)))
    rows: list[tuple[str, str, str]] = []
    first = length + 1
    for number, file, _, count in group:
        rows.append((str(number), file.title, str(first)))
        first += count
    writer = pypdf.PdfWriter()
    for page in index_pages(words["index"], head, rows):
        writer.append(io.BytesIO(page))
    for number, file, pdf, _ in group:
        writer.append(io.BytesIO(pdf), outline_item=f"{number}. {file.title}", import_outline=False)
    return _bytes(writer)


def _bytes(writer: object) -> bytes:
    out = io.BytesIO()
    writer.write(out)  # type: ignore[attr-defined]
    return out.getvalue()
