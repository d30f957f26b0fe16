"""Which tokenizers can be sliced, and what a sliceable one is made of.

Two families: byte-level BPE (GPT-2's alphabet of 256 characters: Qwen2/2.5/3, Llama-3, SmolLM, Mistral's tekken) and
SentencePiece-style BPE with byte fallback (Llama-2, Mistral-7B-v0.1, Gemma). Both can spell any text from bytes, so a
token that is dropped costs length and never text. Knows tokenizer.json. Does not know models, corpora or which tokens
to keep.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from fabai.errors import UnreadableFile

Kind = Literal["byte-level", "byte-fallback"]

_REASONS = {
    "WordPiece": "WordPiece has no byte pieces, so text outside the kept words would become unknown",
    "Unigram": "Unigram picks its pieces by probability over the whole vocabulary, so dropping one can change "
    "text made of kept ones",
    "WordLevel": "WordLevel has no smaller pieces to fall back to",
}


@dataclass(frozen=True)
class Family:
    """A tokenizer.json taken apart.

    table: the parsed file. vocab: string -> id of the BPE model. strings: id -> string, empty where an id has none.
    merges: (left, right, made) ids in rank order. added: id -> content of every added or special token. byte_ids: the
    ids of the single bytes, in byte order, those that exist.
    """

    kind: Kind
    table: Mapping[str, Any]
    vocab: Mapping[str, int]
    strings: tuple[str, ...]
    merges: tuple[tuple[int, int, int], ...]
    added: Mapping[int, str]
    byte_ids: tuple[int, ...]
    ignore_merges: bool
    alphabet: Mapping[str, int] = field(repr=False)

    @property
    def size(self) -> int:
        """One more than the largest id, added tokens included."""
        return len(self.strings)

    @property
    def name(self) -> str:
        """The family in words, for reports."""
        if self.kind == "byte-level":
            return "byte-level BPE" + (" with ignore_merges" if self.ignore_merges else "")
        return "SentencePiece-style BPE with byte fallback"

    def raw(self, token: int) -> bytes:
        """The bytes that a token spells (the word mark of SentencePiece counts as its own character)."""
        string = self.strings[token]
        if token in self.added:
            return string.encode()
        if self.kind == "byte-level":
            return bytes(self.alphabet[char] for char in string)
        return bytes([int(string[3:5], 16)]) if token in self.byte_ids else string.encode()


def read_family(path: Path) -> Family:
    """Take a tokenizer.json apart; UnreadableFile names the family where it is neither, or what is broken."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        model = table["model"]
        name = model.get("type", "BPE" if "merges" in model else "unknown")
    except FileNotFoundError:
        raise UnreadableFile(f"{path} does not exist; slicing needs the fast tokenizer's tokenizer.json") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableFile(f"{path} is not a tokenizer.json: {error!r}") from None
    if name != "BPE":
        reason = _REASONS.get(name, "only BPE tokenizers that can spell any text from bytes can be sliced")
        raise UnreadableFile(f"{path} is a {name} tokenizer, which cannot be sliced: {reason}")
    if model.get("dropout"):
        raise UnreadableFile(
            f"{path} uses BPE dropout, so the same text gets other tokens each time; set dropout to null first"
        )
    if model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
        raise UnreadableFile(
            f"{path} is a BPE tokenizer with a subword prefix or word suffix (CLIP, XLM), which cannot be sliced"
        )
    return _assemble(path, table, model)


