"""A Document: what a reader makes of a file, before it becomes the Report of a project.

Knows sections, their Markdown blocks, and where each block stood in the original Word body. Does not know readers,
exporters or projects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabai.report import Language


@dataclass(frozen=True, slots=True)
class Block:
    """One Markdown block and the positions, among the original body's children, of the elements that it came from.

    children is empty where the file was not a Word file. markdown is "" for opaque elements (a text box, say) that
    no converter shows and that an export must carry along.
    """

    markdown: str
    children: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A heading (level 1-9; 0 and "" for the text in front of the first) and its blocks.

    heading_children: as children in Block.
    """

    heading: str
    level: int
    blocks: tuple[Block, ...] = ()
    heading_children: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The section's Markdown: its blocks with a blank line between them."""
        return "\n\n".join(block.markdown for block in self.blocks if block.markdown)

    @property
    def headed(self) -> str:
        """The text under its heading line; a heading deeper than Markdown's six levels is written at the sixth."""
        heading = f"{'#' * min(self.level, 6)} {self.heading}" if self.level and self.heading else ""
        return "\n\n".join(part for part in (heading, self.text) if part.strip())


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. media: images by the relative name that the Markdown uses ("media/image1.png").

    original: the Word package that `children` refer to (revisions accepted), None for other formats.
    notices: sentences for the person: revisions accepted and by whom, hidden text left out, macros dropped ...
    """

    title: str
    language: Language | None
    sections: tuple[DocumentSection, ...]
    media: Mapping[str, bytes] = field(default_factory=dict)
    original: bytes | None = None
    notices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole document as one Markdown text, headings included."""
        return "\n\n".join(section.headed for section in self.sections if section.headed)
