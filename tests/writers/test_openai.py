"""The Writer on a server, against a real HTTP server on the loopback interface."""

from __future__ import annotations

import json
import socket
import stat
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from fabai.draft import draft, prepare
from fabai.errors import UnknownName, WriterError
from fabai.form import Form, SectionSpec
from fabai.message import Message
from fabai.settings import SamplingSettings, WindowSettings, WriterSettings
from fabai.store.project import Project
from fabai.writers.base import Usage
from fabai.writers.openai import OpenAI
from fabai.writers.secret import KEY, SALT
from tests.writers.server import Fake, Reply, serving, text

ASK = [Message("system", "Reglas."), Message("user", "Escribe.")]
SAMPLING = SamplingSettings(max_tokens=50)
DEFAULTS = WriterSettings()

VLLM = Reply(body={"data": [{"id": "m", "owned_by": "vllm", "max_model_len": 4096}]})
LLAMA_CPP = Reply(body={"data": [{"id": "m", "owned_by": "llamacpp", "meta": {"n_ctx": 4096}}]})


def written(fake: Fake, sampling: SamplingSettings = SAMPLING, **how: Any) -> tuple[list[str], Usage, list[float]]:
    pauses: list[float] = []
    with closing(OpenAI(fake.url, sleep=pauses.append, **how)) as writer:
        *pieces, usage = writer.stream(ASK, sampling, ["\n# "])
    assert isinstance(usage, Usage)
    return [str(piece) for piece in pieces], usage, pauses


def failed(fake: Fake, *replies: Reply, **how: Any) -> tuple[str, list[str], list[float]]:
    """The sentence, what was yielded before it, and the pauses."""
    fake.chat = list(replies)
    pieces: list[str] = []
    pauses: list[float] = []
    with closing(OpenAI(fake.url, sleep=pauses.append, **how)) as writer, pytest.raises(WriterError) as caught:
        pieces.extend(str(piece) for piece in writer.stream(ASK, SAMPLING))
    assert "\n" not in str(caught.value)
    return str(caught.value), pieces, pauses


def test_pieces_come_as_they_are_written_and_then_the_usage(fake: Fake) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}
    fake.chat = [Reply(lines=[": waiting", *text("La sala ", "abrió.", finish="length", usage=usage)])]
    pieces, found, _ = written(fake)
    assert pieces == ["La sala ", "abrió."]
    assert found == Usage(9, 2, "length", 4)
    assert fake.asked[0]["stop"] == ["\n# "]
    assert fake.asked[0]["messages"] == [message.as_dict() for message in ASK]


def test_the_key_comes_from_the_environment(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "secreto")
    fake.chat = [Reply(lines=text("a"))]
    written(fake)
    assert fake.keys == ["Bearer secreto"]


def test_a_busy_server_is_asked_again_with_growing_pauses_or_those_it_asks_for(fake: Fake) -> None:
    fake.chat = [
        Reply(503, {"error": {"message": "loading"}}),
        Reply(429, {}, headers={"Retry-After": "7"}),
        Reply(500, {}),
        Reply(lines=text("a")),
    ]
    assert written(fake, settings=WriterSettings(backoff=0.5))[2] == [0.5, 7.0, 2.0]


@pytest.mark.parametrize(("status", "said"), [(429, "quota"), (500, "its log"), (503, "its log")])
def test_a_server_that_stays_busy_is_given_up_with_a_sentence(fake: Fake, status: int, said: str) -> None:
    replies = [Reply(status, {"error": {"message": "no"}})] * 3
    sentence, _, pauses = failed(fake, *replies, settings=WriterSettings(retries=2))
    assert said in sentence
    assert len(pauses) == 2


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(401, {"error": {"message": "bad key"}}), KEY),
        (Reply(404, {"detail": "Not Found"}), "no chat completions"),
        (Reply(400, {"error": {"message": "This model's maximum context length is 2048 tokens"}}), "--cap"),
        (Reply(400, {"error": "odd"}), "odd"),
        (Reply(400, {"message": "LoRA rank 64 is greater than max_lora_rank 16."}), "lower rank"),
        (Reply(lines=["data: {not json"]), "no JSON"),
        (Reply(lines=["<html><body>Sign in</body></html>"]), "OpenAI-compatible"),
        (Reply(lines=text()), "instruct model"),
        (Reply(lines=["data: [DONE]"]), "instruct model"),
        (Reply(lines=['data: {"choices": [{"delta": {"reasoning_content": "Hm"}}]}', "data: [DONE]"]), "thinking"),
        (Reply(lines=['data: {"error": {"message": "out of memory"}}']), "out of memory"),
    ],
)
def test_a_refusal_or_nonsense_is_one_sentence_and_not_tried_again(fake: Fake, reply: Reply, said: str) -> None:
    sentence, pieces, pauses = failed(fake, reply)
    assert said in sentence
    assert not pieces
    assert not pauses


