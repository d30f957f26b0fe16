"""One request of a page: who asks, in which project, with what; and the house that answers.

Knows how the values of a request are checked. Does not know HTTP or what is done with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from fabai.errors import UsageError
from fabai.report import LANGUAGES, Language
from fabai.settings import AppSettings
from fabai.store.project import Project

from .events import Hub
from .job import place
from .jobs import Jobs
from .pagecount import Pages
from .plaintexts import Plaintexts
from .watch import Watch
from .workspace import Workspace

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class House:
    """What all requests share."""

    settings: AppSettings
    hub: Hub
    jobs: Jobs
    plain: Plaintexts
    watch: Watch
    pages: Pages


@dataclass(frozen=True, slots=True)
class Call:
    """shown: the name that stands under what the person reviews. language: of the page."""

    house: House
    space: Workspace
    user: str
    shown: str
    language: Language
    args: Mapping[str, Any] = field(default_factory=dict)

    def text(self, key: str, default: str | None = None) -> str:
        """A text of the request; UsageError where it is missing or something else."""
        value = self.args.get(key, default)
        if not isinstance(value, str):
            raise UsageError(f"the page left out '{key}': reload it and try again")
        return value

    def number(self, key: str) -> int:
        value = self.args.get(key)
        if not _whole(value):
            raise UsageError(f"the page left out '{key}': reload it and try again")
        return value

    def numbers(self, key: str) -> list[int]:
        """Whole numbers; one that is none is refused with the rest."""
        values = self.several(key)
        if not all(map(_whole, values)):
            raise UsageError(f"the page left out '{key}': reload it and try again")
        return [int(one) for one in values]

    def flag(self, key: str, default: bool = False) -> bool:
        return self.args.get(key, default) is True

    def several(self, key: str) -> list[Any]:
        value = self.args.get(key)
        if not isinstance(value, list):
            raise UsageError(f"the page left out '{key}': reload it and try again")
        return value

    @property
    def name(self) -> str:
        """The project's."""
        return self.text("project")

    @property
    def place(self) -> str:
        """The key of the project for events and jobs."""
        return place(self.space, self.name)

    @contextmanager
    def project(self) -> Iterator[Project]:
        with self.space.project(self.name) as project:
            yield project

    def tell(self, kind: str, **more: Any) -> None:
        """Tell every page of the project. from: the page that did it, which need not hear."""
        self.house.hub.tell(self.place, {"type": kind, "from": self.args.get("page", ""), "who": self.shown, **more})

    def report_language(self, default: Language) -> Language:
        """The language that a request names, one of the three."""
        wanted = self.args.get("language", default)
        return next((one for one in LANGUAGES if one == wanted), default)


def _whole(value: Any) -> TypeGuard[int]:
    """A whole number that a database holds."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
