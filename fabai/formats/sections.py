"""Blocks of a pandoc tree to Markdown, one text for each block, and to the sections of a Document.

Knows how to render many blocks in one run of pandoc and how to prove that each reads back as it was. Does not know file
formats; headings are settled before (`fabai.formats.headings`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fabai.formats import ast, pandoc
from fabai.formats.ast import Element
from fabai.formats.dialect import LIST_BREAK
from fabai.formats.document import Block, DocumentSection
from fabai.formats.tidy import link_targets, tidy_block
from fabai.settings import ReadingLimits

_MARK = "\ue01fblock\ue01f"
_YEAR = r"(?m:^(\d{3,})\\([.)])(?= ))"
_NEEDLESS = (re.compile(rf"\\([$<>'\"#@_*|~^&\[\]])|{_YEAR}"), re.compile(rf"\\([$<>])|{_YEAR}"))
"""Backslashes that may be needless: first all of them are tried, then those that mostly are."""

_CODE = re.compile(r"(?m)^[ >]*```|`")
_MAX_LEVEL = 9


def render(blocks: Sequence[Element], limits: ReadingLimits) -> list[str]:
    """The Markdown of each block, in one run of pandoc; notes stand under the block that calls them.

    Backslashes that the dialect can do without are left out where a second run proves that the block reads the same.
    """
    if not blocks:
        return []
    strict = _render(blocks, limits)
    texts = list(strict)
    wanted = {index: [blocks[index]] for index, text in enumerate(strict) if "\\" in text}
    for pattern in _NEEDLESS:
        tried = {index: _without(pattern, strict[index]) for index in wanted}
        tried = {index: text for index, text in tried.items() if text != strict[index]}
        doubtful = _differing(tried, wanted, limits)
        # a block that does not come back as it went out in either form is judged by what the strict form gives
        for index, found in zip(doubtful, _parse([strict[index] for index in doubtful], limits), strict=True):
            wanted[index] = found
        doubtful = _differing({index: tried[index] for index in doubtful}, wanted, limits)
        for index in tried.keys() - set(doubtful):
            texts[index] = tried[index]
        wanted = {index: wanted[index] for index in doubtful}
    return texts


def _differing(texts: dict[int, str], wanted: dict[int, list[Element]], limits: ReadingLimits) -> list[int]:
    """The indices whose text does not read as the blocks that are wanted of it."""
    found = zip(texts, _parse(list(texts.values()), limits), strict=True)
    return [index for index, blocks in found if blocks != wanted[index]]


def _render(blocks: Sequence[Element], limits: ReadingLimits) -> list[str]:
    mark = {"t": "Para", "c": [{"t": "Str", "c": _MARK}]}
    marked = [element for block in blocks for element in (block, mark)]
    text = pandoc.to_markdown(marked, limits)
    return [piece.strip("\n") for piece in text.split(_MARK)[:-1]]


def _parse(texts: Sequence[str], limits: ReadingLimits) -> list[list[Element]]:
    """What pandoc reads in each text, read together."""
    if not texts:
        return []
    tree = pandoc.to_json("".join(f"{text}\n\n{_MARK}\n\n" for text in texts), pandoc.MARKDOWN, limits)
    groups: list[list[Element]] = [[]]
    for block in tree["blocks"]:
        if block["t"] == "Para" and block["c"] == [{"t": "Str", "c": _MARK}]:
            groups.append([])
        else:
            groups[-1].append(block)
    return [*groups[: len(texts)], *([[]] * (len(texts) - len(groups)))]


def _without(pattern: re.Pattern[str], text: str) -> str:
    # the columns of a table stand where they stand: a character less in a cell would move them
    if _CODE.search(text) or text.startswith(("+", "|")):
        return text
    return pattern.sub(lambda match: match[1] or f"{match[2]}{match[3]}", text)


def sections(
    blocks: Sequence[Element], limits: ReadingLimits, children: Sequence[tuple[int, ...]] | None = None
) -> tuple[DocumentSection, ...]:
    """The sections of a tree whose headings are settled; `children` gives, for each block, where it stood in Word's
    body.

    A heading's footnotes and pictures become the first paragraph of its section; a heading without words is left out.
    """
    places = [()] * len(blocks) if children is None else list(children)
    targets = link_targets(list(blocks))
    flat: list[tuple[Element, tuple[int, ...]]] = []
    for block, place in zip(blocks, places, strict=True):
        # only the first of the blocks that one becomes carries its place: a child is exported once
        for number, one in enumerate(tidy_block(block, targets)):
            flat.append((one, place if number == 0 else ()))
    texts = render([_body(block) for block, _ in flat], limits)
    found: list[_Open] = [_Open("", 0, ())]
    for (block, place), text in zip(flat, texts, strict=True):
        heading = ast.text(block["c"][2]) if block["t"] == "Header" else ""
        if heading:
            found.append(_Open(heading, min(max(block["c"][0], 1), _MAX_LEVEL), place))
        if text:
            found[-1].add(block, text, () if heading else place)
    return tuple(one.close() for one in found if one.level or one.blocks)


def _body(block: Element) -> Element:
    """What of a block belongs to the text: of a heading only its notes and pictures."""
    if block["t"] != "Header":
        return block
    return {"t": "Para", "c": [one for one in ast.walk(block["c"][2]) if one["t"] in ("Note", "Image")]}


class _Open:
    """A section that is being filled."""

    def __init__(self, heading: str, level: int, children: tuple[int, ...]) -> None:
        self.heading, self.level, self.children = heading, level, children
        self.blocks: list[Block] = []
        self._last: Element | None = None

    def add(self, block: Element, text: str, children: tuple[int, ...]) -> None:
        if self._last is not None and ast.is_list(block) and block["t"] == self._last["t"]:
            text = f"{LIST_BREAK}\n\n{text}"
        self._last = block
        self.blocks.append(Block(text, children))

    def close(self) -> DocumentSection:
        return DocumentSection(self.heading, self.level, tuple(self.blocks), self.children)