@pytest.mark.parametrize("broken", [True, False])
def test_a_stream_that_breaks_off_keeps_what_came_and_is_not_tried_again(fake: Fake, broken: bool) -> None:
    sentence, pieces, pauses = failed(fake, Reply(lines=text("La sala ")[:2], broken=broken))
    assert "broke off midway" in sentence
    assert pieces == ["La sala "]
    assert not pauses


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('data: {"error": {"message": "engine died"}}', "engine died"),
        ("data: {not json", "no JSON"),
        ("<html>502 Bad Gateway</html>", "OpenAI-compatible"),
    ],
)
def test_what_goes_wrong_in_mid_stream_leaves_a_partial_version(
    fake: Fake, line: str, said: str, tmp_path: Path
) -> None:
    kept(fake, Reply(lines=[*text("La sala abrió y")[:2], line]), said, tmp_path)


@pytest.mark.parametrize(
    ("reply", "said", "settings"),
    [
        # a server that is started again closes its connections, in order or not
        (Reply(lines=text("La sala abrió y")[:2], broken=True), "broke off midway", WriterSettings()),
        (Reply(lines=text("La sala abrió y")[:2]), "broke off midway", WriterSettings()),
        (Reply(lines=text("La sala abrió y", " luego"), pause=1.0), "took too long", WriterSettings(silence=0.3)),
    ],
)
def test_a_server_that_restarts_or_falls_silent_in_mid_stream_leaves_a_partial_version(
    fake: Fake, reply: Reply, said: str, settings: WriterSettings, tmp_path: Path
) -> None:
    reply.lines = reply.lines[1:]  # the first words come at once
    kept(fake, reply, said, tmp_path, settings)


def kept(fake: Fake, reply: Reply, said: str, folder: Path, settings: WriterSettings = DEFAULTS) -> None:
    """A section drafted by a server that fails midway: one sentence, and a Version marked partial."""
    form = Form(
        "f", {"es": "F"}, ("es",), "la convocatoria", "2026-01-01", sections=(SectionSpec("s1", {"es": "Uno"}),)
    )
    fake.chat = [reply]
    with (
        Project.create(folder / "p.fabai", form, "es", "M") as project,
        closing(OpenAI(fake.url, settings=settings)) as writer,
    ):
        with pytest.raises(WriterError, match=said) as caught:
            draft(project, "s1", writer)
        [version] = project.versions("s1")
    assert (version.text, version.partial) == ("La sala abrió y", True)
    assert "\n" not in str(caught.value)


def test_a_context_that_is_shorter_than_the_window_makes_the_window_shorter_which_is_told(
    fake: Fake, tmp_path: Path
) -> None:
    form = Form(
        "f", {"es": "F"}, ("es",), "la convocatoria", "2026-01-01", sections=(SectionSpec("s1", {"es": "Uno"}),)
    )
    fake.models = VLLM
    with Project.create(tmp_path / "p.fabai", form, "es", "M") as project, closing(OpenAI(fake.url)) as writer:
        window = prepare(project, "s1", writer, WindowSettings(cap=20_000)).window
    assert window.cap == 4096
    assert any("4096" in said for said in window.notices)


def used(prompt: int, answer: int, cached: int = 0) -> dict[str, Any]:
    details = {"cached_tokens": cached}
    return {"prompt_tokens": prompt, "completion_tokens": answer, "prompt_tokens_details": details}


@pytest.mark.parametrize("models", [VLLM, LLAMA_CPP])
def test_an_answer_that_the_server_cut_before_its_budget_is_taken_up_where_it_ended(fake: Fake, models: Reply) -> None:
    fake.models = models
    fake.chat = [
        Reply(lines=text("La sala ", finish="length", usage=used(9, 20, 4))),
        Reply(lines=text(" abrió en ", finish="length", usage=used(29, 20, 28))),
        Reply(lines=text("octubre.", usage=used(49, 5, 48))),
    ]
    pieces, usage, _ = written(fake)
    assert "".join(pieces) == "La sala abrió en octubre."
    assert usage == Usage(9, 45, "stop", 4)
    assert [body["max_tokens"] for body in fake.asked] == [50, 30, 10]
    assert [body["messages"][2:] for body in fake.asked] == [
        [],
        [{"role": "assistant", "content": "La sala"}],
        [{"role": "assistant", "content": "La sala abrió en"}],
    ]
    assert [body.get("continue_final_message", False) for body in fake.asked] == (
        [False, True, True] if models is VLLM else [False] * 3
    )


