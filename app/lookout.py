"""The process that checks reports, beside the server.

Checking a long report is seconds of Python, of which one thread of a process runs at a time: within the server it would
hold up every click. Knows how the process is started, asked, and replaced when it died; it opens a project by its path
and writes nothing, so that nothing is lost with it. Does not know when is looked (app.watch).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

from fabai.checks.report import check_report
from fabai.checks.violation import Findings
from fabai.dossier.check import check_dossier
from fabai.dossier.period import earlier_reports
from fabai.dossier.recorded import recorded
from fabai.errors import FabaiError, ProjectError
from fabai.remembered import forget
from fabai.store.project import Project
from fabai.submission.blocking import blockers

Look = Callable[[Project], Findings]
_READ = ("list-file", "commitment", "terms", "proof", "publication")
"""Items of the dossier that rules read."""
_TRIES = 2
_NICE = 10  # clicks come first
_IDLE = 600.0  # seconds until the process gives its memory back
_SPAWN = multiprocessing.get_context("spawn")


def to_mend(project: Project) -> Findings:
    """What the writing screen shows as to be mended."""
    off = project.rules_off()
    findings = check_report(project, recorded=recorded(project), earlier=earlier_reports(project), off=off)
    # what was not checked for want of a term is told where terms are set
    return findings + Findings(check_dossier(project, off).violations)


def in_the_way(project: Project) -> Findings:
    """What must be mended before the report is presented."""
    return blockers(project)


class Lookout:
    """One process for all projects, started when it is first needed. Threads may share it: they take turns."""

    def __init__(self) -> None:
        self._turn, self._state = threading.Lock(), threading.Lock()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._closed = False

    def look(self, look: Look, path: Path, known: str = "") -> tuple[str, Findings] | None:
        """The mark of a project's state and what the look finds in it; None where the mark is the known one. Raises
        what the look raises, ProjectError where the process was ended.
        """
        with self._turn:
            for _ in range(_TRIES):
                try:
                    pipe = self._started()
                    pipe.send((look, path, known))
                    answer: tuple[str, Findings] | Exception | None = pipe.recv()
                except (EOFError, OSError):
                    self._end()
                    continue
                if isinstance(answer, Exception):
                    raise answer
                return answer
        raise ProjectError("the check of the report was ended before it was done: try again")

    def close(self) -> None:
        """From any thread; a look under way ends with ProjectError."""
        with self._state:
            self._closed = True
        self._end()

    @property
    def pid(self) -> int | None:
        """The process, None where there is none."""
        with self._state:
            return None if self._process is None else self._process.pid

    def _started(self) -> Connection:
        with self._state:
            if self._closed:
                raise EOFError
            if self._pipe is None:
                self._pipe, theirs = _SPAWN.Pipe()
                self._process = _SPAWN.Process(target=_work, args=(theirs,), name="fabai-lookout", daemon=True)
                self._process.start()
                # held by nobody else, the pipe ends with the process
                theirs.close()
            return self._pipe

    def _end(self) -> None:
        with self._state:
            if self._process is not None:
                self._process.kill()
                self._process.join()
            if self._pipe is not None:
                self._pipe.close()
            self._process = self._pipe = None


def _work(pipe: Connection) -> None:
    """The process: one look after another, until the server has gone or nobody asks any more."""
    # Ctrl+C in a terminal reaches both: the server ends this one when it has closed
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _yield_to_others()
    texts: tuple[Path, frozenset[str]] = Path(), frozenset()
    # the server's end is the pipe's
    with suppress(EOFError, OSError):
        while pipe.poll(_IDLE):
            look, path, known = pipe.recv()
            try:
                with Project.open(path) as project:
                    texts = _texts(project, texts)
                    mark = _mark(project)
                    answer: object = None if mark == known else (mark, look(project))
            except FabaiError as error:
                answer = error
            except Exception:  # noqa: BLE001 - the server's log has it
                answer = RuntimeError(traceback.format_exc())
            pipe.send(answer)


def _yield_to_others() -> None:
    """Whoever clicks comes first, their browser on the same machine too."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
        # Linux shares a processor out among sessions before it looks at the niceness within one
        with suppress(OSError):
            os.setsid()
            Path("/proc/self/autogroup").write_text(str(_NICE), encoding="ascii")


def _texts(project: Project, before: tuple[Path, frozenset[str]]) -> tuple[Path, frozenset[str]]:
    """The texts of a project; what was made of those that were typed over since the last look is not kept."""
    texts = frozenset(one.text for one in project.report())
    if before[0] == project.path:
        for text in before[1] - texts:
            forget(text)
    return project.path, texts


def _mark(project: Project) -> str:
    """Changes with every text, fact, list and promise that a check reads, and with the rules that are put aside."""
    states = [one.id for kind in _READ for one in project.items().all(kind)]
    digest = sha256(repr((sorted(project.rules_off()), states)).encode())
    for section in project.report():
        digest.update(f"{section.id}\0{section.heading}\0{section.text}\0".encode("utf-8", "surrogatepass"))
    for fact in project.ledger():
        digest.update(f"{fact.name}\0{fact.value}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
