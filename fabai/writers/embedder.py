"""The embedded embedding model: a GGUF file through llama.cpp, inside this process, with no port open.

Knows how a model is loaded for embeddings, what it wants to stand before a text, and what to do with a text that is too
long for it. Does not know what is embedded. Source of the prefixes: the models' cards.
"""

from __future__ import annotations

import shutil
import tempfile
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fabai.errors import WriterError
from fabai.settings import WriterSettings
from fabai.window.meaning import Role
from fabai.writers.gguf import read_gguf
from fabai.writers.loading import loaded, parameters
from fabai.writers.models import installed

DEFAULTS = WriterSettings()
_CONTEXT = 2_048
_AT_ONCE = 32
_TASK = "Given a section of a report, retrieve passages that its author needs"
_PREFIXES: tuple[tuple[str, dict[Role, str]], ...] = (
    ("qwen3-embedding", {"query": f"Instruct: {_TASK}\nQuery:", "passage": ""}),
    ("e5", {"query": "query: ", "passage": "passage: "}),
    ("nomic", {"query": "search_query: ", "passage": "search_document: "}),
    ("embeddinggemma", {"query": "task: search result | query: ", "passage": "title: none | text: "}),
)
"""By a part of the file's name or the model's title."""


class LlamaCppEmbedder:
    """An Embedder on a GGUF file. A model that was not made for embeddings gives the mean of its last layer."""

    def __init__(self, path: Path, settings: WriterSettings = DEFAULTS, context: int = _CONTEXT) -> None:
        """Loads the model. WriterError with one sentence where the file is not a whole model.

        context: most tokens of a text that are read.
        """
        self._gguf = read_gguf(path)
        named = f"{path.stem} {self._gguf.title}".lower().replace(" ", "-")
        self._prefixes = next((found for part, found in _PREFIXES if part in named), None)
        context = min(context, self._gguf.context)
        self._most = 4 * context
        self._folder = Path(tempfile.mkdtemp(prefix="fabai-"))
        self._server: Any = None
        try:
            with parameters(path, context, settings) as params:
                import xllamacpp  # type: ignore[import-untyped]

                # a socket in a folder of ours: nothing may listen on a port
                params.hostnames = [str(self._folder / "model.sock")]
                params.n_batch = params.n_ubatch = context
                params.embedding = True
                if not self._gguf.embeds:
                    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
                self._server = loaded(params, path)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        return f"llamacpp:{self._gguf.path.stem}:{self._gguf.mark}"

    @property
    def path(self) -> Path:
        return self._gguf.path

    @property
    def notice(self) -> str:
        """What a person should be told, "" where nothing."""
        if self._gguf.embeds:
            return ""
        return f"{self._gguf.path.name} was not made for embeddings: passages found with it are worse than without it"

    def embed(self, texts: Sequence[str], role: Role) -> list[array[float]]:
        """As in Embedder."""
        prefix = self._prefixes[role] if self._prefixes is not None else ""
        # an empty text has no tokens to embed
        ready = [f"{prefix}{text[: self._most]}" if text.strip() else f"{prefix}." for text in texts]
        found: list[array[float]] = []
        for start in range(0, len(ready), _AT_ONCE):
            some = ready[start : start + _AT_ONCE]
            made = self._ask(some)
            found += [self._shortened(text) for text in some] if made is None else made
        return found

    def close(self) -> None:
        """Free the model, remove the socket."""
        self._server = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def _shortened(self, text: str) -> array[float]:
        """The vector of as much of the text's beginning as the model takes at once."""
        while (made := self._ask([text])) is None:
            if len(text) < 2:
                raise WriterError(f"the model {self._gguf.path.name} embeds no text; take one made for embeddings")
            text = text[: len(text) // 2]
        return made[0]

    def _ask(self, texts: list[str]) -> list[array[float]] | None:
        """One vector a text; None where a text is too long."""
        if self._server is None:
            raise WriterError("the embedding model was closed already")
        try:
            reply = self._server.handle_embeddings({"input": texts})
            if "too large" in str(reply.get("error", "")):
                return None
            vectors = [array("f", one["embedding"]) for one in reply["data"]]
        except (RuntimeError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise WriterError(f"the model {self._gguf.path.name} gives no embeddings ({error})") from error
        if len(vectors) != len(texts):
            raise WriterError(f"the model {self._gguf.path.name} gives no embeddings; take one made for them")
        return vectors


def choose_embedder(wish: str, settings: WriterSettings = DEFAULTS) -> LlamaCppEmbedder:
    """The embedding model for a name of the catalogue or a path of a GGUF file."""
    path = Path(wish).expanduser()
    return LlamaCppEmbedder(path if path.suffix == ".gguf" or path.exists() else installed(wish, "embedder"), settings)
