"""The embedded embedding model on a real one that was not made for it: SmolLM2 135M."""

from __future__ import annotations

from collections.abc import Iterator
from operator import mul
from pathlib import Path

import pytest

from fabai.errors import UnknownName, WriterError
from fabai.form import find_form
from fabai.store.project import Project, Source
from fabai.window.meaning import MeaningRetriever
from fabai.writers.embedder import LlamaCppEmbedder, choose_embedder


@pytest.fixture(scope="module")
def embedder(english_model: Path) -> Iterator[LlamaCppEmbedder]:
    one = LlamaCppEmbedder(english_model)
    yield one
    one.close()


def test_texts_become_vectors_of_length_one_and_the_same_text_the_same_vector(embedder: LlamaCppEmbedder) -> None:
    vectors = embedder.embed(["The auditor is paid.", "It rained on the beach.", "The auditor is paid."], "passage")
    assert {len(vector) for vector in vectors} == {576}
    assert all(abs(sum(map(mul, vector, vector)) - 1.0) < 1e-4 for vector in vectors)
    assert sum(map(mul, vectors[0], vectors[2])) > 0.9999 > sum(map(mul, vectors[0], vectors[1]))


def test_texts_without_words_and_texts_beyond_the_model_are_embedded_too(embedder: LlamaCppEmbedder) -> None:
    few = LlamaCppEmbedder(embedder.path, context=64)
    try:
        assert [len(vector) for vector in few.embed(["", " \n", "x 1 " * 400, "short"], "query")] == [576] * 4
    finally:
        few.close()


def test_a_model_that_was_not_made_for_embeddings_says_so(embedder: LlamaCppEmbedder) -> None:
    assert "not made for embeddings" in embedder.notice


def test_vectors_are_kept_in_the_project(embedder: LlamaCppEmbedder, tmp_path: Path) -> None:
    sources = [
        Source("call.pdf", "# Costs\n\nThe auditor's report is paid.\n\n# Dates\n\nIn March.", "0" * 64, "report")
    ]
    Project.create(tmp_path / "p.fabai", find_form("generic"), "en", "T", sources=sources).close()
    with Project.open(tmp_path / "p.fabai") as project:
        first = MeaningRetriever(project.sources(), "en", embedder, project).find("auditor", 1)
    with Project.open(tmp_path / "p.fabai") as project:
        kept = project.vectors(embedder.name)
        assert len(kept) == 2
        assert {len(vector) for vector in kept.values()} == {576 * 4}
        assert project.vectors("another") == {}
        assert MeaningRetriever(project.sources(), "en", embedder, project).find("auditor", 1) == first
        assert project.vectors(embedder.name) == kept


def test_a_name_or_file_that_is_none_is_answered_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="unknown model 'no-such'"):
        choose_embedder("no-such")
    (tmp_path / "x.gguf").write_bytes(b"nothing")
    with pytest.raises(WriterError, match="is not a GGUF model file"):
        choose_embedder(str(tmp_path / "x.gguf"))


def test_a_closed_model_says_so(english_model: Path) -> None:
    one = LlamaCppEmbedder(english_model)
    one.close()
    with pytest.raises(WriterError, match="closed already"):
        one.embed(["x"], "query")
