"""The plan of one window: from a report, a section and the fixed parts to the pieces the model is shown.

Knows the order of the work: fixed parts, room, shares, pieces, one exact count of the whole prompt. Does not know how
shares are chosen (fill, tiers, warm), how texts are cut, or any wording.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fabai.errors import WindowError
from fabai.form import Form, SectionSpec
from fabai.message import Message, TokenCounter
from fabai.report import Report, Section
from fabai.settings import Mode, WindowSettings
from fabai.window import fill, layout, sides, tiers, warm
from fabai.window.candidates import Candidate, candidates, show
from fabai.window.counts import Counts, Same
from fabai.window.fixed import Fixed, check, fixed
from fabai.window.layout import GAP, ORDER, messages, turns
from fabai.window.parts import Parts
from fabai.window.passages import Retriever, repeated, retrieved
from fabai.window.piece import Piece, Window
from fabai.window.reserve import reserve
from fabai.window.retrieval import section_query
from fabai.window.shares import Question, Shares
from fabai.window.shown import shown
from fabai.window.state import Kept, WindowState

Pin = Literal["pin", "exclude"]

_MODES: dict[Mode, Callable[[Question, WindowSettings], Shares]] = {
    "fill": fill.shares,
    "tiers": lambda question, settings: sides.shares(question, settings, tiers.shares),
    "warm": lambda question, settings: sides.shares(question, settings, warm.shares),
}

_MARGIN = 8
"""Tokens that a chat template may add between the texts beyond what the probe saw."""
_FRAME = 24
"""Tokens of a source line and a fence, about."""


@dataclass(frozen=True, slots=True)
class _Brief:
    """What every step of one plan reads."""

    report: Report
    section_id: str
    parts: Parts
    counts: Counts
    settings: WindowSettings
    pins: Mapping[str, Pin]
    retriever: Retriever | None
    sections: list[Candidate]


@dataclass(frozen=True, slots=True)
class _Choice:
    """Pieces of sections and passages, and what the state keeps of them."""

    pieces: tuple[Piece, ...]
    kept: tuple[Kept, ...]
    intact: int


def plan(
    report: Report,
    section_id: str,
    parts: Parts,
    counter: TokenCounter,
    settings: WindowSettings,
    *,
    state: WindowState | None = None,
    form: Form | None = None,
    pins: Mapping[str, Pin] | None = None,
    retriever: Retriever | None = None,
    summaries: Mapping[str, str] | None = None,
    context: int | None = None,
    whole: bool = True,
) -> tuple[Window, WindowState]:
    """The window for one section, and the state to pass in for the next one.

    pins: section id -> "pin" (always shown) or "exclude" (never). summaries: section id -> a summary of its present
    text. context: the most tokens that the model takes; the cap follows it. whole: the prompt is counted whole after
    the chat template, as whoever sends it must; False sums counts of its blocks, for surveys of many windows. The
    same arguments give the same window. Raises WindowError where the fixed parts alone do not fit, UnknownName where
    the report has no such section.
    """
    counts = Counts.of(counter)
    notices: tuple[str, ...] = ()
    if context is not None and context < settings.cap:
        notices = (f"the window is {context} tokens, not {settings.cap}: the model takes no more",)
        settings = replace(settings, cap=max(256, context))
    pins = pins or {}
    spec = _spec(report, section_id, form)
    kept = reserve(spec.limits if spec is not None else (), parts.rules, counts, settings)
    room = settings.cap - kept
    if state is None or state.mode != settings.mode:
        state = WindowState(settings.mode, facts=() if settings.mode == "fill" else parts.ledger.facts)
    excluded = [one for one, pin in pins.items() if pin == "exclude"]
    sections = candidates(report, section_id, counts, parts, needs=parts.needs, excluded=excluded, summaries=summaries)
    brief = _Brief(report, section_id, parts, counts, settings, pins, retriever, sections)
    frame = counts.remember("frame", lambda: _frame(counts))
    slack = 0
    while True:
        around = fixed(report, section_id, parts, state.ledger, counts, settings, excluded)
        check(around, room - frame - _MARGIN, kept)
        choice = _choose(brief, state, around, room - frame - _MARGIN - around.tokens - slack)
        if state.kept and not choice.intact:
            # the prefix is lost anyway: start afresh, with the ledger of today in front
            state = WindowState(settings.mode, (), parts.ledger.facts)
            continue
        pieces = _in_order((*around.front, *choice.pieces, *around.end))
        if whole:
            tokens = counts.count_messages(messages(pieces, parts.labels))
        else:
            tokens = frame + sum(counts.joined(blocks, GAP) for blocks in turns(pieces, parts.labels).values())
        if tokens <= room:
            break
        if slack > room:
            raise WindowError(
                f"the prompt takes {tokens} tokens, more than the {room} that the cap leaves: raise the cap"
            )
        slack += tokens - room + _MARGIN
    window = Window(section_id, settings.mode, settings.cap, kept, tokens, _annotated(pieces, brief, around), notices)
    return window, WindowState(settings.mode, choice.kept, state.facts)


_PROBE = (Message("system", "a"), Message("user", "a"))


def _frame(counts: Counts) -> int:
    """Tokens of the chat template around the texts."""
    return counts.count_messages(_PROBE) - sum(counts.count(one.content) for one in _PROBE)


def _spec(report: Report, section_id: str, form: Form | None) -> SectionSpec | None:
    section = report.sections[report.index(section_id)]
    return form.spec(section.spec) if form is not None else None


def _choose(brief: _Brief, state: WindowState, around: Fixed, body: int) -> _Choice:
    """Share `body` tokens out. Shares that another part may take are set aside first, whether it then takes them or
    not.
    """
    settings, counts, parts = brief.settings, brief.counts, brief.parts
    body = max(0, body - sum(counts.count(frame + GAP) for frame in layout.around(parts.labels.sections)))
    frozen = settings.mode != "fill"
    pinned = [one for one in brief.sections if brief.pins.get(one.section.id) == "pin"]
    whole = {one.section for one in state.kept if one.whole}
    # a warm prefix keeps its sizes: there, what must be read in full stands once more at the end
    again = [one for one in brief.sections if frozen and one.needed and one not in pinned]
    extra = [one for one in (*pinned, *again) if not frozen or one.section.id not in whole]
    aside = min(int(settings.needs * body), sum(one.tokens + _FRAME for one in extra))
    search = int(settings.retrieval * body) if brief.retriever is not None else 0
    passages_label = counts.count(parts.labels.passages + GAP) if aside or search else 0
    pool = [one for one in brief.sections if frozen or one not in pinned]
    room = max(0, body - aside - search - passages_label)
    front = sum(piece.tokens for piece in around.front)
    question = Question(pool, room, front, around.tokens - front + aside + search, _standing(pool, state))
    shares = _MODES[settings.mode](question, settings)
    budgets = list(shares.tokens)
    pieces = [
        show(one, tokens, counts, parts, shares.keep) if tokens else one.hidden
        for one, tokens in zip(pool, budgets, strict=True)
    ]
    full = {piece.section for piece in pieces if piece.state == "full"}
    passages: list[Piece] = []
    if brief.retriever is not None:
        passages += retrieved(brief.retriever, _query(brief), search, settings.passages, counts, parts)
    passages += repeated("pinned", [one for one in pinned if one.section.id not in full], aside, counts, parts)
    left = aside - sum(piece.tokens for piece in passages if piece.kind == "pinned")
    passages += repeated("needed", [one for one in again if one.section.id not in full], left, counts, parts)
    if frozen:
        # only what whole sentences left over: the room that a course leaves free is meant to stay free
        spare = sum(budgets[shares.intact :]) - sum(piece.tokens for piece in pieces[shares.intact :])
    else:
        spare = body - passages_label - sum(piece.tokens for piece in (*pieces, *passages))
    _widen(pool, pieces, budgets, shares, spare, counts, parts)
    kept = _kept(pool, budgets, pieces, state.kept[: shares.intact]) if frozen else ()
    return _Choice((*pieces, *passages), kept, shares.intact)


def _kept(
    pool: Sequence[Candidate], budgets: Sequence[int], pieces: Sequence[Piece], intact: Sequence[Kept]
) -> tuple[Kept, ...]:
    """What the state keeps of each section; of those that stay intact, what it kept already."""
    shown = zip(pool, budgets, pieces, itertools.chain(intact, itertools.repeat(None)), strict=False)
    return tuple(
        [
            old
            if old is not None and old.tokens == tokens
            else Kept(one.section.id, tokens, piece.tokens, one.digest, piece.state == "full")
            for one, tokens, piece, old in shown
        ]
    )


def _standing(pool: Sequence[Candidate], state: WindowState) -> list[tuple[int, int]]:
    """Budget and size of the leading sections that stand in the last prompt with the text that they have now."""
    found: list[tuple[int, int]] = []
    for one, kept in zip(pool, state.kept, strict=False):
        if kept.digest != one.digest or kept.section != one.section.id:
            break
        found.append((kept.tokens, kept.size))
    return found


def _widen(
    pool: Sequence[Candidate],
    pieces: list[Piece],
    budgets: list[int],
    shares: Shares,
    spare: int,
    counts: Counts,
    parts: Parts,
) -> None:
    """What whole sentences left over goes to the sections that are present and not frozen, the nearest first."""
    for index in sorted(range(shares.intact, len(pool)), key=lambda one: fill.rank(pool[one])):
        piece = pieces[index]
        if spare <= 0:
            return
        if piece.state not in ("cut", "summary"):
            continue
        better = show(pool[index], piece.tokens + spare, counts, parts, shares.keep)
        if better.tokens > piece.tokens:
            budgets[index] = piece.tokens + spare
            spare -= better.tokens - piece.tokens
            pieces[index] = better


def _query(brief: _Brief) -> str:
    report, section = brief.report, brief.report.sections[brief.report.index(brief.section_id)]
    headings = [shown(one.heading) for one in (*report.ancestors(brief.section_id), section)]
    return section_query(headings, brief.parts.guidance, brief.parts.ledger)


def _in_order(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    groups: dict[str, list[Piece]] = {kind: [] for kind in ORDER}
    for piece in pieces:
        groups[piece.kind].append(piece)
    return tuple(itertools.chain.from_iterable(groups.values()))


def _annotated(pieces: tuple[Piece, ...], brief: _Brief, around: Fixed) -> tuple[Piece, ...]:
    """The pieces and, in their places, the sections of which nothing is shown, with the reason."""
    sections = [piece for piece in pieces if piece.kind == "section"]
    if brief.pins:
        found = {piece.section: piece for piece in sections}
        here = brief.section_id
        sections = [
            found.get(section.id) or _set_aside(section, brief)
            for section in brief.report.sections
            if section.id in found or (section.id != here and section.text.strip())
        ]
    if around.missing:
        sections = [
            _dropped(piece, brief.counts) if piece.state == "heading" and piece.section in around.missing else piece
            for piece in sections
        ]
    rest = [piece for piece in pieces if piece.kind != "section"]
    return _in_order((*rest, *sections))


def _set_aside(section: Section, brief: _Brief) -> Piece:
    tokens = brief.counts.count(shown(section.text))
    if brief.pins.get(section.id) == "pin":
        return Piece("section", "", 0, tokens, "heading", "pinned by the writer: it stands at the end", section.id)
    return Piece("section", "", 0, tokens, "dropped", "excluded by the writer", section.id)


def _dropped(piece: Piece, counts: Counts) -> Piece:
    reason = "its share holds no sentence, and the list of headings has no room for its heading"
    return counts.remember(("dropped", Same(piece)), lambda: replace(piece, state="dropped", reason=reason))
