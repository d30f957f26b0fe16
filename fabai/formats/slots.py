"""A Word file to be filled in by somebody else: each section's place marked, so that its text finds back.

Knows hidden bookmarks, which Word and LibreOffice keep when a heading is renamed, and the grey boxes of guidance, which
are taken out when the file comes back. Does not know who fills it in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from fabai.formats.package import Package
from fabai.formats.wordbody import heading_levels, styles_of, toc_children
from fabai.formats.wordml import Element, W, add, add_text, element, remove

_SLOT = "_fabai_s_"
_BOX = "_fabai_g_"
_PACK = "_fabai_p_"
_GREY = "EDEDED"


@dataclass(frozen=True, slots=True)
class Slots:
    """places: section id -> position of its heading among the body's children. pack: id of the pack that the file was
    made as, "" for a file of other origin.
    """

    places: Mapping[str, int]
    pack: str = ""


def section_mark(section_id: str) -> str:
    """The bookmark of a section: letters, digits and underscores, at most 40."""
    return _SLOT + sha256(section_id.encode()).hexdigest()[:20]


def mark_slots(data: bytes, section_ids: Sequence[str], boxes: Mapping[str, Sequence[str]], pack: str) -> bytes:
    """The file with a mark at the heading of each section, in their order, and a box of lines under it. A line that
    begins with '• ' is an item; the first line of a box is bold.
    """
    package = Package(data)
    styles = styles_of(package)
    body = package.body
    package.edit(package.document)
    levels = heading_levels(body, styles, toc_children(body, styles))
    headings = [list(body)[index] for index in sorted(levels)]
    if len(headings) < len(section_ids):
        raise ValueError("the file has fewer headings than sections")
    number = 9_000
    for section_id, heading in zip(section_ids, headings, strict=False):
        number = _bookmark(heading, section_mark(section_id), number)
        if boxes.get(section_id):
            box = _box(boxes[section_id], _BOX + section_mark(section_id)[len(_SLOT) :], number)
            number += 1
            heading.addnext(box)
            # two tables would grow together, and a person needs a line to write on
            box.addnext(element("p"))
    _bookmark(headings[0], _PACK + pack, number)
    return package.save()


def _bookmark(heading: Element, name: str, number: int) -> int:
    start = element("bookmarkStart", id=number, name=name)
    end = element("bookmarkEnd", id=number)
    first = next((index for index, one in enumerate(heading) if one.tag != W + "pPr"), len(heading))
    heading.insert(first, start)
    heading.append(end)
    return number + 1


def _box(lines: Sequence[str], name: str, number: int) -> Element:
    table = element("tbl")
    properties = add(table, "tblPr")
    add(properties, "tblW", w=5000, type="pct")
    borders = add(properties, "tblBorders")
    for side in ("top", "left", "bottom", "right"):
        add(borders, side, val="single", sz=4, space=0, color="BFBFBF")
    add(properties, "tblLook", val="0000")
    grid = add(table, "tblGrid")
    add(grid, "gridCol", w=9072)
    cell = add(add(table, "tr"), "tc")
    cell_properties = add(cell, "tcPr")
    add(cell_properties, "tcW", w=5000, type="pct")
    add(cell_properties, "shd", val="clear", color="auto", fill=_GREY)
    for index, line in enumerate(lines):
        paragraph = add(cell, "p")
        paragraph_properties = add(paragraph, "pPr")
        add(paragraph_properties, "spacing", before=20, after=20)
        if line.startswith("• "):
            add(paragraph_properties, "ind", left=284, hanging=170)
        if index == 0:
            paragraph.append(element("bookmarkStart", id=number, name=name))
            paragraph.append(element("bookmarkEnd", id=number))
        run = add(paragraph, "r")
        run_properties = add(run, "rPr")
        if index == 0:
            add(run_properties, "b")
        add(run_properties, "sz", val=18)
        add_text(run, line)
    return table


def read_slots(package: Package) -> Slots:
    """Where the marks of a returned file are; also of one whose headings were renamed."""
    places: dict[str, int] = {}
    pack = ""
    for number, one in enumerate(package.body):
        for mark in one.iter(W + "bookmarkStart"):
            name = mark.get(W + "name") or ""
            if name.startswith(_SLOT):
                places.setdefault(name, number)
            elif name.startswith(_PACK):
                pack = name.removeprefix(_PACK)
    return Slots(places, pack)


def drop_boxes(package: Package) -> None:
    """Take the boxes of guidance out, in place, and the empty line under each."""
    marked = [mark for mark in package.body.iter(W + "bookmarkStart") if (mark.get(W + "name") or "").startswith(_BOX)]
    if not marked:
        return
    package.edit(package.document)
    for mark in marked:
        table = mark.getparent()
        while table is not None and table.tag != W + "tbl":
            table = table.getparent()
        if table is None:
            # the box was turned into text: its first line at least is known
            paragraph = mark.getparent()
            if paragraph is not None:
                remove(paragraph)
            continue
        line = table.getnext()
        remove(table)
        if line is not None and line.tag == W + "p" and _is_bare(line):
            remove(line)


def _is_bare(line: Element) -> bool:
    """Whether a paragraph has no words, pictures, tracked changes or section break."""
    kept = (W + "t", W + "drawing", W + "ins", W + "del", W + "sectPr")
    return not any(one.tag != W + "t" or (one.text or "").strip() for one in line.iter(*kept))
