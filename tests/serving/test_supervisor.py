"""Keeping a server running, with small programs in the place of a server."""

from __future__ import annotations

import os
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.errors import MissingPart, WriterError
from fabai.serving.launch import Launch
from fabai.serving.supervisor import Supervisor
from fabai.settings import ServeSettings

SERVER = """
import http.server, os, signal, subprocess, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
        if self.path == "/crash": os._exit(3)
        if self.path == "/pid": self.wfile.write(str(os.getpid()).encode())
    def log_message(self, *_): pass
http.server.HTTPServer.allow_reuse_address = True
print("Loading weights took 1 s", os.environ["SECRETO"] == "clave", flush=True)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
STUBBORN = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SERVER


@pytest.fixture
def settings() -> ServeSettings:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    return ServeSettings(port=port, backoff=0.0, grace=10.0, patience=60.0)


def launch(code: str, settings: ServeSettings) -> Launch:
    words = (sys.executable, "-c", code, str(settings.port))
    return Launch(words, {"SECRETO": "clave"}, frozenset({"SECRETO"}), ("m",), "the server")


def get(url: str) -> str:
    import httpx

    try:
        return httpx.get(url, timeout=5.0).text
    except httpx.HTTPError:
        return ""


def test_a_server_is_waited_for_told_of_and_ended_with_a_request(settings: ServeSettings, tmp_path: Path) -> None:
    said: list[str] = []
    pids: list[int] = []

    def ready(url: str) -> None:
        pids.append(int(get(f"{url}/pid")))
        raise KeyboardInterrupt

    Supervisor(launch(SERVER, settings), settings, said.append, log=tmp_path / "l.log", ready=ready).run()
    assert any("asked to end" in one for one in said)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
    assert "True" in (tmp_path / "l.log").read_text(encoding="utf-8")


def test_a_server_that_does_not_heed_the_request_is_ended_by_force(settings: ServeSettings, tmp_path: Path) -> None:
    pids: list[int] = []

    def ready(url: str) -> None:
        pids.append(int(get(f"{url}/pid")))
        raise KeyboardInterrupt

    quick = replace(settings, grace=0.2)
    Supervisor(launch(STUBBORN, quick), quick, lambda _: None, log=tmp_path / "l.log", ready=ready).run()
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_crash_is_answered_with_a_new_start_until_the_limit(settings: ServeSettings, tmp_path: Path) -> None:
    said: list[str] = []
    pauses: list[float] = []
    starts: list[str] = []

    def ready(url: str) -> None:
        starts.append(get(f"{url}/pid"))
        get(f"{url}/crash")

    twice = replace(settings, restarts=2, backoff=0.5)

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        time.sleep(min(seconds, 0.02))

    with pytest.raises(WriterError, match="crashed 3 times") as caught:
        Supervisor(launch(SERVER, twice), twice, said.append, log=tmp_path / "l.log", ready=ready, sleep=sleep).run()
    assert "\n" not in str(caught.value)
    assert len(set(starts)) == 3
    assert [one for one in pauses if one >= 0.5] == [0.5, 1.0]
    assert sum("code 3" in one for one in said) == 2


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise RuntimeError('CUDA out of memory. Tried to allocate')", "memory is too small"),
        ("raise ValueError('LoRA rank 64 is greater than max_lora_rank 16.')", "leave --max-lora-rank to fabai"),
        ("raise ValueError('the model is odd')", "the model is odd"),
        ("import sys; sys.exit('goodbye')", "goodbye"),
        ("pass", "said nothing"),
    ],
)
def test_a_server_that_does_not_start_is_one_sentence_with_the_reason(
    settings: ServeSettings, tmp_path: Path, code: str, said: str
) -> None:
    with pytest.raises(WriterError, match=said) as caught:
        Supervisor(launch(code, settings), settings, lambda _: None, log=tmp_path / "l.log").run()
    assert "\n" not in str(caught.value)
    assert "l.log" in str(caught.value)


def test_a_server_that_never_answers_is_given_up_and_leaves_nothing_behind(
    settings: ServeSettings, tmp_path: Path
) -> None:
    said: list[str] = []
    short = replace(settings, patience=1.0, every=0.3)
    marks = tmp_path / "pid"
    code = f"import os, time\nopen({str(marks)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    with pytest.raises(WriterError, match="does not answer after"):
        Supervisor(launch(code, short), short, said.append, log=tmp_path / "l.log").run()
    assert any("is starting" in one for one in said)
    with pytest.raises(ProcessLookupError):
        os.kill(int(marks.read_text()), 0)


def test_a_port_that_is_taken_is_told_before_anything_is_loaded(settings: ServeSettings, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", settings.port)), pytest.raises(WriterError, match="--port"):
        Supervisor(launch(SERVER, settings), settings, lambda _: None, log=tmp_path / "l.log").run()
    far = replace(settings, host="192.0.2.1")
    with pytest.raises(WriterError, match="--host"):
        Supervisor(launch(SERVER, far), far, lambda _: None, log=tmp_path / "l.log").run()


def test_a_program_that_is_not_there_is_one_sentence(settings: ServeSettings, tmp_path: Path) -> None:
    gone = Launch((str(tmp_path / "python"),), {}, frozenset(), ("m",), "the server")
    with pytest.raises(MissingPart, match="cannot be run"):
        Supervisor(gone, settings, lambda _: None, log=tmp_path / "l.log").run()
