"""The Releases of this machine by name: where each lies, which one is in use, which ones were before.

Knows the list (releases.json in the user's data folder, or where FABAI_RELEASES points) and what a Release says of
itself. Does not load models.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from fabai.errors import BadSetting, ExportError, UnknownName, UnreadableFile
from fabai.ordinary import contents
from fabai.settings import ReadingLimits, WindowSettings

MANIFEST = "release.json"
_LIST = "releases.json"
_FORMAT = 1
LIMITS = ReadingLimits()


@dataclass(frozen=True, slots=True)
class Release:
    """path: None where the folder has gone. passed: the evaluation's verdict, None where there is none. in_use: it is
    the promoted one.
    """

    name: str
    path: Path | None
    about: Mapping[str, Any]
    in_use: bool = False

    @property
    def passed(self) -> bool | None:
        found = self.about.get("evaluation")
        return bool(found["passed"]) if isinstance(found, dict) and "passed" in found else None

    @property
    def base(self) -> str:
        found = self.about.get("base")
        return str(found.get("name", "")) if isinstance(found, dict) else ""

    def window(self, usual: WindowSettings) -> WindowSettings:
        """The windows that it was trained on; `usual` for what it does not say."""
        return _window(self.about.get("corpus"), usual)


def known() -> tuple[Release, ...]:
    """All that were made or named here, the newest first."""
    table = _read()
    used = table["promoted"][-1] if table["promoted"] else None
    found = [_release(name, Path(path), name == used) for name, path in table["releases"].items()]
    return tuple(sorted(found, key=lambda one: str(one.about.get("created", "")), reverse=True))


def in_use() -> Release | None:
    """The promoted one, None where none was promoted."""
    return next((one for one in known() if one.in_use), None)


def find(wish: str) -> Release:
    """By name, or by the path of its folder; UnknownName with the nearest name."""
    path = Path(wish).expanduser()
    if (path / MANIFEST).is_file():
        table = _read()
        used = table["promoted"][-1] if table["promoted"] else None
        name = next(
            (name for name, one in table["releases"].items() if Path(one) == path.resolve()), path.resolve().name
        )
        return _release(name, path, name == used)
    for one in known():
        if one.name == wish:
            return one
    raise UnknownName.nearest("release", wish, (one.name for one in known()))


def free(name: str, path: Path) -> None:
    """BadSetting where another Release has this name."""
    other = _read()["releases"].get(name)
    if other is not None and Path(other) != path.resolve() and (Path(other) / MANIFEST).is_file():
        raise BadSetting(f"another release is called {name} ({other}): give the folder another name with -o")


def register(path: Path) -> None:
    """A Release that was written joins the list."""
    free(path.resolve().name, path)
    table = _read()
    table["releases"][path.resolve().name] = str(path.resolve())
    _write(table)


def promote(wish: str, even_so: bool = False) -> Release:
    """Put a Release to use. BadSetting where its evaluation failed it, UnreadableFile where its folder has gone."""
    found = find(wish)
    if found.path is None:
        raise UnreadableFile(f"the folder of the release {found.name} has gone: bring it back, or promote another one")
    if found.passed is False and not even_so:
        raise BadSetting(
            f"the release {found.name} failed its evaluation (see evaluation/report.md in it): train again, or promote "
            "it all the same with --even-so"
        )
    register(found.path)
    table = _read()
    name = found.path.resolve().name
    if not table["promoted"] or table["promoted"][-1] != name:
        table["promoted"].append(name)
        _write(table)
    return find(name)


def rollback() -> Release | None:
    """Back to the Release that was in use before; None where there was none, so that none is in use now."""
    table = _read()
    if not table["promoted"]:
        raise BadSetting("no release is in use, so there is nothing to roll back")
    table["promoted"].pop()
    _write(table)
    return in_use()


def forget(name: str) -> None:
    """Take a Release off the list; its folder stays."""
    table = _read()
    if name not in table["releases"]:
        raise UnknownName.nearest("release", name, table["releases"])
    del table["releases"][name]
    table["promoted"] = [one for one in table["promoted"] if one != name]
    _write(table)


def wrote(model: str) -> Release | None:
    """The Release that a Version's `made.model` names ("llamacpp:base+NAME:mark"), None where it names none."""
    parts = {part for piece in model.split(":") for part in piece.split("+")}
    return next((one for one in known() if one.name in parts), None)


def window_of(folder: Path, usual: WindowSettings) -> WindowSettings:
    """The windows that the adapter in a folder was trained on: of a Release, or of a run."""
    for name, key in ((MANIFEST, "corpus"), ("run.json", "examples")):
        for where in (folder, folder.parent):
            if (where / name).is_file():
                return _window(_json(where / name).get(key), usual)
    return usual


def _window(said: Any, usual: WindowSettings) -> WindowSettings:
    from dataclasses import replace

    told = said if isinstance(said, dict) else {}
    values = {key: told[key] for key in ("mode", "cap", "decay") if told.get(key)}
    return replace(usual, **values) if values else usual


def _release(name: str, path: Path, used: bool) -> Release:
    here = (path / MANIFEST).is_file()
    return Release(name, path if here else None, _json(path / MANIFEST) if here else {}, used)


def _place() -> Path:
    chosen = os.environ.get("FABAI_RELEASES")
    folder = Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("fabai", appauthor=False))
    return folder / _LIST


def _read() -> dict[str, Any]:
    path = _place()
    if not path.is_file():
        return {"format": _FORMAT, "releases": {}, "promoted": []}
    table = _json(path)
    fine = isinstance(table.get("releases"), dict) and isinstance(table.get("promoted"), list)
    if table.get("format") != _FORMAT or not fine:
        raise UnreadableFile(f"{path} is not a list of releases of this version of fabai: move it away")
    return table


def _write(table: Mapping[str, Any]) -> None:
    path = _place()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise ExportError(f"the list of releases {path} cannot be written: {error.strerror or error}") from error


def _json(path: Path) -> dict[str, Any]:
    try:
        table = json.loads(contents(path, LIMITS.table_bytes))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path} cannot be read: {error}") from None
    if not isinstance(table, dict):
        raise UnreadableFile(f"{path} cannot be read: it should hold a JSON object")
    return table
