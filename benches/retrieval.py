"""Recall of retrieval on twenty labelled questions (benches/retrieval.toml) over the shared calls and proposals.

    python -m benches.retrieval [SHARED] [--embedder MODEL|FILE.gguf] [--documents N]

All documents of a language are one Brief, many more than a project has; N: only those that hold an answer and the first
N others. One JSON object for each way to rank, the last line one of them: words (BM25), and with an embedding model
meaning alone and both.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.report import Language
from fabai.window.meaning import MeaningRetriever
from fabai.window.passages import Retriever
from fabai.window.retrieval import Bm25Retriever
from fabai.writers.embedder import LlamaCppEmbedder, choose_embedder

HERE = Path(__file__).parent
FOLDERS: dict[Language, str] = {"es": "calls-es", "ca": "calls-ca", "en": "grants-en"}
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Document:
    """A source as a project would hold it."""

    name: str
    text: str


class Memory:
    """Vectors kept for this run only."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, bytes]] = {}

    def vectors(self, embedder: str) -> Mapping[str, bytes]:
        return self._kept.get(embedder, {})

    def save_vectors(self, embedder: str, vectors: Mapping[str, bytes]) -> None:
        self._kept.setdefault(embedder, {}).update(vectors)


def documents(folder: Path) -> list[Document]:
    """The Markdown files of a folder, without the HTML that some carry."""
    found = []
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        found.append(Document(path.stem, html.unescape(re.sub(r"</?(?:br|ul|li|b|strong|p)\b[^>]*>", "\n", text))))
    return found


def some(found: list[Document], answers: list[str], others: int | None) -> list[Document]:
    """The documents that hold an answer, and the first `others` of the rest."""
    holds = [any(answer in " ".join(one.text.split()) for answer in answers) for one in found]
    rest = [one for one, has in zip(found, holds, strict=True) if not has]
    kept = {one.name for one in rest[:others]}
    return [one for one, has in zip(found, holds, strict=True) if has or one.name in kept]


def measure(
    name: str,
    queries: list[dict[str, Any]],
    briefs: Mapping[Language, list[Document]],
    make: Callable[[list[Document], Language], Retriever],
) -> dict[str, Any]:
    """The ranks of the answers, printed one by one, and what they come to."""
    begun = time.perf_counter()
    indexes = {language: make(brief, language) for language, brief in briefs.items()}
    built = time.perf_counter() - begun
    ranks: list[int | None] = []
    asked = 0.0
    for query in queries:
        begun = time.perf_counter()
        found = indexes[query["language"]].find(query["text"], 20)
        asked += time.perf_counter() - begun
        texts = [" ".join(passage.text.split()) for passage in found]
        rank = next((number for number, text in enumerate(texts, 1) if query["answer"] in text), None)
        ranks.append(rank)
        print(f"{name:8}{query['language']}  {'-' if rank is None else rank:>3}  {query['text']}")
    of = {one: [rank for rank, query in zip(ranks, queries, strict=True) if query["language"] == one] for one in briefs}
    return {
        "bench": "retrieval",
        "ranked_by": name,
        "queries": len(queries),
        **{f"recall@{depth}": recall(ranks, depth) for depth in (1, SHOWN, 20)},
        "mrr": round(sum(1 / rank for rank in ranks if rank is not None) / len(ranks), 3),
        **{f"recall@{SHOWN}_{language}": recall(one, SHOWN) for language, one in of.items()},
        "build_seconds": round(built, 2),
        "query_ms": round(1000 * asked / len(queries), 2),
    }


def recall(ranks: list[int | None], depth: int) -> float:
    """Share of the answers found among the first `depth`."""
    return round(sum(rank is not None and rank <= depth for rank in ranks) / len(ranks), 3)


def main(arguments: list[str]) -> int:
    """Print the rank of each answer and the JSON lines."""
    parser = argparse.ArgumentParser(description="recall of retrieval")
    parser.add_argument("shared", type=Path, nargs="?", default=HERE.parents[1] / "shared")
    parser.add_argument("--embedder", metavar="MODEL")
    parser.add_argument("--documents", metavar="N", type=int)
    args = parser.parse_args(arguments)
    queries = tomllib.loads((HERE / "retrieval.toml").read_text(encoding="utf-8"))["query"]
    answers = [query["answer"] for query in queries]
    briefs = {
        language: some(documents(args.shared / "data" / folder), answers, args.documents)
        for language, folder in FOLDERS.items()
    }
    size = sum(len(Bm25Retriever(brief, language)) for language, brief in briefs.items())
    lines = [measure("words", queries, briefs, Bm25Retriever)]
    if args.embedder is not None:
        with closing(choose_embedder(args.embedder)) as embedder:
            lines += with_embedder(embedder, queries, briefs)
    for line in lines:
        print(json.dumps({**line, "passages": size}))
    return 0


def with_embedder(
    embedder: LlamaCppEmbedder, queries: list[dict[str, Any]], briefs: Mapping[Language, list[Document]]
) -> list[dict[str, Any]]:
    """Meaning alone, which makes the vectors, and both."""
    store = Memory()

    def by(words: bool) -> Callable[[list[Document], Language], Retriever]:
        return lambda brief, language: MeaningRetriever(brief, language, embedder, store, words=words)

    found = [measure("meaning", queries, briefs, by(words=False)), measure("both", queries, briefs, by(words=True))]
    return [{**line, "embedder": embedder.name, "made_for_it": not embedder.notice} for line in found]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
