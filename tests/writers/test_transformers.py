"""The Writer on PyTorch, on a tiny random model that is made here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fabai.errors import WriterError
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.writers.base import Usage
from fabai.writers.prefix import Prefix
from fabai.writers.transformers import Transformers
from tests.writers import tiny

ASK = [Message("system", "Reglas."), Message("user", "Escribe «l·l».")]
GREEDY = SamplingSettings(max_tokens=24, temperature=0.0, repetition_penalty=1.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.make(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def writer(folder: Path) -> Iterator[Transformers]:
    one = Transformers(folder)
    yield one
    one.close()


def written(writer: Transformers, sampling: SamplingSettings, *stop: str) -> tuple[str, Usage]:
    *pieces, usage = writer.stream(ASK, sampling, stop)
    assert isinstance(usage, Usage)
    return "".join(map(str, pieces)), usage


def test_greedy_text_equals_what_generate_gives(writer: Transformers, folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    prompt = (
        "<|im_start|>system\nReglas.<|im_end|>\n<|im_start|>user\nEscribe «l·l».<|im_end|>\n"
        "<|im_start|>assistant\n<think>\n\n</think>\n\n"
    )
    ids = torch.tensor([tokenizer(prompt, add_special_tokens=False)["input_ids"]])
    found = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=24, do_sample=False)
    text, usage = written(writer, GREEDY)
    assert text == tokenizer.decode(found[0, ids.shape[1] :], skip_special_tokens=True)
    assert usage.prompt_tokens == ids.shape[1] == writer.count_messages(ASK)
    assert usage.completion_tokens == found.shape[1] - ids.shape[1]


def test_the_same_seed_gives_the_same_text_and_another_seed_another(writer: Transformers) -> None:
    sampling = replace(GREEDY, temperature=1.0, top_p=1.0, top_k=50)
    texts = [written(writer, replace(sampling, seed=seed))[0] for seed in (0, 0, 1)]
    assert texts[0] == texts[1] != texts[2]


def test_a_stop_string_ends_the_text(writer: Transformers) -> None:
    whole, usage = written(writer, GREEDY)
    assert usage.finish == "length"
    text, stopped = written(writer, GREEDY, whole[4:6])
    assert text == whole[: whole.index(whole[4:6])]
    assert stopped.finish == "stop"


def test_closing_the_stream_ends_the_answer_and_the_next_one_is_whole(writer: Transformers) -> None:
    stream = writer.stream(ASK, replace(GREEDY, max_tokens=150))
    next(stream)
    stream.close()
    assert written(writer, GREEDY)[1].completion_tokens == 24


def test_an_answer_that_takes_too_long_is_given_up(writer: Transformers) -> None:
    with pytest.raises(WriterError, match="did not finish"):
        written(writer, replace(GREEDY, max_tokens=150, timeout=0.1))


def test_a_prompt_longer_than_the_context_is_answered_with_a_sentence(writer: Transformers) -> None:
    assert writer.context == 256
    with pytest.raises(WriterError, match="--cap"):
        list(writer.stream([Message("user", "a" * 300)], GREEDY))


def test_a_base_model_is_given_one_text(tmp_path: Path) -> None:
    writer = Transformers(tiny.make(tmp_path, chat=False))
    assert not writer.chat
    assert writer.count_messages([Message("user", "ab"), Message("assistant", "cd")]) == len("ab\n\ncd")


@pytest.mark.slow
def test_an_adapter_folder_loads_its_base_and_changes_the_text(
    writer: Transformers, folder: Path, tmp_path: Path
) -> None:
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    torch.manual_seed(1)
    config = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False, use_rslora=True)
    get_peft_model(model, config).save_pretrained(str(tmp_path))
    assert json.loads((tmp_path / "adapter_config.json").read_text())["base_model_name_or_path"] == str(folder)
    tuned = Transformers(tmp_path)
    assert tuned.count_messages(ASK) == writer.count_messages(ASK)
    assert written(tuned, GREEDY)[0] != written(writer, GREEDY)[0]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "neither a config.json"),
        ({"config.json": "{}"}, "cannot be loaded"),
        ({"config.json": "{"}, "cannot be loaded"),
        ({"adapter_config.json": "{}"}, "lacks the adapter's rank"),
        ({"adapter_config.json": '{"r": 8, "lora_alpha": 8}'}, "does not name"),
        ({"adapter_config.json": '{"r": 8, "lora_alpha": 8, "base_model_name_or_path": "/no/such"}'}, "not on this"),
        (
            {"adapter_config.json": '{"r": 8, "lora_alpha": 8, "base_model_name_or_path": "no/such"}'},
            "cannot be loaded",
        ),
    ],
)
def test_a_folder_that_holds_no_model_is_answered_with_a_sentence(
    tmp_path: Path, files: dict[str, str], said: str
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(WriterError, match=said) as caught:
        Transformers(tmp_path)
    assert "\n" not in str(caught.value)


LONG = "La biblioteca del barrio abrió en octubre. "


def turns(writer: Transformers) -> tuple[list[str], list[int | None]]:
    """Texts and cached tokens of prompts that go on from each other, differ early, and come again."""
    texts, cached = [], []
    for asked in (LONG, LONG + "Después", LONG + "Luego cerró", "Otra cosa", LONG + "Después", LONG + "Después"):
        *pieces, usage = writer.stream([Message("user", asked)], GREEDY)
        assert isinstance(usage, Usage)
        texts.append("".join(map(str, pieces)))
        cached.append(usage.cached)
    return texts, cached


def test_what_the_last_prompts_left_is_not_read_again_and_the_text_is_the_same(folder: Path) -> None:
    fresh, none = turns(Transformers(folder, WriterSettings(cache="fresh")))
    kept, cached = turns(Transformers(folder, WriterSettings(cache="kept")))
    assert kept == fresh
    assert none == [0] * 6
    head = len("<|im_start|>user\n") - len("<|im_start|>") + 1
    # up to where the prompts differ; of one that comes again, all but its last token
    assert cached[0] == 0
    assert cached[1] == cached[2] == head + len(LONG.encode())
    assert cached[3] == head
    assert cached[5] is not None
    assert cached[5] > cached[1]


def test_an_answer_that_was_given_up_leaves_nothing_wrong_in_the_cache(folder: Path) -> None:
    writer = Transformers(folder)
    whole = written(writer, GREEDY)[0]
    for _ in range(3):
        stream = writer.stream(ASK, replace(GREEDY, max_tokens=150))
        next(stream)
        stream.close()
        assert written(writer, GREEDY)[0] == whole


def test_a_prompt_that_is_read_in_pieces_gives_the_same_text(folder: Path) -> None:
    writer = Transformers(folder)
    whole = turns(writer)
    writer._prefix = Prefix("kept", writer._model, chunk=7)
    assert turns(writer) == whole


def test_a_static_cache_finds_the_same_again_and_gives_the_same_text(folder: Path) -> None:
    assert turns(Transformers(folder, WriterSettings(cache="static"))) == turns(Transformers(folder))


def test_a_static_cache_that_is_too_small_for_the_next_prompt_makes_room(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fabai.writers.prefix._STEP", 8)
    assert turns(Transformers(folder, WriterSettings(cache="static")))[0] == turns(Transformers(folder))[0]


def test_a_quantised_cache_writes_too(folder: Path) -> None:
    text, usage = written(Transformers(folder, WriterSettings(cache="quantised")), GREEDY)
    assert text
    assert usage.completion_tokens == GREEDY.max_tokens
