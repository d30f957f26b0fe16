"""Several sections at a time, with the scripted Writer."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

import pytest

from fabai.beside import draft_beside, waits
from fabai.errors import WriterError
from fabai.form import Form, SectionSpec
from fabai.lock import Constraint
from fabai.message import Message
from fabai.queue import Queue
from fabai.settings import SamplingSettings, WindowSettings
from fabai.states import kept
from fabai.store.project import Project
from fabai.writers.base import Usage
from fabai.writers.scripted import Scripted

HEADINGS = {"fines": "Fines", "plan": "Plan", "logros": "Logros", "cierre": "Cierre"}
NEEDS = {"logros": ("plan",), "cierre": ("logros", "fines")}
WINDOW = WindowSettings(cap=1500, reserve=300, mode="warm")


def form(needs: dict[str, tuple[str, ...]]) -> Form:
    specs = tuple(SectionSpec(one, {"es": title}, needs=needs.get(one, ())) for one, title in HEADINGS.items())
    return Form("f", {"es": "Modelo"}, ("es",), "la convocatoria", "2026-01-01", sections=specs)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p.fabai", form(NEEDS), "es", "Memoria") as one:
        yield one


class Meeting(Scripted):
    """A fake Writer that notes who is written at the same time. Two who should meet wait for each other."""

    def __init__(self, script: dict[str, str], meet: int = 1) -> None:
        super().__init__(script)
        self._barrier = threading.Barrier(meet)
        self.together: list[frozenset[str]] = []
        self._now: set[str] = set()

    def stream(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str] = (),
        constraint: Constraint | None = None,
    ) -> Generator[str | Usage, None, None]:
        section = next(one for one, title in HEADINGS.items() if f"{title}»" in messages[-1].content[-200:])
        self._now.add(section)
        if section in ("fines", "plan") and self._barrier.parties > 1:
            self._barrier.wait(20)
        self.together.append(frozenset(self._now))
        try:
            yield from super().stream(messages, sampling, stop, constraint)
        finally:
            self._now.discard(section)


TEXTS = {title: f"Aquí se habla de {title.lower()} y de nada más." for title in HEADINGS.values()}


def test_the_form_says_what_waits_for_what() -> None:
    with_needs, without = form(NEEDS), form({})
    report = _report()
    assert waits(report, with_needs, list(HEADINGS)) == {
        "fines": frozenset(),
        "plan": frozenset(),
        "logros": {"plan"},
        "cierre": {"logros", "fines"},
    }
    assert waits(report, with_needs, ["cierre", "fines"])["cierre"] == {"fines"}
    # a form that says nothing of it: each builds on all in front
    assert waits(report, without, list(HEADINGS))["cierre"] == {"fines", "plan", "logros"}


def _report():  # type: ignore[no-untyped-def]
    from fabai.report import Report, Section

    return Report("M", "es", tuple(Section(one, title, 1, spec=one) for one, title in HEADINGS.items()))


def test_independent_sections_are_written_side_by_side_and_dependent_ones_see_what_they_need(project: Project) -> None:
    writer = Meeting(TEXTS, meet=2)
    told: dict[str, str] = {}
    versions = list(
        draft_beside(
            project, list(HEADINGS), writer, 2, window=WINDOW, on_text=lambda one, text: told.update({one: text})
        )
    )
    assert sorted(version.section for version in versions) == sorted(HEADINGS)
    assert {"fines", "plan"} in writer.together
    texts = {section.id: section.text for section in project.report()}
    assert texts == told == {one: TEXTS[title] for one, title in HEADINGS.items()}
    asked = {
        one: next(ask for ask in writer.asked if f"{title}»" in ask[-1].content[-200:])
        for one, title in HEADINGS.items()
    }
    shown = {one: "\n".join(message.content for message in ask) for one, ask in asked.items()}
    assert TEXTS["Plan"] in shown["logros"]
    assert TEXTS["Logros"] in shown["cierre"]
    assert kept(project, writer, WINDOW) is not None


def test_one_at_a_time_keeps_the_order(project: Project) -> None:
    writer = Meeting(TEXTS)
    versions = list(draft_beside(project, list(HEADINGS), writer, 1, window=WINDOW))
    assert [version.section for version in versions] == list(HEADINGS)
    assert all(len(ones) == 1 for ones in writer.together)


def test_a_script_may_say_what_waits_and_a_circle_does_not_hang(project: Project) -> None:
    writer = Meeting(TEXTS)
    needs = {"fines": ["plan"], "plan": ["fines"], "logros": [], "cierre": ["plan"]}
    versions = list(draft_beside(project, list(HEADINGS), writer, 3, needs=needs, window=WINDOW))
    assert len(versions) == 4
    assert not [ones for ones in writer.together if {"fines", "plan"} <= ones]


def test_a_failure_stops_the_others_and_loses_nothing(project: Project) -> None:
    broken = Scripted(["La sala abrió en\0the server broke off midway", WriterError("down"), "x", "y"])
    with pytest.raises(WriterError):
        list(draft_beside(project, list(HEADINGS), broken, 2, window=WINDOW))
    [version] = [one for section in HEADINGS for one in project.versions(section)]
    assert version.partial
    assert version.text.startswith("La sala")


def test_what_is_stopped_midway_is_kept_as_partial(project: Project) -> None:
    going = threading.Event()
    going.set()

    def told(_section: str, _text: str) -> None:
        going.clear()

    writer = Scripted(dict.fromkeys(TEXTS, "Aquí se habla de mucho. " * 50))
    stream = draft_beside(project, ["fines", "plan"], writer, 2, window=WINDOW, on_text=told, wanted=going.is_set)
    assert all(version.partial for version in stream)


def test_a_queue_that_is_shared_bounds_what_is_written_at_a_time(project: Project) -> None:
    writer = Meeting(TEXTS)
    list(draft_beside(project, list(HEADINGS), writer, 4, window=WINDOW, queue=Queue(1)))
    assert all(len(ones) == 1 for ones in writer.together)
