"""Writing under way: a model writes in the server, whoever looks on; pages follow it, leave, and come back.

Knows threads, turns, and that what was written is kept every half second. Does not know HTTP or pages. One Jobs serves
every workspace; a job belongs to one project.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fabai.dossier.references import worded
from fabai.draft import WINDOW, draft_all, note
from fabai.errors import FabaiError, WriterError
from fabai.form import Limit
from fabai.queue import Queue, Queued
from fabai.rewriting import Wish, rewrite
from fabai.settings import AppSettings, WindowSettings
from fabai.shortening import budgets, length_of, shorten
from fabai.store.aside import Aside
from fabai.store.project import Project
from fabai.store.record import Made, Version
from fabai.writers.base import Writer

from .events import Hub
from .evidence import evidence
from .figurelock import constraint
from .growing import Growing
from .job import Job, place
from .rewriting import with_locked
from .workspace import Workspace

_REMEMBERED = 40  # finished jobs of a project that a returning page is told of


class Jobs:
    """Every job of the server. writer: makes the model on first use; `close` ends what is under way and keeps it.
    window: what the model was trained to be shown.
    """

    def __init__(
        self, writer: Callable[[], Writer], hub: Hub, settings: AppSettings, window: WindowSettings = WINDOW
    ) -> None:
        self._make, self._hub, self._settings, self.window = writer, hub, settings, window
        self._lock = threading.RLock()
        self._made: Writer | None = None
        self._queue = Queue(settings.slots)
        # a page remembers by number what it has put away, for longer than a server runs
        self._numbers = itertools.count(time.time_ns() // 1_000_000)
        self._jobs: dict[str, list[Job]] = {}
        # a waiting job holds a thread, which costs little: the queue decides who writes
        self._pool = ThreadPoolExecutor(128, thread_name_prefix="fabai-job")
        self._growing = Growing(self._grow)

    def writer(self) -> Writer:
        """The model, loaded once for all. WriterError, MissingPart or UnknownName where it cannot be had."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    @property
    def locks(self) -> bool | None:
        """Whether the model can keep to the figures it is given; None while none is loaded."""
        return None if self._made is None else self._made.locks

    def of(self, place: str) -> list[Job]:
        """The jobs of a project, oldest first."""
        with self._lock:
            return list(self._jobs.get(place, ()))

    def draft(self, space: Workspace, name: str, section: str, who: str) -> Job:
        """Write one section; into the section where it is empty, else beside its text."""
        return self._begin(
            space, name, Job(next(self._numbers), place(space, name), "draft", section, who), self._draft
        )

    def draft_empty(self, space: Workspace, name: str, sections: Sequence[str], who: str) -> Job:
        """Write the sections that have no text and that something is known for, in order, in the background."""
        job = Job(next(self._numbers), place(space, name), "all", "", who, tuple(sections))
        return self._begin(space, name, job, self._draft_all)

    def rewrite(
        self,
        space: Workspace,
        name: str,
        section: str,
        who: str,
        wish: Wish,
        text: str,
        selection: bool,
        instruction: str,
        paged: Limit | None = None,
    ) -> Job:
        """Ask for a text anew; the answer waits to be taken. selection: the text is a part of the section's. paged: the
        words that the section's pages hold.
        """
        job = Job(next(self._numbers), place(space, name), wish, section, who, selection=text if selection else "")
        return self._begin(
            space, name, job, lambda project, one: self._rewrite(project, one, wish, text, instruction, paged)
        )

    def stop(self, place: str, number: int) -> None:
        """The writing ends at the model's next piece; pages are told at once."""
        for job in self.of(place):
            if job.id == number and job.live:
                job.wanted = False
                job.state = "stopped"
                self._tell(job)

    def close(self) -> None:
        """Stop what is under way, wait until it is kept, free the model."""
        with self._lock:
            for jobs in self._jobs.values():
                for job in jobs:
                    job.wanted = False
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._growing.close()
        if self._made is not None:
            self._made.close()

    def _begin(self, space: Workspace, name: str, job: Job, work: Callable[[Project, Job], None]) -> Job:
        with self._lock:
            if any(one.live and one.section == job.section and one.kind == job.kind for one in self.of(job.place)):
                raise WriterError("this is being written already: wait until it is there, or stop it")
            jobs = self._jobs.setdefault(job.place, [])
            jobs.append(job)
            ended = [one for one in jobs if not one.live]
            for one in ended[:-_REMEMBERED]:
                jobs.remove(one)
        project = space.hold(name)
        self._tell(job)
        self._pool.submit(self._run, space, name, project, job, work)
        return job

    def _run(
        self, space: Workspace, name: str, project: Project, job: Job, work: Callable[[Project, Job], None]
    ) -> None:
        try:
            work(project, job)
            if job.state != "stopped":
                job.state = "done"
        except FabaiError as error:
            if job.wanted:
                job.state, job.error, job.fault = "failed", str(error), type(error).__name__
            else:
                job.state = "stopped"
        finally:
            self._growing.end(job)
            if job.live:
                job.state, job.error, job.fault = "failed", "unexpected", "Unexpected"
            if job.row is not None:
                project.workbench.finish([job.row])
            space.release(name)
            self._tell(job)

    def _draft(self, project: Project, job: Job) -> None:
        job.into = not project.workbench.standing(job.section).text.strip()
        self._one(project, job, job.section)

    def _draft_all(self, project: Project, job: Job) -> None:
        report = project.report()
        known = {one.id: one for one in report}
        having = tuple(one for one in job.sections if evidence(project, report, known[one]).any)
        job.skipped = tuple(one for one in job.sections if one not in having)
        job.sections = having
        job.into = True
        for section in having:
            if not job.wanted:
                return
            if project.workbench.standing(section).text.strip():
                job.done += 1
                continue
            job.section, job.text = section, ""
            started = time.monotonic()
            self._one(project, job, section)
            job.done += 1
            job.seconds += time.monotonic() - started
            self._tell(job)

    def _one(self, project: Project, job: Job, section: str) -> None:
        """One section by the road that `fabai draft` goes; beside its text where it has one."""
        writer = self._turn(job, interactive=job.kind != "all")
        job.row = project.workbench.begin(section, "draft", Made(writer.name.partition(":")[0], writer.name))
        target = project if job.into else Aside(project)
        version: Version | None = None
        try:
            for version in draft_all(
                target,
                [section],
                writer,
                window=self.window,
                constraint=constraint(project, section),
                on_text=lambda text: self._text(project, job, text),
                wanted=lambda: job.wanted,
            ):
                self._growing.end(job)
                job.text, job.version, job.note = version.text, version.id, note(version)
        finally:
            project.workbench.finish([job.row])
            job.row = None
            # also after a stop, of which pages were told before the last words were kept
            self._hub.tell(job.place, {"type": "section", "section": section, "who": job.who})

    def _rewrite(
        self, project: Project, job: Job, wish: Wish, text: str, instruction: str, paged: Limit | None
    ) -> None:
        writer = self._turn(job, interactive=True)
        job.row = project.workbench.begin(job.section, wish, Made(writer.name.partition(":")[0], writer.name))
        how: dict[str, Any] = {
            "window": self.window,
            "constraint": constraint(project, job.section),
            "on_text": lambda new: self._text(project, job, new),
            "wanted": lambda: job.wanted,
        }
        whole_section = wish == "shorten" and not job.selection
        limit = _limit(project, job.section, text, paged) if whole_section else None
        answer = (
            rewrite(project, job.section, writer, wish, text, instruction, **how)
            if limit is None
            else shorten(project, job.section, writer, text, limit, **how)
        )
        new = answer.text
        if wish == "proceed":
            new = f"{text.rstrip()}\n\n{new}" if text.strip() else new
        elif not job.selection:
            new = with_locked(text, new, project.workbench.locked(job.section))
        whole = project.workbench.standing(job.section).text
        kept = whole.replace(text, new, 1) if job.selection and text in whole else new
        version = project.workbench.offer(job.section, kept, answer.made, answer.partial)
        self._growing.end(job)
        job.text, job.version, job.note = new, version.id, note(version)

    def _turn(self, job: Job, *, interactive: bool) -> Writer:
        return Queued(
            self.writer(), self._queue, job.place, interactive=interactive, wanted=lambda: job.wanted,
            on_wait=lambda before: self._wait(job, before),
        )  # fmt: skip

    def _wait(self, job: Job, before: int) -> None:
        job.ahead = before
        self._tell(job)

    def _text(self, project: Project, job: Job, text: str) -> None:
        now = time.monotonic()
        if job.state == "waiting":
            job.state = "writing"
            job.first = time.time()
            job.ahead = 0
            self._tell(job)
        (self._growing.put if job.text else self._growing.begin)(job, text)
        if job.row is not None and now - job.kept >= self._settings.keep_seconds:
            project.workbench.progress(job.row, text)
            job.kept = now

    def _grow(self, job: Job, text: str) -> None:
        grows = text.startswith(job.text)
        at = len(job.text) if grows else 0
        job.text = text
        self._hub.tell(job.place, {"type": "text", "job": job.id, "section": job.section, "at": at, "text": text[at:]})

    def _tell(self, job: Job) -> None:
        self._hub.tell(job.place, {"type": "job", "job": job.shown()})


def _limit(project: Project, section: str, text: str, paged: Limit | None) -> Limit | None:
    """What a whole section must come down to: its own limit, else what its pages hold, which were counted a while ago;
    None where it is within both.
    """
    own = budgets(worded(project, project.report()), project.form).get(section)
    over = paged is not None and length_of(project, text, paged) > (paged.maximum or 0)
    return own or (paged if over else None)
