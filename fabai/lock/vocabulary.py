"""A model's tokens as bytes, laid out for masking: which of them keep to free text, and which could be of a value.

Knows the two ways in which tokenizers write bytes (GPT-2's alphabet, "▁" with byte tokens). Does not know facts or
models.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabai.errors import WriterError
from fabai.lock.automaton import DEAD, byte_table
from fabai.lock.free import ALPHABET
from fabai.report import Language
from fabai.tokens import byte_alphabet

Tree = list[tuple[dict[int, int], list[int]]]
"""Tokens by their bytes: place -> (byte -> place, ids of the tokens that end there)."""

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_PROBE = "Año «1.250,50 €»: d'Olot, col·legi 12 %…"


class Vocabulary:
    """tokens: bytes of each id, None for control tokens and gaps. size: rows of the model's output."""

    def __init__(self, tokens: Sequence[bytes | None], size: int) -> None:
        self.tokens, self.size = tokens, size
        ids = [place for place, token in enumerate(tokens) if token and place < size]
        self._ids = np.array(ids, dtype=np.int64)
        self._lengths = np.array([len(tokens[place] or b"") for place in ids], dtype=np.int32)
        self._bytes = np.zeros((len(ids), int(self._lengths.max(initial=0))), dtype=np.uint8)
        for row, place in enumerate(ids):
            token = tokens[place] or b""
            self._bytes[row, : len(token)] = np.frombuffer(token, dtype=np.uint8)
        self._free: dict[tuple[Language, int], NDArray[np.bool_]] = {}
        self._tables: dict[Language, tuple[NDArray[np.int32], list[int]]] = {}

    @cached_property
    def tree(self) -> Tree:
        """All tokens."""
        return _tree(self.tokens, map(int, self._ids))

    @cached_property
    def _foreign(self) -> dict[frozenset[str], list[int]]:
        """Tokens that free text cannot hold, by the characters that it cannot; a part of a character counts as "€"."""
        found: dict[frozenset[str], list[int]] = {}
        for place in map(int, self._ids):
            text = (self.tokens[place] or b"").decode("utf-8", "replace")
            if outside := frozenset("€" if one == "\ufffd" else one for one in text if one not in ALPHABET):
                found.setdefault(outside, []).append(place)
        return found

    def of_values(self, forms: Iterable[str]) -> Tree:
        """The tokens that hold what only values hold: digits, "%", "€" and the like."""
        letters = frozenset("€").union(*forms)
        ids = (place for outside, places in self._foreign.items() if outside <= letters for place in places)
        return _tree(self.tokens, ids)

    def free(self, language: Language, state: int) -> NDArray[np.bool_]:
        """By id, the tokens that may come in a state of the free text."""
        if language not in self._tables:
            rows = np.array(byte_table(language).rows, dtype=np.int32)
            self._tables[language] = rows, _alike(rows)
        rows, kinds = self._tables[language]
        found = self._free.get((language, kinds[state]))
        if found is None:
            found = self._free[language, kinds[state]] = self._follow(rows, state)
        return found

    def _follow(self, rows: NDArray[np.int32], state: int) -> NDArray[np.bool_]:
        here = np.full(len(self._ids), state, dtype=np.int32)
        alive = np.arange(len(self._ids))
        for place in range(self._bytes.shape[1]):
            alive = alive[self._lengths[alive] > place]
            here[alive] = rows[here[alive], self._bytes[alive, place]]
            alive = alive[here[alive] != DEAD]
        found = np.zeros(self.size, dtype=np.bool_)
        found[self._ids[here != DEAD]] = True
        return found


def token_bytes(tokenizer: Any) -> list[bytes | None]:
    """The bytes of each id of a transformers tokenizer; WriterError where they cannot be told."""
    special = set(tokenizer.all_special_ids)
    added = {place: str(token) for place, token in getattr(tokenizer, "added_tokens_decoder", {}).items()}
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    table = json.loads(tokenizer.backend_tokenizer.to_str()) if getattr(tokenizer, "is_fast", False) else {}
    alphabet = byte_alphabet() if '"ByteLevel"' in json.dumps(table.get("decoder")) else None
    found: list[bytes | None] = []
    for place, piece in enumerate(pieces):
        if piece is None or place in special or place in added:
            # an added token that a person might write is left out too: it is never needed
            found.append(None)
        elif alphabet is not None:
            found.append(bytes(map(alphabet.__getitem__, piece)) if set(piece) <= alphabet.keys() else None)
        else:
            byte = _BYTE.fullmatch(piece)
            found.append(bytes([int(byte[1], 16)]) if byte else piece.replace("▁", " ").encode())
    ids = tokenizer(_PROBE, add_special_tokens=False)["input_ids"]
    said = b"".join(found[place] or b"" for place in ids)
    if said.strip() != _PROBE.encode():
        raise WriterError(
            "the model's tokens cannot be told as bytes, so its figures cannot be locked: take another model"
        )
    return found


def _alike(rows: NDArray[np.int32]) -> list[int]:
    """For each state the number of its kind: two of one kind let the same bytes follow, however long."""
    kinds = np.zeros(len(rows) + 1, dtype=np.int64)
    kinds[-1] = 1  # DEAD, which is the last row
    while True:
        seen = np.concatenate([kinds[:-1, None], kinds[rows]], axis=1)
        _, found = np.unique(seen, axis=0, return_inverse=True)
        found = found.reshape(-1)
        if found.max() == kinds[:-1].max() and len(np.unique(found)) == len(np.unique(kinds[:-1])):
            return [int(one) for one in found]
        kinds = np.append(found, found.max() + 1)


def _tree(tokens: Sequence[bytes | None], ids: Iterable[int]) -> Tree:
    tree: Tree = [({}, [])]
    for place in ids:
        node = 0
        for byte in tokens[place] or b"":
            following = tree[node][0].get(byte)
            if following is None:
                following = tree[node][0][byte] = len(tree)
                tree.append(({}, []))
            node = following
        tree[node][1].append(place)
    return tree
