"""Keeps one server running: starts it, waits until it answers, passes requests to end, starts it again after a crash.

Knows processes, ports and the log. Does not know which server it is: a Launch says how it is started.
"""

from __future__ import annotations

import logging
import logging.handlers
import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
import platformdirs

from fabai.errors import MissingPart, WriterError
from fabai.serving.launch import Launch
from fabai.settings import ServeSettings

_LOG_BYTES = 10 * 2**20
_KEPT = 400  # lines of the log in memory, to find a reason in
_BEHIND = 2.0  # seconds that its last words are waited for
_STEP = 0.25

_PHASES: tuple[tuple[str, str], ...] = (
    (r"Loading weights took|Model loading took|load_tensors", "the weights are loaded"),
    (r"Loading LoRA weights|Loaded new LoRA adapter|llama_adapter_lora_init", "the adapter is loaded"),
    (r"torch\.compile takes|Compiling a graph", "the model is compiled for this card"),
    (r"KV cache size", "the cache is set up"),
    (r"Capturing CUDA graphs?|Graph capturing finished", "CUDA graphs are recorded"),
)
_REASONS: tuple[tuple[str, str], ...] = (
    (
        r"LoRA rank \d+ is greater than max_lora_rank \d+",
        "{0}: leave --max-lora-rank to fabai, which reads it from the adapter",
    ),
    (
        r"CUDA out of memory|OutOfMemoryError|No available memory for the cache blocks",
        "the card's memory is too small for it: give a smaller --context, end other programs on the card, or --memory",
    ),
    (
        r"KV cache is needed, which is larger than the available|larger than the maximum number of tokens",
        "the cache does not hold one prompt of that length: give a smaller --context, or --memory more of the card",
    ),
    (
        r"Free memory on device.*is less than desired",
        "other programs hold the card's memory: end them, or give a smaller --memory",
    ),
    (r"[Aa]ddress already in use", "another program has the port: give another --port"),
    (r"Model architectures? \[?.*are not supported", "this vLLM does not know the model: {0}"),
    (r"No module named '?[\w.]+'?", "its environment is incomplete ({0}): install vLLM anew there"),
    (r"unrecognized arguments: .*", "it does not know some words of the command ({0})"),
    (r"(?:ValueError|RuntimeError|ImportError|OSError|KeyError): (.+)", "{0}"),
)


