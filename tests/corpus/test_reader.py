"""Counting with a model's tokenizer and chat template, without the model."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from fabai.corpus.model import model_folder
from fabai.corpus.reader import ModelReader

from fabai.errors import UnknownName, UnreadableFile, WriterError
from fabai.message import Message
from fabai.writers.template import prompt_ids
from fabai.writers.transformers import Transformers

TEXTS = (
    "## 1.2 Objetivos\n\nLa entidad gastó 18.500,00 € (92,5 %) en d'altres coses, l'any 2024.\n\n- Uno  dos\n- tres\n\n"
    "| a | b |\n|---|---|\n| 1 | dos tres |\n\n```\nfor i in range(3):\n    print(i)\n```\n\n…i final 😀  \n\n\n fi",
    "~~~~\nUna cita con\ttabulador\u00a0y espacio duro.\n~~~~\n\nFin. \n\n  Sangrado con dos. \n\nY el resto.\n" * 3,
    "a", "\n\n", "palabra " * 300, "x" * 900,
)  # fmt: skip


def prompt(text: str) -> list[Message]:
    return [Message("system", "Reglas de la casa.\n\n- Una regla que dice algo."), Message("user", text)]


@pytest.mark.parametrize("text", TEXTS)
def test_a_prompt_counted_in_pieces_has_the_tokens_of_the_whole(text: str, qwen3_tokenizer: Path) -> None:
    reader = reader_of(qwen3_tokenizer)
    for one in (text, text * 3):
        assert reader.count_messages(prompt(one)) == len(prompt_ids(reader.encoder.tokenizer, prompt(one)))
        assert reader.count(one) == len(reader.encoder.tokenizer(one, add_special_tokens=False)["input_ids"])


_readers: dict[Path, ModelReader] = {}


def reader_of(folder: Path) -> ModelReader:
    if folder not in _readers:
        _readers[folder] = ModelReader(folder)
    return _readers[folder]


@pytest.mark.slow
def test_real_prompts_have_the_same_tokens_in_pieces_for_every_family(
    shared: Path, qwen3_tokenizer: Path, english_model: Path, base_model: Path
) -> None:
    found = sorted((shared / "data").glob("*/*.md"))[::12]
    texts = [path.read_text(encoding="utf-8", errors="replace")[:30_000] for path in found]
    assert len(texts) > 10
    for folder in (qwen3_tokenizer, model_folder(str(english_model)), model_folder(str(base_model))):
        reader = reader_of(folder)
        for text in texts:
            assert reader.count_messages(prompt(text)) == len(prompt_ids(reader.encoder.tokenizer, prompt(text)))


@pytest.mark.parametrize("base", [False, True])
def test_it_counts_as_the_transformers_writer_does(base: bool, tiny_model: Path, tiny_base: Path) -> None:
    folder = tiny_base if base else tiny_model
    reader = ModelReader(folder)
    with closing(Transformers(folder)) as writer:
        assert (reader.chat, reader.context, reader.name) == (writer.chat, writer.context, writer.name)
        for text in TEXTS:
            assert reader.count(text) == writer.count(text)
            assert reader.count_messages(prompt(text)) == writer.count_messages(prompt(text))


def test_a_target_is_counted_with_its_end_token_and_the_spans_without_a_loss(tiny_model: Path) -> None:
    reader = ModelReader(tiny_model)
    assert reader.answer("abcdef", ()) == (7, 7)
    assert reader.answer("abcdef", [(1, 4)]) == (7, 4)
    # in a target a control mark is plain characters
    assert reader.answer("<|im_end|>", ()) == (11, 11)


def test_a_gguf_is_read_into_a_tokenizer_folder_once(english_model: Path) -> None:
    folder = model_folder(str(english_model))
    before = (folder / "tokenizer.json").stat().st_mtime_ns
    assert model_folder("smollm2-135m") == folder
    assert (folder / "tokenizer.json").stat().st_mtime_ns == before
    assert reader_of(folder).chat


def test_what_is_no_model_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(UnreadableFile, match="is no model"):
        model_folder(str(tmp_path / "a.txt"))
    with pytest.raises(UnknownName, match="qwen3-8b"):
        model_folder("qwen3-8")
    with pytest.raises(WriterError, match="holds no tokenizer"):
        ModelReader(model_folder(str(tmp_path)))
