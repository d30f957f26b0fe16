"""One streamed answer of an OpenAI-compatible server.

Knows server-sent events and what can go wrong with them. Does not know requests.
"""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator
from typing import Any

import httpx

from fabai.errors import WriterError
from fabai.lock.doubt import Doubt
from fabai.lock.held import Held
from fabai.writers.base import Finish, Usage
from fabai.writers.locking import hear
from fabai.writers.refusal import message


class Reader:
    """One streamed answer. begun: the text before it, which it goes on from. held: the figure lock's, which lets
    through what is whole.

    text: what was yielded. wrote: whether anything came, yielded or held back. doubt: what was said of its tokens.
    """

    def __init__(self, url: str, until: float, timeout: float, begun: str = "", held: Held | None = None) -> None:
        self.text, self.wrote, self.doubt = "", False, Doubt()
        self._url, self._until, self._timeout = url, until, timeout
        self._begun, self._held = begun, held
        # servers strip a text that is to be continued: white space at its end comes a second time
        self._again = len(begun) - len(begun.rstrip())

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
                raise WriterError(f"the server at {self._url} reported an error: {message(event)}")
            usage = event.get("usage") or usage
            for choice in event.get("choices") or ():
                finish = choice.get("finish_reason") or finish
                hear(choice, self.doubt)
                delta = choice.get("delta") or {}
                reasoned = reasoned or bool(delta.get("reasoning_content") or delta.get("reasoning"))
                if text := delta.get("content"):
                    pieces += 1
                    if text := self._new(text):
                        self.wrote = True
                        if whole := text if self._held is None else self._held.feed(text):
                            self.text += whole
                            yield whole
        if self._begun and not self.wrote:
            # it had been cut at its very end
            return self._usage(usage, pieces, "stop")
        if not self.wrote and reasoned:
            raise WriterError(f"the model at {self._url} only reasoned and wrote no text; switch its thinking off")
        if not self.wrote:
            raise WriterError(
                f"the model at {self._url} answered with nothing, as base models without a chat template do: "
                "take an instruct model"
            )
        if finish is None and not ended:
            raise WriterError(f"the server at {self._url} broke off midway (the stream ended before the answer did)")
        return self._usage(usage, pieces, "length" if finish == "length" else "stop")

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

    def _usage(self, told: dict[str, Any], pieces: int, finish: Finish) -> Usage:
        prompt, written = told.get("prompt_tokens") or 0, told.get("completion_tokens") or pieces
        cached = (told.get("prompt_tokens_details") or {}).get("cached_tokens")
        return Usage(prompt, written, finish, cached, self.doubt.figures)