class Supervisor:
    """One server under watch. `run` returns when it has ended."""

    def __init__(
        self,
        launch: Launch,
        settings: ServeSettings,
        say: Callable[[str], None],
        *,
        log: Path | None = None,
        ready: Callable[[str], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """say: takes one sentence of progress. ready: called with the address each time that the server answers."""
        self._launch, self._settings, self._say = launch, settings, say
        self._ready, self._sleep = ready, sleep
        self.log = log if log is not None else _log_path(settings.port)
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._writer: logging.Logger | None = None
        self._phase = 0

    @property
    def url(self) -> str:
        """Where programs on this machine reach it."""
        host = self._settings.host
        near = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
        return f"http://{near}:{self._settings.port}"

    def run(self) -> None:
        """Serve until a request to end (KeyboardInterrupt, which the command line makes of SIGTERM too).

        WriterError where it does not start, or has crashed once more than `restarts`.
        """
        _free(self._settings)
        crashes = 0
        try:
            while True:
                begun = time.monotonic()
                self._start()
                if not self._healthy():
                    raise WriterError(f"{self._launch.server} did not start: {self._reason()}; its log is {self.log}")
                if self._ready is not None:
                    self._ready(self.url)
                code = self._ended()
                if time.monotonic() - begun > self._settings.settled:
                    crashes = 0
                crashes += 1
                if crashes > self._settings.restarts:
                    raise WriterError(
                        f"{self._launch.server} crashed {crashes} times ({self._reason()}) and is not started again; "
                        f"its log is {self.log}"
                    )
                pause = self._settings.backoff * 2 ** (crashes - 1)
                self._say(
                    f"{self._launch.server} ended by itself (code {code}: {self._reason()}); start {crashes} of "
                    f"{self._settings.restarts} again in {pause:g} s"
                )
                self._sleep(pause)
        except KeyboardInterrupt:
            self._say(f"{self._launch.server} is asked to end")
        finally:
            self.stop()

    def stop(self) -> None:
        """End the server and all that it started: asked first, forced after `grace` seconds or a second request."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if process.poll() is None:
                _signal(process, signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
                    process.wait(self._settings.grace)
        finally:
            # what it started may outlive it and hold the card's memory
            _signal(process, signal.SIGKILL)
            process.wait()

    def _start(self) -> None:
        self._lines.clear()
        self._phase = 0
        environment = {**os.environ, **self._launch.environment, "PYTHONUNBUFFERED": "1"}
        try:
            # the words are ours, and no shell; a session of its own: Ctrl-C reaches it only through us, in order
            process = subprocess.Popen(  # noqa: S603
                list(self._launch.words),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise MissingPart(f"{self._launch.words[0]} cannot be run: {error.strerror or error}") from error
        self._process = process
        self._reader = threading.Thread(target=self._read, args=(process,), daemon=True)
        self._reader.start()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Its output, to the log file and the last lines in memory; it would stand still if nobody read."""
        logger = self._logger()
        assert process.stdout is not None
        for raw in process.stdout:
            line = raw.decode("utf-8", "replace").rstrip()
            self._lines.append(line)
            logger.info(line)

    def _logger(self) -> logging.Logger:
        if self._writer is None:
            self.log.parent.mkdir(parents=True, exist_ok=True)
            self.log.touch(mode=0o600)
            handler = logging.handlers.RotatingFileHandler(
                self.log, maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8"
            )
            logger = logging.Logger("served")
            logger.addHandler(handler)
            self._writer = logger
        return self._writer

    def _healthy(self) -> bool:
        """Wait until it answers; False where it ended before. WriterError where it takes longer than `patience`."""
        begun = said = time.monotonic()
        with httpx.Client(timeout=2.0, trust_env=False) as http:
            while self._alive():
                try:
                    if http.get(f"{self.url}/health").status_code == 200:
                        return True
                except httpx.HTTPError:
                    # not yet
                    pass
                now = time.monotonic()
                if now - begun > self._settings.patience:
                    raise WriterError(
                        f"{self._launch.server} does not answer after {self._settings.patience:.0f} seconds; "
                        f"its log is {self.log}"
                    )
                if phase := self._new_phase():
                    self._say(f"{phase} ({now - begun:.0f} s)")
                    said = now
                elif now - said >= self._settings.every:
                    self._say(f"{self._launch.server} is starting ({now - begun:.0f} s)")
                    said = now
                self._sleep(_STEP)
        return False

    def _ended(self) -> int:
        while self._alive():
            self._sleep(_STEP)
        assert self._process is not None
        return self._process.returncode

    def _alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _new_phase(self) -> str:
        """The furthest phase that the log tells of, where it was not told yet."""
        text = "\n".join(tuple(self._lines))
        for number in range(len(_PHASES), self._phase, -1):
            pattern, sentence = _PHASES[number - 1]
            if re.search(pattern, text):
                self._phase = number
                return sentence
        return ""

    def _reason(self) -> str:
        """Why it ended, as far as its last lines tell."""
        if self._reader is not None:
            # it may be some lines behind the end; what the server started may hold the pipe open for ever
            self._reader.join(_BEHIND)
        text = "\n".join(tuple(self._lines))
        for pattern, sentence in _REASONS:
            found = re.findall(rf"(?m){pattern}", text)
            if found:
                return sentence.format(" ".join(found[-1].split())[:200].rstrip("."))
        last = next((line for line in reversed(self._lines) if line.strip()), "")
        return f"its last words were '{' '.join(last.split())[:160]}'" if last else "it said nothing"


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _free(settings: ServeSettings) -> None:
    """UsageError-like sentence before minutes of loading, where the address is taken or not this machine's."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise WriterError(
                f"nothing can be served at {settings.host}:{settings.port} ({error.strerror or error}): give another "
                "--port, or a --host of this machine"
            ) from error


def _log_path(port: int) -> Path:
    return Path(platformdirs.user_log_dir("fabai", appauthor=False)) / f"serve-{port}.log"
