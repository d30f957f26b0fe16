"""What really changed in a section: its present Markdown against the blocks that it was imported with.

Knows pandoc's tree of both, read by the same reader. Does not know Word; the result says which source blocks stay and
what is new.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fabai import remembered
from fabai.formats import ast, pandoc, plain, sentinels
from fabai.formats.dialect import outside_code
from fabai.formats.document import Block, DocumentSection
from fabai.formats.pairing import REACH, key, matched, pairs, whole_blocks
from fabai.formats.tidy import tidy
from fabai.report import Report, Section
from fabai.settings import ReadingLimits

_GAP = "\n\n"
_NOTE = re.compile(r"\[\^([^\[\]\s]+)\]")
_ADDRESS = re.compile(r"(?m)^ {0,3}\[(?!\^)[^\]\n]+\]:")
_READ: remembered.Kept[bytes] = remembered.kept()
"""The tree of each text, packed: unpacked it takes many times the room of its text."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A source block whose elements stay as they are. `block` may be opaque (no Markdown)."""

    block: Block


@dataclass(frozen=True, slots=True)
class Fresh:
    """Blocks to be rendered. `instead` is the source block that they replace, `before` that block's trees as they were.

    A source block of several trees (the paragraphs of a text box, say) is replaced whole: what is left of them and what
    was edited go out together.
    """

    trees: tuple[ast.Element, ...]
    instead: Block | None = None
    before: tuple[ast.Element, ...] = ()

    @property
    def tree(self) -> ast.Element:
        """The first of the trees; there is one at least."""
        return self.trees[0]


Item = Kept | Fresh


@dataclass(frozen=True, slots=True)
class Change:
    """A section as it goes out. items: in reading order; gone: source blocks that nothing replaces."""

    section: Section
    source: DocumentSection | None
    items: tuple[Item, ...]
    gone: tuple[Block, ...] = ()

    @property
    def heading_kept(self) -> bool:
        """Whether the heading's own elements stay untouched."""
        source = self.source
        same = source is not None and (source.heading, source.level) == (self.section.heading, self.section.level)
        return same and source is not None and bool(source.heading_children)


def changes(report: Report, sources: Mapping[str, DocumentSection], limits: ReadingLimits) -> list[Change]:
    """One Change for each section of the report. A section whose text equals its source's is not read at all."""
    texts: list[str] = []
    middles: dict[str, tuple[int, int]] = {}
    for section in report:
        source = sources.get(section.id)
        if source is None or section.text.strip() != source.text.strip():
            shown = _shown(source)
            head, tail, middle = _same_ends(section.text.strip(), [block.markdown for block in shown])
            middles[section.id] = head, len(shown) - tail
            texts += [middle, *(block.markdown for block in shown[head : len(shown) - tail])]
    trees = iter(read_texts(texts, limits))
    out: list[Change] = []
    for section in report:
        source = sources.get(section.id)
        blocks = () if source is None else source.blocks
        if section.id not in middles:
            out.append(Change(section, source, tuple(Kept(block) for block in blocks)))
            continue
        start, end = (_place(blocks, number) for number in middles[section.id])
        now = next(trees)
        before = [next(trees) for block in blocks[start:end] if block.markdown]
        items, gone = _align(now, blocks[start:end], before)
        around = [[Kept(block) for block in some] for some in (blocks[:start], blocks[end:])]
        out.append(Change(section, source, (*around[0], *items, *around[1]), tuple(gone)))
    return out


def _shown(source: DocumentSection | None) -> list[Block]:
    return [] if source is None else [block for block in source.blocks if block.markdown]


def _same_ends(text: str, blocks: Sequence[str]) -> tuple[int, int, str]:
    """How many blocks open and close the text word for word, and what stands between them.

    One more block at either side stays in the middle: an item that was added to a list must be read with the list.
    """
    head, position = 0, 0
    while head < len(blocks) and text.startswith(blocks[head] + _GAP, position):
        position += len(blocks[head]) + len(_GAP)
        head += 1
    tail, end = 0, len(text)
    while tail < len(blocks) - head and text.endswith(_GAP + blocks[-1 - tail], position, end):
        end -= len(blocks[-1 - tail]) + len(_GAP)
        tail += 1
    if head:
        head -= 1
        position -= len(blocks[head]) + len(_GAP)
    if tail:
        tail -= 1
        end += len(blocks[-1 - tail]) + len(_GAP)
    return head, tail, text[position:end]


def _place(blocks: Sequence[Block], number: int) -> int:
    """Position among all blocks of the shown block of a number; opaque ones go with the shown one before them."""
    shown = [index for index, block in enumerate(blocks) if block.markdown]
    if number >= len(shown):
        return len(blocks)
    return shown[number] if number else 0


