"""One file of the sources in hand: its hash, and the sections that its reader finds.

Knows documents of every format that fabai reads, and project files, of which only what a person accepted is taken.
Does not know cleaning. Whatever cannot be read is a FabaiError or an OSError; nothing is fetched.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path

from fabai.errors import FabaiError, UnreadableFile
from fabai.report import Language
from fabai.settings import CorpusSettings, ReadingLimits

from .sources import Candidate

_TEXT = frozenset([".md", ".markdown", ".txt", ".text", ".tex", ".latex", ".ltx", ".html", ".htm", ".xhtml"])
_MARKDOWN = frozenset({".md", ".markdown"})
_LATEX_PARTS = frozenset([".tex", ".latex", ".ltx", ".bib", ".bbl", ".cls", ".sty"])
_MOST_PARTS = 500
PROJECT = ".fabai"
_CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class Taken:
    """A document as its reader gives it. sections: (heading, level, text). facts: the ledger of a project."""

    title: str
    language: Language | None
    sections: tuple[tuple[str, int, str], ...]
    notices: tuple[str, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)


def limits(settings: CorpusSettings) -> ReadingLimits:
    """What one file may cost a worker."""
    return replace(ReadingLimits(), pandoc_heap_mib=settings.pandoc_heap_mib, pdf_memory_mib=settings.pdf_memory_mib)


def fingerprint(path: Path, settings: CorpusSettings) -> str:
    """sha256 of the file; of a LaTeX document, with the files in its folder that it may take in."""
    _check(path, settings)
    if path.suffix.lower() not in (".tex", ".latex", ".ltx"):
        return _sha256(path)
    parts = [one for one in sorted(path.parent.rglob("*")) if one.suffix.lower() in _LATEX_PARTS and one.is_file()]
    if parts == [path] or len(parts) > _MOST_PARTS:
        return _sha256(path)
    whole = hashlib.sha256(_sha256(path).encode())
    for part in parts:
        whole.update(f"\n{part.relative_to(path.parent).as_posix()} {_sha256(part)}".encode("utf-8", "replace"))
    return whole.hexdigest()


def _check(path: Path, settings: CorpusSettings) -> None:
    if not path.exists():
        raise UnreadableFile(f"{path.name} does not exist, or vanished before it was read")
    if not path.is_file():
        raise UnreadableFile(f"{path.name} is no ordinary file")
    size = path.stat().st_size
    most = settings.text_bytes if path.suffix.lower() in _TEXT else limits(settings).file_bytes
    if size > most:
        raise UnreadableFile(
            f"{path.name} has {size / 2**20:,.0f} MiB and at most {most / 2**20:,.0f} are read: split it, or make its "
            "pictures smaller"
        )


def _sha256(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()


def check_consent(candidate: Candidate) -> None:
    """FabaiError for a project whose source states no consent: what people wrote in the application is theirs."""
    if candidate.path.suffix.lower() == PROJECT and not candidate.source.consent.strip():
        raise FabaiError(f"{candidate.name} is a project: state in its [[source]] the consent of those who wrote it")


def take(candidate: Candidate, settings: CorpusSettings) -> Taken:
    """The sections of a file; FabaiError with one sentence where it cannot be read."""
    if candidate.path.suffix.lower() == PROJECT:
        return _project(candidate)
    if candidate.path.suffix.lower() in _MARKDOWN:
        from .light import read_markdown

        document = read_markdown(candidate.path, limits(settings))
    else:
        from fabai.formats.read import read

        document = read(candidate.path, limits(settings))
    if not any(one.heading or one.text for one in document.sections):
        raise UnreadableFile(f"{candidate.path.name} holds no text")
    return Taken(
        document.title,
        document.language,
        tuple((one.heading, one.level, one.text) for one in document.sections),
        document.notices,
    )


def _project(candidate: Candidate) -> Taken:
    """What people accepted in a project of the application, under the headings that hold it."""
    from fabai.store.project import Project

    name = candidate.path.name
    with Project.open(candidate.path) as project:
        report = project.report()
        facts = {fact.name: fact.value for fact in project.ledger()}
        title = project.title
    accepted = [one for one in report if one.status == "accepted" and one.text.strip()]
    if not accepted:
        raise FabaiError(f"{name} has no accepted text: accept the sections that a model may learn from")
    kept = {one.id for one in accepted}
    kept |= {above.id for one in accepted for above in report.ancestors(one.id)}
    sections = [
        (one.heading, one.level, one.text if one.status == "accepted" else "") for one in report if one.id in kept
    ]
    return Taken(title or name, report.language, tuple(sections), (), facts)
