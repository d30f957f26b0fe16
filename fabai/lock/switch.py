"""'Verified figures only': the sections that are written under the figure lock, chosen one by one, kept in the project.

Knows where the choice is kept. Does not know how a model is held to its figures.
"""

from __future__ import annotations

from fabai.store.project import Project

_KIND = "figures-only"


def locked(project: Project) -> frozenset[str]:
    """The ids of the sections for which it is on."""
    return frozenset(one.key for one in project.items().all(_KIND))


def switch(project: Project, section: str, on: bool) -> None:
    """For what is written from now on. UnknownName where there is no such section."""
    project.report().index(section)
    project.items().save(_KIND, [(section, {"on": True} if on else None)], event=_KIND)
