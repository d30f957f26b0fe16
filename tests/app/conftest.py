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
from fabai.app.lookout import Lookout
from fabai.app.operations import OPERATIONS
from fabai.app.pagecount import Pages
from fabai.app.plaintexts import Plaintexts
from fabai.app.uploads import received
from fabai.app.watch import Watch
from fabai.app.workspace import Workspace

from fabai.settings import AppSettings
from fabai.store.project import Project

from .serving import Paced

DOSSIERS = Path(__file__).parents[1] / "data" / "dossiers"
HORT = DOSSIERS / "ca-hort"


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

    def bring(self, kind: str, path: Path, project: str = "memoria", /, **args: Any) -> dict[str, Any]:
        """Upload a file as the page does."""
        return received(self.call(project, kind=kind, name=path.name, **args), path.read_bytes())

    def keep(self, kind: str, path: Path, project: str = "memoria") -> dict[str, Any]:
        """Bring a document and save it as it was read."""
        read = self.bring(kind, path, project)
        whole = [
            {"heading": one["heading"], "level": one["level"], "parts": [[number, 0, len(one["blocks"])]]}
            for number, one in enumerate(read["sections"])
        ]
        return self.ask("save-import", project, token=read["token"], refused=[], single=[], plan=whole)

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


@pytest.fixture(scope="session")
def lookout() -> Iterator[Lookout]:
    """One process that checks, for all tests."""
    lookout = Lookout()
    yield lookout
    lookout.close()


@pytest.fixture
def desk(tmp_path: Path, writer: Paced, lookout: Lookout) -> Iterator[Desk]:
    hub = Hub()
    settings = AppSettings(keep_seconds=0.01)
    house = House(settings, hub, Jobs(lambda: writer, hub, settings), Plaintexts(), Watch(hub, lookout), Pages(hub))
    space = Workspace(tmp_path / "space", 4, lambda _, project: _rescue(project))
    desk = Desk(house, space, writer)
    desk.ask("create", "", title="Memoria", form="memoria-justificativa", language="es", deadline="2030-01-31")
    yield desk
    house.jobs.close()
    house.watch.close()
    house.pages.close()
    space.close()


@pytest.fixture
def hort(desk: Desk) -> Desk:
    """The same with the grant of the Catalan dossier, its plan, resolution and amendment confirmed."""
    desk.ask("create", "", title="Hort", form="barcelona-justificacio", language="ca")
    for kind in ("proposal", "resolution", "amendment"):
        desk.keep(kind, HORT / f"{kind}.md", "hort")
        desk.ask("decide-commitments", "hort", all=True, confirmed=True)
    return desk


def _rescue(project: Project) -> None:
    project.workbench.rescue("the server ended")
