from __future__ import annotations

from pathlib import Path

import pytest

from fabai.errors import UnknownName, UnreadableFile, UsageError, WriterError
from fabai.writers.choose import choose, notice_of


def test_a_scripted_writer_is_made_and_announced_as_no_model(tmp_path: Path) -> None:
    path = tmp_path / "guion.json"
    path.write_text('["Uno."]', encoding="utf-8")
    assert "not a model" in notice_of(choose(f"scripted:{path}"))


@pytest.mark.parametrize(
    ("wish", "kind", "said"),
    [
        ("lamacpp", UnknownName, "llamacpp"),
        ("openai", UsageError, "openai:URL"),
        ("openai:localhost:8000", UsageError, "http://"),
        ("transformers", UsageError, "transformers:FOLDER"),
        ("transformers:/no/such", WriterError, "no model folder"),
        ("llamacpp:qwen3-9b", UnknownName, "qwen3-8b"),
        ("llamacpp:/no/such.gguf", WriterError, "no model file"),
        ("scripted:/no/such.json", UnreadableFile, "does not exist"),
    ],
)
def test_a_wish_that_cannot_be_met_is_answered_with_a_sentence(wish: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        choose(wish)


def test_without_a_model_the_embedded_writer_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FABAI_MODELS", str(tmp_path))
    with pytest.raises(WriterError, match="fabai get gemma3-270m"):
        choose()
