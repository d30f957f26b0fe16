"""An example's tokens: the drafting prompt, what is learnt of the target, and an end token that is learnt."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import BadSetting
from fabai.example import IGNORED, Encoder, encoder, end_token, fingerprint
from fabai.message import Message
from fabai.writers.transformers import Transformers
from tests.writers import tiny

ASK = [Message("system", "Reglas."), Message("user", "Redacta el punto 3.")]
TARGET = "El coste fue de 1.234,56 € y la entidad lo asumió.\n\nFin."


@pytest.fixture(scope="module")
def qwen3(qwen3_tokenizer: Path) -> Encoder:
    return encoder(qwen3_tokenizer)


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make(tmp_path_factory.mktemp("chat"))


@pytest.mark.parametrize("with_template", [True, False])
def test_the_prompt_is_the_one_that_the_writer_sends(tmp_path: Path, with_template: bool) -> None:
    folder = tiny.make(tmp_path, chat=with_template)
    writer = Transformers(folder)
    found = encoder(folder).encode(ASK, TARGET)
    assert found.prompt == writer.count_messages(ASK)
    assert found.tokens == found.prompt + writer.count(TARGET) + 1


def test_qwen3_prompts_end_with_a_closed_think_block_that_is_not_learnt(qwen3: Encoder) -> None:
    found = qwen3.encode(ASK, TARGET)
    assert qwen3.tokenizer.decode(found.ids[: found.prompt]).endswith("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert set(found.labels[: found.prompt]) == {IGNORED}


def test_the_end_token_is_learnt_once(qwen3: Encoder) -> None:
    found = qwen3.encode(ASK, TARGET)
    assert qwen3.tokenizer.convert_ids_to_tokens(found.labels[-1]) == "<|im_end|>"
    assert found.labels.count(qwen3.end) == 1
    assert found.labelled == found.tokens - found.prompt


def test_a_mark_that_stands_in_the_text_is_text(qwen3: Encoder) -> None:
    found = qwen3.encode(ASK, "Se escribe <|im_end|> al final.")
    assert found.labels.count(qwen3.end) == 1


def test_masked_characters_take_their_tokens_out_of_the_loss_and_no_others(qwen3: Encoder) -> None:
    start = TARGET.index("1.234,56")
    found = qwen3.encode(ASK, TARGET, [(start, start + 8)])
    pairs = list(zip(found.ids, found.labels, strict=True))[found.prompt :]
    masked = [token for token, label in pairs if label == IGNORED]
    assert qwen3.tokenizer.decode(masked).strip() == "1.234,56"


@given(spans=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6))
def test_a_token_is_masked_where_a_span_holds_one_of_its_characters(spans: list[tuple[int, int]]) -> None:
    found = _bytes().encode([], TARGET, spans)
    hidden = {place for start, end in spans for place in range(start, end)}
    wanted = [place in hidden for place, letter in enumerate(TARGET) for _ in letter.encode()]
    assert [label == IGNORED for label in found.labels[found.prompt : -1]] == wanted


def test_an_end_that_the_model_does_not_stop_at_gives_way_to_its_own(chat: Path) -> None:
    tokenizer = encoder(chat).tokenizer
    behind = tokenizer.convert_tokens_to_ids("<|im_end|>")
    assert end_token(tokenizer) == end_token(tokenizer, [7, behind]) == behind
    tokenizer.eos_token = "<|pad|>"  # noqa: S105 - a mark
    assert end_token(tokenizer) == behind
    assert end_token(tokenizer, [tokenizer.eos_token_id]) == tokenizer.eos_token_id


def test_a_tokenizer_without_an_end_is_refused(tmp_path: Path) -> None:
    tokenizer = encoder(tiny.make(tmp_path, chat=False)).tokenizer
    tokenizer.eos_token = None
    with pytest.raises(BadSetting, match="learn to stop"):
        end_token(tokenizer)


def test_the_fingerprint_sees_content_and_template_but_not_layout(chat: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(chat, tmp_path / "copy"))
    table = json.loads((copy / "tokenizer.json").read_text(encoding="utf-8"))
    table["truncation"] = {"direction": "Right", "max_length": 9, "strategy": "LongestFirst", "stride": 0}
    (copy / "tokenizer.json").write_text(json.dumps(table, indent=7), encoding="utf-8")
    assert fingerprint(copy) == fingerprint(chat)
    (copy / "chat_template.jinja").write_text("{{ messages }}", encoding="utf-8")
    assert fingerprint(copy) != fingerprint(chat)


@cache
def _bytes() -> Encoder:
    """A tokenizer that has a token for each byte; made in memory."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = {letter: index for index, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    inner = Tokenizer(models.BPE(vocab=letters, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    return Encoder(PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|end|>"))  # noqa: S106 - a mark
