"""What a project file keeps, as plain records: how a text was made, versions, sources, imports, events.

Knows their fields. Does not know SQLite.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from fabai.formats.document import DocumentSection
from fabai.ledger import Fact
from fabai.report import count_words

VersionStatus = Literal["imported", "draft", "accepted", "restored"]
Pin = Literal["pin", "exclude"]


def now() -> str:
    """The present time in UTC, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Made:
    """How a text came to be. writer: "embedded", "transformers", "server", "import", "person" ...

    window: hash of what was shown.
    settings: whatever is needed to make it again (sampling, window), as JSON would hold it. created: ISO 8601, UTC.
    """

    writer: str
    model: str | None = None
    window: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    created: str = field(default_factory=now)


@dataclass(frozen=True, slots=True)
class Version:
    """One text that a section had or was offered.

    number: counts from 1 within the section. partial: the writer stopped midway.
    """

    id: int
    section: str
    number: int
    text: str
    status: VersionStatus
    partial: bool
    made: Made

    @property
    def words(self) -> int:
        return count_words(self.text)


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a document that the report is written from.

    sha256: of the file that it was read from. id None: not stored yet.
    """

    name: str
    text: str
    sha256: str
    kind: str
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Presented:
    """A report as it was handed in: the Word file, its sha256, and the manifest of the whole package as JSON."""

    id: int
    created: str
    name: str
    sha256: str
    manifest: str
    document: bytes


ProposalState = Literal["open", "confirmed", "rejected"]
ParagraphOrigin = Literal["ai", "person", "imported", "inherited"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A fact that was read from a document and that nobody has confirmed yet. context: the words around it."""

    id: int
    fact: Fact
    context: str
    state: ProposalState
    created: str
    decided_by: str = ""
    decided: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One block of a section's text (a paragraph, a list, a table): text[start:end] of the section's Markdown.

    hash: of its words, the same wherever it stands. origin: who wrote most of it first. version: id of the version that
    had it first; model, window: of that version, "" where no model wrote it. edited: not word for word what was written
    first. reviewed_by, reviewed: who stood up for these very words, and when; None where nobody did.
    """

    text: str
    hash: str
    origin: ParagraphOrigin
    version: int
    start: int
    end: int
    model: str = ""
    window: str = ""
    edited: bool = False
    reviewed_by: str | None = None
    reviewed: str | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """The last report that was read in, for an export that keeps its look: its package and the blocks by section id."""

    filename: str
    original: bytes | None
    sources: Mapping[str, DocumentSection]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did, in section ids. kept: sections with drafted or accepted text that the import did not touch.

    removed: sections that left the report (their versions stay). source: the source that took the homeless text.
    """

    added: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    source: str | None = None
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the audit trail."""

    id: int
    created: str
    kind: str
    detail: Mapping[str, Any]
