"""A small corpus of fictional reports, and a tiny model's folder to count with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fabai.corpus.document import CorpusDocument, CorpusSection, DocumentKind, write_document, write_json

from fabai.report import Language
from tests.writers import tiny

Section = tuple[str, int, str]
Written = Callable[..., Path]


def document(
    identity: str,
    sections: Sequence[Section],
    *,
    project: str = "",
    language: Language | None = "es",
    kind: DocumentKind = "report",
    licence: str = "CC0-1.0",
    consent: str = "public",
    derived_from: tuple[str, ...] = (),
    facts: dict[str, str] | None = None,
) -> CorpusDocument:
    """A corpus document of (heading, level, text)."""
    sha256 = hashlib.sha256(identity.encode()).hexdigest()
    return CorpusDocument(
        identity, sha256, f"{project or identity}/{identity}.md", f"Memoria {identity}", licence, consent, language,
        None,
        project or identity, 2025, kind, derived_from,
        tuple(CorpusSection(heading, level, text, language) for heading, level, text in sections),
        (), facts or {},
    )  # fmt: skip


def write_corpus(folder: Path, documents: Sequence[CorpusDocument]) -> Path:
    """The documents as a corpus folder."""
    folder.mkdir(exist_ok=True)
    for one in documents:
        write_document(folder, one)
    entries = [
        {
            **{key: getattr(one, key) for key in (
                "id", "sha256", "path", "licence", "consent", "language", "variety", "project", "year", "kind"
            )},
            "derived_from": list(one.derived_from), "tags": list(one.tags), "sections": len(one.sections),
            "words": sum(len(section.text.split()) for section in one.sections),
        }
        for one in documents
    ]  # fmt: skip
    write_json(folder / "corpus.json", {"format": 1, "settings": {}, "documents": entries})
    return folder


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny chat model of the transformers Writer with a long context; a token is a byte."""
    return _long(tiny.make(tmp_path_factory.mktemp("tiny"), chat=True))


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as a base model without a chat template."""
    return _long(tiny.make(tmp_path_factory.mktemp("tiny-base"), chat=False))


def _long(folder: Path) -> Path:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "max_position_embeddings": 16_384}))
    return folder
