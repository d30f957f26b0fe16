"""`fabai corpus build`: all files of the sources through the first pass, side by side, then through the second.

Knows the pool of processes, what survives a kill, and that one file never stops the others: a process that dies over a
file is started anew and the file refused. Does not know what is done to a file.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from fabai.errors import FabaiError
from fabai.settings import CorpusSettings

from . import assembly, cleaned, document
from .assembly import Part, assemble
from .sources import Candidate, Refusal, Source, candidates
from .worker import Done, begin, recipe, work

_KEY = "key"
_EACH = 1_000
"""Files after which a process is replaced: libraries keep memory that they do not need any more."""


Step = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Job:
    """What every process of the pool is told.

    key: of the hashes by which personal data are told apart. removed: sha256 of what stays out.
    """

    folder: Path
    key: bytes
    settings: CorpusSettings
    removed: frozenset[str]
    work: Callable[[Candidate, Path, bytes, CorpusSettings, frozenset[str]], Done] = work


class Watch(Protocol):
    """Told how far a build is."""

    def __call__(self, stage: str, total: int | None = None, /) -> Step:
        """A stage begins; call the result after each file."""


@dataclass(slots=True)
class Summary:
    """What a build did. read: files read now. kept: taken from an earlier build."""

    documents: int = 0
    read: int = 0
    kept: int = 0
    words: int = 0
    boilerplate: int = 0
    replaced: dict[str, int] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)


def build_corpus(
    sources: tuple[Source, ...], root: Path, folder: Path, settings: CorpusSettings, watch: Watch
) -> Summary:
    """Build or bring up to date the corpus in `folder`. FabaiError where the folder cannot be one."""
    key = _prepare(folder)
    removed = frozenset(line["sha256"] for line in assembly.read_lines(folder / document.REMOVED))
    summary = Summary()
    wanted: list[Candidate] = []
    for one in candidates(sources, root):
        if isinstance(one, Refusal):
            summary.refusals.append(one)
        else:
            wanted.append(one)
    made = first_pass(wanted, Job(folder, key, settings, removed), watch)
    parts = _sort(wanted, made, summary)
    done = watch("writing the corpus", len(parts))
    result = assemble(folder, parts, recipe(settings), settings, done)
    summary.refusals += [
        Refusal(one.name, f"{one.name} was lost while the corpus was built: build again") for one in result.missing
    ]
    _finish(folder, result, summary, settings)
    return summary


def _prepare(folder: Path) -> bytes:
    """The folders, and the key of the hashes by which personal data are told apart."""
    if folder.exists() and not folder.is_dir():
        raise FabaiError(f"{folder} is a file: name a folder for the corpus")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / cleaned.WORK).exists():
        raise FabaiError(
            f"{folder} holds something else than a corpus: name an empty folder, or one that is not there yet"
        )
    work_folder = folder / cleaned.WORK
    work_folder.mkdir(parents=True, exist_ok=True)
    (folder / document.DOCUMENTS).mkdir(exist_ok=True)
    place = work_folder / _KEY
    if not place.exists():
        document.write_bytes(place, secrets.token_bytes(32))
        place.chmod(0o600)
    return place.read_bytes()


def _sort(wanted: list[Candidate], made: dict[str, Done], summary: Summary) -> list[Part]:
    parts: list[Part] = []
    seen: set[str] = set()
    for candidate in wanted:
        done = made[candidate.name]
        if done.id is None:
            summary.refusals.append(Refusal(candidate.name, done.reason))
        elif done.id in seen:
            summary.refusals.append(
                Refusal(candidate.name, f"{candidate.name} has the id of another document: rename it")
            )
        else:
            seen.add(done.id)
            parts.append(Part(candidate.name, done.id, candidate.source))
            summary.read += done.fresh
            summary.kept += not done.fresh
    return parts


def _finish(folder: Path, result: assembly.Assembled, summary: Summary, settings: CorpusSettings) -> None:
    summary.documents = len(result.entries)
    summary.words = sum(entry["words"] for entry in result.entries)
    summary.boilerplate = result.boilerplate
    for line in result.replaced:
        summary.replaced[line["kind"]] = summary.replaced.get(line["kind"], 0) + line["count"]
    assembly.write_lines(folder / document.REPLACED, result.replaced)
    assembly.write_lines(folder / document.REFUSALS, (asdict(one) for one in summary.refusals))
    manifest: dict[str, Any] = {
        "format": document.FORMAT,
        "settings": {**asdict(settings), "workers": None},
        "documents": result.entries,
    }
    document.write_json(folder / document.MANIFEST, manifest)
    current = {entry["id"] for entry in result.entries}
    for place in (folder / document.DOCUMENTS, folder / cleaned.WORK):
        for path in place.glob("*.json"):
            if path.stem not in current:
                path.unlink(missing_ok=True)


def first_pass(wanted: list[Candidate], job: Job, watch: Watch) -> dict[str, Done]:
    """What became of each file, by name."""
    done = watch("reading files", len(wanted))
    made: dict[str, Done] = {}
    workers = min(job.settings.workers or os.cpu_count() or 1, max(len(wanted), 1))
    waiting = deque(wanted)
    while waiting:
        suspects: list[Candidate] = []
        for one in _results(waiting, workers, job):
            if isinstance(one, Done):
                made[one.name] = one
                done()
            else:
                suspects.append(one)
        for suspect in suspects:
            # one of those that were in the pool when it broke: each by itself now, so that only the one at fault falls
            for one in _results(deque([suspect]), 1, job):
                made[one.name] = one if isinstance(one, Done) else _fatal(one)
                done()
    return made


def _fatal(candidate: Candidate) -> Done:
    name = candidate.name
    return Done(name, None, f"{name} ends the program that reads it: save it anew in its own program")


def _results(waiting: deque[Candidate], workers: int, job: Job) -> Iterator[Done | Candidate]:
    """A Done for each file, as they come; where a process dies, the files that were under way, and an end."""
    # fork would copy this process with its threads
    context = multiprocessing.get_context("spawn")
    running: dict[Future[Done], Candidate] = {}
    with ProcessPoolExecutor(workers, mp_context=context, max_tasks_per_child=_EACH, initializer=begin) as pool:
        while waiting or running:
            while waiting and len(running) < 2 * workers:
                candidate = waiting.popleft()
                try:
                    future = pool.submit(job.work, candidate, job.folder, job.key, job.settings, job.removed)
                except BrokenProcessPool:
                    waiting.appendleft(candidate)
                    if not running:
                        return
                    break
                running[future] = candidate
            try:
                ready, _ = wait(running, return_when=FIRST_COMPLETED)
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            for future in ready:
                candidate = running.pop(future)
                error = future.exception()
                if error is None:
                    yield future.result()
                elif isinstance(error, BrokenProcessPool):
                    yield candidate
                    yield from running.values()
                    return
                else:
                    reason = f"{candidate.name} cannot be read by this version of fabai ({error!r})"
                    yield Done(candidate.name, None, reason)
