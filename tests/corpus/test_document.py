"""The written corpus: documents go to files and come back whole; what is no corpus is told in a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabai.corpus.document import (
    CorpusDocument,
    CorpusSection,
    documents,
    place,
    read_document,
    read_manifest,
    write_document,
    write_json,
)

from fabai.errors import BadSetting, FabaiError, UnknownName, UnreadableFile

DOCUMENT = CorpusDocument(
    "memoria-0123", "a" * 64, "informes/memoria.md", "Memoria", "CC0-1.0", "público", "es", "es-ES", "barrio", 2024,
    "memoria", ("otra.md",),
    (CorpusSection("", 0, "Antes"), CorpusSection("Uno", 1, "Texto {{persona_1}}", "ca", ("mixed-language",), "list")),
    ("ocr",), {"importe": "18.500,00 €"},
)  # fmt: skip


def test_a_document_comes_back_as_it_was(tmp_path: Path) -> None:
    assert read_document(write_document(tmp_path, DOCUMENT)) == DOCUMENT
    assert [path.name for path in (tmp_path / "documents").iterdir()] == ["memoria-0123.json"]


def test_its_text_has_its_headings() -> None:
    assert DOCUMENT.text == "Antes\n\n# Uno\n\nTexto {{persona_1}}"


def test_documents_come_in_the_order_of_the_manifest(tmp_path: Path) -> None:
    write_document(tmp_path, DOCUMENT)
    write_json(tmp_path / "corpus.json", {"format": 1, "settings": {}, "documents": [{"id": DOCUMENT.id}]})
    assert list(documents(tmp_path)) == [DOCUMENT]


@pytest.mark.parametrize("identity", ["../fuera", "", ".oculto", "a/b", "x" * 200])
def test_an_id_is_safe_as_a_file_name(identity: str) -> None:
    with pytest.raises(BadSetting):
        CorpusDocument(identity, "", "", "", "", "", None, None, "", None, "other", (), ())


def test_what_is_no_document_or_no_corpus_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not exist"):
        read_document(place(tmp_path, "x"))
    with pytest.raises(UnreadableFile, match="is no corpus"):
        read_manifest(tmp_path)
    (tmp_path / "corpus.json").write_text('{"format": 99, "documents": []}')
    with pytest.raises(UnreadableFile, match="another version"):
        read_manifest(tmp_path)
    table = json.loads(write_document(tmp_path, DOCUMENT).read_text("utf-8"))
    write_json(place(tmp_path, "y"), {**table, "licences": "x"})
    with pytest.raises(UnknownName, match="did you mean 'licence'"):
        read_document(place(tmp_path, "y"))
    place(tmp_path, "z").write_bytes(b"\xff{")
    with pytest.raises(FabaiError):
        read_document(place(tmp_path, "z"))
