"""The folder of the people who share their grants: project files, uploads, exports; and the projects held open.

Knows names of files and that nothing outside its folder can be named. Does not know users or pages.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fabai.errors import BadSetting, UnknownName
from fabai.store.project import SUFFIX, Project

_UNSAFE = re.compile(r"[^\w.-]+")
_LONGEST = 80


def slug(name: str) -> str:
    """A file name that every system takes: 'Memòria 2025/26' -> 'memoria-2025-26'."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
    return _UNSAFE.sub("-", plain).strip("-.").lower()[:_LONGEST].strip("-.")


class Workspace:
    """One folder. on_open: called with each project that is opened, before anybody works in it."""

    def __init__(self, folder: Path, most: int, on_open: Callable[[str, Project], None]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._most, self._on_open = most, on_open
        self._lock = threading.RLock()
        self._open: OrderedDict[str, tuple[Project, tuple[int, int]]] = OrderedDict()
        self._held: dict[str, int] = {}

    def names(self) -> tuple[str, ...]:
        """The projects, by file name without suffix."""
        return tuple(sorted(path.stem for path in self.folder.glob(f"*{SUFFIX}") if path.is_file()))

    def path(self, name: str) -> Path:
        """Where a project of that name lies, or would."""
        if not name or name != slug(name):
            raise UnknownName(f"'{name[:80]}' is no name of a project")
        return self.folder / f"{name}{SUFFIX}"

    def free_name(self, wanted: str) -> str:
        """A name like the one wanted that no project has."""
        base = slug(wanted) or "memoria"
        taken = set(self.names())
        return next(one for one in (base, *(f"{base}-{n}" for n in range(2, 10_000))) if one not in taken)

    @contextmanager
    def project(self, name: str) -> Iterator[Project]:
        """The project, open; it stays open for the next one who asks."""
        project = self.hold(name)
        try:
            yield project
        finally:
            self.release(name)

    def hold(self, name: str) -> Project:
        """As `project`, until `release`."""
        with self._lock:
            path = self.path(name)
            if not path.is_file():
                raise UnknownName.nearest("project", name, self.names())
            project, file = self._open.get(name, (None, None))
            if project is None or file != _file(path):
                # another file under this name: whoever is at work in the one that was here is told so by SQLite
                project, file = Project.open(path), _file(path)
                self._on_open(name, project)
                self._open[name] = project, file
            self._open.move_to_end(name)
            self._held[name] = self._held.get(name, 0) + 1
            self._trim()
            return project

    def release(self, name: str) -> None:
        with self._lock:
            self._held[name] -= 1
            if not self._held[name]:
                del self._held[name]
            self._trim()

    def close(self) -> None:
        with self._lock:
            for project, _ in self._open.values():
                project.close()
            self._open.clear()

    def room(self, kind: str, name: str = "") -> Path:
        """A folder for files beside the projects ("uploads", "exports"), of one project or of none."""
        folder = self.folder / ".fabai" / kind / (slug(name) if name else "")
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def discard(self, name: str) -> None:
        """Move a project out of the list; its file is kept in the folder's bin."""
        with self._lock:
            if self._held.get(name):
                raise BadSetting("somebody is at work in this project: try again when they have left it")
            path = self.path(name)
            if not path.is_file():
                raise UnknownName.nearest("project", name, self.names())
            if name in self._open:
                self._open.pop(name)[0].close()
            target = self.room("bin") / path.name
            number = 1
            while target.exists():
                number += 1
                target = target.with_name(f"{path.stem}-{number}{SUFFIX}")
            path.replace(target)

    def _trim(self) -> None:
        for name in list(self._open):
            if len(self._open) <= self._most:
                return
            if not self._held.get(name):
                self._open.pop(name)[0].close()


class Spaces:
    """The workspaces of a server, made when their people come."""

    def __init__(self, folder: Path, most: int, on_open: Callable[[str, Project], None]) -> None:
        self._folder, self._most, self._on_open = folder, most, on_open
        self._known: dict[str, Workspace] = {}

    def of(self, name: str) -> Workspace:
        if name not in self._known:
            self._known[name] = Workspace(self._folder / name if name else self._folder, self._most, self._on_open)
        return self._known[name]

    def close(self) -> None:
        for one in self._known.values():
            one.close()


def _file(path: Path) -> tuple[int, int]:
    """Which file it is, by whatever name."""
    found = path.stat()
    return found.st_dev, found.st_ino
