"""A house to call operations in, without HTTP, and a project in it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fabai.app.call import Call, House
from fabai.app.events import Hub
from fabai.app.jobs import Jobs
from fabai.app.operations import OPERATIONS
from fabai.app.plaintexts import Plaintexts
from fabai.app.watch import Watch
from fabai.app.workspace import Workspace

from fabai.settings import AppSettings
from fabai.store.project import Project

from .serving import Paced


@dataclass
class Desk:
    """Asks as a page would. who: the name that stands under what is done."""

    house: House
    space: Workspace
    writer: Paced
    who: str = "Ana Ferrer"

    def ask(self, name: str, project: str = "memoria", /, **args: Any) -> dict[str, Any]:
        call = Call(self.house, self.space, "", self.who, "es", {"project": project, **args})
        return OPERATIONS[name](call)

    def call(self, project: str = "memoria", **args: Any) -> Call:
        return Call(self.house, self.space, "", self.who, "es", {"project": project, **args})

    def finished(self, project: str = "memoria", kind: str = "") -> dict[str, Any]:
        """The newest job once it has ended."""
        place = self.call(project).place
        for _ in range(1_000):
            jobs = [one for one in self.house.jobs.of(place) if not kind or one.kind == kind]
            if jobs and not jobs[-1].live:
                return jobs[-1].shown()
            time.sleep(0.01)
        raise AssertionError("the job did not end")


@pytest.fixture
def writer() -> Paced:
    return Paced()


@pytest.fixture
def desk(tmp_path: Path, writer: Paced) -> Iterator[Desk]:
    hub = Hub()
    settings = AppSettings(keep_seconds=0.01)
    house = House(settings, hub, Jobs(lambda: writer, hub, settings), Plaintexts(), Watch(hub))
    space = Workspace(tmp_path / "space", 4, lambda _, project: _rescue(project))
    desk = Desk(house, space, writer)
    desk.ask("create", "", title="Memoria", form="memoria-justificativa", language="es", deadline="2030-01-31")
    yield desk
    house.jobs.close()
    house.watch.close()
    space.close()


def _rescue(project: Project) -> None:
    project.workbench.rescue("the server ended")