def read_texts(texts: Sequence[str], limits: ReadingLimits) -> list[list[ast.Element]]:
    """The tidied blocks of each Markdown text, in few runs of pandoc where no text spills into the next. Those that
    were read before are not read again, unless a text names addresses that another may use.
    """
    known = {} if any(_ADDRESS.search(text) for text in texts) else {text: _READ.get(text, limits) for text in texts}
    new = [plain.pieces(text) for text in texts if known.get(text) is None]
    asked = [(number, piece) for number, some in enumerate(new) for piece in some if isinstance(piece, str)]
    own = [sentinels.unmarked(_own_notes(piece, number)) for number, piece in asked]
    parts = pandoc.abreast(lambda part: _trees(part, limits), own, [len(piece) for _, piece in asked])
    read = (
        tidy(_typed_notes(tree, number) if "[^" in piece else tree, linked="#" in piece)
        for (number, piece), tree in zip(asked, (tree for part in parts for tree in part), strict=True)
    )
    made = iter(new)
    out: list[list[ast.Element]] = []
    for text in texts:
        packed = known.get(text)
        if packed is not None:
            out.append(json.loads(zlib.decompress(packed)))
            continue
        some = next(made)
        out.append([block for piece in some for block in (next(read) if isinstance(piece, str) else [piece])])
        if known and any(isinstance(piece, str) for piece in some):
            _READ.put(text, limits, zlib.compress(json.dumps(out[-1], ensure_ascii=False).encode(), 1))
    return out


def _trees(texts: Sequence[str], limits: ReadingLimits) -> list[list[ast.Element]]:
    if not texts:
        return []
    if len(texts) == 1:
        return [pandoc.to_json(texts[0], pandoc.MARKDOWN, limits)["blocks"]]
    joined = "".join(f"{text}\n\n{sentinels.SEPARATOR}\n\n" for text in texts)
    found = sentinels.groups(pandoc.to_json(joined, pandoc.MARKDOWN, limits)["blocks"])
    if len(found) == len(texts):
        return found
    # a text with an open fence or table swallows its neighbours: halves of the row tell which, in few runs
    middle = len(texts) // 2
    return _trees(texts[:middle], limits) + _trees(texts[middle:], limits)


def _own_notes(text: str, number: int) -> str:
    """Footnote marks made unique to this text: every section may have a note 1."""
    if "[^" not in text:
        return text
    return outside_code(text, lambda prose: _NOTE.sub(rf"[^{number}.\1]", prose))


def _typed_notes(blocks: list[ast.Element], number: int) -> list[ast.Element]:
    """Marks of notes that the text lacks, as they were typed."""
    own = f"[^{number}."
    typed: list[ast.Element] = ast.rewrite(
        blocks, lambda one: [{"t": "Str", "c": one["c"].replace(own, "[^")}], frozenset({"Str"})
    )
    return typed


def _align(
    now: Sequence[ast.Element], blocks: Sequence[Block], before: Sequence[Sequence[ast.Element]]
) -> tuple[list[Item], list[Block]]:
    if not before:
        return _with_opaque([Fresh((tree,)) for tree in now], blocks, {}), []
    shown = [block for block in blocks if block.markdown]
    flat = [(owner, tree) for owner, trees in enumerate(before) for tree in trees]
    old_keys = [key(tree) for _, tree in flat]
    new_keys = [key(tree) for tree in now]
    partner = matched(old_keys, new_keys)
    starts = whole_blocks(before, partner)
    owners = pairs(now, before, starts)
    for number, (owner, _) in enumerate(flat):
        if owner not in starts and number in partner:
            owners[partner[number]] = owner
    items: list[Item] = []
    placed: dict[int, int] = {}
    position = 0
    by_start = {start: owner for owner, start in starts.items()}
    while position < len(now):
        kept = by_start.get(position)
        if kept is not None and before[kept]:
            items.append(Kept(shown[kept]))
            placed[kept] = len(items)
            position += len(before[kept])
            continue
        replaced = owners.get(position)
        end = position + 1
        if replaced is None or replaced in placed:
            items.append(Fresh((now[position],)))
        else:
            end = _end_of(replaced, position, owners, by_start, len(before[replaced]))
            items.append(Fresh(tuple(now[position:end]), shown[replaced], tuple(before[replaced])))
            placed[replaced] = len(items)
        position = end
    gone = [block for owner, block in enumerate(shown) if owner not in placed]
    return _with_opaque(items, blocks, placed), gone


def _end_of(owner: int, start: int, owners: Mapping[int, int], by_start: Mapping[int, int], trees: int) -> int:
    """Behind the last new block that belongs to a source block of several trees, in one piece from `start` on."""
    end = start + 1
    position = end
    while trees > 1 and position not in by_start and owners.get(position, owner) == owner:
        if position in owners:
            end = position + 1
        elif position - start >= trees + REACH:
            break
        position += 1
    return end


def _with_opaque(items: list[Item], blocks: Sequence[Block], placed: Mapping[int, int]) -> list[Item]:
    """Opaque source blocks put back behind the block that they stood behind."""
    behind: dict[int, list[Item]] = {}
    place, owner = 0, -1
    for block in blocks:
        if block.markdown:
            owner += 1
            place = placed.get(owner, place)
        else:
            behind.setdefault(place, []).append(Kept(block))
    out: list[Item] = list(behind.get(0, []))
    for index, item in enumerate(items, start=1):
        out.append(item)
        out += behind.get(index, [])
    return out
