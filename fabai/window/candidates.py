"""The sections that a window may show, each with its size and its distance from the one being written.

Knows how a section is rendered at a given number of tokens. Does not know how tokens are shared out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from functools import lru_cache
from operator import attrgetter, eq, is_
from typing import NamedTuple, cast

from fabai.report import TYPED_NUMBER, Language, Report, Section
from fabai.window.counts import Counts, Same
from fabai.window.cut import Keep
from fabai.window.layout import GAP
from fabai.window.parts import Parts
from fabai.window.piece import Piece, State
from fabai.window.shown import shown

_LEAST = (48, 96, 192, 384, 768, 1536)
"""Sizes at which the least that can be shown of a section is sought, in tokens."""
_HIDDEN = "its share holds no sentence; its heading stands in the list"


class Sized(NamedTuple):
    """A section ready to be shown. front, behind: the first values of its `Candidate` where it stands in front of, or
    behind, the section being written.
    """

    section: Section
    text: str
    front: tuple[object, ...]
    behind: tuple[object, ...]


class Candidate(NamedTuple):
    """A section other than the one being written. block: its heading line and text; tokens: of the block and the gap
    behind it. hidden: the piece that shows nothing of it.

    floor: fewest tokens at which something of it can be shown: its summary, else one whole piece of its text.
    distance: 0 for the nearest on either side, counted over sections that have text. later: it stands behind the one
    being written. needed: the form says that the one being written builds on it. due: it stands behind, still with its
    imported text, while the nearest in front is new: whoever rewrites a past report in order will replace it.
    """

    section: Section
    head: str
    text: str
    block: str
    tokens: int
    summary: str
    digest: str
    hidden: Piece
    floor: int
    distance: int
    later: bool
    needed: bool
    due: bool

    @property
    def keep(self) -> Keep:
        """The end of the text that lies nearer to the section being written."""
        return "start" if self.later else "end"


def candidates(
    report: Report,
    section_id: str,
    counts: Counts,
    parts: Parts,
    *,
    needs: Collection[str] = (),
    excluded: Collection[str] = (),
    summaries: Mapping[str, str] | None = None,
) -> list[Candidate]:
    """Every other section with text that is not excluded, in document order. needs: ids of specs."""
    here = report.index(section_id)
    ones = _all(report, summaries or {}, counts, parts)
    before, after = (
        [one for one in side if one.text and not (excluded and one.section.id in excluded)]
        for side in (ones[:here], ones[here + 1 :])
    )
    rewritten = bool(before) and before[-1].section.status != "imported"
    # `_make` does what its own constructor does, quicker: a long report has some hundreds for each window
    found = [
        _make((*one.front, distance, False, bool(needs) and one.section.spec in needs, False))
        for distance, one in zip(range(len(before) - 1, -1, -1), before, strict=True)
    ]
    for distance, one in enumerate(after):
        needed = one.section.spec in needs
        due = rewritten and not needed and one.section.status == "imported"
        found.append(_make((*one.behind, distance, True, needed, due)))
    return found


_make = Candidate._make


class _Known(NamedTuple):
    """The sections as they were sized last."""

    sections: tuple[Section, ...]
    lines: tuple[str, ...]
    summaries: Mapping[str, str]
    language: Language
    ones: list[Sized]


def _all(report: Report, summaries: Mapping[str, str], counts: Counts, parts: Parts) -> list[Sized]:
    sections, lines = report.sections, heading_lines(report)
    known = counts.latest.get("sized")
    if not isinstance(known, _Known) or known.language != parts.language:
        known = _Known((), (), summaries, parts.language, [])
    # a section that is written has a summary that it did not have: the others stay as they were sized
    before = known.summaries
    told = before.keys() | summaries.keys() if before != summaries else ()
    retold = {one for one in told if before.get(one) != summaries.get(one)}
    if known.sections is sections and not retold:
        return known.ones
    ones = known.ones[: len(sections)]
    same = zip(map(is_, known.sections, sections), map(eq, known.lines, lines), strict=True)
    changed = [index for index, alike in enumerate(same) if alike != (True, True) or sections[index].id in retold]
    for index in (*changed, *range(len(ones), len(sections))):
        section = sections[index]
        ones[index : index + 1] = [_sized(section, lines[index], summaries.get(section.id, ""), counts, parts)]
    counts.latest["sized"] = _Known(sections, lines, dict(summaries), parts.language, ones)
    return ones


def show(candidate: Candidate, tokens: int, counts: Counts, parts: Parts, keep: Keep | None = None) -> Piece:
    """The section at no more than `tokens`: whole, cut, its summary, or only its heading in the list of headings."""
    if tokens < candidate.floor:
        return candidate.hidden
    text, state = _text(candidate, tokens, counts, parts, keep or candidate.keep)
    if not text:
        return candidate.hidden
    size = candidate.tokens if state == "full" else counts.count(text + GAP)
    return Piece("section", text, size, candidate.tokens, state, _reason(candidate, state), candidate.section.id)


def heading_line(section: Section, number: str) -> str:
    """The heading with its outline number, unless its author typed one; composed; "" for the text before the first
    heading.
    """
    heading = shown(section.heading)
    return heading if not number or TYPED_NUMBER.match(heading) else f"{number} {heading}".strip()


def heading_lines(report: Report) -> tuple[str, ...]:
    """`heading_line` of every section; the same object for the same outline, while it is among the last few asked."""
    return _lines_of(Same(report.sections))


_OUTLINE = attrgetter("level", "heading")


@lru_cache(maxsize=8)
def _lines_of(sections: Same) -> tuple[str, ...]:
    found = cast(tuple[Section, ...], sections.value)
    return _lines(tuple(map(_OUTLINE, found)))


@lru_cache(maxsize=32)
def _lines(outline: tuple[tuple[int, str], ...]) -> tuple[str, ...]:
    bare = Report("", "es", tuple(Section("", heading, level) for level, heading in outline))
    return tuple(heading_line(section, number) for section, number in zip(bare, bare.numbers(), strict=True))


def _sized(section: Section, line: str, summary: str, counts: Counts, parts: Parts) -> Sized:
    key = ("sized", section, line, summary, parts.language)
    return counts.remember(key, lambda: _size(section, line, shown(summary), counts, parts))


def _size(section: Section, line: str, summary: str, counts: Counts, parts: Parts) -> Sized:
    head = f"{'#' * max(1, section.level)} {line}".rstrip(" #")
    text = shown(section.text)
    block = _render(head, text)
    tokens = counts.count(block + GAP)
    digest = hashlib.sha256(f"{block}\0{summary}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    hidden = Piece("section", "", 0, tokens, "heading", _HIDDEN, section.id)
    front, behind = (
        (section, head, text, block, tokens, summary, digest, hidden, floor)
        for floor in (_floor(head, text, summary, tokens, later, counts, parts) for later in (False, True))
    )
    return Sized(section, text, front, behind)


def _floor(head: str, text: str, summary: str, tokens: int, later: bool, counts: Counts, parts: Parts) -> int:
    if summary:
        return min(tokens, counts.count(_render(head, f"{parts.labels.summary} {summary}") + GAP))
    lead = counts.count(_render(head, "") + GAP)
    for budget in _LEAST:
        if budget >= tokens:
            return tokens
        kept = counts.cut(text, budget - lead, "start" if later else "end", parts.language) if budget > lead else None
        if kept is not None and kept.text:
            return min(tokens, counts.count(_render(head, kept.text) + GAP))
    return tokens


def _render(head: str, text: str) -> str:
    return f"{head}{GAP}{text}" if head and text else head or text


def _text(candidate: Candidate, tokens: int, counts: Counts, parts: Parts, keep: Keep) -> tuple[str, State]:
    if tokens >= candidate.tokens:
        return candidate.block, "full"
    summary = _render(candidate.head, f"{parts.labels.summary} {candidate.summary}") if candidate.summary else ""
    size = counts.count(summary + GAP) if summary else 0
    if not summary or tokens >= 3 * size:
        room = tokens - counts.count(candidate.head + GAP)
        # text and gap may take a token more beside each other than apart
        for less in (0, 2):
            kept = counts.cut(candidate.text, room - less, keep, parts.language) if room > less else None
            text = _render(candidate.head, kept.text) if kept is not None and kept.text else ""
            if text and counts.count(text + GAP) <= tokens:
                return text, "cut"
    if summary and size <= tokens:
        return summary, "summary"
    return "", "heading"


def _reason(candidate: Candidate, state: State) -> str:
    side = "after" if candidate.later else "before"
    far = f"{candidate.distance + 1} section{'s' if candidate.distance else ''} {side}"
    if candidate.needed:
        far = f"the form says this section builds on it; {far}"
    what = {"full": "whole", "cut": "cut to its share", "summary": "its share holds only the summary"}
    return f"{far}: {what[state]}"
