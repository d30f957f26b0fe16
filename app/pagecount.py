"""Pages of a report that has a limit of them: laid out beside the writing, and the last count kept with its time.

Knows that a count takes seconds of a processor, so that no request waits for it, the text rests before it is counted
and one project is counted at a time. Does not know how pages are made or counted (fabai.checks.pages).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from fabai.checks.limits import applying
from fabai.checks.pages import Laid
from fabai.errors import FabaiError
from fabai.form import Form, Limit
from fabai.formats import libreoffice
from fabai.formats.package import Package
from fabai.report import Report
from fabai.shortening import page_budgets
from fabai.store.project import Project
from fabai.store.record import now
from fabai.submission.document import word_file

from .events import Hub
from .workspace import Workspace

_FIRST, _REST = 5.0, 60.0  # seconds before a first count, and before the next one
_KEPT = 64  # projects


@dataclass(frozen=True, slots=True)
class Counted:
    """whole: by the limit of the whole document. sections: by id, where their headings were found. when: ISO, UTC.
    mark: of the texts that were counted. budgets: what sections must come down to for the limits, by id, in words.
    """

    whole: int | None
    sections: Mapping[str, int]
    when: str
    mark: str
    budgets: Mapping[str, Limit] = field(default_factory=dict)


@dataclass(slots=True)
class Pages:
    """The last count of every project."""

    hub: Hub
    _known: dict[str, Counted] = field(default_factory=dict)
    _wanted: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closing: threading.Event = field(default_factory=threading.Event)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="fabai-pages"))

    def known(self, place: str) -> Counted | None:
        with self._lock:
            return self._known.get(place)

    def budget(self, place: str, section: str) -> Limit | None:
        """What a section must come down to for the limits in pages, by the last count; None where they are kept."""
        counted = self.known(place)
        return None if counted is None else counted.budgets.get(section)

    def look(self, space: Workspace, name: str, place: str) -> None:
        """Have the project counted when its text has rested; pages are told."""
        with self._lock:
            if place in self._wanted or libreoffice.executable() is None:
                return
            self._wanted.add(place)
            rest = _REST if place in self._known else _FIRST
        self._pool.submit(self._count, space, name, place, time.monotonic() + rest)

    def keep(self, project: Project, place: str, docx: bytes, pdf: bytes) -> None:
        """Count a report that was laid out for another reason."""
        counted = count(project.report(), project.form, docx, pdf)
        with self._lock:
            self._known.pop(place, None)
            self._known[place] = counted
            while len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]
        self.hub.tell(place, {"type": "pages"})

    def close(self) -> None:
        self._closing.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _count(self, space: Workspace, name: str, place: str, due: float) -> None:
        if self._closing.wait(max(0.0, due - time.monotonic())):
            return
        try:
            with space.project(name) as project:
                docx = word_file(project, paged=False)
                self.keep(project, place, docx, libreoffice.to_pdf(docx))
        except FabaiError:
            # what cannot be laid out is said on the screen of the submission, where somebody asks for it
            return
        finally:
            with self._lock:
                self._wanted.discard(place)


def count(report: Report, form: Form, docx: bytes, pdf: bytes) -> Counted:
    """The pages of a report, by the limit of the whole and of each section, and what is over them."""
    laid = Laid(report, Package(docx), pdf)
    whole = next(iter(page_limits(form.limits, report)), None)
    lengths = {section.id: laid.pages_of(index) for index, section in enumerate(report)}
    sections = {section: length for section, length in lengths.items() if length is not None}
    budgets = page_budgets(report, form, laid)
    return Counted(None if whole is None else laid.counted(whole), sections, now(), mark(report), budgets)


def page_limits(limits: tuple[Limit, ...], report: Report) -> tuple[Limit, ...]:
    return tuple(one for one in applying(limits, report) if one.unit == "pages")


def shown(limit: Limit, number: int | None, counted: Counted | None, marked: str) -> dict[str, Any]:
    """A count against its limit; None while there is none. old: the text was changed since."""
    return {
        "unit": "pages",
        "count": number,
        "maximum": limit.maximum,
        "minimum": limit.minimum,
        "when": "" if counted is None else counted.when,
        "old": counted is not None and counted.mark != marked,
    }


def mark(report: Report) -> str:
    """Changes with every heading and text."""
    digest = sha256()
    for section in report:
        digest.update(f"{section.id}\0{section.heading}\0{section.text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
