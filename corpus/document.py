"""The written corpus: a folder of cleaned documents, one JSON file each, and what every reader and writer of it needs.

    DIR/corpus.json            format version, settings, and one entry per document
    DIR/documents/<id>.json    one CorpusDocument each
    DIR/refusals.jsonl         {"path", "reason"}: files that are not in it
    DIR/replaced.jsonl         {"id", "section", "kind", "key", "count"}: personal data that was replaced, no values
    DIR/removed.jsonl          {"id", "sha256", "path"}: taken out by a person; a build leaves such content out
    DIR/.work                  what a build keeps to go on from; not part of the corpus

Personal data stand in the text as references to facts, the syntax that drafting uses: `{{persona_1}}`. A key is a kind
from KEY_KINDS, an underscore and a number; within a project one value has one key, in every document of the project.

Knows the files and their fields. Does not know how documents are read, cleaned, or turned into examples.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from fabai.errors import BadSetting, UnreadableFile
from fabai.report import Language
from fabai.strict import build

FORMAT = 1
DOCUMENTS = "documents"
MANIFEST = "corpus.json"
REFUSALS = "refusals.jsonl"
REPLACED = "replaced.jsonl"
REMOVED = "removed.jsonl"

DocumentKind = Literal["report", "proposal", "call", "memoria", "project", "thesis", "law", "other"]
KINDS: tuple[DocumentKind, ...] = get_args(DocumentKind)

SectionKind = Literal["text", "table", "list", "code", "references", "contents", "empty"]

KEY_KINDS = (
    "persona", "dni", "nie", "nif", "pasaporte", "documento", "seguridad_social", "iban", "tarjeta", "telefono",
    "correo", "direccion", "perfil",
)  # fmt: skip
"""Kinds of personal data: a person's name, Spanish identity documents, other countries', accounts, ways to reach."""

REFERENCE = re.compile(r"\{\{(" + "|".join(KEY_KINDS) + r")_(\d+)\}\}")
"""A placeholder in a text; group 1 is the kind, group 2 the number."""

_ID = re.compile(r"[A-Za-z0-9._-]{1,120}")


@dataclass(frozen=True, slots=True)
class CorpusSection:
    """A heading (level 1-9; 0 and "" for the text in front of the first) and the Markdown under it.

    language: of its text, None where it is none of ours or too short to tell. tags: "guidance-removed",
    "boilerplate-removed", "mixed-language", "other-language" ... kind: what it mostly consists of.
    """

    heading: str
    level: int
    text: str
    language: Language | None = None
    tags: tuple[str, ...] = ()
    kind: SectionKind = "text"


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """One cleaned document.

    id: stable and safe as a file name. sha256: of the source file. path: as in the sources, "/" between folders.
    variety: a BCP 47 tag ("ca-ES", "ca-AD", "ca-valencia", "ca-x-balear", "es-ES", "es-UY"), None where it cannot be
    told. year: of the report, None where not given. derived_from: paths of documents whose text it repeats. tags:
    "declared-memoria" where a thesis or a law was declared as something else, "ocr" ... facts: of a `project` source,
    the names and values of its ledger.
    """

    id: str
    sha256: str
    path: str
    title: str
    licence: str
    consent: str
    language: Language | None
    variety: str | None
    project: str
    year: int | None
    kind: DocumentKind
    derived_from: tuple[str, ...]
    sections: tuple[CorpusSection, ...]
    tags: tuple[str, ...] = ()
    facts: dict[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id) or self.id.startswith("."):
            raise BadSetting(f"'{self.id}' is no id that a corpus document can have")

    @property
    def text(self) -> str:
        """The whole document as Markdown, headings included."""
        parts = (f"{'#' * min(one.level, 6)} {one.heading}" if one.level else "" for one in self.sections)
        pairs = zip(parts, (one.text for one in self.sections), strict=True)
        return "\n\n".join(part for pair in pairs for part in pair if part.strip())


def place(folder: Path, identity: str) -> Path:
    """The file of a document in the corpus `folder`."""
    return folder / DOCUMENTS / f"{identity}.json"


def read_document(path: Path) -> CorpusDocument:
    """The document in one file; UnreadableFile, BadSetting or UnknownName in a sentence where it is none."""
    try:
        table = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise UnreadableFile(f"{path} does not exist: build the corpus again") from None
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path} is no document of a corpus ({error}): build the corpus again") from None
    return build(CorpusDocument, table, str(path))


def write_document(folder: Path, document: CorpusDocument) -> Path:
    """Write `folder`/documents/<id>.json, whole or not at all."""
    path = place(folder, document.id)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, dataclasses.asdict(document))
    return path


def documents(folder: Path) -> Iterator[CorpusDocument]:
    """The documents of a corpus, one at a time, in the order of its manifest; UnreadableFile where it has none."""
    for entry in read_manifest(folder)["documents"]:
        yield read_document(place(folder, entry["id"]))


def read_manifest(folder: Path) -> dict[str, Any]:
    """corpus.json: {"format", "settings", "documents": [{"id", "sha256", "path", "licence", "consent", "language",
    "variety", "project", "year", "kind", "derived_from", "tags", "sections", "words"}]}.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise UnreadableFile(f"{folder} is no corpus: make one with 'fabai corpus build'") from None
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path} cannot be read ({error}): build the corpus again") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT or "documents" not in manifest:
        raise UnreadableFile(f"{folder} was built by another version of fabai: build the corpus again")
    return manifest


def write_json(path: Path, value: Any) -> None:
    """A JSON file, replaced by rename."""
    write_bytes(path, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


def write_bytes(path: Path, data: bytes) -> None:
    """A file that is there whole, or as it was before."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_bytes(data)
    fresh.replace(path)
