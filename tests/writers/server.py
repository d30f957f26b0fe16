"""A real HTTP server on the loopback interface that answers as the test tells it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Lines = list[str]


@dataclass
class Reply:
    """One answer. lines: server-sent events, sent one by one; broken: the connection is cut after them."""

    status: int = 200
    body: Any = None
    lines: Lines = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    broken: bool = False
    pause: float = 0.0


@dataclass
class Fake:
    """What the server is to say, in order, and what it was asked."""

    url: str = ""
    chat: list[Reply] = field(default_factory=list)
    models: Reply = field(default_factory=lambda: Reply(body={"data": [{"id": "m", "owned_by": "someone"}]}))
    other: dict[str, Callable[[Any], Reply]] = field(default_factory=dict)
    asked: list[Any] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)


def text(*pieces: str, finish: str = "stop", usage: dict[str, Any] | None = None) -> Lines:
    """The events of a whole streamed answer."""
    events: list[dict[str, Any]] = [{"choices": [{"delta": {"role": "assistant", "content": ""}}]}]
    events += [{"choices": [{"delta": {"content": piece}}]} for piece in pieces]
    events.append({"choices": [{"delta": {}, "finish_reason": finish}]})
    if usage is not None:
        events.append({"choices": [], "usage": usage})
    return [f"data: {json.dumps(event)}" for event in events] + ["data: [DONE]"]


@contextmanager
def serving() -> Iterator[Fake]:
    """A server for the time of the block."""
    fake = Fake()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._say(fake.models if self.path == "/v1/models" else self._other(None))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/v1/chat/completions":
                fake.asked.append(body)
                fake.keys.append(self.headers.get("Authorization"))
                self._say(fake.chat.pop(0))
            else:
                self._say(self._other(body))

        def _other(self, body: Any) -> Reply:
            return fake.other[self.path](body) if self.path in fake.other else Reply(404, {"error": "no such path"})

        def _say(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if not reply.lines:
                data = json.dumps(reply.body).encode()
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
                return
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                for line in reply.lines:
                    self._chunk(f"{line}\n\n".encode())
                    time.sleep(reply.pause)
                if not reply.broken:
                    self._chunk(b"")
            except OSError:
                fake.gone.set()
            self.close_connection = reply.broken

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def log_message(self, *_: Any) -> None:
            """The test prints nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
