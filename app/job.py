"""One thing a model was asked for, as it goes on and as a page is told of it.

Knows what is remembered of it. Does not know who does it (app.jobs).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Literal

from .remarks import remark
from .said import said_everywhere
from .workspace import Workspace

State = Literal["waiting", "writing", "done", "stopped", "failed"]


@dataclass(slots=True, eq=False)
class Job:
    """One thing a model was asked for. place: workspace and project. section: the one being written now. into: the text
    lands in the section by itself, because nothing stood there. first: when its first words came (seconds, Unix).
    skipped: sections of a batch that nothing is known for. error, fault: what went wrong, and its kind.
    """

    id: int
    place: str
    kind: str
    section: str
    who: str
    sections: tuple[str, ...] = ()
    state: State = "waiting"
    text: str = ""
    version: int | None = None
    into: bool = False
    note: str = ""
    error: str = ""
    fault: str = ""
    done: int = 0
    seconds: float = 0.0
    ahead: int = 0
    skipped: tuple[str, ...] = ()
    wanted: bool = True
    selection: str = ""
    kept: float = 0.0
    row: int | None = None
    first: float = 0.0
    began: float = field(default_factory=time.monotonic)

    @property
    def live(self) -> bool:
        return self.state in ("waiting", "writing")

    def shown(self) -> dict[str, Any]:
        """What a page needs; seconds_left: of a batch, from the mean of the sections so far."""
        left = len(self.sections) - self.done
        mean = self.seconds / self.done if self.done else 0.0
        return {
            "id": self.id, "kind": self.kind, "section": self.section, "state": self.state, "text": self.text,
            "version": self.version, "into": self.into, "note": remark(self.note),
            "error": said_everywhere(self.error),
            "fault": self.fault, "done": self.done, "total": len(self.sections),
            "seconds_left": round(mean * left) if self.done and self.live else None,
            "ahead": self.ahead, "skipped": list(self.skipped), "who": self.who, "selection": self.selection,
            "first": self.first,
        }  # fmt: skip


def place(space: Workspace, name: str) -> str:
    """The key of a project, of whoever shares the workspace, for jobs, events and findings."""
    return f"{space.folder}\n{name}"