def _assemble(path: Path, table: Mapping[str, Any], model: Mapping[str, Any]) -> Family:
    vocab: dict[str, int] = model["vocab"]
    added = _added(path, table)
    # at the front so that a wrong file is named before its details are
    kind = _kind(path, table, model)
    strings = [""] * (1 + max([*vocab.values(), *added]))
    for string, token in vocab.items():
        strings[token] = string
    for token, content in added.items():
        strings[token] = content
    alphabet = byte_alphabet()
    if kind == "byte-level":
        known = [char for char in alphabet if char in vocab]
        byte_ids = [vocab[char] for char in known]
        if model.get("unk_token") is not None and len(byte_ids) < 256:
            raise UnreadableFile(
                f"{path} lacks {256 - len(byte_ids)} of the 256 bytes and maps them to an unknown token; it cannot "
                "be sliced"
            )
    else:
        byte_ids = [vocab[f"<0x{byte:02X}>"] for byte in range(256) if f"<0x{byte:02X}>" in vocab]
        if len(byte_ids) < 256:
            raise UnreadableFile(
                f"{path} has only {len(byte_ids)} of the 256 byte tokens; without all of them text would be lost"
            )
    merges = _merges(path, model, vocab)
    _check_merges(path, kind, vocab, merges, added, bool(model.get("ignore_merges")), set(byte_ids))
    return Family(
        kind,
        table,
        vocab,
        tuple(strings),
        tuple(merges),
        added,
        tuple(byte_ids),
        bool(model.get("ignore_merges")),
        alphabet,
    )


def _kind(path: Path, table: Mapping[str, Any], model: Mapping[str, Any]) -> Kind:
    if model.get("byte_fallback"):
        return "byte-fallback"
    decoder = table.get("decoder") or {}
    kinds = [decoder.get("type"), *(part.get("type") for part in decoder.get("decoders", []))]
    if "ByteLevel" in kinds:
        return "byte-level"
    raise UnreadableFile(
        f"{path} is a BPE tokenizer without bytes to fall back to, which cannot be sliced without losing text"
    )


def _added(path: Path, table: Mapping[str, Any]) -> dict[int, str]:
    entries = table.get("added_tokens") or []
    for what in ("id", "content"):
        twice = [value for value, count in Counter(entry[what] for entry in entries).items() if count > 1]
        if twice:
            raise UnreadableFile(f"{path} has duplicate added tokens ({what} {twice[0]!r}); remove one of them first")
    return {entry["id"]: entry["content"] for entry in entries}


def _merges(path: Path, model: Mapping[str, Any], vocab: Mapping[str, int]) -> list[tuple[int, int, int]]:
    if not model.get("merges"):
        raise UnreadableFile(f"{path} has no merges; take the tokenizer.json that came with the model")
    merges = []
    for entry in model["merges"]:
        left, right = entry if isinstance(entry, list) else entry.split(" ", 1)
        if left not in vocab or right not in vocab or left + right not in vocab:
            raise UnreadableFile(
                f"{path} has a merge of {left!r} and {right!r} whose parts are not all in the vocabulary"
            )
        merges.append((vocab[left], vocab[right], vocab[left + right]))
    return merges


def _check_merges(
    path: Path,
    kind: Kind,
    vocab: Mapping[str, int],
    merges: list[tuple[int, int, int]],
    added: Mapping[int, str],
    ignore_merges: bool,
    byte_ids: set[int],
) -> None:
    """Tokens that nothing builds mean a file whose merges were cut off (with ignore_merges some are words of their
    own).
    """
    made = {new for _, _, new in merges}
    longer = [
        token for string, token in vocab.items() if len(string) > 1 and token not in added and token not in byte_ids
    ]
    orphans = sum(token not in made for token in longer)
    allowed = 0.5 if ignore_merges else 0.02
    if orphans > max(8, allowed * len(longer)):
        raise UnreadableFile(
            f"{path} lacks merges: {orphans:,} of {len(longer):,} {kind} tokens cannot be built; take the "
            "tokenizer.json that came with the model"
        )


def byte_alphabet() -> dict[str, int]:
    """The characters that byte-level BPE writes for the 256 bytes, in byte order (GPT-2's table): character -> byte."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    spare = iter(range(256, 512))
    return {chr(byte if byte in printable else next(spare)): byte for byte in range(256)}
