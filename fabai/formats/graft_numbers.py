"""List numbering of one Word package carried into another.

Knows numbering.xml: pictures, abstract definitions, numbers, in that order. Does not know body elements.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable

from fabai.formats.package import Package, parse, to_bytes
from fabai.formats.wordml import MC, Element, W, child, remove, value

_SERIAL = 0x5FAB0000


class NumberGraft:
    """`style` gives the target's style id for one of the source's."""

    def __init__(self, target: Package, source: Package, style: Callable[[str], str | None]) -> None:
        self.target, self.source = target, source
        self._style = style
        self._numbers: dict[str, str | None] = {}
        self._abstract: dict[str, str] = {}
        self._highest: int | None = None

    def number(self, identifier: str) -> str | None:
        """The target's number for one of the source's, with its definition; None where the source has none."""
        if identifier == "0":
            return "0"
        if identifier in self._numbers:
            return self._numbers[identifier]
        self._numbers[identifier] = None
        source_part = self.source.related("numbering")
        source = None if source_part is None else self.source.xml(source_part)
        number = None if source is None else with_id(source, "num", "numId", identifier)
        abstract_id = value(number, "abstractNumId")
        if source is None or source_part is None or number is None or abstract_id is None:
            return None
        target_part = self.target.ensure("numbering", "numbering")
        share_prefixes(self.target, target_part, self.source, source_part)
        target = self.target.edit(target_part)
        if abstract_id not in self._abstract:
            abstract = with_id(source, "abstractNum", "abstractNumId", abstract_id)
            if abstract is None:
                return None
            self._add_abstract(target, abstract, abstract_id)
        if self._highest is None:
            self._highest = highest(target.iterchildren(W + "num"), W + "numId")
        self._highest += 1
        new = str(self._highest)
        carried = copy.deepcopy(number)
        carried.tail = None
        carried.set(W + "numId", new)
        reference = child(carried, "abstractNumId")
        if reference is not None:
            reference.set(W + "val", self._abstract[abstract_id])
        # Word ignores definitions that stand in another order than pictures, abstract numbers, numbers
        last = next(target.iterchildren(W + "num", W + "abstractNum", W + "numPicBullet", reversed=True), None)
        if last is None:
            target.insert(0, carried)
        else:
            last.addnext(carried)
        self._numbers[identifier] = new
        return new

    def _add_abstract(self, target: Element, abstract: Element, identifier: str) -> None:
        new = str(1 + highest(target.findall(W + "abstractNum"), W + "abstractNumId", -1))
        carried = copy.deepcopy(abstract)
        carried.tail = None
        carried.set(W + "abstractNumId", new)
        self._abstract[identifier] = new
        serial = child(carried, "nsid")
        if serial is not None:
            # Word merges lists whose serial is the same
            taken = {(value(one, "nsid") or "").upper() for one in target.findall(W + "abstractNum")}
            free = next(one for one in range(_SERIAL, _SERIAL + len(taken) + 1) if f"{one:08X}" not in taken)
            serial.set(W + "val", f"{free:08X}")
        for picture in list(carried.iter(W + "lvlPicBulletId")):
            remove(picture)
        for tag in ("pStyle", "styleLink", "numStyleLink"):
            for reference in list(carried.iter(W + tag)):
                mapped = self._style(reference.get(W + "val") or "")
                if mapped is None:
                    remove(reference)
                else:
                    reference.set(W + "val", mapped)
        place = len(target.findall(W + "numPicBullet")) + len(target.findall(W + "abstractNum"))
        target.insert(place, carried)


def with_id(parent: Element, tag: str, key: str, identifier: str) -> Element | None:
    """The child of a `w:` name whose attribute is the id."""
    return next((one for one in parent.findall(W + tag) if one.get(W + key) == identifier), None)


def highest(elements: Iterable[Element], key: str, lowest: int = 0) -> int:
    """The highest number that an attribute has."""
    numbers = [one.get(key) or "" for one in elements]
    return max((int(one) for one in numbers if re.fullmatch(r"-?\d{1,9}", one)), default=lowest)


def share_prefixes(target: Package, target_part: str, source: Package, source_part: str) -> None:
    """Declare the source's namespace prefixes on the target's root: `mc:Ignorable` and `Requires` name prefixes, not
    namespaces.
    """
    theirs = source.xml(source_part)
    ignorable = (theirs.get(MC + "Ignorable") or "").split()
    required = {one.get("Requires") for one in theirs.iter(MC + "Choice")}
    wanted = [
        prefix for prefix in (*ignorable, *sorted(" ".join(r for r in required if r).split())) if prefix in theirs.nsmap
    ]
    if not wanted:
        return
    ours = target.xml(target_part)
    missing = {prefix: theirs.nsmap[prefix] for prefix in wanted if prefix not in ours.nsmap}
    if MC[1:-1] not in ours.nsmap.values():
        missing["mc"] = MC[1:-1]
    if missing:
        # declared as text and parsed again: moving the children to a new root would take quadratic time
        raw = to_bytes(ours)
        begin = raw.index(b"<", raw.index(b"?>"))
        match = re.compile(rb"<[^\s/>]+").match(raw, begin)
        end = match.end() if match is not None else begin
        declared = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in dict(missing).items()).encode()
        ours = parse(raw[:end] + declared + raw[end:], target_part)
        target.put(target_part, ours)
    known = (ours.get(MC + "Ignorable") or "").split()
    added = [
        one for one in dict.fromkeys(ignorable) if one not in known and ours.nsmap.get(one) == theirs.nsmap.get(one)
    ]
    if added:
        target.edit(target_part).set(MC + "Ignorable", " ".join([*known, *added]))
