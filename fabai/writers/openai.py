"""The Writer on a server: anything that speaks OpenAI's chat completions (vLLM, llama.cpp's server, hosted services).

Knows HTTP, server-sent events and what can go wrong with them. Does not know models. The key comes from the environment
(FABAI_API_KEY) or the keyring and goes nowhere else.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from fabai.errors import UsageError, WriterError
from fabai.lock import Constraint
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.writers.base import Finish, Usage
from fabai.writers.secret import KEY, key_for, salt_of_user
from fabai.writers.server import Server, count_with

DEFAULTS = WriterSettings()
TOKENIZER = "FABAI_TOKENIZER"
_LONGEST_WAIT = 30.0  # seconds that a server may ask us to wait before the next try
_BUSY = (408, 425, 429, 500, 502, 503, 504)


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
            raise WriterError(_unreachable(base, error)) from error
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
        return False

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
        if constraint is not None:
            raise WriterError(
                f"the figures that the server at {self._url} writes cannot be locked: "
                "use --writer llamacpp or transformers"
            )
        until = time.monotonic() + sampling.timeout
        text, written = "", 0
        costs: list[Usage] = []
        for _ in range(self._settings.continues + 1):
            part = replace(sampling, max_tokens=sampling.max_tokens - written)
            body = self._server.request(messages, part, stop, begun=text, salt=self._salt)
            usage, new = yield from self._part(body, until, sampling.timeout, text)
            text, written = text + new, written + usage.completion_tokens
            costs.append(usage)
            room = self._server.context - usage.prompt_tokens - usage.completion_tokens
            cut = usage.finish == "length" and written < sampling.max_tokens
            if not (cut and self._server.continues and new.strip() and room > 1):
                break
        yield replace(costs[0], completion_tokens=written, finish=costs[-1].finish)

    def _part(
        self, body: dict[str, Any], until: float, timeout: float, begun: str
    ) -> Generator[str | Usage, None, tuple[Usage, str]]:
        """One request, yielded as it comes; (usage, text). Tried again while nothing of it has come."""
        patience = httpx.Timeout(self._settings.silence, connect=self._settings.connect)
        for attempt in range(self._settings.retries + 1):
            reader = _Reader(self._url, until, timeout, begun)
            try:
                with self._http.stream("POST", "/v1/chat/completions", json=body, timeout=patience) as reply:
                    if reply.status_code != 200:
                        reply.read()
                        raise _refusal(reply, self._server, self._url)
                    usage = yield from reader.pieces(reply)
                    return usage, reader.text
            except _Again as error:
                if reader.wrote or attempt == self._settings.retries:
                    raise WriterError(str(error)) from error
                pause = error.wait if error.wait is not None else self._settings.backoff * 2**attempt
            except httpx.HTTPError as error:
                if reader.wrote:
                    raise WriterError(f"the server at {self._url} broke off midway ({_reason(error)})") from error
                if attempt == self._settings.retries:
                    raise WriterError(_unreachable(self._url, error)) from error
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
            raise WriterError(_unreachable(self._url, error)) from error


class _Again(WriterError):
    """A failure that may pass. wait: seconds that the server asked for."""

    def __init__(self, sentence: str, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.wait = wait


class _Reader:
    """One streamed answer. begun: the text before it, which it goes on from."""

    def __init__(self, url: str, until: float, timeout: float, begun: str = "") -> None:
        self.text = ""
        self._url, self._until, self._timeout = url, until, timeout
        self._begun = begun
        # servers strip a text that is to be continued: white space at its end comes a second time
        self._again = len(begun) - len(begun.rstrip())

    @property
    def wrote(self) -> bool:
        """Whether anything of it was yielded."""
        return bool(self.text)

    def pieces(self, reply: httpx.Response) -> Generator[str, None, Usage]:
        finish: str | None = None
        usage: dict[str, Any] = {}
        pieces = 0
        reasoned = ended = False
        for event in self._events(reply):
            if event is None:
                ended = True
                break
            if event.get("error"):
                raise WriterError(f"the server at {self._url} reported an error: {_message(event)}")
            usage = event.get("usage") or usage
            for choice in event.get("choices") or ():
                finish = choice.get("finish_reason") or finish
                delta = choice.get("delta") or {}
                reasoned = reasoned or bool(delta.get("reasoning_content") or delta.get("reasoning"))
                if text := delta.get("content"):
                    pieces += 1
                    if text := self._new(text):
                        self.text += text
                        yield text
        if self._begun and not self.wrote:
            # it had been cut at its very end
            return _usage(usage, pieces, "stop")
        if not self.wrote and reasoned:
            raise WriterError(f"the model at {self._url} only reasoned and wrote no text; switch its thinking off")
        if not self.wrote:
            raise WriterError(
                f"the model at {self._url} answered with nothing, as base models without a chat template do: "
                "take an instruct model"
            )
        if finish is None and not ended:
            raise WriterError(f"the server at {self._url} broke off midway (the stream ended before the answer did)")
        return _usage(usage, pieces, "length" if finish == "length" else "stop")

    def _new(self, text: str) -> str:
        """A piece without the white space that the text before it ended with."""
        if not self._again:
            return text
        twice = min(self._again, len(text) - len(text.lstrip()))
        self._again = self._again - twice if twice == len(text) else 0
        return text[twice:]

    def _events(self, reply: httpx.Response) -> Iterator[dict[str, Any] | None]:
        """The events of the stream, None for its end mark."""
        for line in reply.iter_lines():
            if time.monotonic() > self._until:
                raise WriterError(f"the server at {self._url} did not finish within {self._timeout:g} seconds")
            name, _, data = line.partition(":")
            if name != "data":
                # comments keep the connection alive, and event names say nothing here
                if name in ("", "event", "id", "retry"):
                    continue
                raise WriterError(
                    f"the server at {self._url} does not answer as an OpenAI-compatible one: '{line[:60]}'"
                )
            if data.strip() == "[DONE]":
                yield None
                return
            try:
                event = json.loads(data)
            except (ValueError, RecursionError):
                event = None
            if not isinstance(event, dict):
                raise WriterError(f"the server at {self._url} sent a piece that is no JSON: '{data.strip()[:60]}'")
            yield event


def _usage(told: dict[str, Any], pieces: int, finish: Finish) -> Usage:
    details = told.get("prompt_tokens_details") or {}
    return Usage(
        told.get("prompt_tokens") or 0, told.get("completion_tokens") or pieces, finish, details.get("cached_tokens")
    )


def _refusal(reply: httpx.Response, server: Server, url: str) -> WriterError:
    """The sentence for a status other than 200."""
    status, said = reply.status_code, _said(reply)
    if status in (401, 403):
        return WriterError(f"the server at {url} wants a valid key (status {status}): set {KEY} in the environment")
    if "lora" in said.lower() and "rank" in said.lower():
        return WriterError(
            f"the server at {url} was started for adapters of a lower rank ({said}): fabai serve asks for the right one"
        )
    if status == 404:
        return WriterError(f"the server at {url} has no model '{server.model}', or no chat completions (status 404)")
    if status in (400, 413, 422) and any(
        word in said.lower() for word in ("context", "maximum", "too long", "max_tokens")
    ):
        return WriterError(f"the prompt is longer than the model at {url} takes ({said}); give a smaller --cap")
    if status == 429:
        return _Again(
            f"the server at {url} is too busy or your quota is used up (status 429); try again later", _wait(reply)
        )
    if status in _BUSY:
        return _Again(
            f"the server at {url} failed (status {status}: {said}); look at its log, or try again later", _wait(reply)
        )
    return WriterError(f"the server at {url} refused the request (status {status}: {said})")


def _wait(reply: httpx.Response) -> float | None:
    try:
        return max(0.0, float(reply.headers["retry-after"]))
    except (KeyError, ValueError):
        # absent, or a date
        return None


def _said(reply: httpx.Response) -> str:
    try:
        return _message(reply.json())
    except (ValueError, RecursionError):
        return " ".join(reply.text.split())[:120] or "no reason given"


def _message(body: Any) -> str:
    """The reason in an error body, whichever of the usual layouts it has."""
    error = body.get("error", body) if isinstance(body, dict) else body
    found = error.get("message") or error.get("detail") or error if isinstance(error, dict) else error
    return " ".join(str(found).split())[:160]


def _unreachable(url: str, error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.HTTPStatusError) and error.response.status_code in (401, 403):
        return (
            f"the server at {url} wants a valid key (status {error.response.status_code}): set {KEY} in the environment"
        )
    return f"the server at {url} does not answer ({_reason(error)}): is it running, and is the address right?"


def _reason(error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "it took too long"
    if isinstance(error, httpx.HTTPStatusError):
        return f"status {error.response.status_code}"
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
