"""What really changed in a section: its present Markdown against the blocks that it was imported with.

Knows pandoc's tree of both, read by the same reader. Does not know Word; the result says which source blocks stay and
what is new.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fabai.formats import ast, pandoc, sentinels
from fabai.formats.dialect import outside_code
from fabai.formats.document import Block, DocumentSection
from fabai.formats.tidy import tidy
from fabai.report import Report, Section
from fabai.settings import ReadingLimits

_ALIKE = 0.3
_REACH = 12
"""How many source blocks further on a block is looked for."""
_WORDS = 200
"""Words of a block that tell how alike it is to another."""
_GAP = "\n\n"
_NOTE = re.compile(r"\[\^([^\]\s]+)\]")


@dataclass(frozen=True, slots=True)
class Kept:
    """A source block whose elements stay as they are. `block` may be opaque (no Markdown)."""

    block: Block


@dataclass(frozen=True, slots=True)
class Fresh:
    """A block to be rendered. `instead` is the source block that it replaces, with that block's tree as it was."""

    tree: ast.Element
    instead: Block | None = None
    before: ast.Element | None = None


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
    """The tidied blocks of each Markdown text, in one run of pandoc where no text spills into the next."""
    if not texts:
        return []
    joined = "".join(f"{_own_notes(text, number)}\n\n{sentinels.SEPARATOR}\n\n" for number, text in enumerate(texts))
    trees = sentinels.groups(pandoc.to_json(joined, pandoc.MARKDOWN, limits)["blocks"])
    if len(trees) != len(texts):
        # a text with an open fence or table swallows its neighbours: each is read alone
        trees = [pandoc.to_json(text, pandoc.MARKDOWN, limits)["blocks"] for text in texts]
    return [tidy(tree) for tree in trees]


def _own_notes(text: str, number: int) -> str:
    """Footnote marks made unique to this text: every section may have a note 1."""
    if "[^" not in text:
        return text
    return outside_code(text, lambda prose: _NOTE.sub(rf"[^{number}.\1]", prose))


def _align(
    now: Sequence[ast.Element], blocks: Sequence[Block], before: Sequence[Sequence[ast.Element]]
) -> tuple[list[Item], list[Block]]:
    shown = [block for block in blocks if block.markdown]
    flat = [(owner, tree) for owner, trees in enumerate(before) for tree in trees]
    old_keys = [_key(tree) for _, tree in flat]
    new_keys = [_key(tree) for tree in now]
    partner = _matched(old_keys, new_keys)
    starts = _whole_blocks(before, partner)
    pairs = _pairs(now, before, starts)
    items: list[Item] = []
    placed: dict[int, int] = {}
    position = 0
    by_start = {start: owner for owner, start in starts.items()}
    while position < len(now):
        owner = by_start.get(position)
        if owner is not None and before[owner]:
            items.append(Kept(shown[owner]))
            placed[owner] = len(items)
            position += len(before[owner])
            continue
        replaced = pairs.get(position)
        if replaced is None:
            items.append(Fresh(now[position]))
        else:
            tree = before[replaced][0] if len(before[replaced]) == 1 else None
            items.append(Fresh(now[position], shown[replaced], tree))
            placed[replaced] = len(items)
        position += 1
    gone = [block for owner, block in enumerate(shown) if owner not in placed]
    return _with_opaque(items, blocks, placed), gone


def _key(tree: ast.Element) -> str:
    return json.dumps(tree, sort_keys=True, ensure_ascii=False)


def _matched(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """New position by old position, for equal blocks in order and then for blocks that moved."""
    partner: dict[int, int] = {}
    for match in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        partner.update({match.a + offset: match.b + offset for offset in range(match.size)})
    taken = set(partner.values())
    left: dict[str, list[int]] = {}
    for position, key in enumerate(new):
        if position not in taken:
            left.setdefault(key, []).append(position)
    for position, key in enumerate(old):
        if position not in partner and left.get(key):
            partner[position] = left[key].pop(0)
    return partner


def _whole_blocks(before: Sequence[Sequence[ast.Element]], partner: Mapping[int, int]) -> dict[int, int]:
    """Start among the new blocks of every source block that is there whole and in one piece."""
    starts: dict[int, int] = {}
    position = 0
    for owner, trees in enumerate(before):
        found = [partner.get(position + offset) for offset in range(len(trees))]
        first = found[0] if found else None
        if first is not None and found == list(range(first, first + len(trees))):
            starts[owner] = first
        position += len(trees)
    return starts


def _pairs(
    now: Sequence[ast.Element],
    before: Sequence[Sequence[ast.Element]],
    starts: Mapping[int, int],
) -> dict[int, int]:
    """Source block by new position, for blocks that were edited: same kind, similar words, in the same order."""
    covered = {start + offset for owner, start in starts.items() for offset in range(len(before[owner]))}
    free_old = [owner for owner in range(len(before)) if owner not in starts and before[owner]]
    pairs: dict[int, int] = {}
    after = -1
    for position, tree in enumerate(now):
        if position in covered:
            continue
        floor = max((owner for owner, start in starts.items() if start < position), default=-1)
        ceiling = min((owner for owner, start in starts.items() if start > position), default=len(before))
        best, best_score = None, _ALIKE
        near = [owner for owner in free_old if max(after, floor) < owner < ceiling][:_REACH]
        for owner in near:
            if before[owner][0]["t"] != tree["t"]:
                continue
            score = _similarity(before[owner][0], tree, best_score)
            if score > best_score:
                best, best_score = owner, score
        if best is not None:
            pairs[position] = best
            after = best
    return pairs


def _similarity(one: ast.Element, other: ast.Element, floor: float) -> float:
    """Share of words in common and in order; 0 where it cannot exceed `floor`."""
    a, b = ast.text(one).split()[:_WORDS], ast.text(other).split()[:_WORDS]
    if one["t"] == other["t"] and one["t"] in ("Table", "Figure") and (not a or not b):
        return 1.0
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    if matcher.real_quick_ratio() <= floor or matcher.quick_ratio() <= floor:
        return 0.0
    return matcher.ratio()


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
