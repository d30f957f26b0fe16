"""The Writer on a server: anything that speaks OpenAI's chat completions (vLLM, llama.cpp's server, hosted services).

Knows when to ask again, to go on and to prove the figure lock. Does not know models. The key comes from the environment
(FABAI_API_KEY) or the keyring and goes nowhere else.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from fabai.errors import UsageError, WriterError
from fabai.lock import Constraint
from fabai.lock.canary import CANARY_TOKENS, WORD
from fabai.lock.held import Held
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.writers.base import Usage
from fabai.writers.locking import WAYS, Way, canary_fields, lock_fields
from fabai.writers.refusal import Again, Refused, reason, refusal, unreachable
from fabai.writers.secret import key_for, salt_of_user
from fabai.writers.server import Server, count_with
from fabai.writers.streamed import Reader

DEFAULTS = WriterSettings()
TOKENIZER = "FABAI_TOKENIZER"
_LONGEST_WAIT = 30.0  # seconds that a server may ask us to wait before the next try


class OpenAI:
    """A Writer on the server at `url` ("http://host:8000" or with "/v1"). Threads may share it."""

    def __init__(
        self,
        url: str,
        model: str | None = None,
        *,
        settings: WriterSettings = DEFAULTS,
        key: str | None = None,
        tokenizer: Path | None = None,
        salt: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Asks the server which models it has. WriterError with one sentence where it cannot be used.

        model None: the only one there. key None: FABAI_API_KEY, or the keyring's. tokenizer: a tokenizer folder for
        servers that do not count; None: FABAI_TOKENIZER. salt: parts this user's prompt cache from others', where one
        process writes for many; None: one of the user who runs this.
        """
        base = url.rstrip("/").removesuffix("/v1")
        if not base.startswith(("http://", "https://")):
            raise UsageError(f"'{url}' is no address of a server; it begins with http:// or https://")
        secret = key_for(base) if key is None else key
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        # a text may be long in coming; a count or a list of models is not
        timeout = httpx.Timeout(settings.question, connect=settings.connect)
        self._http = httpx.Client(base_url=base, headers=headers, timeout=timeout)
        self._url, self._settings, self._sleep = base, settings, sleep
        try:
            self._server = Server.ask(self._http, base, model, settings.context)
            self._salt = (salt_of_user() if salt is None else salt) if self._server.salted else None
            folder = tokenizer if tokenizer is not None or TOKENIZER not in os.environ else Path(os.environ[TOKENIZER])
            self._counter = count_with(self._http, self._server, folder)
        except httpx.HTTPError as error:
            self._http.close()
            raise WriterError(unreachable(base, error)) from error
        except WriterError:
            self._http.close()
            raise

    @property
    def name(self) -> str:
        return f"openai:{self._server.model}:{self._counter.name}"

    @property
    def context(self) -> int:
        return self._server.context

    @property
    def chat(self) -> bool:
        return True

    @property
    def counting(self) -> str:
        """How tokens are counted: "server", "tokenizer" or "estimate"; an estimate counts too many rather than too
        few.
        """
        return self._counter.name.partition("-")[0]

    @property
    def locks(self) -> bool:
        """Whether servers of this kind can; that this one does is proven before each locked answer."""
        return bool(WAYS[self._server.kind])

    def count(self, text: str) -> int:
        return self._counted(lambda: self._counter.count(text))

    def count_messages(self, messages: Sequence[Message]) -> int:
        return self._counted(lambda: self._counter.count_messages(messages))

    def stream(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str] = (),
        constraint: Constraint | None = None,
    ) -> Generator[str | Usage, None, None]:
        """As in Writer. Tried again, with growing pauses, only while nothing has been yielded.

        An answer that the server cut before `sampling.max_tokens` is taken up where it ended, where the server can do
        that; the Usage is then of all its parts.
        """
        until = time.monotonic() + sampling.timeout
        way = None if constraint is None else self._proved(messages, sampling, until)
        text, written = "", 0
        costs: list[Usage] = []
        for _ in range(self._settings.continues + 1):
            part = replace(sampling, max_tokens=sampling.max_tokens - written)
            body = self._server.request(messages, part, stop, begun=text, salt=self._salt)
            held = None
            if constraint is not None and way is not None:
                body |= lock_fields(way, constraint, text.rstrip())
                held = Held(constraint.automaton, constraint.state(text))
            usage, new = yield from self._part(body, until, sampling.timeout, text, held)
            text, written = text + new, written + usage.completion_tokens
            costs.append(usage)
            room = self._server.context - usage.prompt_tokens - usage.completion_tokens
            cut = usage.finish == "length" and written < sampling.max_tokens
            if not (cut and self._server.continues and new.strip() and room > 1):
                break
        # what was cut within a value is not in the text
        doubted = dict.fromkeys(figure for one in costs for figure in one.doubtful)
        doubtful = tuple(one for one in doubted if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text))
        yield replace(costs[0], completion_tokens=written, finish=costs[-1].finish, doubtful=doubtful)

    def _proved(self, messages: Sequence[Message], sampling: SamplingSettings, until: float) -> Way:
        """The way in which the server keeps to locks: asked with the prompt that comes next, which stays warm.

        WriterError where it has none.
        """
        said = ""
        short = replace(sampling, max_tokens=CANARY_TOKENS)
        for way in WAYS[self._server.kind]:
            body = self._server.request(messages, short, (), salt=self._salt) | canary_fields(way)
            # it may know the field and not be able to read what is in it
            with suppress(Refused):
                answer = self._part(body, until, sampling.timeout)
                said = "".join(piece for piece in answer if isinstance(piece, str))
                if said.strip() == WORD:
                    return way
        heard = f" (asked to write only '{WORD}' it wrote '{' '.join(said.split())[:40]}')" if said else ""
        raise WriterError(
            f"the figures that the server at {self._url} writes cannot be locked{heard}: start it with fabai serve "
            "--lock, or use --writer llamacpp or transformers"
        )

    def _part(
        self, body: dict[str, Any], until: float, timeout: float, begun: str = "", held: Held | None = None
    ) -> Generator[str | Usage, None, tuple[Usage, str]]:
        """One request, yielded as it comes; (usage, text). Tried again while nothing of it has come."""
        patience = httpx.Timeout(self._settings.silence, connect=self._settings.connect)
        for attempt in range(self._settings.retries + 1):
            reader = Reader(self._url, until, timeout, begun, held)
            try:
                with self._http.stream("POST", "/v1/chat/completions", json=body, timeout=patience) as reply:
                    if reply.status_code != 200:
                        reply.read()
                        raise refusal(reply, self._server, self._url)
                    usage = yield from reader.pieces(reply)
                    return usage, reader.text
            except Again as error:
                if reader.wrote or attempt == self._settings.retries:
                    raise WriterError(str(error)) from error
                pause = error.wait if error.wait is not None else self._settings.backoff * 2**attempt
            except httpx.HTTPError as error:
                if reader.wrote:
                    raise WriterError(f"the server at {self._url} broke off midway ({reason(error)})") from error
                if attempt == self._settings.retries:
                    raise WriterError(unreachable(self._url, error)) from error
                pause = self._settings.backoff * 2**attempt
            self._sleep(min(pause, _LONGEST_WAIT))
        raise WriterError(f"the server at {self._url} does not answer")

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _counted(self, count: Callable[[], int]) -> int:
        try:
            return count()
        except httpx.HTTPError as error:
            raise WriterError(unreachable(self._url, error)) from error
