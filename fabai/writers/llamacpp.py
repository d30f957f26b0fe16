"""The embedded Writer: llama.cpp's server inside this process (xllamacpp), with no compiler and no open port.

Knows how a model is asked, counted with and cancelled. Does not know how it is loaded (fabai.writers.loading) or where
it comes from. The server listens on a Unix socket in a folder that only this user may enter, because on a TCP port any
web page could read prompts and chat.
"""

from __future__ import annotations

import json
import queue
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx

from fabai.errors import MissingPart, WriterError
from fabai.lock import Constraint
from fabai.lock.canary import CANARY_GBNF, CANARY_TOKENS, prove
from fabai.lock.doubt import Doubt
from fabai.lock.held import Held
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.tokens import BpeTokenizer
from fabai.writers.adapter import read_adapter
from fabai.writers.base import Usage
from fabai.writers.completion import completion_prompt
from fabai.writers.gguf import fast_tokenizer, read_gguf
from fabai.writers.loading import context_of, loaded, parameters
from fabai.writers.locking import hear

DEFAULTS = WriterSettings()
_TIMEOUT = httpx.Timeout(120.0)
# Qwen3 and its like: the answer comes without reasoning, and a block that comes all the same is left in the text to
# be taken out
_TEMPLATE: dict[str, Any] = {"chat_template_kwargs": {"enable_thinking": False}, "reasoning_format": "none"}
# letters of our languages, figures, spaces, breaks, marks: where ways to part words differ
_PROBE = "L'ajut de 1.250,50 € (2024):\n\n  - d'Olot, núm.  3…\tIt's 12:30! «Año» col·legi 😀\r\n\n\n   x"


