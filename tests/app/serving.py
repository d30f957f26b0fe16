"""The application as the tests serve it: in a thread, with a fake writer whose pace they set."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fabai.app.server import Options, build

from fabai.errors import WriterError
from fabai.lock import Constraint
from fabai.message import Message
from fabai.settings import SamplingSettings
from fabai.writers.base import Usage
from fabai.writers.scripted import Scripted

TEXT = (
    "La entidad ha desarrollado el programa en tres barrios con un equipo propio.\n\n"
    "Los talleres se celebraron entre marzo y junio. [falta: fecha de la clausura]\n\n"
    "- Acompañamiento a familias recién llegadas\n- Refuerzo de lectura por la tarde\n"
)


class Paced:
    """A fake Writer that writes one text, word by word, `pause` seconds apart. asked, constraints: what
    it was given. locks: it says that it keeps to a constraint, and does not. gate: each word waits for it. given: words
    that it gave.
    """

    def __init__(self, text: str = TEXT, pause: float = 0.0, texts: Mapping[str, str] | None = None) -> None:
        self._inner = Scripted([])
        self.text, self.pause, self.texts = text, pause, dict(texts or {})
        self.asked: list[str] = []
        self.began: list[float] = []
        self.closed = 0
        self.given = 0
        self.gate: threading.Semaphore | None = None
        self.locks = False
        self.constraints: list[Constraint | None] = []

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def context(self) -> int:
        return 24_576

    @property
    def chat(self) -> bool:
        return True

    def count(self, text: str) -> int:
        return self._inner.count(text)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return self._inner.count_messages(messages)

    def stream(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str] = (),
        constraint: Constraint | None = None,
    ) -> Generator[str | Usage, None, None]:
        del sampling, stop
        if constraint is not None and not self.locks:
            raise WriterError("the fake cannot lock its figures")
        self.constraints.append(constraint)
        prompt = "\n\n".join(message.content for message in messages)
        self.asked.append(prompt)
        text = next((one for key, one in self.texts.items() if key in messages[-1].content), self.text)
        try:
            for number, word in enumerate(text.split(" ")):
                if number:
                    time.sleep(self.pause)
                if self.gate is not None:
                    self.gate.acquire()
                self.given += 1
                if number == 0:
                    self.began.append(time.time())
                yield word if number == 0 else f" {word}"
            yield Usage(self.count(prompt), self.count(text), "stop", 0)
        finally:
            self.closed += 1

    def close(self) -> None:
        """Nothing to free."""


@dataclass
class Served:
    """A running server."""

    url: str
    workspace: Path
    writer: Paced
    server: uvicorn.Server


@contextmanager
def served(workspace: Path, writer: Paced, **options: Any) -> Iterator[Served]:
    """The application on a free port of this machine, until the block ends."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    app = build(Options(workspace=workspace, **options), lambda: writer)
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=2)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    for _ in range(600):
        if server.started:
            break
        time.sleep(0.05)
    root = options.get("root_path", "")
    try:
        yield Served(f"http://127.0.0.1:{port}{root}/", workspace, writer, server)
    finally:
        server.should_exit = True
        thread.join(20)
