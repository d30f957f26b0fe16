"""The figure lock on servers: asked for in each kind's own way, proven before each answer, watched to its end."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fabai.draft import draft
from fabai.errors import WriterError
from fabai.form import Form, SectionSpec
from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.lock.canary import CANARY_GBNF, CANARY_TOKENS, WORD
from fabai.lock.order import CANARY_ORDER, FIELD, order
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.store.project import Project
from fabai.writers.base import Usage
from fabai.writers.openai import OpenAI
from tests.writers.server import Fake, Reply, text

ASK = [Message("user", "Escribe.")]
KINDS = {
    "llamacpp": {"id": "m", "owned_by": "llamacpp", "meta": {"n_ctx": 4096}},
    "vllm": {"id": "m", "owned_by": "vllm", "max_model_len": 4096},
    "other": {"id": "m", "owned_by": "someone"},
}
PROVEN = Reply(lines=text(WORD))


@pytest.fixture
def lock() -> Constraint:
    return Constraint([Fact("coste", "18.500 €", "s"), Fact("gente", "180 personas", "s")], "es")


def locked(fake: Fake, kind: str, lock: Constraint, *replies: Reply, **how: Any) -> tuple[str, Usage | None, str]:
    """What was written under the lock, its usage, and the sentence where it failed."""
    fake.models, fake.chat = Reply(body={"data": [KINDS[kind]]}), list(replies)
    said: list[str | Usage] = []
    failure = ""
    with closing(OpenAI(fake.url, sleep=lambda _: None, **how)) as writer:
        try:
            said.extend(writer.stream(ASK, SamplingSettings(max_tokens=50), (), lock))
        except WriterError as error:
            failure = str(error)
    usage = said[-1] if said and isinstance(said[-1], Usage) else None
    return "".join(one for one in said if isinstance(one, str)), usage, failure


def test_llama_cpp_is_given_a_grammar_once_it_has_kept_to_the_canarys(fake: Fake, lock: Constraint) -> None:
    found = locked(fake, "llamacpp", lock, PROVEN, Reply(lines=text("Vinieron 180 personas.")))
    assert found[0] == "Vinieron 180 personas."
    canary, answer = fake.asked
    assert (canary["grammar"], canary["max_tokens"]) == (CANARY_GBNF, CANARY_TOKENS)
    assert (answer["grammar"], answer["max_tokens"]) == (lock.gbnf(), 50)
    assert canary["messages"] == answer["messages"]
    assert "response_format" not in answer


@pytest.mark.parametrize("kind", ["llamacpp", "vllm"])
def test_a_server_tells_the_figures_that_its_model_did_not_want(fake: Fake, lock: Constraint, kind: str) -> None:
    events = text(" Vinieron", " 18", "0 personas", ", 18", finish="length")
    for place, probable in ((1, -0.1), (2, -12.0), (3, -0.3), (4, -15.0)):
        event = json.loads(events[place].removeprefix("data: "))
        piece = event["choices"][0]["delta"]["content"]
        event["choices"][0]["logprobs"] = {"content": [{"bytes": list(piece.encode()), "logprob": probable}]}
        events[place] = f"data: {json.dumps(event)}"
    written, usage, _ = locked(fake, kind, lock, PROVEN, Reply(lines=events), Reply(lines=text(".")))
    assert written.rstrip(" ,.") == " Vinieron 180 personas"
    assert usage is not None
    assert usage.doubtful == ("180 personas",)
    # llama.cpp would tell of those behind the grammar
    assert (fake.asked[1]["logprobs"], fake.asked[1].get("post_sampling_probs", False)) == (True, False)
    assert ("post_sampling_probs" in fake.asked[1]) == (kind == "llamacpp")


def test_vllm_is_given_what_our_processor_in_it_reads(fake: Fake, lock: Constraint) -> None:
    found = locked(fake, "vllm", lock, PROVEN, Reply(lines=text("Vinieron 180 personas.")))
    assert found[0] == "Vinieron 180 personas."
    canary, answer = fake.asked
    assert canary["vllm_xargs"] == {FIELD: CANARY_ORDER}
    assert answer["vllm_xargs"] == {FIELD: order(lock)}


@pytest.mark.parametrize("kind", ["llamacpp", "vllm"])
@pytest.mark.parametrize("reply", [Reply(lines=text("Claro, ", "aquí está:")), Reply(400, {"error": "no such field"})])
def test_a_server_that_fails_the_canary_is_one_sentence_and_no_draft(
    fake: Fake, lock: Constraint, kind: str, reply: Reply, tmp_path: Path
) -> None:
    form = Form("f", {"es": "F"}, ("es",), "c", "2026-01-01", sections=(SectionSpec("s1", {"es": "Uno"}),))
    fake.models, fake.chat = Reply(body={"data": [KINDS[kind]]}), [reply]
    with Project.create(tmp_path / "p.fabai", form, "es", "M") as project, closing(OpenAI(fake.url)) as writer:
        assert writer.locks
        with pytest.raises(WriterError, match=r"cannot be locked.*fabai serve --lock") as caught:
            draft(project, "s1", writer, constraint=lock)
        assert not project.versions("s1")
    assert "\n" not in str(caught.value)
    assert len(fake.asked) == 1


def test_a_server_of_another_kind_is_not_even_asked(fake: Fake, lock: Constraint) -> None:
    written, _, said = locked(fake, "other", lock)
    assert (written, fake.asked) == ("", [])
    assert "cannot be locked" in said


def test_a_canary_that_meets_a_dead_server_says_that_and_nothing_about_locks(fake: Fake, lock: Constraint) -> None:
    _, _, said = locked(fake, "vllm", lock, *[Reply(503, {})] * 2, settings=WriterSettings(retries=1))
    assert "503" in said
    assert "locked" not in said


def test_a_figure_that_the_server_lets_through_all_the_same_ends_the_answer_before_it(
    fake: Fake, lock: Constraint
) -> None:
    written, _, said = locked(fake, "llamacpp", lock, PROVEN, Reply(lines=text("Vinieron 180 personas", " y 13 más.")))
    assert "forbids" in said
    assert written == "Vinieron 180 personas"


def test_what_a_limit_or_a_stop_string_cut_is_not_shown(fake: Fake, lock: Constraint) -> None:
    cut = Reply(lines=text("Costó ", "18", finish="length", usage={"prompt_tokens": 9, "completion_tokens": 50}))
    written, usage, _ = locked(fake, "vllm", lock, PROVEN, cut)
    assert written.rstrip() == "Costó"
    assert usage is not None
    assert usage.finish == "length"


@pytest.mark.parametrize("kind", ["llamacpp", "vllm"])
def test_an_answer_that_is_taken_up_goes_on_under_the_lock_from_where_it_was_shown(
    fake: Fake, lock: Constraint, kind: str
) -> None:
    """The server cut it within a value; what it had begun is written anew."""
    first = Reply(lines=text("Costó 18", finish="length", usage={"prompt_tokens": 9, "completion_tokens": 20}))
    rest = Reply(lines=text(" 18.500 €", "."))
    written, usage, said = locked(fake, kind, lock, PROVEN, first, rest)
    assert (written, said) == ("Costó 18.500 €.", "")
    assert usage is not None
    assert usage.finish == "stop"
    begun = fake.asked[2]
    assert begun["messages"][-1] == {"role": "assistant", "content": "Costó"}
    if kind == "vllm":
        assert begun["vllm_xargs"] == {FIELD: order(lock, "Costó")}
    else:
        assert begun["grammar"] == lock.gbnf("Costó")
