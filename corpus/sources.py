"""SOURCES.toml: which files go into a corpus, and under what licence and consent.

    [[source]]
    path = "informes/2023"          # a file or a folder, from where SOURCES.toml stands
    licence = "CC-BY-4.0"
    consent = "signed 2024-03-01"
    language = "ca"                 # or "auto"
    project = "barri-obert"
    year = 2023
    kind = "memoria"

Knows the keys and how a folder becomes files. Does not read the files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fabai.errors import BadSetting
from fabai.report import Language
from fabai.strict import build, read_toml

from .document import DocumentKind

ENDINGS = frozenset(
    [
        ".docx",
        ".docm",
        ".dotx",
        ".dotm",
        ".odt",
        ".ott",
        ".doc",
        ".rtf",
        ".pdf",
        ".md",
        ".markdown",
        ".txt",
        ".text",
        ".tex",
        ".latex",
        ".ltx",
        ".html",
        ".htm",
        ".xhtml",
        ".fabai",
    ]
)
"""Of files that are taken from a folder; a file that is named itself is always tried."""

_PARTS = (b"\\documentclass", b"\\documentstyle")
_LATEX = frozenset({".tex", ".latex", ".ltx"})
_HEAD = 200_000


@dataclass(frozen=True, slots=True)
class Source:
    """One [[source]] table. project: what is kept together when a corpus is split, by default the path itself.

    variety: a BCP 47 tag, where the keeper knows it. derived_from: paths of documents that this one repeats.
    """

    path: str
    licence: str = ""
    consent: str = ""
    language: Literal["es", "ca", "en", "auto"] = "auto"
    project: str = ""
    year: int | None = None
    kind: DocumentKind = "report"
    variety: str | None = None
    derived_from: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.path.strip():
            raise BadSetting("a [[source]] has an empty path: name a file or a folder")
        if self.year is not None and not 1900 <= self.year <= 2200:
            raise BadSetting(f"the year of {self.path} is {self.year}; it must lie between 1900 and 2200")

    @property
    def declared(self) -> Language | None:
        return None if self.language == "auto" else self.language


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may become a document. name: its path as the corpus shows it, "/" between folders."""

    path: Path
    name: str
    source: Source


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that is not in the corpus, and why in one sentence."""

    path: str
    reason: str


def read_sources(path: Path) -> tuple[Source, ...]:
    """The tables of a SOURCES.toml; an unknown key is an error that names the nearest one."""
    table = read_toml(path)
    return build(_File, table, path.name).source


@dataclass(frozen=True, slots=True)
class _File:
    source: tuple[Source, ...] = ()

    def __post_init__(self) -> None:
        if not self.source:
            raise BadSetting("SOURCES.toml names no source: add a [[source]] table with a path")


def candidates(sources: tuple[Source, ...], root: Path) -> Iterator[Candidate | Refusal]:
    """The files of all sources, in order; a folder's by name, links followed. A file named twice is refused."""
    seen: set[str] = set()
    for source in sources:
        for one in _files(source, root):
            if isinstance(one, Candidate) and one.name in seen:
                yield Refusal(one.name, f"{one.name} is named by two [[source]] tables; the first one counts")
                continue
            seen.add(one.name if isinstance(one, Candidate) else "")
            yield one


def _files(source: Source, root: Path) -> Iterator[Candidate | Refusal]:
    path = root / source.path
    try:
        if not path.is_dir():
            yield Candidate(path, _name(path, root), source)
            return
        yield from _folder(path, root, source, ())
    except (OSError, ValueError, RuntimeError) as error:
        yield Refusal(source.path, f"{source.path} cannot be read ({getattr(error, 'strerror', None) or error})")


def _folder(
    folder: Path, root: Path, source: Source, above: tuple[tuple[int, int], ...]
) -> Iterator[Candidate | Refusal]:
    here = folder.stat()
    key = (here.st_dev, here.st_ino)
    if key in above:
        yield Refusal(_name(folder, root), f"{_name(folder, root)} is a link to a folder above it: it was not followed")
        return
    entries = sorted(os.listdir(folder))
    for entry in entries:
        path = folder / entry
        if entry.startswith("."):
            continue
        try:
            if path.is_symlink():
                # a link to itself has no end
                path.stat()
            if path.is_dir():
                yield from _folder(path, root, source, (*above, key))
            elif path.suffix.lower() in ENDINGS and not _is_part(path):
                yield Candidate(path, _name(path, root), source)
        except (OSError, ValueError, RuntimeError) as error:
            name = _name(path, root)
            yield Refusal(name, f"{name} cannot be read ({getattr(error, 'strerror', None) or error})")


def _is_part(path: Path) -> bool:
    """Whether a LaTeX file is a chapter that another file takes in: it begins no document of its own."""
    if path.suffix.lower() not in _LATEX or not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not any(mark in head for mark in _PARTS)


def _name(path: Path, root: Path) -> str:
    """Relative to the root where it lies under it; never with undecodable bytes."""
    try:
        shown = path.relative_to(root)
    except ValueError:
        shown = path
    return shown.as_posix().encode("utf-8", "replace").decode("utf-8")
