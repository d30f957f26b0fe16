"""Counting tokens as a model does, fast: a tiktoken Encoding built from the model's own merges.

Knows tokenizer.json files of byte-level BPE models (Qwen 2 and 3, Llama 3, SmolLM, GPT-2; sliced or not) and which of
them tiktoken repeats exactly; the rest goes through the `tokenizers` package. Does not know chat templates: who has
one passes a function that renders it. Source of the layout: https://huggingface.co/docs/tokenizers/api/models
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import tiktoken

from fabai.errors import MissingPart, UnreadableFile
from fabai.message import Message

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""What ByteLevel(use_regex) parts words by."""

DIGITS_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?![^\s\p{N}])|\s+"
"""The same where every digit has been parted off before: white space in front of a digit stands alone."""

GGUF_PATTERNS = {
    "gpt-2": GPT2_PATTERN,
    "smollm": DIGITS_PATTERN,
    "qwen2": (
        r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "llama-bpe": (
        r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}
"""llama.cpp's names of the ways to part words (tokenizer.ggml.pre), as its source src/llama-vocab.cpp has them."""

NORMAL = 1
"""The token_type of a token that comes from text; controls and unused ones have others."""


class Tokenizer(Protocol):
    """Bare text to tokens, control tokens that stand in the text included, no token added."""

    @property
    def name(self) -> str:
        """Identifies the vocabulary, for caches."""
        ...

    def ids(self, text: str) -> list[int]:
        """The model's token ids."""
        ...

    def count(self, text: str) -> int: ...


class BpeTokenizer:
    """Byte-level BPE through tiktoken. Lone surrogates, which no model reads, count as U+FFFD."""

    def __init__(
        self,
        name: str,
        vocabulary: Mapping[str, int],
        merges: Sequence[tuple[str, str]],
        pattern: str,
        added: Mapping[str, int],
        *,
        composed: bool,
    ) -> None:
        """vocabulary and merges in the byte alphabet of GPT-2; added: control tokens; composed: text is put into NFC
        first.

        Some vocabularies lack bytes that text hardly ever holds; the model skips those, and so do `ids` and `count`.
        """
        ranks, self._ids = _ranks(vocabulary, merges)
        controls = {text: len(ranks) + position for position, text in enumerate(added)}
        self._ids.extend(added.values())
        self._lacking = frozenset(rank for rank, index in enumerate(self._ids) if index < 0)
        self._name = name
        self._composed = composed
        self._controls = set(controls)
        self._encoding = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=controls)

    @property
    def name(self) -> str:
        return self._name

    def ids(self, text: str) -> list[int]:
        return [self._ids[rank] for rank in self._encode(text)]

    def count(self, text: str) -> int:
        return len(self._encode(text))

    def _encode(self, text: str) -> list[int]:
        # NFC of normal text is a quick look; tiktoken refuses no control token that stands in the text
        if self._composed and not unicodedata.is_normalized("NFC", text):
            text = unicodedata.normalize("NFC", text)
        found = self._encoding.encode(text, allowed_special=self._controls, disallowed_special=())
        if self._lacking and not self._lacking.isdisjoint(found):
            return [rank for rank in found if rank not in self._lacking]
        return found


class LibraryTokenizer:
    """Any tokenizer.json, through the `tokenizers` package."""

    def __init__(self, path: Path) -> None:
        try:
            import tokenizers
        except ImportError:
            raise MissingPart(
                "this model's tokenizer needs the package tokenizers; install it with: pip install 'fabai[train]'"
            ) from None
        data = _read(path)
        try:
            self._tokenizer = tokenizers.Tokenizer.from_str(data)
        except Exception as error:
            raise UnreadableFile(f"{path} is not a tokenizer.json that can be read: {error}") from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._name = f"tokenizers-{hashlib.sha256(data.encode()).hexdigest()[:16]}"

    @property
    def name(self) -> str:
        return self._name

    def ids(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(_whole(text), add_special_tokens=False).ids
        return found

    def count(self, text: str) -> int:
        return len(self.ids(text))


class ModelCounter:
    """The TokenCounter of a tokenizer and a chat template: `render` gives the prompt as the model reads it."""

    def __init__(self, tokenizer: Tokenizer, render: Callable[[Sequence[Message]], str]) -> None:
        self._tokenizer = tokenizer
        self._render = render

    @property
    def name(self) -> str:
        return self._tokenizer.name

    def count(self, text: str) -> int:
        """Tokens of bare text."""
        return self._tokenizer.count(text)

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of the rendered prompt."""
        return self._tokenizer.count(self._render(messages))


def read_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a tokenizer.json (or of a model's folder that holds one), the fast way where it is the same."""
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        data = _read(file)
        found = from_table(json.loads(data), f"bpe-{hashlib.sha256(data.encode()).hexdigest()[:16]}")
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise UnreadableFile(
            f"{file} is not a tokenizer.json of a language model ({error}); take the model's own"
        ) from None
    return LibraryTokenizer(file) if found is None else found


def from_table(table: Mapping[str, Any], name: str) -> BpeTokenizer | None:
    """A BpeTokenizer from the content of a tokenizer.json; None where tiktoken would not give the model's own
    tokens.
    """
    model, normalizer = table["model"], table.get("normalizer")
    pattern = _pattern(table.get("pre_tokenizer"))
    plain = not any(
        model.get(key) for key in ("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")
    )
    composed = normalizer is not None and normalizer.get("type") == "NFC"
    if model.get("type") != "BPE" or pattern is None or not plain or not (composed or normalizer is None):
        return None
    added = table.get("added_tokens") or []
    if any(one.get(key) for one in added for key in ("lstrip", "rstrip", "single_word")):
        return None
    merges = [_pair(one) for one in model["merges"]]
    controls = {one["content"]: one["id"] for one in added}
    return BpeTokenizer(name, model["vocab"], merges, pattern, controls, composed=composed)


def from_gguf(
    name: str, model: str, pre: str, tokens: Sequence[str], kinds: Sequence[int], merges: Sequence[str]
) -> BpeTokenizer | None:
    """A BpeTokenizer from the fields tokenizer.ggml.{model,pre,tokens,token_type,merges}; None for another family.

    llama.cpp composes no accents and, as fabai asks it, takes control tokens in a text for plain characters: neither
    does this.
    """
    if model != "gpt2" or pre not in GGUF_PATTERNS:
        return None
    vocabulary = {text: index for index, (text, kind) in enumerate(zip(tokens, kinds, strict=True)) if kind == NORMAL}
    return BpeTokenizer(name, vocabulary, [_pair(one) for one in merges], GGUF_PATTERNS[pre], {}, composed=False)


def byte_alphabet() -> dict[str, int]:
    """GPT-2's printable character for each of the 256 bytes."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [byte for byte in range(256) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {chr(256 + place): byte for place, byte in enumerate(rest)}


def _ranks(vocabulary: Mapping[str, int], merges: Sequence[tuple[str, str]]) -> tuple[dict[bytes, int], list[int]]:
    """Rank of each token's bytes (the 256 bytes, then by first merge), and the model's id of each rank, -1 for a byte
    that it lacks.
    """
    alphabet = byte_alphabet()
    ranks: dict[bytes, int] = {}
    ids: list[int] = []
    for text in (*alphabet, *(left + right for left, right in merges)):
        key = bytes(alphabet[character] for character in text)
        if key not in ranks:
            ranks[key] = len(ranks)
            ids.append(vocabulary.get(text, -1) if len(key) == 1 else vocabulary[text])
    return ranks, ids


def _pattern(table: Mapping[str, Any] | None) -> str | None:
    """The regular expression that parts words, None for a layout that tiktoken cannot repeat."""
    if table is None:
        return None
    steps = table["pretokenizers"] if table["type"] == "Sequence" else [table]
    if steps[-1]["type"] != "ByteLevel" or steps[-1].get("add_prefix_space"):
        return None
    own = steps[-1].get("use_regex", True)
    match [step["type"] for step in steps[:-1]], own:
        case [], True:
            return GPT2_PATTERN
        case ["Digits"], True if steps[0].get("individual_digits"):
            return DIGITS_PATTERN
        case ["Split"], False:
            pattern = steps[0]["pattern"].get("Regex")
            isolated = steps[0].get("behavior") == "Isolated" and not steps[0].get("invert")
            return pattern if isolated else None
    return None


def _pair(merge: str | Sequence[str]) -> tuple[str, str]:
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    return left, right


def _whole(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UnreadableFile(f"{path} does not exist; give the model's tokenizer.json or its folder") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{path} cannot be read: {error}") from None
