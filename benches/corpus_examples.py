"""Training examples from one long document: seconds, examples, tokens, and how the prompt's pieces are counted.

The document is the joined one of the shared data (about 140,000 tokens, some 470 sections), the tokenizer Qwen3's own.
The seconds are those of the replay in one process, and of all that `fabai corpus examples` does once the tokenizer is
loaded: splitting, names in common, replay, Parquet files. Beside them, in the same run: the same windows with every
prompt tokenised anew, as a Writer would count it.

    python -m benches.corpus_examples
"""

from __future__ import annotations

import json
import platform
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import platformdirs
from fabai.corpus.briefs import past_brief
from fabai.corpus.commons import own_words
from fabai.corpus.document import CorpusDocument, CorpusSection, write_document, write_json
from fabai.corpus.examples import Example, Origin, Player
from fabai.corpus.making import make
from fabai.corpus.reader import ModelReader

from benches.window_cases import counter
from fabai.formats.read import read
from fabai.message import Message
from fabai.settings import ExampleSettings, WindowSettings
from fabai.writers.template import prompt_ids

DOCUMENT = Path(__file__).parents[2] / "shared" / "data" / "long-es" / "memorias-cc0-unidas.md"
RUNS = 3


class Anew(ModelReader):
    """Counts each prompt whole."""

    def count_messages(self, messages: Sequence[Message]) -> int:
        return len(prompt_ids(self.encoder.tokenizer, messages))


def measure() -> dict[str, float | int]:
    """The figures, medians of `RUNS` runs, each with an empty memory."""
    counter()
    folder = platformdirs.user_cache_path("fabai") / "tokenizer-qwen3" / "package" / "models"
    given = _document()
    readers = {"pieces": ModelReader(folder), "anew": Anew(folder)}
    seconds: dict[str, list[float]] = {name: [] for name in (*readers, "command")}
    found: list[Example] = []
    for _ in range(RUNS):
        for name in readers:
            # counts are remembered per reader
            readers[name] = type(readers[name])(folder)
            start = time.perf_counter()
            found = _replay(given, readers[name])
            seconds[name].append(time.perf_counter() - start)
        seconds["command"].append(_command(given, folder))
    middle = {name: statistics.median(values) for name, values in seconds.items()}
    return {
        "sections": len(given.sections),
        "document_tokens": sum(readers["pieces"].count(one.text) for one in given.sections),
        "examples": len(found),
        "prompt_tokens": sum(one.tokens for one in found),
        "replay_seconds": round(middle["pieces"], 2),
        "replay_seconds_counting_anew": round(middle["anew"], 2),
        "command_seconds": round(middle["command"], 2),
        "times_quicker": round(middle["anew"] / middle["pieces"], 2),
    }


def _document() -> CorpusDocument:
    sections = tuple(CorpusSection(one.heading, one.level, one.text, "es") for one in read(DOCUMENT).sections)
    return CorpusDocument(
        "joined", "0" * 64, DOCUMENT.name, "Memorias", "CC0-1.0", "public", "es", None, "joined", None, "thesis", (),
        sections,
    )  # fmt: skip


def _replay(given: CorpusDocument, reader: ModelReader) -> list[Example]:
    settings, window = ExampleSettings(), WindowSettings(mode="warm")
    vocabulary = own_words(given)
    brief = past_brief(given, "es", room=int(settings.ledger * window.cap), count=reader.count, vocabulary=vocabulary)
    player = Player(reader, window, settings)
    return [
        one for one in player.play(brief, Origin("joined", "joined", "thesis"), vocabulary) if isinstance(one, Example)
    ]


def _command(given: CorpusDocument, folder: Path) -> float:
    with tempfile.TemporaryDirectory() as place:
        corpus = Path(place)
        write_document(corpus, given)
        entry = {
            "id": given.id, "sha256": given.sha256, "path": given.path, "project": given.project, "kind": given.kind,
            "derived_from": [], "words": 1,
        }  # fmt: skip
        write_json(corpus / "corpus.json", {"format": 1, "settings": {}, "documents": [entry]})
        reader = ModelReader(folder)
        start = time.perf_counter()
        make(corpus, folder, corpus / "examples", WindowSettings(mode="warm"), ExampleSettings(), reader=reader)
        return time.perf_counter() - start


def main() -> None:
    """Print the figures; the last line is JSON."""
    found = measure()
    print(
        f"{found['sections']} sections, {found['document_tokens']:,} tokens: {found['examples']} examples of "
        f"{found['prompt_tokens']:,} tokens in {found['replay_seconds']} s, {found['command_seconds']} s with "
        f"splitting and files ({found['times_quicker']} times as quick as counting every prompt anew)"
    )
    print(json.dumps({"bench": "corpus_examples", "python": platform.python_version(), "runs": RUNS, **found}))


if __name__ == "__main__":
    main()
