"""The table of contents of a Word file: a field with its entries already in it, for readers that update nothing.

Knows headings in a body and how Word builds a TOC field.
Does not know where page numbers come from (fabai.formats.pages).
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass

from fabai.formats.graft_styles import new_style
from fabai.formats.inert import fields
from fabai.formats.newstyles import make_style
from fabai.formats.package import Package
from fabai.formats.styles import Styles
from fabai.formats.wordbody import heading_levels, toc_children
from fabai.formats.wordml import (
    SETTINGS_AFTER_UPDATE,
    Element,
    W,
    add,
    add_text,
    child,
    element,
    squeezed,
    text_of,
    value,
)
from fabai.report import Language

WORDS: dict[Language, str] = {"es": "Índice", "ca": "Índex", "en": "Contents"}
HEADINGS = frozenset(
    {
        "indice",
        "index",
        "indice general",
        "index general",
        "indice de contenidos",
        "contents",
        "table of contents",
        "tabla de contenido",
        "tabla de contenidos",
        "taula de continguts",
        "sumario",
        "sumari",
    }
)
"""What documents call their table of contents, folded."""

_LEVELS = re.compile(r'\\o\s+"?\d-(\d)')
_ENTRY_PREFIX = "_Toc5fab"


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading that the table of contents lists. page: as printed, None where unknown."""

    paragraph: Element
    level: int
    text: str
    page: int | None = None


def entries(body: Element, styles: Styles, deepest: int) -> list[Entry]:
    """The headings down to a level, in order."""
    levels = heading_levels(body, styles, toc_children(body, styles))
    children = list(body)
    return [
        Entry(children[index], level, squeezed(text_of(children[index])))
        for index, level in levels.items()
        if level <= deepest
    ]


def insert(
    package: Package, styles: Styles, language: Language, place: int, found: Sequence[Entry], deepest: int
) -> int:
    """Put a titled table of contents at a place of the body; returns the number of paragraphs put there."""
    if not found:
        return 0
    title = element("p")
    properties = add(title, "pPr")
    add(properties, "pStyle", val=_style(package, styles, "toc heading"))
    add_text(add(title, "r"), WORDS[language])
    made = [title, *_entries(package, styles, found, f' TOC \\o "1-{deepest}" \\h \\z \\u ')]
    body = package.edit(package.document).find(W + "body")
    if body is None:
        return 0
    for offset, paragraph in enumerate(made):
        body.insert(place + offset, paragraph)
    update_fields(package)
    return len(made)


def refresh(package: Package, styles: Styles) -> bool:
    """Fill the table of contents that is there anew; False where there is none or its shape is unusual.

    Entries whose heading is still there keep their look and page; Word brings all pages up to date when it opens the
    file.
    """
    found = next((one for one in fields(package.body) if one.kind == "TOC" and "\\c" not in one.code), None)
    if found is None:
        return False
    update_fields(package)
    first, last = _paragraph(found.marks[0]), _paragraph(found.marks[-1])
    parent = None if first is None else first.getparent()
    if first is None or last is None or parent is None or last.getparent() is not parent or first is last:
        return False
    match = _LEVELS.search(found.code)
    listed = entries(package.body, styles, int(match[1]) if match else 3)
    if not listed:
        return False
    start, end = parent.index(first), parent.index(last)
    old = list(parent)[start : end + 1]
    keep_last = not squeezed(text_of(last))
    pages = _known_pages(old)
    with_pages: list[Entry] = []
    page = 1
    for one in listed:
        # until Word counts, a new heading is taken to stand on the page of the one before it
        page = pages.get(one.text, page)
        with_pages.append(Entry(one.paragraph, one.level, one.text, page))
    new = _entries(package, styles, with_pages, found.code, looks=_looks(old, styles))
    package.edit(package.document)
    for stale in old[:-1] if keep_last else old:
        parent.remove(stale)
    if keep_last:
        for mark in found.marks:
            if mark.getparent() is not None and _paragraph(mark) is last:
                holder = mark.getparent()
                if holder is not None:
                    holder.remove(mark)
    for offset, paragraph in enumerate(new):
        parent.insert(start + offset, paragraph)
    return True