def test_a_cut_answer_stays_cut_where_going_on_is_not_possible(fake: Fake) -> None:
    whole = Reply(lines=text("La sala", finish="length", usage=used(9, 20)))
    for models, settings in (
        (fake.models, WriterSettings()),
        (VLLM, WriterSettings(continues=0)),
        (Reply(body={"data": [{"id": "m", "owned_by": "vllm", "max_model_len": 29}]}), WriterSettings()),
    ):
        fake.models, fake.chat = models, [whole]
        assert written(fake, settings=settings)[1] == Usage(9, 20, "length", 0)


def test_an_answer_cut_at_its_very_end_is_whole_when_nothing_follows(fake: Fake) -> None:
    fake.models = VLLM
    end = Reply(lines=text(usage=used(29, 1)))
    fake.chat = [Reply(lines=text("Fin.", finish="length", usage=used(9, 20))), end]
    assert written(fake)[:2] == (["Fin."], Usage(9, 21, "stop", 0))


def test_a_server_that_restarts_while_an_answer_is_taken_up_leaves_the_text_so_far(fake: Fake) -> None:
    fake.models = VLLM
    begun = Reply(lines=text("La sala", finish="length", usage=used(9, 20)))
    sentence, pieces, pauses = failed(fake, begun, *[Reply(503, {})] * 3, settings=WriterSettings(retries=2))
    assert "503" in sentence
    assert (pieces, len(pauses)) == (["La sala"], 2)


def test_each_user_has_a_salt_of_their_own_for_vllms_cache(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake.models = VLLM
    fake.chat = [Reply(lines=text("a")) for _ in range(5)]
    monkeypatch.delenv(SALT)
    for home in ("ana", "ana", "bea"):
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / home))
        written(fake)
    written(fake, salt="one that the app gives")
    monkeypatch.setenv(SALT, "")
    written(fake)
    one, again, other, given, none = [body.get("cache_salt") for body in fake.asked]
    assert one == again != other
    assert (given, none) == ("one that the app gives", None)
    files = list(tmp_path.rglob("cache-salt"))
    assert len(files) == 2
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)


def test_the_key_may_lie_in_the_keyring_under_the_servers_address(fake: Fake) -> None:
    keyring = pytest.importorskip("keyring", reason="keyring is not installed")
    before = keyring.get_keyring()

    class Ring(keyring.backend.KeyringBackend):  # type: ignore[misc, name-defined]
        """A fake keyring that has one key."""

        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            return "llavero" if (service, username) == ("fabai", fake.url) else None

        def set_password(self, service: str, username: str, password: str) -> None:
            raise NotImplementedError

        def delete_password(self, service: str, username: str) -> None:
            raise NotImplementedError

    keyring.set_keyring(Ring())
    try:
        fake.chat = [Reply(lines=text("a"))]
        written(fake)
    finally:
        keyring.set_keyring(before)
    assert fake.keys == ["Bearer llavero"]


def test_closing_the_stream_lets_the_server_go(fake: Fake) -> None:
    fake.chat = [Reply(lines=text(*["a" * 2000] * 2000), pause=0.001)]
    with closing(OpenAI(fake.url)) as writer:
        stream = writer.stream(ASK, SAMPLING)
        next(stream)
        stream.close()
        assert fake.gone.wait(20)


def test_a_slow_answer_is_given_up(fake: Fake) -> None:
    fake.chat = [Reply(lines=text("a", "b", "c"), pause=0.3)]
    with closing(OpenAI(fake.url)) as writer, pytest.raises(WriterError, match="did not finish"):
        list(writer.stream(ASK, SamplingSettings(timeout=0.2)))


def test_a_server_that_is_down_is_answered_with_a_sentence() -> None:
    with serving() as gone:
        url = gone.url
    with pytest.raises(WriterError, match="does not answer"):
        OpenAI(url)


