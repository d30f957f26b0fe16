"""Which block of a text is which of its source: the same, moved, or edited.

Knows pandoc's tree and its words. Does not know sections or Word.
"""

from __future__ import annotations

import bisect
import difflib
import json
from collections.abc import Mapping, Sequence

from fabai.formats import ast

_ALIKE = 0.3
REACH = 12
"""How many source blocks further on a block is looked for."""
_WORDS = 200
"""Words of a block that tell how alike it is to another."""


def key(tree: ast.Element) -> str:
    return json.dumps(tree, ensure_ascii=False, check_circular=False)


def matched(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """New position by old position, for equal blocks in order and then for blocks that moved.

    Both ends first: of several blocks that say the same, the one in its place is the same one.
    """
    most = min(len(old), len(new))
    head = next((number for number in range(most) if old[number] != new[number]), most)
    tail = next((number for number in range(most - head) if old[-1 - number] != new[-1 - number]), most - head)
    partner = {number: number for number in range(head)}
    partner |= {len(old) - 1 - number: len(new) - 1 - number for number in range(tail)}
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    for match in difflib.SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks():
        partner.update({head + match.a + offset: head + match.b + offset for offset in range(match.size)})
    taken = set(partner.values())
    left: dict[str, list[int]] = {}
    for position, key in enumerate(new):
        if position not in taken:
            left.setdefault(key, []).append(position)
    for position, key in enumerate(old):
        if position not in partner and left.get(key):
            partner[position] = left[key].pop(0)
    return partner


def whole_blocks(before: Sequence[Sequence[ast.Element]], partner: Mapping[int, int]) -> dict[int, int]:
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


def pairs(
    now: Sequence[ast.Element],
    before: Sequence[Sequence[ast.Element]],
    starts: Mapping[int, int],
) -> dict[int, int]:
    """Source block by new position, for blocks that were edited: same kind, similar words, in the same order."""
    covered = {start + offset for owner, start in starts.items() for offset in range(len(before[owner]))}
    free = [(owner, tree, _said(tree)) for owner, trees in enumerate(before) if owner not in starts for tree in trees]
    floors, ceilings = _bounds(len(now), len(before), starts)
    pairs: dict[int, int] = {}
    matcher: difflib.SequenceMatcher[str] = difflib.SequenceMatcher(autojunk=False)
    after = 0
    for position, tree in enumerate(now):
        if position in covered:
            continue
        after = max(after, bisect.bisect_right(free, floors[position], key=_owner))
        end = bisect.bisect_left(free, ceilings[position], key=_owner)
        # what the matcher learns of its second row serves every candidate
        words = _said(tree)
        matcher.set_seq2(words)
        best, best_score = None, _ALIKE
        for number in range(after, min(end, after + REACH)):
            _, old, said = free[number]
            if old["t"] != tree["t"]:
                continue
            matcher.set_seq1(said)
            # of tables and figures without words nothing else can tell
            bare = tree["t"] in ("Table", "Figure") and not (said and words)
            score = 1.0 if bare else _similarity(matcher, best_score)
            if score > best_score:
                best, best_score = number, score
            if best_score == 1:
                break
        if best is not None:
            pairs[position] = free[best][0]
            after = best + 1
    return pairs


def _owner(free: tuple[int, ast.Element, list[str]]) -> int:
    return free[0]


def _said(tree: ast.Element) -> list[str]:
    return ast.text(tree).split()[:_WORDS]


def _bounds(length: int, owners: int, starts: Mapping[int, int]) -> tuple[list[int], list[int]]:
    """For each new position, the last source block kept in front of it and the first kept behind it."""
    by_start = {start: owner for owner, start in starts.items()}
    floors, ceilings = [-1] * length, [owners] * length
    for position in range(1, length):
        floors[position] = max(floors[position - 1], by_start.get(position - 1, -1))
    for position in range(length - 2, -1, -1):
        ceilings[position] = min(ceilings[position + 1], by_start.get(position + 1, owners))
    return floors, ceilings


def _similarity(matcher: difflib.SequenceMatcher[str], floor: float) -> float:
    """Share of words in common and in order, of the matcher's two blocks; 0 where it cannot exceed `floor`."""
    if matcher.real_quick_ratio() <= floor or matcher.quick_ratio() <= floor:
        return 0.0
    return matcher.ratio()
