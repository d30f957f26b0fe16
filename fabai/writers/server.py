"""What kind of OpenAI-compatible server one talks to, what it takes beyond OpenAI's own fields, and how it counts
tokens.

Knows the differences between vLLM, llama.cpp's server and others. Does not know streams.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import httpx

from fabai.errors import MissingPart, UnknownName, WriterError
from fabai.message import Message
from fabai.settings import SamplingSettings

Kind = Literal["vllm", "llamacpp", "other"]
# OpenAI's own servers refuse unknown fields, so these go only where they are known
_NO_THINKING = {"chat_template_kwargs": {"enable_thinking": False}}


class Counter(Protocol):
    """A TokenCounter; its name begins with how it counts."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...

    def count_messages(self, messages: Sequence[Message]) -> int: ...


@dataclass(frozen=True, slots=True)
class Server:
    """context: most tokens of prompt and answer; told by the server, else assumed."""

    kind: Kind
    model: str
    context: int

    @property
    def salted(self) -> bool:
        """Whether it parts the prompt caches of users."""
        return self.kind == "vllm"

    @property
    def continues(self) -> bool:
        """Whether it goes on from the beginning of an answer."""
        return self.kind != "other"

    @classmethod
    def ask(cls, http: httpx.Client, url: str, model: str | None, assumed: int) -> Server:
        """Look at its list of models; UnknownName where it has not the one wanted, WriterError where one must be
        named.
        """
        reply = http.get("/v1/models")
        reply.raise_for_status()
        try:
            entries = [entry for entry in _json(reply)["data"] if isinstance(entry.get("id"), str)]
        except (KeyError, TypeError, AttributeError) as error:
            raise WriterError(
                f"the server at {url} does not answer as an OpenAI-compatible one (its list of models)"
            ) from error
        names = [entry["id"] for entry in entries]
        if model is None and len(names) != 1:
            known = f" ({', '.join(names[:12])})" if names else ""
            raise WriterError(f"the server at {url} has {len(names)} models{known}: name one as openai:URL#MODEL")
        wanted = names[0] if model is None else model
        if wanted not in names:
            raise UnknownName.nearest(f"model at {url}", wanted, names)
        entry = entries[names.index(wanted)]
        kind: Kind = {"vllm": "vllm", "llamacpp": "llamacpp"}.get(str(entry.get("owned_by")), "other")  # type: ignore[assignment]
        # an adapter's entry does not tell; that of its base does
        base: dict[str, Any] = next((one for one in entries if one["id"] == entry.get("parent")), {})
        return cls(kind, wanted, _context(http, kind, {**base, **_told(entry)}, assumed))

    def request(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str],
        *,
        begun: str = "",
        salt: str | None = None,
    ) -> dict[str, Any]:
        """The body of a streamed chat completion. begun: what was written of the answer, to be continued."""
        asked = [message.as_dict() for message in messages]
        if begun:
            asked.append(Message("assistant", begun.rstrip()).as_dict())
        body: dict[str, Any] = {
            "model": self.model,
            "messages": asked,
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
        }
        if sampling.seed is not None:
            body["seed"] = sampling.seed
        if stop:
            body["stop"] = list(stop)
        if self.kind == "vllm":
            body |= {"top_k": sampling.top_k, "repetition_penalty": sampling.repetition_penalty, **_NO_THINKING}
            if begun:
                body |= {"continue_final_message": True, "add_generation_prompt": False}
            if salt:
                body["cache_salt"] = salt
        if self.kind == "llamacpp":
            body |= {"top_k": sampling.top_k, "repeat_penalty": sampling.repetition_penalty, **_NO_THINKING}
            body |= {"reasoning_format": "none", "dry_multiplier": sampling.dry, "cache_prompt": True}
        return body


def _told(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if value is not None}


def _context(http: httpx.Client, kind: Kind, entry: dict[str, Any], assumed: int) -> int:
    told = entry.get("max_model_len") or _inside(entry, "meta", "n_ctx")
    if not isinstance(told, int) and kind == "llamacpp":
        reply = http.get("/props")
        if reply.status_code == 200:
            told = _inside(_json(reply), "default_generation_settings", "n_ctx")
    return told if isinstance(told, int) and told > 0 else assumed


