"""llama.cpp's server in its own process, as `fabai serve` starts it, with a real small model."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from benches.lock_strings import ledger
from benches.writers_crowd import ask, crowd, freed, summary
from fabai.errors import WriterError
from fabai.lock import Constraint
from fabai.message import Message
from fabai.serving import embedded
from fabai.serving.served import served
from fabai.serving.supervisor import Supervisor
from fabai.settings import SamplingSettings, ServeSettings
from fabai.writers.base import Usage
from fabai.writers.openai import OpenAI
from tests.writers import tiny_gguf

KEY = "clave-de-prueba"
SLOTS = 4
Make = Callable[[], OpenAI]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def server(english_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """server(): a Writer on it."""
    settings = ServeSettings(port=free_port(), context=512, slots=SLOTS)
    up, over = threading.Event(), threading.Event()

    def ready(_: str) -> None:
        up.set()
        over.wait()
        raise KeyboardInterrupt

    launch = embedded.launch(served(str(english_model)), settings, KEY)
    log = tmp_path_factory.mktemp("log") / "serve.log"
    supervisor = Supervisor(launch, settings, lambda _: None, log=log, ready=ready)
    thread = threading.Thread(target=supervisor.run)
    thread.start()
    assert up.wait(120)
    yield lambda: OpenAI(supervisor.url, key=KEY)
    over.set()
    thread.join()


@pytest.mark.slow
def test_32_people_write_at_once_and_every_answer_is_whole_and_its_own(server: Make) -> None:
    found = summary(crowd(server, 32, tokens=32))
    assert found["whole"] == 32
    assert found["mixed"] == 0
    # the small model does not always repeat what it is told
    assert found["own"] >= 24


@pytest.mark.slow
def test_those_who_go_away_in_mid_answer_leave_the_others_whole(server: Make) -> None:
    found = summary(crowd(server, 12, tokens=24, cancelled=6), cancelled=6)
    assert (found["whole"], found["mixed"]) == (6, 0)


@pytest.mark.slow
def test_a_slot_that_is_left_serves_who_waits(server: Make) -> None:
    """The waiting is measured in benches.writers; here the answer comes while the other long ones still run."""
    assert freed(server, SLOTS, tokens=400) > 0


def test_an_answer_is_taken_up_where_it_was_cut(server: Make) -> None:
    with closing(server()) as writer:
        sampling = SamplingSettings(max_tokens=24, temperature=0.0, repetition_penalty=1.0)
        *pieces, usage = writer.stream(ask("Torvak"), sampling)
        assert isinstance(usage, Usage)
        whole = "".join(map(str, pieces))
        begun = " ".join(whole.split()[:5])
        body = writer._server.request(ask("Torvak"), replace(sampling, max_tokens=19), (), begun=begun)
        reply = writer._http.post("/v1/chat/completions", json={**body, "stream": False, "stream_options": None})
    assert (begun + reply.json()["choices"][0]["message"]["content"].removeprefix(begun)).startswith(whole[:40])


def test_no_figure_but_the_facts_is_written_under_the_lock_wherever_the_answer_is_cut(server: Make) -> None:
    lock = Constraint(ledger(60, "en"), "en")
    asked = [Message("user", "180 people came to 12 workshops in 2024 and it cost €18,500. Write lines with figures.")]
    with closing(server()) as writer:
        assert writer.locks
        for seed in range(4):
            sampling = SamplingSettings(max_tokens=12 + 7 * seed, temperature=1.5, top_k=0, top_p=1.0, seed=seed)
            text = "".join(one for one in writer.stream(asked, sampling, (), lock) if isinstance(one, str))
            assert lock.automaton.accepts(text)
            assert not lock.slips(text)


@pytest.mark.parametrize(
    ("key", "model", "messages", "said"),
    [
        ("otra", None, ask("Torvak"), "valid key"),
        (KEY, "qwen3-8b", ask("Torvak"), "smollm2-135m"),
        (KEY, None, [Message("user", "one two " * 600)], "--cap"),
    ],
)
def test_what_the_server_refuses_is_one_sentence(
    server: Make, key: str, model: str | None, messages: list[Message], said: str
) -> None:
    with closing(server()) as there:
        url = there._url
    with pytest.raises(Exception, match=said) as caught:
        list(OpenAI(url, model, key=key).stream(messages, SamplingSettings(max_tokens=4)))
    assert "\n" not in str(caught.value)


def test_a_base_without_gguf_is_refused_with_the_way_to_one(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(WriterError, match="fabai get"):
        embedded.launch(served(str(tmp_path / "m")), ServeSettings(), KEY)


@pytest.mark.slow
def test_an_adapter_is_served_on_its_base(tmp_path: Path) -> None:
    """The tiny model's context is short, which is told."""
    folder, file = tiny_gguf.make(tmp_path, "llama")
    file.rename(folder / file.name)
    trained = tiny_gguf.adapter(folder, tmp_path / "memorias-1")
    settings = ServeSettings(port=free_port())
    launch = embedded.launch(served(str(trained)), settings, KEY)
    assert any("--cap 496" in note for note in launch.notes)
    told: list[str] = []

    def ready(url: str) -> None:
        with closing(OpenAI(url, key=KEY)) as writer:
            told.extend([writer.name, str(writer.context)])
        raise KeyboardInterrupt

    Supervisor(launch, settings, lambda _: None, log=tmp_path / "l.log", ready=ready).run()
    assert told[0].startswith("openai:memorias-1:")
    assert told[1] == "512"
