from __future__ import annotations

import threading
from collections.abc import Generator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import WriterError
from fabai.lock import Constraint
from fabai.message import Message
from fabai.queue import Line, Queue, Queued, Ticket
from fabai.settings import QueueSettings, SamplingSettings
from fabai.writers.base import Usage
from fabai.writers.scripted import Scripted

ASK = [Message("user", "x")]
ONE = SamplingSettings(max_tokens=8)


def drained(line: Line) -> list[Ticket]:
    """Who is served, one at a time."""
    out = []
    while (ticket := line.next()) is not None:
        out.append(ticket)
        line.leave(ticket)
    return out


def test_jobs_of_one_project_follow_each_other_and_no_project_waits_for_ever() -> None:
    line = Line(1, QueueSettings(row=3))
    for _ in range(5):
        line.join("a")
        line.join("b")
    assert "".join(ticket.project for ticket in drained(line)) == "aaabbbaabb"


def test_a_person_goes_before_every_batch_job() -> None:
    line = Line(1)
    batch = [line.join("a") for _ in range(4)]
    person = line.join("b", interactive=True)
    assert line.ahead(person) == 0
    assert drained(line) == [person, *batch]


def test_batches_leave_a_slot_free_for_people_where_there_are_several() -> None:
    line = Line(3)
    for _ in range(5):
        line.join("a")
    begun = [line.next() for _ in range(3)]
    assert [one is not None for one in begun] == [True, True, False]
    person = line.join("b", interactive=True)
    assert line.next() == person
    assert line.next() is None


@given(
    st.integers(1, 4),
    st.integers(0, 3),
    st.integers(1, 4),
    st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=24),
    st.randoms(),
)
def test_everybody_is_served_once_people_first_and_never_more_than_the_slots(
    slots: int, spare: int, row: int, comers: list[tuple[str, bool]], random: object
) -> None:
    line = Line(slots, QueueSettings(spare=spare, row=row))
    running: list[Ticket] = []
    served: list[Ticket] = []
    waiting: set[Ticket] = set()
    left = list(comers)
    while left or waiting or running:
        if left:
            waiting.add(line.join(*left.pop()))
        while (ticket := line.next()) is not None:
            assert ticket.interactive or not any(one.interactive for one in waiting)
            waiting.discard(ticket)
            running.append(ticket)
            served.append(ticket)
        assert len(running) <= slots
        if running:
            line.leave(running.pop(getattr(random, "randrange")(len(running))))  # noqa: B009
    assert len(served) == len(set(served)) == len(comers)


class Gated:
    """A fake Writer whose answers end when the test lets them."""

    def __init__(self) -> None:
        self.gate = threading.Semaphore(0)
        self.begun: list[str] = []
        self.most = self.now = 0
        self._lock = threading.Lock()

    name, context, chat, locks = "gated", 100, True, False

    def count(self, text: str) -> int:
        return len(text)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return len(messages)

    def stream(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str] = (),
        constraint: Constraint | None = None,
    ) -> Generator[str | Usage, None, None]:
        with self._lock:
            self.begun.append(messages[0].content)
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            self.gate.acquire()
            yield messages[0].content
            yield Usage(1, sampling.max_tokens + len(stop) + (constraint is not None), "stop")
        finally:
            with self._lock:
                self.now -= 1

    def close(self) -> None:
        """Nothing to free."""


def test_threads_write_as_many_at_a_time_as_there_are_slots_and_a_person_overtakes() -> None:
    writer, queue = Gated(), Queue(1)
    said: dict[str, str] = {}

    def ask(name: str, interactive: bool, joined: threading.Event) -> None:
        queued = Queued(writer, queue, name[0], interactive=interactive, on_wait=lambda _: joined.set())
        said[name] = "".join(str(one) for one in queued.stream([Message("user", name)], ONE) if isinstance(one, str))

    threads = []
    for name, interactive in (("a1", False), ("a2", False), ("b1", False), ("p", True)):
        joined = threading.Event()
        threads.append(threading.Thread(target=ask, args=(name, interactive, joined)))
        threads[-1].start()
        if name == "a1":
            while not writer.begun:
                joined.wait(0.01)
        else:
            assert joined.wait(20)
    for _ in threads:
        writer.gate.release()
    for thread in threads:
        thread.join(20)
    assert said == {name: name for name in ("a1", "a2", "b1", "p")}
    assert writer.begun == ["a1", "p", "a2", "b1"]
    assert writer.most == 1


def test_a_turn_that_is_no_longer_wanted_is_given_up_and_the_next_one_comes() -> None:
    queue = Queue(1)
    with queue.turn("a"):
        stopped = Queued(Scripted(["x"]), queue, "b", wanted=lambda: False)
        with pytest.raises(WriterError, match="before its turn"):
            next(stopped.stream(ASK, ONE))
    answer = Queued(Scripted(["uno dos tres"]), queue, "c").stream(ASK, ONE)
    next(answer)
    answer.close()
    with queue.turn("d"):
        pass
