"""Who writes next when several want the same model: people before batches, and the jobs of one project in a row.

Knows turns. Does not know models, prompts or what is written. A model keeps few prompts warm, so jobs of one project
follow each other; a person who waits before the screen never stands behind a batch.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from fabai.errors import WriterError
from fabai.lock import Constraint
from fabai.message import Message
from fabai.settings import QueueSettings, SamplingSettings
from fabai.writers.base import Usage, Writer

DEFAULTS = QueueSettings()
_LOOK = 0.1  # seconds between two looks at whether a turn is still wanted


@dataclass(frozen=True, slots=True)
class Ticket:
    """One who waits. number: in order of coming. interactive: a person waits for it."""

    number: int
    project: str
    interactive: bool


class Line:
    """The order of turns, without threads or clocks.

    A batch job leaves `spare` slots free for people. After `row` jobs of one project another project's turn comes.
    """

    def __init__(self, slots: int, settings: QueueSettings = DEFAULTS) -> None:
        self._slots = slots
        self._spare = min(settings.spare, slots - 1)
        self._row = settings.row
        self._numbers = itertools.count()
        self._waiting: list[Ticket] = []
        self._running: set[Ticket] = set()
        self._project, self._turns = "", 0

    def join(self, project: str, interactive: bool = False) -> Ticket:
        """Come to the end of the line."""
        ticket = Ticket(next(self._numbers), project, interactive)
        self._waiting.append(ticket)
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Done, or no longer wanted."""
        self._running.discard(ticket)
        if ticket in self._waiting:
            self._waiting.remove(ticket)

    def ahead(self, ticket: Ticket) -> int:
        """How many will be asked before a ticket that waits, as things stand."""
        return self._order().index(ticket)

    def next(self) -> Ticket | None:
        """Let the next one begin; None where nobody can."""
        order = self._order()
        free = self._slots - len(self._running)
        if not order or free < (1 if order[0].interactive else 1 + self._spare):
            return None
        ticket = order[0]
        self._waiting.remove(ticket)
        self._running.add(ticket)
        if not ticket.interactive:
            self._turns = self._turns + 1 if ticket.project == self._project else 1
            self._project = ticket.project
        return ticket

    def _order(self) -> list[Ticket]:
        people = [one for one in self._waiting if one.interactive]
        batch = [one for one in self._waiting if not one.interactive]
        project, turns = self._project, self._turns
        out: list[Ticket] = []
        while batch:
            here = [one for one in batch if one.project == project]
            others = [one for one in batch if one.project != project]
            chosen = here[0] if here and (turns < self._row or not others) else (others or here)[0]
            turns = turns + 1 if chosen.project == project else 1
            project = chosen.project
            batch.remove(chosen)
            out.append(chosen)
        return [*people, *out]


class Queue:
    """A Line that threads stand in. slots: answers that the model writes at a time."""

    def __init__(self, slots: int, settings: QueueSettings = DEFAULTS) -> None:
        self._line = Line(slots, settings)
        self._begun: set[Ticket] = set()
        self._changed = threading.Condition()

    @contextmanager
    def turn(
        self,
        project: str,
        *,
        interactive: bool = False,
        wanted: Callable[[], bool] | None = None,
        on_wait: Callable[[int], None] | None = None,
    ) -> Iterator[None]:
        """Wait for a turn, and hold it within the block.

        wanted: asked while waiting; False ends it with a WriterError. on_wait: told how many stand before, when that
        changes.
        """
        with self._changed:
            ticket = self._line.join(project, interactive)
        told = -1
        try:
            with self._changed:
                while True:
                    self._call()
                    if ticket in self._begun:
                        break
                    before = self._line.ahead(ticket)
                    if on_wait is not None and before != told:
                        told = before
                        on_wait(before)
                    if wanted is not None and not wanted():
                        raise WriterError("the writing was stopped before its turn came")
                    self._changed.wait(_LOOK)
            yield
        finally:
            with self._changed:
                self._line.leave(ticket)
                self._begun.discard(ticket)
                self._call()

    def _call(self) -> None:
        while (ticket := self._line.next()) is not None:
            self._begun.add(ticket)
            self._changed.notify_all()


class Queued:
    """A Writer whose answers wait for their turn. Counting does not wait."""

    def __init__(
        self,
        writer: Writer,
        queue: Queue,
        project: str,
        *,
        interactive: bool = False,
        wanted: Callable[[], bool] | None = None,
        on_wait: Callable[[int], None] | None = None,
    ) -> None:
        self._writer, self._queue, self._project = writer, queue, project
        self._interactive, self._wanted, self._on_wait = interactive, wanted, on_wait

    @property
    def name(self) -> str:
        return self._writer.name

    @property
    def context(self) -> int:
        return self._writer.context

    @property
    def chat(self) -> bool:
        return self._writer.chat

    @property
    def locks(self) -> bool:
        return self._writer.locks

    def count(self, text: str) -> int:
        return self._writer.count(text)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return self._writer.count_messages(messages)

    def stream(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str] = (),
        constraint: Constraint | None = None,
    ) -> Generator[str | Usage, None, None]:
        """As in Writer, once the turn has come; the turn ends with the answer, however that ends."""
        with self._queue.turn(self._project, interactive=self._interactive, wanted=self._wanted, on_wait=self._on_wait):
            answer = self._writer.stream(messages, sampling, stop, constraint)
            try:
                yield from answer
            finally:
                answer.close()

    def close(self) -> None:
        """The Writer belongs to whoever made it."""
