"""`fabai corpus examples`: every document of a corpus replayed, side by side, into a dataset with its sidecar.

Knows the order of the work and the counts of what came of it. Does not know how one document is replayed (examples) or
what a row looks like (dataset).
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fabai.errors import FabaiError, UnknownName
from fabai.example import fingerprint
from fabai.settings import ExampleSettings, SplitSettings, WindowSettings

from .briefs import past_brief
from .commons import Commons, commons, own_words
from .dataset import Dataset, row
from .document import KINDS, CorpusDocument, documents, place, read_document, read_manifest
from .examples import Example, Lost, Origin, Player
from .general import Mix, general
from .reader import ModelReader
from .split import SplitName, read_split, split, write_split

_SOURCES = ("proposal", "call")


@dataclass(slots=True)
class Counts:
    """What came of a run, for the sidecar and for people. Keys of `lost` are sentences."""

    examples: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    labelled: Counter[str] = field(default_factory=Counter)
    modes: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    said: int = 0
    supported: int = 0
    target: int = 0
    masked: int = 0

    def add(self, where: SplitName, one: Example) -> None:
        self.examples[where] += 1
        self.tokens[where] += one.tokens
        self.labelled[where] += one.labelled
        for counter, key in ((self.modes, one.mode), (self.languages, one.language), (self.kinds, one.kind)):
            counter[key] += 1
        self.said += one.said
        self.supported += one.supported
        self.target += len(one.target)
        self.masked += sum(end - start for start, end in one.masked)

    def as_json(self) -> dict[str, Any]:
        """For the sidecar. `supported`: share of the statements with figures or names that the prompt held; the rest
        are masked. `with_loss`: share of the characters of the targets that are learnt.
        """
        return {
            "examples": dict(self.examples),
            "tokens": dict(self.tokens),
            "labelled": dict(self.labelled),
            "modes": dict(self.modes),
            "languages": dict(self.languages),
            "kinds": dict(self.kinds),
            "lost": dict(self.lost),
            "statements": self.said,
            "supported": round(self.supported / self.said, 4) if self.said else 1.0,
            "with_loss": round(1.0 - self.masked / self.target, 4) if self.target else 1.0,
        }


def corpus_id(folder: Path) -> str:
    """Sixteen hex digits that stand for the documents of a corpus as they were cleaned."""
    found = hashlib.sha256()
    for identity in sorted(one["id"] for one in read_manifest(folder)["documents"]):
        found.update(hashlib.sha256(place(folder, identity).read_bytes()).digest())
    return found.hexdigest()[:16]


def make(
    corpus: Path,
    model: Path,
    out: Path,
    window: WindowSettings,
    settings: ExampleSettings,
    *,
    mixes: Sequence[Mix] = (),
    jsonl: bool = False,
    workers: int = 1,
    on_document: Callable[[int, int], None] | None = None,
    reader: ModelReader | None = None,
) -> dict[str, Any]:
    """Write the examples of a corpus for a model; returns what the sidecar says. on_document: done, of all. reader: of
    the model, where it is loaded already.
    """
    for kind in settings.kinds:
        if kind not in KINDS:
            raise UnknownName.nearest("kind of document", kind, KINDS)
    shares = split(corpus, SplitSettings(seed=settings.seed), read_split(corpus))
    write_split(corpus, shares)
    shared = commons(documents(corpus), settings)
    counts = Counts()
    entries = [one for one in read_manifest(corpus)["documents"] if one["kind"] in settings.kinds]
    tasks = [_Task(corpus, one["id"], _material(corpus, one), shares.left_out.get(one["id"], ())) for one in entries]
    reader = ModelReader(model) if reader is None else reader
    teaching: list[str] = []
    with Dataset(out, jsonl=jsonl) as dataset:
        for done, (task, found) in enumerate(_replayed(tasks, model, reader, window, settings, shared, workers), 1):
            where = shares.documents[task.id]
            kept = [one for one in found if isinstance(one, Example)]
            for one in kept:
                counts.add(where, one)
            counts.lost.update(one.reason for one in found if isinstance(one, Lost))
            dataset.add(where, map(row, kept))
            if kept:
                teaching.append(task.id)
            if on_document is not None:
                on_document(done, len(tasks))
        for mix in mixes:
            for example in general(mix, counts.examples["train"], window.cap, reader, settings.seed):
                counts.add("train", example)
                dataset.add("train", [row(example)])
        if not counts.examples:
            reasons = "; ".join(f"{reason} ({number})" for reason, number in counts.lost.most_common(3))
            raise FabaiError(f"no example came of {corpus}: {reasons or 'it has no report in one of our languages'}")
        return dataset.finish(
            {
                "tokenizer": fingerprint(model),
                "model": model.resolve().name,
                "chat": reader.chat,
                "mode": window.mode,
                "cap": window.cap,
                "decay": window.decay,
                "reserve": window.reserve,
                "corpus": corpus_id(corpus),
                "documents": teaching,
                "settings": asdict(settings),
                "counts": counts.as_json(),
            }
        )


@dataclass(frozen=True, slots=True)
class _Task:
    corpus: Path
    id: str
    sources: tuple[str, ...]
    left_out: tuple[int, ...]


def _material(corpus: Path, entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Ids of the proposals and calls of the same project."""
    return tuple(
        one["id"]
        for one in read_manifest(corpus)["documents"]
        if one["project"] == entry["project"] and one["kind"] in _SOURCES and one["id"] != entry["id"]
    )


def _replayed(
    tasks: Sequence[_Task],
    model: Path,
    reader: ModelReader,
    window: WindowSettings,
    settings: ExampleSettings,
    shared: Commons,
    workers: int,
) -> Iterator[tuple[_Task, list[Example | Lost]]]:
    """Each task with what came of it, in their order; at most two a worker are under way."""
    if workers < 2 or len(tasks) < 2:
        for task in tasks:
            yield task, _replay(Player(reader, window, settings), shared, task)
        return
    with ProcessPoolExecutor(workers, initializer=_begin, initargs=(model, window, settings, shared)) as pool:
        waiting = iter(tasks)
        under_way: deque[tuple[_Task, Future[list[Example | Lost]]]] = deque()
        for task in itertools.islice(waiting, 2 * workers):
            under_way.append((task, pool.submit(_in_worker, task)))
        while under_way:
            task, future = under_way.popleft()
            yield task, future.result()
            following = next(waiting, None)
            if following is not None:
                under_way.append((following, pool.submit(_in_worker, following)))


_worker: tuple[Player, Commons] | None = None


def _begin(model: Path, window: WindowSettings, settings: ExampleSettings, shared: Commons) -> None:
    global _worker
    _worker = Player(ModelReader(model), window, settings), shared


def _in_worker(task: _Task) -> list[Example | Lost]:
    if _worker is None:
        raise RuntimeError("the worker was not begun")
    return _replay(*_worker, task)


def _replay(player: Player, shared: Commons, task: _Task) -> list[Example | Lost]:
    document = read_document(place(task.corpus, task.id))
    if document.language is None:
        return [Lost(task.id, "the document is in none of our languages")]
    vocabulary = shared.vocabulary | own_words(document)
    brief = past_brief(
        document,
        document.language,
        room=int(player.settings.ledger * player.window.cap),
        count=player.reader.count,
        vocabulary=vocabulary,
        others=shared.others(document.project, document.language),
        sources=[read_document(place(task.corpus, one)) for one in task.sources],
        left_out=task.left_out,
        settings=player.settings,
    )
    return list(player.play(brief, _origin(document), vocabulary))


def _origin(document: CorpusDocument) -> Origin:
    return Origin(document.id, document.project, document.kind)