def test_the_model_is_the_only_one_there_or_must_be_named(fake: Fake) -> None:
    fake.models = Reply(body={"data": [{"id": "qwen3-8b"}, {"id": "memoria"}]})
    with pytest.raises(WriterError, match="qwen3-8b, memoria"):
        OpenAI(fake.url)
    with pytest.raises(UnknownName, match="memoria"):
        OpenAI(fake.url, "memorias")
    with closing(OpenAI(f"{fake.url}/v1/", "memoria")) as writer:
        assert writer.name.startswith("openai:memoria:")


@pytest.mark.parametrize("reply", [Reply(body={"hello": 1}), Reply(401, {}), Reply(404, {})])
def test_a_server_of_another_kind_is_answered_with_a_sentence(fake: Fake, reply: Reply) -> None:
    fake.models = reply
    with pytest.raises(WriterError):
        OpenAI(fake.url)


@pytest.mark.parametrize("body", [b"\xff\x00", b"[" * 100_000, b"5", b'{"data": 5}', b'{"data": [null]}', b""])
@pytest.mark.parametrize("kind", ["", "vllm", "llamacpp"])
def test_a_server_that_answers_everything_with_nonsense_is_one_sentence(body: bytes, kind: str) -> None:
    """kind: it lists its model as that server does, and then answers nonsense."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            models = {"data": [{"id": "m", "owned_by": kind, "meta": [1]}]}
            self._say(json.dumps(models).encode() if kind and self.path == "/v1/models" else body)

        def do_POST(self) -> None:
            self._say(body)

        def _say(self, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """The test prints nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        with pytest.raises(WriterError) as caught:
            list(OpenAI(f"http://127.0.0.1:{server.server_port}").stream(ASK, SAMPLING))
        server.shutdown()
    assert "\n" not in str(caught.value)


def test_a_server_that_takes_a_question_and_says_nothing_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(WriterError, match="took too long"):
        OpenAI(f"http://127.0.0.1:{silent.getsockname()[1]}", settings=WriterSettings(question=0.2))


def test_vllm_counts_applies_its_template_and_tells_its_context(fake: Fake) -> None:
    fake.models = Reply(body={"data": [{"id": "m", "owned_by": "vllm", "max_model_len": 4096}]})
    fake.other["/tokenize"] = lambda body: Reply(body={"count": 100 if "messages" in body else len(body["prompt"])})
    fake.chat = [Reply(lines=text("a"))]
    with closing(OpenAI(fake.url)) as writer:
        assert (writer.context, writer.counting) == (4096, "server")
        assert (writer.count("cuatro"), writer.count_messages(ASK)) == (6, 100)
        list(writer.stream(ASK, SAMPLING))
    assert fake.asked[0]["chat_template_kwargs"] == {"enable_thinking": False}
    assert fake.asked[0]["top_k"] == SAMPLING.top_k


def test_an_adapter_on_vllm_has_the_context_of_its_base(fake: Fake) -> None:
    base = {"id": "base", "owned_by": "vllm", "max_model_len": 4096}
    adapter = {"id": "memoria", "owned_by": "vllm", "max_model_len": None, "parent": "base"}
    fake.models = Reply(body={"data": [base, adapter]})
    with closing(OpenAI(fake.url, "memoria")) as writer:
        assert writer.context == 4096


def test_llama_cpp_counts_with_its_template_and_tells_its_context(fake: Fake) -> None:
    fake.models = Reply(body={"data": [{"id": "m", "owned_by": "llamacpp", "meta": {"n_ctx_train": 9}}]})
    fake.other["/tokenize"] = lambda body: Reply(body={"tokens": body["content"].split()})
    fake.other["/apply-template"] = lambda _: Reply(body={"prompt": "a b c"})
    fake.other["/props"] = lambda _: Reply(body={"default_generation_settings": {"n_ctx": 2048}})
    with closing(OpenAI(fake.url)) as writer:
        assert (writer.context, writer.counting) == (2048, "server")
        assert (writer.count("uno dos"), writer.count_messages(ASK)) == (2, 3)


def test_other_servers_get_only_openais_own_fields_and_an_estimate_that_says_so(fake: Fake) -> None:
    fake.chat = [Reply(lines=text("a"))]
    with closing(OpenAI(fake.url)) as writer:
        assert writer.counting == "estimate"
        assert writer.context == WriterSettings().context
        assert writer.count("La asociación organizó talleres en la biblioteca.") > 12
        list(writer.stream(ASK, SAMPLING))
    assert not {"top_k", "repetition_penalty", "chat_template_kwargs"} & set(fake.asked[0])
