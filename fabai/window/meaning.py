"""Finding passages by meaning too: the ranks of BM25 and of an embedding model, fused.

Knows vectors, their nearness and how two rankings become one. Does not know any model (fabai.writers.embedder) or where
vectors are kept: both are passed in.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from operator import mul
from typing import Literal, Protocol

from fabai.report import Language
from fabai.settings import RetrievalSettings
from fabai.window.passages import Passage
from fabai.window.retrieval import Text, retriever

Role = Literal["query", "passage"]

_RANK = 60
"""Reciprocal rank fusion: a passage is worth 1 / (60 + its rank) in each ranking (Cormack, Clarke and Büttcher 2009,
https://doi.org/10.1145/1571941.1572114)."""


class Embedder(Protocol):
    """A model that turns a text into a vector of length 1; near vectors mean alike."""

    @property
    def name(self) -> str:
        """Identifies model and settings: vectors of another name are of another space."""
        ...

    def embed(self, texts: Sequence[str], role: Role) -> list[array[float]]:
        """One vector for each text. A text that is too long is cut. WriterError where the model fails."""
        ...


class Vectors(Protocol):
    """Where vectors are kept, by the name of their embedder and the hash of their text."""

    def vectors(self, embedder: str) -> Mapping[str, bytes]:
        """32-bit floats by text hash."""
        ...

    def save_vectors(self, embedder: str, vectors: Mapping[str, bytes]) -> None: ...


class MeaningRetriever:
    """BM25 and an embedding model together. Each passage is embedded once and kept by the hash of its text, so a
    changed source is never found by what it said before.
    """

    def __init__(
        self,
        sources: Sequence[Text],
        language: Language,
        embedder: Embedder,
        store: Vectors,
        settings: RetrievalSettings = RetrievalSettings(),  # noqa: B008  (frozen)
        *,
        words: bool = True,
    ) -> None:
        """Embeds what the store lacks, which takes a while the first time. words: rank by BM25 too."""
        self._bm25, self._embedder, self._words = retriever(sources, language, settings), embedder, words
        texts = [f"{passage.source}\n{passage.text}" for passage in self._bm25.passages]
        hashes = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts]
        known = dict(store.vectors(embedder.name))
        lacking = {one: text for one, text in zip(hashes, texts, strict=True) if one not in known}
        if lacking:
            made = embedder.embed(list(lacking.values()), "passage")
            new = {one: vector.tobytes() for one, vector in zip(lacking, made, strict=True)}
            store.save_vectors(embedder.name, new)
            known |= new
        self._vectors = [array("f", known[one]) for one in hashes]

    def find(self, query: str, most: int) -> Sequence[Passage]:
        """At most `most` passages, the best first; of those nearly alike only one."""
        if not query.strip() or most < 1 or not self._vectors:
            return []
        rankings = [self._near(query, 8 * most)]
        if self._words:
            rankings.append(self._bm25.ranked(query, 8 * most))
        worth: dict[int, float] = {}
        for ranking in rankings:
            for rank, number in enumerate(ranking, 1):
                worth[number] = worth.get(number, 0.0) + 1 / (_RANK + rank)
        return self._bm25.unlike(sorted(worth, key=lambda number: (-worth[number], number)), most)

    def _near(self, query: str, most: int) -> list[int]:
        (asked,) = self._embedder.embed([query], "query")
        near = [sum(map(mul, asked, vector)) for vector in self._vectors]
        return sorted(range(len(near)), key=lambda number: (-near[number], number))[:most]
