"""What a build keeps of one file between its two passes: cleaned text whose personal data have keys of their own.

The keys of a Cleaned count within its document; `values` tells, by a keyed hash, which of them mean the same as a key
of another document, so that the second pass can give one value one key in a whole project. Knows the fields and the
file. Does not know how text is cleaned.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabai.report import Language

from .document import CorpusSection, DocumentKind, write_json

WORK = ".work"


@dataclass(frozen=True, slots=True)
class Cleaned:
    """recipe: what made it (version and settings); another recipe makes it anew. looks: what the text says it is, where
    that is plain. values: key -> keyed hash of the value. paragraphs: hashes of the paragraphs that may turn out to be
    boilerplate. facts: as in CorpusDocument. notices: what the reader had to tell.
    """

    id: str
    recipe: str
    sha256: str
    title: str
    language: Language | None
    variety: str | None
    looks: DocumentKind | None
    sections: tuple[CorpusSection, ...]
    tags: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict)
    paragraphs: tuple[int, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


def place(folder: Path, identity: str) -> Path:
    """The file of a Cleaned in the corpus `folder`."""
    return folder / WORK / f"{identity}.json"


def keep(folder: Path, cleaned: Cleaned) -> None:
    """Written whole or not at all: a build that is killed goes on from the files that are there."""
    write_json(place(folder, cleaned.id), dataclasses.asdict(cleaned))


def kept(folder: Path, identity: str, recipe: str) -> Cleaned | None:
    """What an earlier build left for that file, None where it left nothing, or made it by another recipe."""
    try:
        table: dict[str, Any] = json.loads(place(folder, identity).read_bytes())
        if table["recipe"] != recipe:
            return None
        # our own file: reading it strictly, as a person's, would cost more than all the rest of the second pass
        sections = tuple(CorpusSection(**{**one, "tags": tuple(one["tags"])}) for one in table.pop("sections"))
        lists: dict[str, Any] = {name: tuple(table.pop(name)) for name in ("tags", "paragraphs", "notices")}
        return Cleaned(**table, **lists, sections=sections)
    except (OSError, ValueError, RecursionError, TypeError, KeyError):
        return None
