"""Styles of one Word package found, or added, in another, by type and name.

Knows style tables. Does not know body elements.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable

from lxml import etree

from fabai.formats.package import Package
from fabai.formats.wordbody import styles_of
from fabai.formats.wordml import Element, W, add, child, element

StyleMaker = Callable[[str, str], Element | None]
"""Gives, for a style's type and lower-cased name, the style to add where the target has none; None to copy the
source's.
"""


class StyleGraft:
    """`number` gives the target's list number for one of the source's; it is set once both grafts are there."""

    def __init__(
        self,
        target: Package,
        source: Package,
        make_style: StyleMaker | None,
        plain: Iterable[str],
        renamed: dict[tuple[str, str], str],
    ) -> None:
        self.target = target
        self.number: Callable[[str], str | None] = lambda identifier: identifier
        self._make_style = make_style
        self._plain = frozenset(plain)
        self._renamed = renamed
        self._part = target.ensure("styles", "styles")
        self.styles = styles_of(target)
        self._source_styles = styles_of(source)
        self._ids: dict[str, str | None] = {}

    def style(self, identifier: str) -> str | None:
        """The target's id for one of the source's styles, added there where it is missing; None for ordinary text."""
        if identifier in self._ids:
            return self._ids[identifier]
        style = self._source_styles.get(identifier)
        if style is None:
            self._ids[identifier] = None
            return None
        kind = style.get(W + "type") or "paragraph"
        name = self._source_styles.name(identifier)
        name = self._renamed.get((kind, name), name)
        default = (style.get(W + "default") or "").lower() in ("1", "true", "on")
        found = self.styles.find(kind, name)
        if kind == "paragraph" and name in self._plain:
            self._ids[identifier] = None
        elif found is not None:
            self._ids[identifier] = found
        elif default and kind != "table":
            self._ids[identifier] = None
        else:
            self._ids[identifier] = self._add_style(style, identifier, kind, name)
        return self._ids[identifier]

    def named_style(self, kind: str, name: str) -> str | None:
        """The target's style of that name, made by `make_style` where it is missing and can be made."""
        found = self.styles.find(kind, name)
        if found is None and self._make_style is not None:
            made = self._make_style(kind, name)
            if made is not None:
                return self._append_style(made)
        return found

    def _add_style(self, style: Element, identifier: str, kind: str, name: str) -> str:
        made = None if self._make_style is None else self._make_style(kind, name)
        if made is not None:
            return self._append_style(made)
        carried = copy.deepcopy(style)
        if W + "default" in carried.attrib:
            del carried.attrib[W + "default"]
        new = self._append_style(carried)
        self._ids[identifier] = new
        # a style that is linked or followed by itself in a circle must be known before its references are resolved
        for tag in ("basedOn", "next", "link"):
            for reference in carried.findall(W + tag):
                mapped = self.style(reference.get(W + "val") or "")
                if mapped is None:
                    carried.remove(reference)
                else:
                    reference.set(W + "val", mapped)
        for number in list(carried.iter(W + "numId")):
            number.set(W + "val", self.number(number.get(W + "val") or "0") or "0")
        return new

    def _append_style(self, style: Element) -> str:
        base = style.get(W + "styleId") or "Style"
        identifier, number = base, 1
        while identifier in self.styles:
            identifier, number = f"{base}{number}", number + 1
        style.set(W + "styleId", identifier)
        self.target.edit(self._part).append(style)
        self.styles.learn(style)
        # a style of our own making names its parents by style name
        for tag in ("basedOn", "next", "link"):
            reference = child(style, tag)
            wanted = None if reference is None else reference.get("name")
            if reference is not None and wanted is not None:
                kind = style.get(W + "type") or "paragraph"
                found = self.styles.default(kind) if wanted == "default" else self.named_style(kind, wanted)
                if found is None:
                    style.remove(reference)
                else:
                    del reference.attrib["name"]
                    reference.set(W + "val", found)
        return identifier


def new_style(kind: str, identifier: str, name: str, based_on: str | None = None) -> Element:
    """A style element; `based_on` is a style's name, or "default", resolved when the style is added to a table."""
    style = element("style", type=kind, styleId=identifier)
    add(style, "name", val=name)
    if based_on is not None:
        etree.SubElement(style, W + "basedOn").set("name", based_on)
    return style
