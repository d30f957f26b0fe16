"""Held-out sections written anew, the way the product writes them: a project on disk, its window, its Writer, its
Version.

Each section is drafted in a project of its own that holds the human text of the sections before it, the headings of
those behind, the rebuilt ledger and the sources. Knows projects and drafting. Does not know what is measured.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fabai.draft import draft, prepare, used
from fabai.errors import FabaiError
from fabai.form import Form
from fabai.formats.document import Document, DocumentSection
from fabai.ledger import Ledger
from fabai.length import Length
from fabai.report import Report
from fabai.settings import SamplingSettings, WindowSettings
from fabai.store.project import Project
from fabai.store.record import Made, Source
from fabai.writers.base import Writer

from .held import Held

_HUMAN = Made("person")


class SourceText(Protocol):
    """A document that the report was written from."""

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...


class Brief(Protocol):
    """A past report before its text, as the corpus rebuilds it. texts: what its writer wrote, by section id."""

    @property
    def form(self) -> Form: ...

    @property
    def report(self) -> Report: ...

    @property
    def ledger(self) -> Ledger: ...

    @property
    def sources(self) -> Sequence[SourceText]: ...

    @property
    def texts(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Drafted:
    """shown: what the model could know figures from. within: None where the form sets no limit. note: drafting's."""

    id: str
    heading: str
    text: str
    human: str
    shown: tuple[str, ...]
    within: bool | None
    seconds: float
    tokens: int
    note: str


def place_of(one: Held) -> tuple[str, str] | None:
    """(document, section) of an example; None for one that does not begin its section."""
    document, section, part = [*one.id.rsplit(":", 2), "", ""][:3]
    return (document, section) if section.startswith("s") and part == "0" else None


def write(
    wanted: Sequence[tuple[str, str]],
    briefs: Mapping[str, Brief],
    writer: Writer,
    window: WindowSettings,
    sampling: SamplingSettings,
    each: Callable[[], None],
    lost: Callable[[str], None],
) -> list[Drafted]:
    """Draft each (document, section) once. A section whose fixed parts do not fit, whose facts contradict each other,
    or at which the model fails, is left out, and `lost` is told why.
    """
    found = []
    with tempfile.TemporaryDirectory(prefix="fabai-") as folder:
        for number, (document, section) in enumerate(wanted):
            try:
                one = _written(Path(folder) / f"{number}.fabai", briefs[document], section, writer, window, sampling)
                found.append(one)
            except FabaiError as error:
                lost(f"the draft of {document}, section {section}: {error}")
            each()
    return found


def _written(
    path: Path, brief: Brief, section: str, writer: Writer, window: WindowSettings, sampling: SamplingSettings
) -> Drafted:
    project, ids = _project(path, brief, section)
    with project:
        here = ids[section]
        report = project.report()
        begun = time.perf_counter()
        prepared = prepare(project, here, writer, window)
        version = draft(project, here, writer, sampling=sampling, prepared=prepared)
        seconds = time.perf_counter() - begun
        place = report.sections[report.index(here)]
        length = Length.of(place, report, project.form)
        limited = length.limited
        pieces = [text for piece in prepared.window.pieces for text in (piece.text, piece.source or "") if text]
        shown = (*pieces, *(fact.value for fact in brief.ledger), *(one.text for one in brief.sources))
        return Drafted(
            f"{path.stem}:{section}",
            place.heading,
            version.text,
            brief.texts[section],
            shown,
            length.kept(version.text) if limited else None,
            seconds,
            int(used(version).get("completion_tokens", 0)),
            str(version.made.settings.get("note", "")),
        )


def _project(path: Path, brief: Brief, section: str) -> tuple[Project, dict[str, str]]:
    """The project as it stood before `section`, and its id of each section of the brief."""
    report = brief.report
    sources = [Source(one.name, one.text, "", "source") for one in brief.sources]
    project = Project.create(
        path, brief.form, report.language, report.title, facts=tuple(brief.ledger), sources=sources
    )  # fmt: skip
    if not brief.form.own_sections:
        headings = tuple(DocumentSection(one.heading, one.level) for one in report.sections)
        project.import_document(Document(report.title, report.language, headings), "report.md")
    ours = project.report().sections
    ids = {one.id: mine.id for one, mine in zip(report.sections, ours, strict=True)}
    for one in report.sections:
        if one.id == section:
            break
        if text := brief.texts[one.id].strip():
            project.accept(project.save_version(ids[one.id], text, _HUMAN).id)
    return project, ids
