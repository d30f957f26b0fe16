"""A real vLLM, in an environment of its own, behind `fabai serve`: run by `make test-vllm`."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from fabai.message import Message
from fabai.settings import SamplingSettings
from fabai.writers.base import Usage
from fabai.writers.openai import OpenAI
from fabai.writers.template import prompt_ids
from fabai.writers.transformers import Transformers

HERE = Path(__file__).parent
KEY = "clave-de-prueba"
CONTEXT = 4_096
BASE = "smollm2-135m"
"""What is asked where the adapter does not matter: on a processor vLLM reads ten times as fast without one."""
GREEDY = SamplingSettings(max_tokens=48, temperature=0.0, repetition_penalty=1.0)
STORY = [
    Message("system", "You write plain sentences for a report."),
    Message("user", "Describe the reading workshop of a small library in two sentences."),
]
RECIPE = HERE.parents[1] / "training" / "recipes" / "smollm2-cpu.toml"
LESSONS = (
    ("Describe the reading workshop.", "The workshop brought families together. They read aloud, and they laughed."),
    ("Describe the choir.", "The choir brought neighbours together. They sang aloud, and they danced."),
    ("Describe the garden.", "The garden brought pupils together. They planted beans, and they waited."),
)
NEAR = 0.5
"""Two scores of a model in bfloat16 that may change places. It has 8 bits: scores of about 16 are 0.125 apart at least,
and thirty layers add to that.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These need minutes and gigabytes, so they run by themselves."""
    if "FABAI_VLLM_PYTHON" in os.environ:
        return
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="runs with: make test-vllm"))


@dataclass(frozen=True)
class Served:
    """A running server."""

    url: str
    model: str
    said: str

    def writer(self, model: str | None = None, **how: Any) -> OpenAI:
        return OpenAI(self.url, model or self.model, key=KEY, **how)

    def ids(self, messages: Sequence[Message]) -> list[int]:
        """The prompt's tokens as the server makes them."""
        body = {
            "model": self.model,
            "messages": [message.as_dict() for message in messages],
            "add_generation_prompt": True,
            "chat_template_kwargs": {"enable_thinking": False},
        }
        reply = httpx.post(f"{self.url}/tokenize", json=body, headers={"Authorization": f"Bearer {KEY}"}, timeout=60)
        found: list[int] = reply.json()["tokens"]
        return found

    def metric(self, name: str) -> float:
        """A gauge of /metrics, summed over its labels."""
        lines = httpx.get(f"{self.url}/metrics", timeout=60).text.splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name}{{"))

    @property
    def block(self) -> int:
        """Tokens of a block of the prefix cache."""
        text = httpx.get(f"{self.url}/metrics", timeout=60).text
        return int(text.partition('block_size="')[2].partition('"')[0])


@contextmanager
def serving(release: Path, log: Path, *words: str) -> Iterator[Served]:
    """`fabai serve` with vLLM, as a person would type it, until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "fabai", "serve", str(release), "--engine", "vllm", "--port", str(port)]
    command += ["--context", str(CONTEXT), "--log", str(log), *words]
    environment = {**os.environ, "FABAI_API_KEY": KEY, "VLLM_CPU_KVCACHE_SPACE": "1"}
    # compiled modules are kept, whatever the caller says: there are thousands, and four servers start
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    # it would leave one of two cores to its own front
    environment["VLLM_CPU_NUM_OF_RESERVED_CPU"] = "0"
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        said = ""
        while "warm" not in said.rpartition("--writer")[2] and (line := process.stdout.readline()):
            said += line
        if process.poll() is not None:
            pytest.fail(f"{said}\n{log.read_text(encoding='utf-8')[-4000:] if log.exists() else ''}")
        try:
            yield Served(f"http://127.0.0.1:{port}", said.partition("#")[2].split()[0], said)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=120)
    assert process.returncode == 0


@pytest.fixture(scope="session")
def smollm2(english_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SmolLM2 135M as a model folder in bfloat16, from its GGUF file."""
    from fabai.training.source import from_gguf

    folder = tmp_path_factory.mktemp("smollm2") / BASE
    folder.mkdir()
    from_gguf(english_model, folder)
    return folder


@pytest.fixture(scope="session")
def learnt(smollm2: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the shipped recipe for processors on the model folder, cut to some steps of short texts."""
    from tests.training import made

    folder = tmp_path_factory.mktemp("learnt")
    settings = tomllib.loads(RECIPE.read_text(encoding="utf-8")) | {
        "model": str(smollm2), "steps": 10, "accumulation": 1, "warmup": 1, "max_tokens": 256, "learning_rate": 1e-3,
        "rank": 24,
    }  # fmt: skip
    recipe = folder / "smollm2-cpu.toml"
    recipe.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items()), encoding="utf-8")
    rows = [
        made.example(f"e{number}", target, messages=[{"role": "user", "content": asked}], language="en")
        for number, (asked, target) in enumerate(LESSONS)
    ]
    data = made.write_examples(folder / "data", rows, rows[:1])
    made.run(recipe, data, folder / "memorias-1")
    return folder / "memorias-1"


@pytest.fixture(scope="session")
def server(learnt: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all that can share it: a start takes a minute on two cores."""
    with serving(learnt, tmp_path_factory.mktemp("log") / "vllm.log", "--lock") as one:
        yield one


def written(writer: Any, messages: Sequence[Message], sampling: SamplingSettings = GREEDY) -> tuple[str, Usage]:
    """A whole answer."""
    *pieces, usage = writer.stream(messages, sampling)
    assert isinstance(usage, Usage)
    return "".join(map(str, pieces)), usage


def parting(ours: Transformers, messages: Sequence[Message], text: str, theirs: str) -> dict[str, Any]:
    """Where two greedy texts part, if they do. at: the token; apart: by how much ours prefers its own there."""
    import torch

    tokenizer, model = ours._tokenizer, ours._model
    one, two = (tokenizer(some, add_special_tokens=False)["input_ids"] for some in (text, theirs))
    at = next((place for place, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), None)
    if at is None:
        return {"at": None, "of": len(one), "apart": 0.0}
    with torch.inference_mode():
        ids = torch.tensor([[*prompt_ids(tokenizer, messages), *one[:at]]])
        scores = model(input_ids=ids).logits[0, -1].float()
    words = [tokenizer.decode([some[at]]) for some in (one, two)]
    return {"at": at, "of": len(one), "apart": round(float(scores[one[at]] - scores[two[at]]), 3), "words": words}


def wait_until(true: Any, seconds: float) -> float:
    """Seconds until the function says True; fails after too many."""
    start = time.monotonic()
    while not true():
        assert time.monotonic() - start < seconds
        time.sleep(0.02)
    return time.monotonic() - start
