"""What finds passages in a project's sources, from what a person wrote after --embedder.

Knows the option. Does not know how passages are ranked (fabai.window) or models run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from fabai.cli import show
from fabai.store.project import Project
from fabai.window.passages import Retriever

HELP = (
    "find passages of the sources by meaning too, with this embedding model (a name that fabai get lists, or FILE.gguf)"
)


@contextmanager
def finder(project: Project, wish: str | None) -> Iterator[Retriever | None]:
    """BM25 and the embedding model together; None, which stands for BM25 alone, without a wish or without sources."""
    sources = project.sources() if wish is not None else ()
    if wish is None or not sources:
        yield None
        return
    from fabai.window.meaning import MeaningRetriever
    from fabai.writers.embedder import choose_embedder

    with closing(choose_embedder(wish)) as embedder:
        if embedder.notice:
            show.notice(embedder.notice)
        yield MeaningRetriever(sources, project.language, embedder, project)
