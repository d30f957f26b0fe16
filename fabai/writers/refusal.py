"""What a server's refusal or silence means, as one sentence that says what to do.

Knows statuses, the layouts of error bodies and httpx's errors. Does not know streams.
"""

from __future__ import annotations

from typing import Any

import httpx

from fabai.errors import WriterError
from fabai.writers.secret import KEY
from fabai.writers.server import Server

_BUSY = (408, 425, 429, 500, 502, 503, 504)


class Again(WriterError):
    """A failure that may pass. wait: seconds that the server asked for."""

    def __init__(self, sentence: str, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.wait = wait


class Refused(WriterError):
    """The server cannot do what it was asked for."""


def refusal(reply: httpx.Response, server: Server, url: str) -> WriterError:
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
        return Again(
            f"the server at {url} is too busy or your quota is used up (status 429); try again later", _wait(reply)
        )
    if status in _BUSY:
        return Again(
            f"the server at {url} failed (status {status}: {said}); look at its log, or try again later", _wait(reply)
        )
    return Refused(f"the server at {url} refused the request (status {status}: {said})")


def _wait(reply: httpx.Response) -> float | None:
    try:
        return max(0.0, float(reply.headers["retry-after"]))
    except (KeyError, ValueError):
        # absent, or a date
        return None


def _said(reply: httpx.Response) -> str:
    try:
        return message(reply.json())
    except (ValueError, RecursionError):
        return " ".join(reply.text.split())[:120] or "no reason given"


def message(body: Any) -> str:
    """The reason in an error body, whichever of the usual layouts it has."""
    error = body.get("error", body) if isinstance(body, dict) else body
    found = error.get("message") or error.get("detail") or error if isinstance(error, dict) else error
    return " ".join(str(found).split())[:160]


def unreachable(url: str, error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.HTTPStatusError) and error.response.status_code in (401, 403):
        return (
            f"the server at {url} wants a valid key (status {error.response.status_code}): set {KEY} in the environment"
        )
    return f"the server at {url} does not answer ({reason(error)}): is it running, and is the address right?"


def reason(error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "it took too long"
    if isinstance(error, httpx.HTTPStatusError):
        return f"status {error.response.status_code}"
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
