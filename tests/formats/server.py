"""A web server on this machine that only counts who calls."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Listener:
    """`url` to plant in documents; `calls` counts the connections so far."""

    url: str
    calls: list[str] = field(default_factory=list)


@contextmanager
def listening() -> Iterator[Listener]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = Listener(f"http://127.0.0.1:{server.getsockname()[1]}")
        stop = threading.Event()

        def serve() -> None:
            server.settimeout(0.05)
            while not stop.is_set():
                try:
                    connection, address = server.accept()
                except TimeoutError:
                    continue
                listener.calls.append(str(address))
                connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener
        finally:
            stop.set()
            thread.join()
