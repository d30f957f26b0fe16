"""One training example as tokens: the prompt exactly as drafting renders it, the target, and the token that ends it.

Knows which tokens are learnt, which token ends an answer, and how a tokenizer is told from another. Both rooms stand on
it: the corpus counts with it, training learns with it. Does not know how examples are chosen, stored or batched.
A tokenizer here is transformers' fast one, as `fabai.writers.transformers.load_tokenizer` gives it.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.errors import BadSetting, UnreadableFile
from fabai.message import Message
from fabai.writers.template import prompt_ids

IGNORED = -100
"""The label of a token that is not learnt."""

_PROBE = "abai"


@dataclass(frozen=True, slots=True)
class Encoded:
    """ids: prompt, target, end token; labels: the same ids where learnt, else IGNORED. prompt: tokens before the
    target.
    """

    ids: list[int]
    labels: list[int]
    prompt: int

    @property
    def tokens(self) -> int:
        """Prompt, target and end token."""
        return len(self.ids)

    @property
    def labelled(self) -> int:
        """Tokens with a loss."""
        return sum(label != IGNORED for label in self.labels)


class Encoder:
    """(messages, target, masked spans) -> Encoded, for one tokenizer. `end`: the token that ends an answer."""

    def __init__(self, tokenizer: Any, ends: Sequence[int] = ()) -> None:
        """ends: the ids at which the model stops (`ends_of`); the end token is one of them where it can be."""
        if not getattr(tokenizer, "is_fast", False):
            raise BadSetting("this model's tokenizer has no tokenizer.json; take a model that has one")
        self.tokenizer = tokenizer
        self.end = end_token(tokenizer, ends)

    @property
    def chat(self) -> bool:
        """Whether the model has a chat template; a base model continues one text."""
        return self.tokenizer.chat_template is not None

    def encode(self, messages: Sequence[Message], target: str, masked: Sequence[tuple[int, int]] = ()) -> Encoded:
        """masked: [start, end) spans of characters of `target`; a token with a character in one is not learnt."""
        prompt = prompt_ids(self.tokenizer, messages)
        ids, labels = self.answer(target, masked)
        return Encoded([*prompt, *ids], [*[IGNORED] * len(prompt), *labels], len(prompt))

    def answer(self, target: str, masked: Sequence[tuple[int, int]] = ()) -> tuple[list[int], list[int]]:
        """ids and labels of the target and its end token alone, for whoever has counted the prompt already."""
        # a mark of the template that stands in a text is plain characters: only the end token ends an answer
        found = self.tokenizer(
            target,
            add_special_tokens=False,
            return_offsets_mapping=True,
            split_special_tokens=True,
            verbose=False,
        )
        ids = list(found["input_ids"])
        starts, stops = _merged(masked)
        labels = [
            IGNORED if starts and _hidden(starts, stops, start, end) else token
            for token, (start, end) in zip(ids, found["offset_mapping"], strict=True)
        ]
        return [*ids, self.end], [*labels, self.end]


def encoder(folder: Path) -> Encoder:
    """The Encoder of a model's folder (a slice's too); WriterError where it holds no tokenizer."""
    from fabai.writers.transformers import load_tokenizer

    return Encoder(load_tokenizer(folder), ends_of(folder))


def ends_of(folder: Path) -> tuple[int, ...]:
    """The ids at which the model of this folder stops: what its generation_config.json says, else its config.json."""
    for name in ("generation_config.json", "config.json"):
        path = folder / name
        if not path.is_file():
            continue
        try:
            found = json.loads(path.read_text(encoding="utf-8")).get("eos_token_id")
        except (OSError, ValueError, AttributeError) as error:
            raise UnreadableFile(f"{path} cannot be read: {error}") from None
        if found is not None:
            return tuple(found) if isinstance(found, list) else (found,)
    return ()


def end_token(tokenizer: Any, ends: Sequence[int] = ()) -> int:
    """The token that ends an answer: what the chat template puts behind one, if the model stops at it; else the
    tokenizer's own end token.
    """
    own = tokenizer.eos_token_id
    behind = None if tokenizer.chat_template is None else _behind(tokenizer)
    if behind is not None and (not ends or behind in ends):
        return behind
    if own is not None:
        return int(own)
    if ends:
        return ends[0]
    raise BadSetting("this model's tokenizer names no end token (eos_token), so a model could not learn to stop")


def fingerprint(folder: Path) -> str:
    """sha256 of the folder's tokenizer.json (its content, not its layout) and chat template: equal for equal tokens."""
    path = folder / "tokenizer.json"
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        for key in ("truncation", "padding"):  # what the last program that saved it happened to use
            table.pop(key, None)
    except (OSError, ValueError, AttributeError) as error:
        raise UnreadableFile(f"{path} cannot be read: {error}") from None
    content = json.dumps([table, _template(folder)], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _merged(spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Starts and ends of the spans, both rising."""
    starts: list[int] = []
    stops: list[int] = []
    for start, stop in sorted(spans):
        if stops and start <= stops[-1]:
            stops[-1] = max(stops[-1], stop)
        elif start < stop:
            starts.append(start)
            stops.append(stop)
    return starts, stops


def _hidden(starts: Sequence[int], stops: Sequence[int], start: int, end: int) -> bool:
    """Whether [start, end), or the place itself where it is empty, touches one of the spans."""
    place = bisect_left(starts, max(end, start + 1)) - 1
    return place >= 0 and stops[place] > start


def _behind(tokenizer: Any) -> int | None:
    """The first control token behind an answer in the chat template; None where the template puts none."""
    turns = [{"role": "user", "content": _PROBE}, {"role": "assistant", "content": f"f{_PROBE}"}]
    text = tokenizer.apply_chat_template(turns, tokenize=False)
    tail = text.rpartition(f"f{_PROBE}")[2]
    special = set(tokenizer.all_special_ids) | set(tokenizer.added_tokens_decoder)
    return next((token for token in tokenizer(tail, add_special_tokens=False)["input_ids"] if token in special), None)


def _template(folder: Path) -> str | None:
    """The chat template of a model's folder as text, None where it has none."""
    alone = folder / "chat_template.jinja"
    if alone.is_file():
        return alone.read_text(encoding="utf-8")
    config = folder / "tokenizer_config.json"
    if not config.is_file():
        return None
    found = json.loads(config.read_text(encoding="utf-8")).get("chat_template")
    return found if found is None or isinstance(found, str) else json.dumps(found, sort_keys=True)