class LlamaCpp:
    """A Writer on a GGUF file. Threads may share it; answers wait for a free slot (`parallel`)."""

    def __init__(
        self, path: Path, settings: WriterSettings = DEFAULTS, parallel: int = 1, adapter: Path | None = None
    ) -> None:
        """Loads the model (0.4 s for 100 MB). WriterError with one sentence where the file is not a whole model.

        parallel: answers written at a time, each with a context of its own. adapter: folder of a trained adapter.
        """
        self._gguf = read_gguf(path)
        self._adapter = None if adapter is None else read_adapter(adapter)
        self._context = min(settings.context, context_of(self._gguf, self._adapter))
        self._folder = Path(tempfile.mkdtemp(prefix="fabai-"))
        self._server: Any = None
        try:
            at = self._folder / "model.sock"
            if not hasattr(socket, "AF_UNIX"):
                raise MissingPart(
                    "the embedded model needs Unix sockets, which this system lacks: use --writer openai:URL"
                )
            with parameters(path, self._context, settings, parallel, adapter) as params:
                params.hostnames = [str(at)]
                self._server = loaded(params, path)
            self._http = httpx.Client(
                transport=httpx.HTTPTransport(uds=str(at)), base_url="http://embedded", timeout=_TIMEOUT
            )
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        trained = "" if self._adapter is None else f"+{self._adapter.name}"
        return f"llamacpp:{self._gguf.path.stem}{trained}:{self._gguf.mark}"

    @property
    def context(self) -> int:
        return self._context

    @property
    def chat(self) -> bool:
        return self._gguf.chat_template is not None

    @property
    def locks(self) -> bool:
        return True

    def count(self, text: str) -> int:
        return self._fast.count(text) if self._fast is not None else len(self._tokens(text))

    @cached_property
    def _fast(self) -> BpeTokenizer | None:
        """The model's vocabulary in this process, where it gives what llama.cpp gives."""
        found = fast_tokenizer(self._gguf.path)
        return found if found is not None and found.ids(_PROBE) == self._tokens(_PROBE) else None

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Exactly what the server reports as prompt_tokens for the same messages."""
        return len(self._prompt(messages))

    def stream(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str] = (),
        constraint: Constraint | None = None,
    ) -> Generator[str | Usage, None, None]:
        """As in Writer. The prompt's beginning is taken from the slot's cache where the last prompts began alike."""
        prompt = self._prompt(messages)
        if len(prompt) >= self._context:
            raise WriterError(
                f"the prompt has {len(prompt)} tokens and the model holds {self._context}: "
                "give a smaller --cap, or a model with a longer context"
            )
        request = _request(prompt, sampling, stop)
        if constraint is not None:
            self._prove(prompt, sampling)
            # how probable each token was without the grammar costs half a millisecond a token (docs/decisions.md)
            request |= {"grammar": constraint.gbnf(), "logprobs": 1, "n_probs": 1, "post_sampling_probs": False}
        answer = _Answer(self._server.handle_completions, request, sampling.timeout)
        held = None if constraint is None else Held(constraint.automaton)
        try:
            for piece in answer.pieces():
                if isinstance(piece, Usage) or held is None:
                    yield piece
                elif whole := held.feed(piece):
                    yield whole
        finally:
            answer.cancel()

    def _prove(self, prompt: list[int], sampling: SamplingSettings) -> None:
        """That this build of llama.cpp keeps to grammars: asked with the prompt that comes next, which stays warm."""
        request = _request(prompt, replace(sampling, max_tokens=CANARY_TOKENS), ()) | {"grammar": CANARY_GBNF}
        answer = _Answer(self._server.handle_completions, request, sampling.timeout)
        try:
            said = "".join(piece for piece in answer.pieces() if isinstance(piece, str))
        finally:
            answer.cancel()
        prove(said, "the embedded model")

    def close(self) -> None:
        """Stop the server, free the model, remove the socket."""
        if self._server is not None:
            self._http.close()
            self._server = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def _prompt(self, messages: Sequence[Message]) -> list[int]:
        """The token ids of the whole prompt. Asking with ids makes the count exact whatever the text holds."""
        if self.chat:
            body = {"messages": [message.as_dict() for message in messages], **_TEMPLATE}
            return self._tokens(self._ask("/apply-template", body)["prompt"], add_special=True, parse_special=True)
        return self._tokens(completion_prompt(messages), add_special=True)

    def _tokens(self, text: str, add_special: bool = False, parse_special: bool = False) -> list[int]:
        body = {"content": text, "add_special": add_special, "parse_special": parse_special}
        tokens: list[int] = self._ask("/tokenize", body)["tokens"]
        return tokens

    def _ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        if self._server is None:
            raise WriterError("the embedded model was closed already")
        try:
            reply = self._http.post(path, json=body)
            reply.raise_for_status()
            found: dict[str, Any] = reply.json()
        except (httpx.HTTPError, ValueError) as error:
            raise WriterError(f"the embedded model {self._gguf.path.name} does not answer ({error})") from error
        return found


def _request(prompt: list[int], sampling: SamplingSettings, stop: Sequence[str]) -> dict[str, Any]:
    return {
        "prompt": prompt,
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
        "cache_prompt": True,
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
        "min_p": 0.0,
        "repeat_penalty": sampling.repetition_penalty,
        "repeat_last_n": 256,
        "dry_multiplier": sampling.dry,
        # over the whole prompt, so that a base model does not recite its sections; stretches of 20 tokens are free, and
        # a line break does not excuse (the default), else it breaks lines in the middle of sentences
        "dry_penalty_last_n": len(prompt) + sampling.max_tokens,
        "dry_allowed_length": 20,
        "dry_sequence_breakers": ['"'],
        "seed": -1 if sampling.seed is None else sampling.seed,
        "stop": list(stop),
    }


class _Answer:
    """One answer under way. The server calls back in a thread of ours; a true return value there cancels it and frees
    its slot.
    """

    def __init__(
        self, handle: Callable[[str, Callable[[str], bool]], None], request: dict[str, Any], timeout: float
    ) -> None:
        self._news: queue.SimpleQueue[dict[str, Any] | Exception | None] = queue.SimpleQueue()
        self._unwanted = threading.Event()
        self._until = time.monotonic() + timeout
        self._timeout = timeout
        self._thread = threading.Thread(target=self._run, args=(handle, json.dumps(request)), daemon=True)
        self._thread.start()

    def _run(self, handle: Callable[[str, Callable[[str], bool]], None], request: str) -> None:
        try:
            handle(request, self._heard)
            self._news.put(None)
        except (RuntimeError, ValueError) as error:
            self._news.put(error)

    def _heard(self, text: str) -> bool:
        self._news.put(json.loads(text))
        return self._unwanted.is_set()

    def pieces(self) -> Iterator[str | Usage]:
        finish, doubt = None, Doubt()
        while True:
            try:
                news = self._news.get(timeout=max(0.0, self._until - time.monotonic()))
            except queue.Empty:
                raise WriterError(f"the model did not finish within {self._timeout:g} seconds") from None
            if news is None or isinstance(news, Exception):
                raise WriterError(f"the embedded model stopped midway ({news or 'no end of answer'})")
            if "error" in news:
                raise WriterError(f"the embedded model refused: {news['error'].get('message', news['error'])}")
            for choice in news.get("choices", ()):
                finish = choice.get("finish_reason") or finish
                hear(choice, doubt)
                if choice.get("text"):
                    yield choice["text"]
            if "usage" in news and finish is not None:
                usage = news["usage"]
                cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
                yield Usage(
                    usage["prompt_tokens"],
                    usage["completion_tokens"],
                    "length" if finish == "length" else "stop",
                    cached,
                    doubt.figures,
                )
                return

    def cancel(self) -> None:
        """Ends the answer, if it has not ended, and waits until its slot is free (one batch of tokens at most)."""
        self._unwanted.set()
        self._thread.join()
