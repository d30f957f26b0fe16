"""Recall of retrieval on twenty labelled questions (benches/retrieval.toml) over the shared calls and proposals.

    python -m benches.retrieval [SHARED]

All documents of a language are one Brief, many more than a project has. The last line is one JSON object.
"""

from __future__ import annotations

import html
import json
import re
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

from fabai.report import Language
from fabai.window.retrieval import Bm25Retriever

HERE = Path(__file__).parent
FOLDERS: dict[Language, str] = {"es": "calls-es", "ca": "calls-ca", "en": "grants-en"}
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Document:
    """A source as a project would hold it."""

    name: str
    text: str


def documents(folder: Path) -> list[Document]:
    """The Markdown files of a folder, without the HTML that some carry."""
    found = []
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        found.append(Document(path.stem, html.unescape(re.sub(r"</?(?:br|ul|li|b|strong|p)\b[^>]*>", "\n", text))))
    return found


def main(arguments: list[str]) -> int:
    """Print the rank of each answer and the JSON line."""
    shared = Path(arguments[0]) if arguments else HERE.parents[1] / "shared"
    queries = tomllib.loads((HERE / "retrieval.toml").read_text(encoding="utf-8"))["query"]
    begun = time.perf_counter()
    indexes: dict[Language, Bm25Retriever] = {
        language: Bm25Retriever(documents(shared / "data" / folder), language) for language, folder in FOLDERS.items()
    }
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
        print(f"{query['language']}  {'-' if rank is None else rank:>3}  {query['text']}")
    recall = {depth: sum(rank is not None and rank <= depth for rank in ranks) / len(ranks) for depth in (1, SHOWN, 20)}
    print(
        json.dumps(
            {
                "bench": "retrieval",
                "queries": len(queries),
                "passages": sum(len(index) for index in indexes.values()),
                **{f"recall@{depth}": round(value, 3) for depth, value in recall.items()},
                "mrr": round(sum(1 / rank for rank in ranks if rank is not None) / len(ranks), 3),
                "build_seconds": round(built, 2),
                "query_ms": round(1000 * asked / len(queries), 2),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
