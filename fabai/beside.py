"""Drafting several sections at a time: those that the form lets stand alone side by side, dependent ones in order.

Knows which section must wait for which, and that nothing is lost when one of them fails. Does not know how one section
is drafted (fabai.draft). Sections that are written at the same time do not see each other's new text: that is what the
form says by naming what a section needs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from fabai.draft import SAMPLING, WINDOW, Prepared, draft, prepare
from fabai.form import Form
from fabai.lock import Constraint
from fabai.queue import Queue, Queued
from fabai.report import Report
from fabai.settings import SamplingSettings, WindowSettings
from fabai.states import keep, kept
from fabai.store.project import Project
from fabai.store.record import Version
from fabai.summaries import summarise
from fabai.window.passages import Retriever
from fabai.writers.base import Writer


def waits(report: Report, form: Form, wanted: Sequence[str]) -> dict[str, frozenset[str]]:
    """For each section that is wanted, those of the others that must be written before it.

    A form that names needs says thereby what stands alone. Where it names none at all, and for sections that are not
    the form's, each one builds on all in front of it.
    """
    declares = any(spec.needs for spec in form.sections)
    places = {section.id: position for position, section in enumerate(report.sections)}
    specs = {section.id: section.spec for section in report.sections}
    found: dict[str, frozenset[str]] = {}
    for section in wanted:
        spec = form.spec(specs[section])
        if declares and spec is not None:
            before = {one for one in wanted if specs[one] in spec.needs}
        else:
            before = {one for one in wanted if places[one] < places[section]}
        found[section] = frozenset(before - {section})
    return found


def draft_beside(
    project: Project,
    sections: Sequence[str],
    writer: Writer,
    beside: int,
    *,
    needs: Mapping[str, Collection[str]] | None = None,
    window: WindowSettings = WINDOW,
    sampling: SamplingSettings = SAMPLING,
    condense: bool = False,
    finder: Retriever | None = None,
    constraint: Constraint | None = None,
    locked: Collection[str] | None = None,
    queue: Queue | None = None,
    on_section: Callable[[str, Prepared], None] | None = None,
    on_text: Callable[[str, str], None] | None = None,
    wanted: Callable[[], bool] | None = None,
) -> Iterator[Version]:
    """Draft sections, at most `beside` at a time; their Versions as they are done.

    needs: by section, the ones that it waits for; None: as the form says (`waits`). finder: as in `prepare`. locked:
    the sections that the constraint is for; None: all. queue: shared with others who use the same model. on_text:
    (section, its text so far), called from the thread that writes it. The first error stops the rest, whose text is
    kept as partial versions, and is raised then.
    """
    before = waits(project.report(), project.form, sections) if needs is None else needs
    crew = _Crew(project, writer, beside, window, sampling, condense, constraint, locked, queue, on_text, wanted)
    state = kept(project, writer, window)
    left, done = list(sections), set[str]()
    try:
        while left or crew.busy:
            while len(crew.busy) < beside and (section := _next(left, before, done, crew.busy)) is not None:
                left.remove(section)
                # one after the other: each window is planned from the state that the one before left
                prepared = prepare(project, section, writer, window, state, finder=finder)
                state = prepared.state
                keep(project, writer, window, state)
                if on_section is not None:
                    on_section(section, prepared)
                crew.begin(section, prepared)
            for version in crew.finished():
                done.add(version.section)
                yield version
    except BaseException:
        crew.stop()
        raise
    finally:
        crew.close()


def _next(
    left: Sequence[str], before: Mapping[str, Collection[str]], done: Collection[str], busy: Collection[str]
) -> str | None:
    """The first section in order that need not wait."""
    open_ones = {*left, *busy}
    for section in left:
        if not [one for one in before.get(section, ()) if one in open_ones and one not in done]:
            return section
    # sections that wait for each other: the order decides
    return left[0] if left and not busy else None


class _Crew:
    """The threads that write."""

    def __init__(
        self,
        project: Project,
        writer: Writer,
        size: int,
        window: WindowSettings,
        sampling: SamplingSettings,
        condense: bool,
        constraint: Constraint | None,
        locked: Collection[str] | None,
        queue: Queue | None,
        on_text: Callable[[str, str], None] | None,
        wanted: Callable[[], bool] | None,
    ) -> None:
        self._project, self._window, self._sampling, self._condense = project, window, sampling, condense
        self._constraint, self._locked, self._on_text, self._wanted = constraint, locked, on_text, wanted
        self._stopped = threading.Event()
        self._writer: Writer = writer
        if queue is not None:
            self._writer = Queued(writer, queue, str(project.path), wanted=self._going)
        self._pool = ThreadPoolExecutor(size, thread_name_prefix="fabai-draft")
        self._futures: dict[Future[Version], str] = {}

    @property
    def busy(self) -> frozenset[str]:
        return frozenset(self._futures.values())

    def begin(self, section: str, prepared: Prepared) -> None:
        self._futures[self._pool.submit(self._write, section, prepared)] = section

    def finished(self) -> Iterator[Version]:
        """Wait for one at least."""
        ready, _ = wait(self._futures, return_when=FIRST_COMPLETED)
        # in the order in which they were begun, whoever was quicker
        for future in [one for one in self._futures if one in ready]:
            del self._futures[future]
            yield future.result()

    def stop(self) -> None:
        """Those who write end at their next token and save what they have."""
        self._stopped.set()

    def close(self) -> None:
        self._stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _going(self) -> bool:
        return not self._stopped.is_set() and (self._wanted is None or self._wanted())

    def _write(self, section: str, prepared: Prepared) -> Version:
        tell = self._on_text
        version = draft(
            self._project,
            section,
            self._writer,
            window=self._window,
            sampling=self._sampling,
            prepared=prepared,
            constraint=self._constraint if self._locked is None or section in self._locked else None,
            on_text=None if tell is None else lambda text: tell(section, text),
            wanted=self._going,
        )
        if self._condense and self._going():
            summarise(self._project, section, self._writer)
        return version
