"""The stream of events: in order, together where they came together, and no listener left behind."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
from fabai.app import server as serving
from fabai.app.call import House
from fabai.app.events import Event, Hub
from fabai.app.growing import Growing
from fabai.app.job import Job
from fabai.app.jobs import Jobs

from fabai.settings import AppSettings

from .conftest import Desk
from .serving import Paced, served


def told(piece: str) -> list[Event]:
    return [json.loads(one.removeprefix("data: ")) for one in piece.split("\n\n") if one]


async def following(house: House, key: str) -> tuple[AsyncIterator[str], list[Event]]:
    """A stream that has begun, and what it began with."""
    stream = serving._stream(house, key)
    return stream, told(await anext(stream))


def test_events_that_came_together_come_in_one_piece_and_in_their_order(desk: Desk) -> None:
    async def run() -> list[Event]:
        stream, hello = await following(desk.house, "here")
        assert [one["type"] for one in hello] == ["hello"]
        for number in range(3):
            desk.house.hub.tell("here", {"type": "text", "at": number})
        desk.house.hub.tell("elsewhere", {"type": "text", "at": 9})
        return told(await anext(stream))

    assert [one["at"] for one in asyncio.run(run())] == [0, 1, 2]


def test_a_page_that_is_too_far_behind_is_told_the_end_and_begins_anew(desk: Desk) -> None:
    async def run() -> list[str]:
        stream, _ = await following(desk.house, "here")
        for number in range(3_000):
            desk.house.hub.tell("here", {"type": "text", "at": number})
        return [piece async for piece in stream]

    assert "".join(asyncio.run(run())) == ""


def test_a_page_that_is_closed_is_listened_for_no_more(tmp_path: Path) -> None:
    with served(tmp_path / "work", Paced()) as one:
        made = {"project": "", "title": "Mía", "form": "memoria-justificativa", "language": "es"}
        httpx.post(f"{one.url}api/create", json=made)
        with httpx.stream("GET", f"{one.url}api/events", params={"project": "mia"}) as stream:
            # kept, for a reading that nobody holds closes the stream
            lines = stream.iter_lines()
            assert next(lines).startswith("data:")
            assert stream.headers["cache-control"] == "no-store"
            assert len(one.server.server_state.tasks) == 1
        for _ in range(500):
            if not one.server.server_state.tasks:
                break
            time.sleep(0.02)
        assert not one.server.server_state.tasks


class Heard(Hub):
    """Keeps what is told of a text, with the words that the writer had given by then."""

    def __init__(self, writer: Paced) -> None:
        super().__init__()
        self.texts: list[tuple[int, Event]] = []
        self._writer = writer

    def tell(self, key: str, event: Event) -> None:
        assert key.endswith("memoria")
        if event["type"] == "text":
            self.texts.append((self._writer.given, event))

    def grown(self) -> str:
        """The text as a page has it."""
        whole = ""
        for _, event in list(self.texts):
            whole = whole[: event["at"]] + event["text"]
        return whole


def begun(desk: Desk, writer: Paced) -> tuple[Heard, Jobs, Job]:
    heard = Heard(writer)
    jobs = Jobs(lambda: writer, heard, AppSettings())
    section = desk.ask("outline")["sections"][0]["id"]
    return heard, jobs, jobs.draft(desk.space, "memoria", section, "Ana")


def test_a_text_that_grows_is_told_with_its_first_word_at_once_and_then_in_pieces(desk: Desk) -> None:
    writer = Paced(" ".join(f"palabra{number}" for number in range(400)) + ".", pause=0.0005)
    heard, jobs, job = begun(desk, writer)
    while job.live:
        time.sleep(0.01)
    jobs.close()
    given, first = heard.texts[0]
    assert (given, first["text"].strip()) == (1, "palabra0")
    assert len(heard.texts) < writer.given / 10 + 1


def test_words_before_a_pause_of_the_model_are_told_though_nothing_follows(desk: Desk) -> None:
    writer = Paced("uno dos tres cuatro cinco seis siete")
    writer.gate = threading.Semaphore(4)
    heard, jobs, job = begun(desk, writer)
    for _ in range(500):
        if heard.grown().strip() == "uno dos tres cuatro":
            break
        time.sleep(0.02)
    assert heard.grown().strip() == "uno dos tres cuatro"
    assert writer.given == 4
    writer.gate.release(100)
    while job.live:
        time.sleep(0.01)
    jobs.close()
    assert job.text.strip() == "uno dos tres cuatro cinco seis siete"


def test_nothing_is_told_of_a_text_after_its_end() -> None:
    told: list[str] = []
    growing = Growing[str](lambda _, text: told.append(text))
    growing.begin("a", "uno")
    growing.put("a", "uno dos")
    growing.put("a", "uno dos tres")
    growing.end("a")
    growing.put("b", "otro")
    while told[-1] != "otro":
        time.sleep(0.01)
    growing.close()
    assert told in (["uno", "otro"], ["uno", "uno dos", "otro"], ["uno", "uno dos tres", "otro"])