def _json(reply: httpx.Response) -> dict[str, Any]:
    """The object in a reply; WriterError where it holds none."""
    try:
        found = reply.json()
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise WriterError(f"{reply.url} does not answer as an OpenAI-compatible server does; is the address right?")
    return found


def _inside(table: dict[str, Any], outer: str, inner: str) -> Any:
    found = table.get(outer)
    return found.get(inner) if isinstance(found, dict) else None


def count_with(http: httpx.Client, server: Server, tokenizer: Path | None) -> Counter:
    """The most exact way to count: the server's own tokenizer, else a tokenizer folder, else an estimate."""
    if server.kind == "vllm" and (vllm := _VllmCounter(http, server.model)).works():
        return vllm
    if server.kind == "llamacpp" and (llama := _LlamaCounter(http)).works():
        return llama
    return _FolderCounter(tokenizer) if tokenizer is not None else _Estimate()


class _VllmCounter:
    """POST /tokenize as vLLM has it: the server applies the chat template too."""

    name = "server-tokenize"

    def __init__(self, http: httpx.Client, model: str) -> None:
        self._http, self._model = http, model

    def works(self) -> bool:
        return isinstance(self._ask({"messages": [{"role": "user", "content": "a"}]}), int)

    def count(self, text: str) -> int:
        return self._found({"prompt": text, "add_special_tokens": False})

    def count_messages(self, messages: Sequence[Message]) -> int:
        asked = [message.as_dict() for message in messages]
        return self._found({"messages": asked, "add_generation_prompt": True, **_NO_THINKING})

    def _ask(self, body: dict[str, Any]) -> int | None:
        reply = self._http.post("/tokenize", json={"model": self._model, **body})
        count = _json(reply).get("count") if reply.status_code == 200 else None
        return count if isinstance(count, int) else None

    def _found(self, body: dict[str, Any]) -> int:
        count = self._ask(body)
        if count is None:
            raise WriterError("the server stopped counting tokens; is it still the same one?")
        return count


class _LlamaCounter:
    """POST /apply-template and /tokenize as llama.cpp's server has them."""

    name = "server-template"

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def works(self) -> bool:
        reply = self._http.post("/tokenize", json={"content": "a"})
        return reply.status_code == 200 and "tokens" in reply.text

    def count(self, text: str) -> int:
        return self._tokens({"content": text, "add_special": False, "parse_special": False})

    def count_messages(self, messages: Sequence[Message]) -> int:
        asked = [message.as_dict() for message in messages]
        reply = self._http.post("/apply-template", json={"messages": asked, **_NO_THINKING})
        reply.raise_for_status()
        return self._tokens({"content": _json(reply).get("prompt"), "add_special": True, "parse_special": True})

    def _tokens(self, body: dict[str, Any]) -> int:
        reply = self._http.post("/tokenize", json=body)
        reply.raise_for_status()
        tokens = _json(reply).get("tokens")
        if not isinstance(tokens, list):
            raise WriterError("the server stopped counting tokens; is it still the same one?")
        return len(tokens)


class _FolderCounter:
    """A tokenizer folder of the same model."""

    def __init__(self, folder: Path) -> None:
        if importlib.util.find_spec("transformers") is None:
            raise MissingPart("counting with a tokenizer folder needs transformers: pip install 'fabai[train]'")
        from fabai.writers.transformers import load_tokenizer

        self._tokenizer = load_tokenizer(folder)
        self.name = f"tokenizer-{folder.name}"

    def count(self, text: str) -> int:
        return len(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def count_messages(self, messages: Sequence[Message]) -> int:
        asked = [message.as_dict() for message in messages]
        found = self._tokenizer.apply_chat_template(
            asked, add_generation_prompt=True, tokenize=True, return_dict=True, enable_thinking=False
        )
        return len(found["input_ids"])


class _Estimate:
    """No tokenizer at hand: one token for every two and a half bytes. Spanish and Catalan have about four a token in
    today's vocabularies, so a window that was planned with this stays under its cap and is about a third smaller than
    it could be.
    """

    name = "estimate"

    def count(self, text: str) -> int:
        return math.ceil(len(text.encode("utf-8", "surrogatepass")) / 2.5)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return sum(self.count(message.content) + 16 for message in messages) + 16
