"""The fixed parts of a window as pieces: what stands in front of the sections and what stands behind them.

Knows the ledger's snapshot and its changes, the list of headings, the last paragraph. Does not know which sections
are shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from fabai.errors import WindowError
from fabai.ledger import Ledger
from fabai.report import Report
from fabai.settings import WindowSettings
from fabai.window.counts import Counts
from fabai.window.headings import Headings, headings
from fabai.window.layout import FENCED, GAP, around, block, title_of
from fabai.window.parts import Parts
from fabai.window.piece import Piece
from fabai.window.shown import shown

_SHORTEN = {
    "rules": ("the rules of the prompt", "raise the cap or take a model with a longer context"),
    "form": ("the form's criteria and the project's instructions", "shorten the instructions"),
    "glossary": ("the glossary", "shorten it"),
    "headings": ("the list of headings", "raise the cap"),
    "ledger": ("the ledger", "remove facts that this report does not need"),
    "changes": ("the ledger", "remove facts that this report does not need"),
    "guidance": ("this section's guidance", "shorten it in the form"),
    "last": ("the last paragraph", "raise the cap"),
    "instruction": ("the instruction", "shorten the section's heading"),
}


@dataclass(frozen=True, slots=True)
class Fixed:
    """Pieces in prompt order. tokens: front and end with their labels and gaps."""

    front: tuple[Piece, ...]
    end: tuple[Piece, ...]
    missing: frozenset[str]
    tokens: int


def fixed(
    report: Report,
    section_id: str,
    parts: Parts,
    snapshot: Ledger,
    counts: Counts,
    settings: WindowSettings,
    excluded: Collection[str] = (),
) -> Fixed:
    """The fixed parts. snapshot: the ledger as it stands in front; what differs from it now stands at the end."""
    outline = headings(report, int(settings.headings * settings.cap), counts)
    last = last_paragraph(report, section_id, counts, settings.last, excluded)
    front: tuple[Piece, ...] = (
        _piece("rules", parts.rules, "rules and style, the same in every window", counts, parts),
        _piece("form", parts.form, "what the form and the project ask of the whole report", counts, parts),
        _piece("glossary", parts.glossary, "the words that this kind of report uses", counts, parts),
        _outline(outline, counts, parts),
        _piece("ledger", _front(snapshot, parts, counts), "facts as they stood at the last rebuild", counts, parts),
    )
    end: tuple[Piece, ...] = (
        _piece("changes", _changes(snapshot, parts), "facts that are new or have changed since", counts, parts),
        _piece("guidance", parts.guidance, "what the form asks of this section, and its limit", counts, parts),
        _piece("last", last, "the last paragraph before this section", counts, parts),
        _piece("instruction", parts.instruction, "what to write now", counts, parts),
    )
    front = tuple(piece for piece in front if piece.text)
    end = tuple(piece for piece in end if piece.text)
    return Fixed(front, end, outline.missing, tokens_of((*front, *end), counts, parts))


def tokens_of(pieces: Iterable[Piece], counts: Counts, parts: Parts) -> int:
    """Tokens of the pieces with the label and fences of each group and the gaps between, as a sum."""
    groups = {title_of(piece, parts.labels): piece.kind in FENCED for piece in pieces}
    groups.pop("", None)
    frames = [part for title, fences in groups.items() for part in (around(title) if fences else (title,))]
    return sum(piece.tokens for piece in pieces) + sum(counts.count(frame + GAP) for frame in frames)


def check(around: Fixed, room: int, reserve: int) -> None:
    """WindowError with the largest part and what to shorten where the fixed parts leave nothing of `room` tokens."""
    if around.tokens <= room:
        return
    sizes: dict[str, int] = {}
    for piece in (*around.front, *around.end):
        name = _SHORTEN[piece.kind][0]
        sizes[name] = sizes.get(name, 0) + piece.tokens
    largest = max(sizes, key=lambda name: sizes[name])
    advice = next(advice for name, advice in _SHORTEN.values() if name == largest)
    raise WindowError(
        f"the fixed parts of the prompt take {around.tokens} tokens, more than the {max(0, room)} that the cap leaves "
        f"beside {reserve} for the answer; the largest is {largest} ({sizes[largest]} tokens): {advice}"
    )


def last_paragraph(report: Report, section_id: str, counts: Counts, most: int, excluded: Collection[str] = ()) -> str:
    """The end of the text that stands before the section, at most `most` tokens, whole sentences; "" where there is
    none.
    """
    if not most:
        return ""
    for section in reversed(report.sections[: report.index(section_id)]):
        text = shown(section.text) if section.id not in excluded else ""
        if text:
            paragraph = text.rsplit("\n\n", 1)[-1]
            return (
                counts.cut(paragraph, most, "end", report.language).text
                if counts.count(paragraph) > most
                else paragraph
            )
    return ""


def _piece(kind: str, text: str, reason: str, counts: Counts, parts: Parts) -> Piece:
    tokens = counts.count(block(kind, text, None, parts.labels) + GAP) if text else 0
    return Piece(kind, text, tokens, tokens, "full", reason)


def _outline(outline: Headings, counts: Counts, parts: Parts) -> Piece:
    piece = _piece("headings", outline.text, "the whole outline, headings only", counts, parts)
    if not outline.missing:
        return piece
    reason = f"{len(outline.missing)} headings of lower levels left out: the list would take {outline.of} tokens"
    return Piece("headings", piece.text, piece.tokens, outline.of, "cut", reason)


def _front(snapshot: Ledger, parts: Parts, counts: Counts) -> str:
    """The lines of the snapshot, which stays the same object from one section to the next."""
    known = counts.latest.get("facts")
    if isinstance(known, tuple) and known[0] is snapshot.facts and known[1] == parts.labels.fact:
        return str(known[2])
    text = _facts(snapshot, parts)
    counts.latest["facts"] = (snapshot.facts, parts.labels.fact, text)
    return text


def _facts(ledger: Ledger, parts: Parts) -> str:
    return "\n".join(parts.labels.fact.format(name=shown(fact.name), value=shown(fact.value)) for fact in ledger)


def _changes(snapshot: Ledger, parts: Parts) -> str:
    if snapshot.facts == parts.ledger.facts:
        return ""
    lines: list[str] = []
    before, now = ({fact.name: fact for fact in ledger} for ledger in (snapshot, parts.ledger))
    for fact in parts.ledger:
        old = before.get(fact.name)
        name, value = shown(fact.name), shown(fact.value)
        if old is None:
            lines.append(parts.labels.fact.format(name=name, value=value))
        elif old.value != fact.value:
            lines.append(parts.labels.replaced.format(name=name, value=value, old=shown(old.value)))
    gone = (fact for fact in snapshot if fact.name not in now)
    lines.extend(parts.labels.gone.format(name=shown(fact.name), old=shown(fact.value)) for fact in gone)
    return "\n".join(lines)
