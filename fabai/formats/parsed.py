"""What the reader of one format hands over to `fabai.formats.read`.

Knows no format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fabai.formats.ast import Element
from fabai.formats.media import Find


def nowhere(_address: str) -> bytes | None:
    """For formats without pictures of their own."""
    return None


@dataclass(frozen=True, slots=True)
class Parsed:
    """The blocks and metadata of pandoc's tree, where to find the pictures that it names, and sentences for the
    person."""

    blocks: list[Element]
    meta: dict[str, Element] = field(default_factory=dict)
    find: Find = nowhere
    notices: Sequence[str] = ()
