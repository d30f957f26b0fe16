"""The style table of a Word document: names, inheritance, heading levels, hidden text.

Knows styles.xml and what a paragraph takes from it. Does not know packages or numbering.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabai.formats.wordml import Element, W, child, is_on, squeezed, text_of, value

_HEADING = re.compile(r"(?:heading|t[ií]tulo|t[ií]tol|titre|überschrift) ?(\d)")
_LONGEST_CHAIN = 20


class Styles:
    """Questions to a styles root; None stands for a document without styles."""

    def __init__(self, root: Element | None) -> None:
        self._by_id: dict[str, Element] = {}
        self._by_name: dict[tuple[str, str], str] = {}
        self._default: dict[str, str] = {}
        for style in () if root is None else root.findall(W + "style"):
            self.learn(style)

    def learn(self, style: Element) -> None:
        """Take a style into the table."""
        identifier = style.get(W + "styleId")
        if identifier is None:
            return
        kind = style.get(W + "type") or "paragraph"
        self._by_id[identifier] = style
        self._by_name.setdefault((kind, (value(style, "name") or identifier).lower()), identifier)
        if (style.get(W + "default") or "").lower() in ("1", "true", "on"):
            self._default.setdefault(kind, identifier)

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._by_id

    def get(self, identifier: str | None) -> Element | None:
        return None if identifier is None else self._by_id.get(identifier)

    def find(self, kind: str, name: str) -> str | None:
        """Id of the style of a type ("paragraph", "character", "table", "numbering") by its name, case ignored."""
        return self._by_name.get((kind, name.lower()))

    def default(self, kind: str) -> str | None:
        """Id of the default style of a type."""
        return self._default.get(kind)

    def name(self, identifier: str | None) -> str:
        """Lower-cased name of a style, "" where there is none."""
        style = self.get(identifier)
        return "" if style is None else (value(style, "name") or identifier or "").lower()

    def chain(self, identifier: str | None) -> Iterator[Element]:
        """A style and those it is based on, nearest first."""
        for _ in range(_LONGEST_CHAIN):
            style = self.get(identifier)
            if style is None:
                return
            yield style
            identifier = value(style, "basedOn")

    def style_level(self, identifier: str | None) -> int | None:
        """Heading level 1-9 of a paragraph style, by its name or outline level or those of its ancestors."""
        for style in self.chain(identifier):
            match = _HEADING.fullmatch((value(style, "name") or "").lower())
            if match is not None and 1 <= int(match[1]) <= 9:
                return int(match[1])
            outline = value(style, "pPr/outlineLvl")
            if outline is not None and outline.isdigit():
                return int(outline) + 1 if int(outline) < 9 else None
        return None

    def level(self, paragraph: Element) -> int | None:
        """Heading level 1-9 of a paragraph: its own outline level, else that of its style; None for body text."""
        outline = value(paragraph, "pPr/outlineLvl")
        if outline is not None and outline.isdigit():
            return int(outline) + 1 if int(outline) < 9 else None
        return self.style_level(value(paragraph, "pPr/pStyle"))

    def is_heading(self, one: Element) -> bool:
        """Whether a child of a body is a heading that says something."""
        return one.tag == W + "p" and self.level(one) is not None and bool(squeezed(text_of(one)))

    def run_level(self, paragraph: Element) -> int | None:
        """Heading level of a paragraph all of whose text stands in one heading's linked character style."""
        levels: set[int | None] = set()
        for run in paragraph.iter(W + "r"):
            if not squeezed(text_of(run)):
                continue
            character = self.get(value(run, "rPr/rStyle"))
            levels.add(self.style_level(value(character, "link")) if character is not None else None)
        return levels.pop() if len(levels) == 1 else None

    def is_hidden(self, run: Element, paragraph: Element) -> bool:
        """Whether a run is hidden text, directly or by its character or paragraph style."""
        own = child(run, "rPr/vanish")
        if own is not None:
            return is_on(own)
        for identifier in (value(run, "rPr/rStyle"), value(paragraph, "pPr/pStyle") or self._default.get("paragraph")):
            for style in self.chain(identifier):
                toggle = child(style, "rPr/vanish")
                if toggle is not None:
                    return is_on(toggle)
        return False
