"""The figure lock on a vLLM that `fabai serve --lock` started: our processor in its process, many locks at once."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benches.lock_strings import ledger
from fabai.draft import draft
from fabai.form import Form, SectionSpec
from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.lock.canary import WORD
from fabai.lock.doubt import Doubt
from fabai.lock.order import CANARY_ORDER, FIELD, order
from fabai.message import Message
from fabai.settings import SamplingSettings
from fabai.store.project import Project
from fabai.writers.base import Usage
from fabai.writers.locking import PROBABLE, hear
from fabai.writers.openai import OpenAI
from tests.with_vllm.conftest import BASE, STORY, Served

ASK = [Message("user", "180 people came to 12 workshops in 2024 and it cost €18,500. Now write 5 lines with figures.")]
WILD = SamplingSettings(max_tokens=48, temperature=1.5, top_k=0, top_p=1.0, seed=None)


def locked(writer: OpenAI, lock: Constraint, sampling: SamplingSettings = WILD) -> tuple[str, Usage]:
    *pieces, usage = writer.stream(ASK, sampling, (), lock)
    assert isinstance(usage, Usage)
    return "".join(map(str, pieces)), usage


@pytest.mark.parametrize("size", [6, 300, 3_000])
def test_a_model_at_high_temperature_writes_no_figure_but_the_facts(server: Served, size: int) -> None:
    lock = Constraint(ledger(size, "en"), "en")
    with closing(server.writer(BASE)) as writer:
        texts = [locked(writer, lock)[0] for _ in range(4)]
    assert not [slip for text in texts for slip in lock.slips(text)]
    assert any(text.strip() for text in texts)


def test_many_locks_at_a_time_do_not_mix_and_who_has_none_is_free(server: Served) -> None:
    """Each has one year of its own; the model is told all of them."""
    years = [str(year) for year in range(2010, 2022)]
    ask = [Message("user", f"Write the years {', '.join(years)} in a list, again and again.")]
    sampling = SamplingSettings(max_tokens=32, temperature=0.8, seed=None)
    texts = dict.fromkeys(years, "")

    def write(year: str, lock: Constraint | None) -> None:
        with closing(server.writer(BASE)) as writer:
            texts[year] = "".join(one for one in writer.stream(ask, sampling, (), lock) if isinstance(one, str))

    threads = [
        threading.Thread(target=write, args=(year, Constraint([Fact("year", year, "s")], "en") if place < 10 else None))
        for place, year in enumerate(years)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for year in years[:10]:
        assert not Constraint([Fact("year", year, "s")], "en").slips(texts[year]), texts[year]
    assert sum(any(one in texts[year] for one in years if one != year) for year in years[10:]) == 2


def test_the_canary_warms_the_prompt_and_what_a_lock_costs_is_printed(server: Served) -> None:
    lock = Constraint(ledger(300, "en"), "en")
    long = [Message("user", "The library opened in October and many children came. " * 60 + ASK[0].content)]
    paces = {}
    with closing(server.writer(BASE, salt="locked")) as writer:
        for name, held in (("first", lock), ("locked", lock), ("free", None)):
            paces[name], usage = pace(writer.stream(long, SamplingSettings(max_tokens=64, temperature=0.0), (), held))
            assert usage.cached is not None
            assert usage.cached >= server.block
    print(json.dumps({"ms_per_token": paces}))


def pace(stream: Iterator[str | Usage]) -> tuple[float, Usage]:
    """Milliseconds per token behind the first piece, and the usage."""
    first = None
    for one in stream:
        if isinstance(one, Usage):
            break
        first = time.monotonic() if first is None else first
    assert first is not None
    assert isinstance(one, Usage)
    return round(1000 * (time.monotonic() - first) / max(1, one.completion_tokens - 1), 1), one


def test_what_is_cut_ends_in_a_whole_value(server: Served) -> None:
    lock = Constraint([Fact("cost", "€18,500.00", "s"), Fact("people", "180 people", "s")], "en")
    chance = random.Random(0)  # noqa: S311 - lengths, no secrets
    with closing(server.writer(BASE)) as writer:
        for _ in range(6):
            text, _ = locked(writer, lock, SamplingSettings(max_tokens=chance.randint(3, 20), seed=None))
            assert lock.automaton.accepts(text)
            assert not lock.slips(text)


def test_a_lock_that_the_server_cannot_read_is_refused_and_answers_go_on(server: Served) -> None:
    known = order(Constraint([], "en"))
    with closing(server.writer(BASE)) as writer:
        body = writer._server.request(STORY, SamplingSettings(max_tokens=12), ()) | {
            "stream": False,
            "stream_options": None,
        }
        for wrong in (f"xx{known[2:]}", "en\x1fnowhere", known.split("\x1f"), "en", f"{known}\x1f"):
            reply = writer._http.post("/v1/chat/completions", json=body | {"vllm_xargs": {FIELD: wrong}})
            assert reply.status_code == 400, wrong
        reply = writer._http.post("/v1/chat/completions", json=body | {"vllm_xargs": {FIELD: CANARY_ORDER}})
    assert reply.json()["choices"][0]["message"]["content"] == WORD
    assert reply.json()["choices"][0]["finish_reason"] == "stop"


def test_a_figure_that_the_model_did_not_want_is_told_with_its_probability_before_the_lock(server: Served) -> None:
    # nothing but a figure may be written, where a story was asked for
    only = {FIELD: "\x1f\x1f99,999 people"}
    with closing(server.writer(BASE)) as writer:
        body = writer._server.request(STORY, SamplingSettings(max_tokens=12), ()) | PROBABLE["processor"]
        body |= {"stream": False, "stream_options": None, "vllm_xargs": only}
        choice = writer._http.post("/v1/chat/completions", json=body).json()["choices"][0]
    assert choice["message"]["content"] == "99,999 people"
    doubt = Doubt()
    hear(choice, doubt)
    assert doubt.figures == ("99,999 people",)


def test_a_section_is_drafted_under_the_lock(server: Served, tmp_path: Path) -> None:
    form = Form("f", {"en": "F"}, ("en",), "c", "2026-01-01", sections=(SectionSpec("s1", {"en": "Results"}),))
    lock = Constraint([Fact("people", "180 people", "s")], "en")
    with Project.create(tmp_path / "p.fabai", form, "en", "Report") as project, closing(server.writer(BASE)) as writer:
        version = draft(project, "s1", writer, constraint=lock)
    assert version.made.settings["lock"] == "values"
    assert not lock.slips(version.text)
