"""A project whose new drafts are kept beside the text that stands, for a person to choose from.

Knows that nothing is shown before somebody takes it. Everything else is the Project's.
"""

from __future__ import annotations

from fabai.store.project import Project
from fabai.store.record import Made, Version


class Aside(Project):
    """An open project seen so; it shares the file of the one it was made from, which stays to be closed."""

    def __init__(self, project: Project) -> None:
        super().__init__(project._file, project._settings)

    def save_version(self, section_id: str, text: str, made: Made, partial: bool = False) -> Version:
        """Keep a text for a section among its versions; the section's text stays."""
        return self.workbench.offer(section_id, text, made, partial)