def set_pages(package: Package, pages: Sequence[int | None]) -> None:
    """Write page numbers into the entries that `insert` made, in order."""
    shown = [
        one
        for hyperlink in package.edit(package.document).iter(W + "hyperlink")
        if (hyperlink.get(W + "anchor") or "").startswith(_ENTRY_PREFIX)
        for one in list(hyperlink.iter(W + "t"))[-1:]
    ]
    for text, page in zip(shown, pages, strict=False):
        if page is not None:
            text.text = str(page)


def update_fields(package: Package) -> None:
    """Ask Word to bring fields up to date when it opens the file."""
    settings = package.edit(package.ensure("settings", "settings"))
    old = child(settings, "updateFields")
    if old is not None:
        settings.remove(old)
    after = {W + name for name in SETTINGS_AFTER_UPDATE}
    place = next(
        (index for index, one in enumerate(settings) if one.tag in after or not str(one.tag).startswith(W)),
        len(settings),
    )
    settings.insert(place, element("updateFields", val="true"))


def _style(package: Package, styles: Styles, name: str) -> str:
    found = styles.find("paragraph", name)
    if found is not None:
        return found
    style = make_style("paragraph", name)
    if style is None:
        style = new_style("paragraph", name.title().replace(" ", ""), name, "default")
    based = child(style, "basedOn")
    default = styles.default("paragraph")
    if based is not None:
        if default is None:
            style.remove(based)
        else:
            del based.attrib["name"]
            based.set(W + "val", default)
    package.edit(package.ensure("styles", "styles")).append(style)
    styles.learn(style)
    return style.get(W + "styleId") or name


def _entries(
    package: Package,
    styles: Styles,
    found: Sequence[Entry],
    code: str,
    looks: dict[int, Element] | None = None,
) -> list[Element]:
    body = package.body
    taken = [one.get(W + "id") or "0" for one in body.iter(W + "bookmarkStart")]
    identifier = max((int(one) for one in taken if one.isdigit()), default=0)
    out: list[Element] = []
    for number, entry in enumerate(found):
        identifier += 1
        name = _bookmark(entry.paragraph, number, identifier)
        paragraph = element("p")
        look = (looks or {}).get(min(entry.level, 9))
        if look is not None:
            paragraph.append(copy.deepcopy(look))
        else:
            add(add(paragraph, "pPr"), "pStyle", val=_style(package, styles, f"toc {min(entry.level, 9)}"))
        if number == 0:
            _mark(paragraph, "begin")
            add_text(add(paragraph, "r"), code, "instrText")
            _mark(paragraph, "separate")
        link = add(paragraph, "hyperlink", anchor=name, history=1)
        add_text(add(link, "r"), entry.text)
        add(add(link, "r"), "tab")
        _mark(link, "begin")
        add_text(add(link, "r"), f" PAGEREF {name} \\h ", "instrText")
        _mark(link, "separate")
        add_text(add(link, "r"), str(entry.page or 1))
        _mark(link, "end")
        if number == len(found) - 1:
            _mark(paragraph, "end")
        out.append(paragraph)
    return out


def _mark(parent: Element, kind: str) -> None:
    add(add(parent, "r"), "fldChar", fldCharType=kind)


def _bookmark(paragraph: Element, number: int, identifier: int) -> str:
    name = f"{_ENTRY_PREFIX}{number:04d}"
    for old in paragraph.findall(W + "bookmarkStart"):
        if (old.get(W + "name") or "").startswith("_Toc"):
            return old.get(W + "name") or name
    place = 1 if child(paragraph, "pPr") is not None else 0
    paragraph.insert(place, element("bookmarkStart", id=identifier, name=name))
    paragraph.append(element("bookmarkEnd", id=identifier))
    return name


def _paragraph(mark: Element) -> Element | None:
    return next(mark.iterancestors(W + "p"), None)


def _known_pages(paragraphs: Sequence[Element]) -> dict[str, int]:
    pages: dict[str, int] = {}
    for one in paragraphs:
        words, _, page = text_of(one).rpartition("\t")
        if page.strip().isdigit():
            pages[squeezed(words)] = int(page)
    return pages


def _looks(paragraphs: Sequence[Element], styles: Styles) -> dict[int, Element]:
    looks: dict[int, Element] = {}
    for one in paragraphs:
        match = re.fullmatch(r"toc (\d)", styles.name(value(one, "pPr/pStyle")))
        properties = child(one, "pPr")
        if match is not None and properties is not None:
            looks.setdefault(int(match[1]), properties)
    return looks
