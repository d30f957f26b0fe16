"""Files that a person brings: where they are put, and who reads which kind.

Knows kinds, endings and names. Does not know formats or HTTP. Uploads lie outside everything that is served.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePath

from fabai.dossier.columns import LIST_KINDS
from fabai.errors import BadSetting, UsageError
from fabai.store.unicode import composed

from . import annexes, citations, expenses, intake, lists, partners, templates
from .call import Answer, Call

DOCUMENTS = frozenset({".docx", ".docm", ".doc", ".odt", ".rtf", ".pdf", ".md", ".txt", ".tex", ".html", ".htm"})
SHEETS = frozenset({".xlsx", ".xlsm", ".xls", ".ods", ".csv"})
PICTURES = frozenset({".jpg", ".jpeg", ".png", ".gif", ".webp", ".tif", ".tiff", ".bmp"})
BIBLIOGRAPHIES = frozenset({".bib", ".ris", ".txt"})
REFERENCES = frozenset({".bib", ".ris", ".json"})
_LONGEST = 100
_UNSAFE = re.compile(r"[\x00-\x1f\x7f<>:\"/\\|?*]+")
_TURNED = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of writing: behind one, 'gpj.exe' is read as 'exe.jpg'."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What is done with an upload of a kind. whole: it belongs to no project."""

    look: Callable[[Call, Path], Answer]
    endings: frozenset[str]
    wanted: str
    whole: bool = False


READERS: dict[str, Reader] = {
    **dict.fromkeys(intake.KINDS, Reader(intake.look, DOCUMENTS, "Word, ODT, PDF or text")),
    **dict.fromkeys(LIST_KINDS, Reader(lists.look, SHEETS, "a spreadsheet: .xlsx, .xls, .ods or .csv")),
    "proofs": Reader(annexes.add_proof_file, PICTURES | {".pdf"}, "PDF or a picture"),
    "photos": Reader(annexes.add_photo_file, PICTURES, "a picture: .jpg, .png, .gif, .webp or .tif"),
    "publications": Reader(annexes.add_publication_file, BIBLIOGRAPHIES, ".bib, .ris, or text with one DOI a line"),
    "references": Reader(citations.add_file, REFERENCES, "a bibliography: .bib, .ris or CSL .json"),
    "citation-style": Reader(citations.add_style, frozenset({".csl"}), "a style of citations as .csl"),
    "returned": Reader(partners.look, DOCUMENTS, "Word, ODT, PDF or text"),
    "funder": Reader(expenses.filled, frozenset({".xlsx"}), "the funder's empty sheet as .xlsx"),
    "template": Reader(templates.look_template, DOCUMENTS, "Word, ODT, PDF or text", whole=True),
    "request": Reader(templates.look_request, DOCUMENTS, "Word, ODT, PDF or text", whole=True),
}


def received(call: Call, data: bytes) -> Answer:
    """Keep an upload and show what was found in it; BadSetting where its kind or name is none."""
    reader = READERS.get(call.text("kind"))
    if reader is None:
        raise UsageError("say what the document is: choose its kind again")
    name = check_name(call.text("name"), reader)
    if reader.whole:
        folder = call.space.room("uploads")
    else:
        with call.project():
            folder = call.space.room("uploads", call.name)
    path = kept_name(folder, name, sha256(data).hexdigest())
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return reader.look(call, path)


def kept_name(folder: Path, filename: str, digest: str) -> Path:
    """Where an upload is put: in a folder of its own, under a name that every system takes."""
    pure = PurePath(_UNSAFE.sub("-", filename))
    stem = pure.stem.strip(". ")[:_LONGEST] or "documento"
    return folder / digest[:16] / f"{stem}{pure.suffix.lower()}"


def check_name(filename: str, reader: Reader) -> str:
    """The plain name of an upload; BadSetting where it is of a kind that is not read here."""
    name = PurePath(_TURNED.sub("", filename).replace("\\", "/")).name
    if PurePath(name).suffix.lower() not in reader.endings:
        raise BadSetting(f"'{name[:80]}' is of a kind that is not read here: give {reader.wanted}")
    return composed(name)
