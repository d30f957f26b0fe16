"""A model's tokenizer and chat template without the model: what the replay of drafting asks of a Writer.

Knows that a long prompt is counted in pieces that were counted before, and where a text may be parted without
changing its tokens. Does not know windows or examples. transformers loads the tokenizer; where tiktoken gives the same
tokens it counts them.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fabai.errors import UnreadableFile
from fabai.example import IGNORED, Encoder, encoder
from fabai.message import Message
from fabai.settings import WriterSettings
from fabai.tokens import LibraryTokenizer, read_tokenizer
from fabai.writers.completion import completion_prompt

DEFAULTS = WriterSettings()

_SEAM = re.compile(r"\n\n\S[^\n]*?[^\W\d_](?= [^\W\d_])")
"""In a paragraph, behind the first word that a space and another word follow: every tokenizer of words parts there."""
_PROBE = (
    "## 1.2 Objetivos\n\nL'ajut de 1.250,50 € (2024): d'Olot, núm. 3…\n\n- It's 12:30! «Año» col·legi 😀 \n- **b** `x`"
    "\n\n| a | b |\n|---|---|\n| 1 | dos tres |\n\nUn párrafo más\n\n    sangrado con código\n\n___\n\n…y el final. "
    "\n\nFin de todo"
)
_MOST = 200_000
_SHORT = 300
"""Characters below which a text is counted at once."""


class ModelReader:
    """A `fabai.desk.Reader` for a model's folder (a slice's, or a tokenizer alone). `encoder` is the same tokenizer."""

    def __init__(self, folder: Path, settings: WriterSettings = DEFAULTS) -> None:
        """WriterError where the folder holds no tokenizer, UnreadableFile where its config.json is none."""
        self.folder = folder
        self.encoder: Encoder = encoder(folder)
        self.context = min(settings.context, _positions(folder) or settings.context)
        self._tokenizer: Any = self.encoder.tokenizer
        self._plain = self._counting()
        # what the tokenizer puts around a base model's text, the mark in front of it say
        self._around = 0 if self.chat else len(self._tokenizer("", verbose=False)["input_ids"])
        # where one stands in a target it is plain characters there, and a token of its own in a prompt
        self._marks = tuple(self._tokenizer.get_added_vocab())
        self._pieces: dict[str, int] = {}
        self._parted = sum(map(self._plain, _parts(_PROBE))) == self._plain(_PROBE)

    @property
    def name(self) -> str:
        return f"transformers:{self.folder.resolve().name}:{len(self._tokenizer)}"

    @property
    def chat(self) -> bool:
        return self.encoder.chat

    def count(self, text: str) -> int:
        """Tokens of bare text."""
        return self._plain(text) if len(text) < _SHORT else self._sum(text)

    def answer(self, target: str, masked: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """Tokens of a target with its end token, and those of them that have a loss."""
        if not masked and not any(mark in target for mark in self._marks):
            tokens = self.count(target) + 1
            return tokens, tokens
        ids, labels = self.encoder.answer(target, masked)
        return len(ids), sum(label != IGNORED for label in labels)

    def count_messages(self, messages: Sequence[Message]) -> int:
        """What `fabai.writers.template.prompt_ids` gives, without tokenising again what stood in the last prompts."""
        if not self.chat:
            return self._sum(completion_prompt(messages)) + self._around
        rendered = self._tokenizer.apply_chat_template(
            [message.as_dict() for message in messages],
            add_generation_prompt=True,
            tokenize=False,
            enable_thinking=False,
        )
        return self._sum(rendered)

    def _sum(self, text: str) -> int:
        if not self._parted:
            return self._plain(text)
        total = 0
        for piece in _parts(text):
            found = self._pieces.get(piece)
            if found is None:
                if len(self._pieces) >= _MOST:
                    self._pieces.clear()
                found = self._pieces[piece] = self._plain(piece)
            total += found
        return total

    def _counting(self) -> Callable[[str], int]:
        def library(text: str) -> int:
            return len(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

        fast = read_tokenizer(self.folder)
        if (
            isinstance(fast, LibraryTokenizer)
            or fast.ids(_PROBE) != self._tokenizer(_PROBE, add_special_tokens=False)["input_ids"]
        ):
            return library
        return fast.count


def _parts(text: str) -> list[str]:
    """The text in pieces whose tokens are those of the whole, about one for each paragraph."""
    edges = [0, *(match.end() for match in _SEAM.finditer(text)), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(edges)]


def _positions(folder: Path) -> int | None:
    """Most tokens that the model takes, None where the folder holds a tokenizer alone."""
    path = folder / "config.json"
    if not path.is_file():
        return None
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        config = config.get("text_config", config)
        found = config.get("max_position_embeddings")
    except (OSError, ValueError, AttributeError) as error:
        raise UnreadableFile(f"{path} cannot be read: {error}") from None
    return found if isinstance(found, int) else None
