from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fabai.message import Message
from fabai.settings import SamplingSettings
from fabai.writers.base import Usage
from fabai.writers.openai import OpenAI
from tests.cli.conftest import Run
from tests.conftest import DATA

CASE = DATA / "cases" / "062-serve-asks-for-the-rank"


@pytest.mark.parametrize(("release", "rank"), [("rel-24", "32"), ("rel-pattern", "64")])
def test_the_rank_is_read_from_the_adapter_and_rounded_up(run: Run, release: str, rank: str) -> None:
    """Case 062."""
    ran = run("serve", CASE / release, "--dry-run")
    assert ran.code == 0
    assert f"--max-lora-rank {rank}" in ran.out
    assert "Traceback" not in ran.err


def test_a_rank_that_vllm_cannot_take_is_refused_with_both_numbers(run: Run) -> None:
    """Case 062."""
    ran = run("serve", CASE / "rel-640", "--dry-run")
    assert ran.code == 1
    assert "640" in ran.err
    assert "512" in ran.err


def test_a_dry_run_shows_the_command_and_no_key(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABAI_API_KEY", "muy-secreta")
    ran = run("serve", CASE / "rel-24", "--dry-run", "--more=--kv-cache-dtype fp8")
    assert ran.code == 0
    assert "muy-secreta" not in ran.out + ran.err
    assert ran.out.rstrip().endswith("--kv-cache-dtype fp8")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((CASE / "rel-24",), 2, "--base"),
        (("/no/such",), 1, "nothing to serve"),
        ((CASE / "rel-24", "--engine", "llamacpp", "--dry-run"), 1, "GGUF"),
        ((CASE / "rel-24", "--engine", "llamacpp", "--tensor-parallel", "2", "--dry-run"), 2, "one machine"),
        ((CASE / "rel-24", "--tensor-parallel", "0", "--dry-run"), 2, "1 or more"),
        ((CASE / "rel-24", "--more='", "--dry-run"), 2, "--more"),
    ],
)
def test_what_cannot_be_served_is_answered_with_a_sentence(
    run: Run, words: tuple[str | Path, ...], code: int, said: str
) -> None:
    ran = run("serve", *words)
    assert ran.code == code
    assert said in ran.err


def test_vllm_that_is_not_installed_is_told_with_the_command_that_installs_it(
    run: Run, english_model: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FABAI_VLLM_PYTHON", raising=False)
    (folder / "m").mkdir()
    (folder / "m" / "config.json").write_text("{}", encoding="utf-8")
    ran = run("serve", "m")
    assert ran.code == 1
    assert "pip install vllm" in ran.err
    assert run("serve", english_model, "--engine", "vllm").code == 2


def test_without_a_card_a_gguf_is_served_with_a_key_made_for_it_and_ended_in_order(
    english_model: Path, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    environment.pop("FABAI_API_KEY", None)
    words = ["serve", str(english_model), "--port", str(port), "--context", "1024", "--threads", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "fabai", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(4)]
        key = told[1].partition("FABAI_API_KEY=")[2].strip()
        assert f"openai:http://127.0.0.1:{port}#smollm2-135m" in told[2]
        assert "warm" in told[3]
        with pytest.raises(Exception, match="valid key"):
            list(OpenAI(f"http://127.0.0.1:{port}", key="falsa").stream([Message("user", "Hi")], SamplingSettings()))
        writer = OpenAI(f"http://127.0.0.1:{port}", key=key)
        assert writer.context == 1024
        *pieces, usage = writer.stream([Message("user", "Say hello.")], SamplingSettings(max_tokens=5))
        writer.close()
        assert pieces
        assert isinstance(usage, Usage)
        shown = Path("/proc").glob("[0-9]*/cmdline")
        assert not [one for one in shown if key.encode() in _content(one)]
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "asked to end" in errors
    with socket.create_server(("127.0.0.1", port)):
        pass


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        # it ended meanwhile
        return b""
