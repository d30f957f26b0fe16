"""The embedded Writer on a real model: SmolLM2 135M."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.errors import WriterError
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.writers.base import Usage
from fabai.writers.gguf import fast_tokenizer
from fabai.writers.llamacpp import LlamaCpp

GREEDY = SamplingSettings(max_tokens=12, temperature=0.0)
ASK = [
    Message("system", "You write short sentences. ¿Vale? <|im_end|> l·l €"),
    Message("user", "Describe a library in a small town."),
]


@pytest.fixture(scope="module")
def writer(english_model: Path) -> Iterator[LlamaCpp]:
    one = LlamaCpp(english_model, WriterSettings(context=2048))
    yield one
    one.close()


def written(writer: LlamaCpp, messages: list[Message], sampling: SamplingSettings, *stop: str) -> tuple[str, Usage]:
    *pieces, usage = writer.stream(messages, sampling, stop)
    assert isinstance(usage, Usage)
    return "".join(map(str, pieces)), usage


def test_no_tcp_port_listens_while_a_model_is_loaded(writer: LlamaCpp) -> None:
    written(writer, ASK, GREEDY)
    mine = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            mine.add(os.readlink(descriptor))
        except FileNotFoundError:
            continue
    listening = "0A"
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/self/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            assert fields[3] != listening or f"socket:[{fields[9]}]" not in mine, line
    sockets = [line.split()[-1] for line in Path("/proc/self/net/unix").read_text().splitlines()[1:]]
    ours = [Path(path) for path in sockets if path.endswith("model.sock") and Path(path).exists()]
    assert ours
    assert all(stat.S_IMODE(path.parent.stat().st_mode) == 0o700 for path in ours)


@pytest.mark.parametrize("messages", [ASK, ASK[1:], [*ASK, Message("assistant", "Yes."), Message("user", "More.\n\n")]])
def test_messages_count_exactly_what_the_server_reports_for_them(writer: LlamaCpp, messages: list[Message]) -> None:
    assert written(writer, messages, GREEDY)[1].prompt_tokens == writer.count_messages(messages)


def test_the_vocabulary_in_this_process_gives_llama_cpps_own_tokens(writer: LlamaCpp, shared: Path) -> None:
    fast = fast_tokenizer(writer._gguf.path)
    assert fast is not None
    for name in ("long-es/memorias-cc0-unidas.md", "long-ca/legalize-dev__BOPA-L-2018-24.md"):
        text = (shared / "data" / name).read_text(encoding="utf-8")[:60_000]
        for start in range(0, len(text), 1_500):
            assert fast.ids(text[start : start + 1_500]) == writer._tokens(text[start : start + 1_500])


def test_bare_text_is_counted_without_special_tokens(writer: LlamaCpp) -> None:
    assert writer.count("") == 0
    assert writer.count("<|im_end|>") > 1
    assert writer.count("one two") < writer.count("one two three")


def test_the_same_seed_gives_the_same_text_and_another_seed_another(writer: LlamaCpp) -> None:
    sampling = SamplingSettings(max_tokens=16, temperature=1.5, top_p=1.0, top_k=0)
    texts = [written(writer, ASK, replace(sampling, seed=seed))[0] for seed in (5, 0, 0, 7)]
    assert texts[1] == texts[2]
    assert len(set(texts)) == 3


def test_a_prompt_that_begins_like_the_last_one_is_read_from_the_cache(writer: LlamaCpp) -> None:
    written(writer, ASK, GREEDY)
    longer = [ASK[0], Message("user", f"{ASK[1].content} Then describe its garden.")]
    usage = written(writer, longer, GREEDY)[1]
    assert usage.cached is not None
    assert usage.cached >= writer.count_messages(ASK) - 8


def test_a_stop_string_ends_the_text_and_is_no_part_of_it(writer: LlamaCpp) -> None:
    whole, usage = written(writer, ASK, GREEDY)
    assert usage.finish == "length"
    assert usage.completion_tokens == GREEDY.max_tokens
    word = whole.split()[2]
    text, stopped = written(writer, ASK, GREEDY, word)
    assert stopped.finish == "stop"
    assert word not in text
    assert whole.startswith(text)


def test_closing_the_stream_frees_the_slot_for_the_next_answer(writer: LlamaCpp) -> None:
    stream = writer.stream(ASK, SamplingSettings(max_tokens=1500))
    next(stream)
    stream.close()
    assert written(writer, ASK, GREEDY)[1].completion_tokens == GREEDY.max_tokens


def test_a_prompt_longer_than_the_context_is_answered_with_a_sentence(writer: LlamaCpp) -> None:
    with pytest.raises(WriterError, match="--cap"):
        written(writer, [Message("user", "one two " * 2000)], GREEDY)


def test_an_answer_that_takes_too_long_is_given_up(writer: LlamaCpp) -> None:
    with pytest.raises(WriterError, match="did not finish"):
        written(writer, ASK, SamplingSettings(max_tokens=1500, timeout=0.1))


def test_the_name_tells_models_apart_and_the_context_is_never_more_than_the_model_knows(english_model: Path) -> None:
    writer = LlamaCpp(english_model, WriterSettings(context=100_000))
    assert writer.context == 8192
    assert writer.chat
    assert writer.name.startswith("llamacpp:smollm2-135m:")
    writer.close()
    with pytest.raises(WriterError, match="closed"):
        writer.count("a")


def test_loading_and_writing_print_nothing_and_leave_no_socket_behind(english_model: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from fabai.writers.llamacpp import LlamaCpp\n"
        "from fabai.message import Message; from fabai.settings import SamplingSettings\n"
        "w = LlamaCpp(Path(sys.argv[1])); list(w.stream([Message('user', 'Hi')], SamplingSettings(max_tokens=3)))\n"
        "w.close()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(english_model)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.stdout + done.stderr == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("pause", [0.0, 0.1, 0.3])
def test_a_request_to_end_while_a_model_loads_ends_the_program(
    english_model: Path, tmp_path: Path, pause: float
) -> None:
    """llama.cpp takes it itself while it loads, and hung for ever."""
    code = (
        "import sys; from pathlib import Path; import xllamacpp; from fabai.writers.llamacpp import LlamaCpp\n"
        "print('loading', flush=True)\n"
        "try:\n"
        "    LlamaCpp(Path(sys.argv[1])).close()\n"
        "    sys.stdin.read()\n"
        "except KeyboardInterrupt: print('stopped')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(english_model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "loading\n"
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        try:
            said, _ = process.communicate(timeout=120)
        finally:
            process.kill()
    assert said == "stopped\n"
    assert not list(tmp_path.iterdir())


def test_a_damaged_or_truncated_model_is_answered_with_a_sentence(english_model: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.gguf"
    with english_model.open("rb") as file:
        short.write_bytes(file.read(40_000_000))
    with pytest.raises(WriterError, match="cut short"):
        LlamaCpp(short)


@pytest.mark.slow
def test_a_base_model_goes_on_from_the_opening_of_the_answer(base_model: Path) -> None:
    writer = LlamaCpp(base_model, WriterSettings(context=1024))
    assert not writer.chat
    messages = [Message("user", "La capital de Francia es París."), Message("assistant", "La capital de España es")]
    text, usage = written(writer, messages, SamplingSettings(max_tokens=4, temperature=0.0))
    counted = writer.count_messages(messages)
    writer.close()
    assert "Madrid" in text
    assert usage.prompt_tokens == counted
