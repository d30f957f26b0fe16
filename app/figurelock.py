"""'Verified figures only' in the app: what a section's model is held to, and how many figures it has.

Knows facts and the switch (fabai.lock.switch). Does not know how a model is held to its figures (fabai.lock) nor
whether it can be.
"""

from __future__ import annotations

from fabai.lock import Constraint
from fabai.lock.switch import locked
from fabai.lock.written import written
from fabai.store.project import Project


def constraint(project: Project, section: str) -> Constraint | None:
    """What a model is held to in a section, None where nobody asked for it."""
    return Constraint(project.ledger(), project.language) if chosen(project, section) else None


def chosen(project: Project, section: str) -> bool:
    return section in locked(project)


def figures(project: Project) -> int:
    """How many facts hold a figure that may be written."""
    return sum(bool(written(fact, project.language)) for fact in project.ledger())
