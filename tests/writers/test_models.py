from __future__ import annotations

from pathlib import Path

import pytest

from fabai.errors import UnknownName, WriterError
from fabai.settings import WriterSettings
from fabai.writers.models import MODELS, find_model, folder, installed, place


def test_every_model_has_a_name_of_its_own_and_one_way_to_get_it() -> None:
    assert len({model.name for model in MODELS}) == len(MODELS)
    assert len({place(model) for model in MODELS}) == len(MODELS)
    for model in MODELS:
        assert (model.hub is None) == bool(model.wheels), model.name
        assert model.licence
        assert model.sha256 is not None or model.hub is not None


def test_the_default_model_of_the_embedded_writer_is_in_the_catalogue() -> None:
    assert find_model(WriterSettings().model).kind == "gguf"


def test_an_unknown_model_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="qwen3-8b"):
        find_model("qwen-8b")


def test_models_lie_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FABAI_MODELS", str(tmp_path))
    assert folder() == tmp_path
    with pytest.raises(WriterError, match="fabai get qwen3-4b-gguf"):
        installed("qwen3-4b-gguf", "gguf")
    place(find_model("qwen3-4b-gguf")).write_bytes(b"x")
    assert installed("qwen3-4b-gguf", "gguf").parent == tmp_path


def test_a_model_of_the_other_kind_names_its_writer(tmp_path: Path) -> None:
    with pytest.raises(WriterError, match="transformers:qwen3-8b"):
        installed("qwen3-8b", "gguf", tmp_path)


def test_an_embedding_model_is_no_writer_and_says_where_it_goes(tmp_path: Path) -> None:
    with pytest.raises(WriterError, match=r"--embedder qwen3-embedding-0\.6b"):
        installed("qwen3-embedding-0.6b", "gguf", tmp_path)
    with pytest.raises(WriterError, match=r"fabai get qwen3-embedding-0\.6b"):
        installed("qwen3-embedding-0.6b", "embedder", tmp_path)
