"""Partners of a project, what each was asked for and what came back.

Knows the records. Does not know Word files or how contributions are merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SlotStatus = Literal["asked", "returned", "unchanged", "empty", "conflict", "accepted"]


@dataclass(frozen=True, slots=True)
class Partner:
    """id: a short name ("FAC"). sections: ids of the sections that they write, alone or with others."""

    id: str
    name: str
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """One section as it was sent out. version: id of the version that the partner saw, 0 for none."""

    section: str
    version: int
    text_hash: str


@dataclass(frozen=True, slots=True)
class Pack:
    """id: stands in the file. sent: ISO 8601. period: of the project that the pack belongs to."""

    id: str
    partner: str
    sent: str
    asked: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """What came back for one section. text: Markdown. authors: of tracked changes in it."""

    section: str
    status: SlotStatus
    text: str
    authors: tuple[str, ...] = ()
    version: int = 0


@dataclass(frozen=True, slots=True)
class Contribution:
    """A returned file. notes: how many comments became notes. unplaced: headings whose text became a source."""

    partner: str
    file: str
    sha256: str
    received: str
    pieces: tuple[Piece, ...] = ()
    notes: int = 0
    changes: int = 0
    unplaced: tuple[str, ...] = ()
    decision: str = "accept"
