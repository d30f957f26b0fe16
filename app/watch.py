"""What has to be mended in a project, looked up beside the writing and told when it is known.

Knows that a look takes its time on a long report, so that only the newest state is looked at and no request waits for
it. Does not know rules (fabai.checks) or where they are applied (app.lookout).
"""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from fabai.checks.violation import Findings
from fabai.errors import FabaiError
from fabai.store.project import Project

from .events import Hub
from .lookout import Lookout, in_the_way, to_mend
from .workspace import Workspace

_KEPT = 64  # projects
_PAUSE = 1.5  # seconds: a page that opens has its text first, and fast typing is one look
# seconds a byte of a project file that was never looked at, and at most: that look is long and slows a page down, but
# pictures make a file large and no look long
_LONGER, _LONGEST = 1e-6, 2.5
_BROKEN = "the report could not be checked: tell whoever runs fabai, the server's log says why"
_LOG = logging.getLogger("fabai.app")


class Watch:
    """The findings of every project that somebody works in. lookout: who looks; whoever made it closes it."""

    def __init__(self, hub: Hub, lookout: Lookout) -> None:
        self._hub, self._lookout = hub, lookout
        self._lock = threading.Lock()
        self._found: dict[str, tuple[str, Findings]] = {}
        self._wanted: set[str] = set()
        self._closing = threading.Event()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="fabai-watch")

    def known(self, place: str) -> Findings | None:
        """What the last look found, None where none was finished."""
        return self._last(place)[1]

    def look(self, space: Workspace, name: str, place: str) -> None:
        """Have the project looked at soon; pages are told when something changed."""
        path = space.path(name)
        longer = min(_LONGER * path.stat().st_size, _LONGEST)
        with self._lock:
            if place in self._wanted:
                return
            self._wanted.add(place)
            pause = _PAUSE if place in self._found else _PAUSE + longer
        self._pool.submit(self._look, path, place, time.monotonic() + pause)

    def now(self, project: Project, place: str) -> Findings:
        """A look at once, for who cannot go on without it."""
        return self._new(project.path, place)

    def in_the_way(self, project: Project) -> Findings:
        """What must be mended before the report is presented, at once."""
        looked = self._lookout.look(in_the_way, project.path)
        return Findings() if looked is None else looked[1]

    def close(self) -> None:
        self._closing.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _new(self, path: Path, place: str) -> Findings:
        mark, found = self._last(place)
        looked = self._lookout.look(to_mend, path, mark)
        if looked is None:
            return found or Findings()
        self._keep(place, *looked)
        return looked[1]

    def _look(self, path: Path, place: str, due: float) -> None:
        self._closing.wait(max(0.0, due - time.monotonic()))
        with self._lock:
            self._wanted.discard(place)
        before = self.known(place)
        try:
            findings = self._new(path, place)
        except FabaiError as error:
            findings = self._failed(place, str(error))
        except Exception:  # noqa: BLE001 - the page is told, the log has the rest
            _LOG.exception("a look for findings failed")
            findings = self._failed(place, _BROKEN)
        if findings != before:
            self._hub.tell(place, {"type": "findings"})

    def _failed(self, place: str, why: str) -> Findings:
        """What was found before stays, and is no longer said to be of now."""
        findings = replace(self.known(place) or Findings(), notices=(why,))
        self._keep(place, "", findings)
        return findings

    def _last(self, place: str) -> tuple[str, Findings | None]:
        with self._lock:
            return self._found.get(place, ("", None))

    def _keep(self, place: str, mark: str, findings: Findings) -> None:
        with self._lock:
            self._found.pop(place, None)
            self._found[place] = (mark, findings)
            while len(self._found) > _KEPT:
                del self._found[next(iter(self._found))]
