"""vLLM started by `fabai serve` with an adapter: drafting, greedy text, many at once, the prefix cache."""

from __future__ import annotations

import json
import random
from contextlib import closing
from pathlib import Path

import pytest

from benches.window_cases import prose
from benches.writers_crowd import crowd, summary
from benches.writers_reuse import last, measured, promised, warm
from fabai.draft import draft_all
from fabai.errors import FabaiError
from fabai.form import Form, SectionSpec
from fabai.message import Message
from fabai.report import Report, Section
from fabai.settings import SamplingSettings, WindowSettings
from fabai.store.project import Project
from fabai.writers.openai import OpenAI
from tests.with_vllm.conftest import BASE, GREEDY, KEY, STORY, Served, wait_until, written


def test_it_says_how_to_reach_it_and_what_stays_warm(server: Served) -> None:
    assert server.model == "memorias-1"
    assert "rank" not in server.said
    assert "stay warm" in server.said or "stays warm" in server.said
    assert KEY not in server.said


def test_counts_are_the_servers_own(server: Served) -> None:
    with closing(server.writer(BASE)) as writer:
        assert writer.counting == "server"
        assert writer.context == 4096
        assert writer.count_messages(STORY) == len(server.ids(STORY)) == written(writer, STORY)[1].prompt_tokens


def test_the_adapter_changes_the_text_and_the_base_can_be_asked_too(server: Served) -> None:
    with closing(server.writer()) as tuned, closing(server.writer(BASE)) as base:
        assert written(tuned, STORY)[0] != written(base, STORY)[0]


@pytest.fixture(scope="module")
def report(server: Served) -> Report:
    """Twenty sections, about 3,600 tokens: more than the window takes."""
    chance = random.Random(0)  # noqa: S311 - texts at random, no secrets
    with closing(server.writer(BASE)) as writer:
        sections = [
            Section(f"s{n}", f"Actuación {n}", 1 + (n % 4 > 0), prose(chance, chance.randint(120, 240), writer))
            for n in range(1, 21)
        ]
    return Report("Memoria", "es", tuple(sections))


def test_drafting_twenty_sections_with_warm_windows_takes_what_is_promised_from_the_cache(
    server: Served, report: Report
) -> None:
    settings = WindowSettings(cap=1_800, reserve=150, last=40)
    with closing(server.writer()) as writer:
        # the last twelve of `last N`, which are past its room, for the sake of time
        ours, theirs = warm(report, writer, settings), last(report, writer, settings)[-12:]
    expected = {"warm": promised(ours, server.ids, server.block), "last": promised(theirs, server.ids, server.block)}
    found = {}
    for name, prompts in (("warm", ours), ("last", theirs)):
        # a salt of their own: neither finds what the other left; the base, which reads twice as fast on a processor
        with closing(server.writer(BASE, salt=name)) as salted:
            found[name] = measured(salted, prompts, 4)
    print(json.dumps({"block": server.block, "promised": expected, "measured": found}))
    assert found["warm"]["prompts"] == 20
    assert found["warm"]["reuse"] >= 0.95 * expected["warm"]
    assert found["warm"]["reuse"] > 2 * found["last"]["reuse"]


def test_a_seeded_answer_to_a_long_prompt_does_not_end_a_server_on_a_processor(server: Served) -> None:
    """vLLM would read it in parts of 2,048 tokens, and then put the seed's generator back, which no processor's can."""
    long = [Message("user", "The library opened in October and many children came. " * 240)]
    with closing(server.writer(BASE)) as writer:
        usage = written(writer, long, SamplingSettings(max_tokens=2, temperature=0.6, seed=0))[1]
        assert usage.prompt_tokens > 2_048
        assert usage.completion_tokens
        assert written(writer, STORY)[1].completion_tokens


def test_another_users_salt_finds_nothing_in_the_cache(server: Served) -> None:
    long = [Message("user", "The library opened in October and many children came. " * 60)]
    cached = []
    for salt in ("ana", "ana", "bea"):
        with closing(server.writer(BASE, salt=salt)) as writer:
            cached.append(written(writer, long, SamplingSettings(max_tokens=1))[1].cached or 0)
    assert cached[0] == cached[2] == 0
    assert cached[1] >= server.block


def test_a_project_is_drafted_in_order(server: Served, tmp_path: Path) -> None:
    specs = tuple(SectionSpec(f"s{n}", {"en": f"Part {n}"}) for n in range(1, 4))
    form = Form("f", {"en": "F"}, ("en",), "the call", "2026-01-01", sections=specs)
    with Project.create(tmp_path / "p.fabai", form, "en", "Report") as project, closing(server.writer()) as writer:
        window = WindowSettings(cap=1_200, reserve=60, mode="warm")
        versions = list(draft_all(project, ["s1", "s2", "s3"], writer, window=window))
        assert [version.section for version in versions] == ["s1", "s2", "s3"]
        assert all(version.made.model.startswith("openai:memorias-1:server") for version in versions)
        assert any(version.text for version in versions)


def test_32_people_write_at_once_and_every_answer_is_whole_and_its_own(server: Served) -> None:
    found = summary(crowd(lambda: server.writer(BASE), 32, tokens=24))
    print(json.dumps(found))
    assert (found["whole"], found["mixed"]) == (32, 0)
    assert found["own"] >= 24


def test_those_who_go_away_leave_their_slots_at_once_and_the_others_whole(server: Served) -> None:
    found = summary(crowd(lambda: server.writer(BASE), 12, tokens=16, cancelled=6), cancelled=6)
    assert (found["whole"], found["mixed"]) == (6, 0)
    running = "vllm:num_requests_running"
    wait_until(lambda: server.metric(running) == 0, 30)
    with closing(server.writer(BASE)) as writer:
        stream = writer.stream(STORY, SamplingSettings(max_tokens=2_000, temperature=0.0))
        next(stream)
        assert server.metric(running) == 1
        stream.close()
        print(json.dumps({"freed_s": round(wait_until(lambda: server.metric(running) == 0, 30), 2)}))


def test_an_answer_that_is_cut_is_taken_up_where_it_ended(server: Served) -> None:
    with closing(server.writer(BASE)) as writer:
        whole, _ = written(writer, STORY)
        begun = " ".join(whole.split()[:12])
        body = writer._server.request(STORY, GREEDY, (), begun=begun)
        reply = writer._http.post("/v1/chat/completions", json={**body, "stream": False, "stream_options": None})
    assert reply.status_code == 200, reply.text
    assert (begun + reply.json()["choices"][0]["message"]["content"]).startswith(whole[: len(begun) + 8])


@pytest.mark.parametrize(
    ("key", "model", "messages", "said"),
    [
        ("otra", "memorias-1", STORY, "valid key"),
        (KEY, "memorias-2", STORY, "memorias-1"),
        (KEY, "memorias-1", [Message("user", "one two " * 4_000)], "--cap"),
    ],
)
def test_what_the_server_refuses_is_one_sentence(
    server: Served, key: str, model: str, messages: list[Message], said: str
) -> None:
    with pytest.raises(FabaiError, match=said) as caught:
        list(OpenAI(server.url, model, key=key).stream(messages, GREEDY))
    assert "\n" not in str(caught.value)


def test_adapters_cannot_be_loaded_from_outside(server: Served) -> None:
    with closing(server.writer()) as writer:
        reply = writer._http.post("/v1/load_lora_adapter", json={"lora_name": "x", "lora_path": "/tmp"})  # noqa: S108
        assert reply.status_code in (403, 404, 405)
