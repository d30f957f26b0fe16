"""What has to be mended in a project, looked up beside the writing and told when it is known.

Knows that a look takes its time on a long report, so that only the newest state is looked at and no request waits for
it. Does not know rules (fabai.checks).
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

from fabai.checks.report import check_report
from fabai.checks.violation import Findings
from fabai.dossier.check import check_dossier
from fabai.dossier.period import earlier_reports
from fabai.dossier.recorded import recorded
from fabai.errors import FabaiError
from fabai.store.project import Project

from .events import Hub
from .workspace import Workspace

_KEPT = 64  # projects
_READ = ("list-file", "commitment", "terms", "proof", "publication")
"""Items of the dossier that rules read."""
_PAUSE = 1.5  # seconds: a page that opens has its text first, and fast typing is one look


class Watch:
    """The findings of every project that somebody works in."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._found: dict[str, tuple[str, Findings]] = {}
        self._wanted: set[str] = set()
        self._closing = threading.Event()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="fabai-watch")

    def known(self, place: str) -> Findings | None:
        """What the last look found, None where none was finished."""
        with self._lock:
            found = self._found.get(place)
            return None if found is None else found[1]

    def look(self, space: Workspace, name: str, place: str) -> None:
        """Have the project looked at soon; pages are told when something changed."""
        with self._lock:
            if place in self._wanted:
                return
            self._wanted.add(place)
        self._pool.submit(self._look, space, name, place, time.monotonic() + _PAUSE)

    def now(self, project: Project, place: str) -> Findings:
        """A look at once, for who cannot go on without it."""
        mark = _mark(project)
        with self._lock:
            known = self._found.get(place)
        if known is not None and known[0] == mark:
            return known[1]
        off = project.rules_off()
        findings = check_report(project, recorded=recorded(project), earlier=earlier_reports(project), off=off)
        # what was not checked for want of a term is told where terms are set
        findings += Findings(check_dossier(project, off).violations)
        self._keep(place, mark, findings)
        return findings

    def close(self) -> None:
        self._closing.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _look(self, space: Workspace, name: str, place: str, due: float) -> None:
        self._closing.wait(max(0.0, due - time.monotonic()))
        with self._lock:
            self._wanted.discard(place)
        try:
            with space.project(name) as project:
                before = self.known(place)
                findings = self.now(project, place)
        except FabaiError as error:
            findings, before = Findings(notices=(str(error),)), None
        if findings != before:
            self._hub.tell(place, {"type": "findings"})

    def _keep(self, place: str, mark: str, findings: Findings) -> None:
        with self._lock:
            self._found.pop(place, None)
            self._found[place] = (mark, findings)
            while len(self._found) > _KEPT:
                del self._found[next(iter(self._found))]


def _mark(project: Project) -> str:
    """Changes with every text, fact, list and promise that a check reads, and with the rules that are put aside."""
    states = [one.id for kind in _READ for one in project.items().all(kind)]
    digest = sha256(repr((sorted(project.rules_off()), states)).encode())
    for section in project.report():
        digest.update(f"{section.id}\0{section.heading}\0{section.text}\0".encode("utf-8", "surrogatepass"))
    for fact in project.ledger():
        digest.update(f"{fact.name}\0{fact.value}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
