"""From pieces to chat messages: the one place that knows what stands between pieces.

Whatever comes from a document stands between fences (fabai.window.shown): passages each in their own, the report's own
text, headings and facts in one for the group. What stands outside is ours: rules, the form's guidance, the request.

Knows the order of kinds, labels and fences. Does not know what was chosen or why.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from fabai.message import Message, Role
from fabai.window.parts import Labels
from fabai.window.piece import Piece
from fabai.window.shown import FENCE, fence_for, fenced, quoted

FRONT = ("rules", "form", "glossary", "headings", "ledger")
END = ("changes", "retrieved", "pinned", "needed", "guidance", "last", "instruction")
ORDER = (*FRONT, "section", *END)

FENCED = ("headings", "ledger", "section", "changes")
"""Groups that stand between two fences as a whole; a new section stands in front of the second one, so that what comes
before it stays as it was.
"""

_SYSTEM = ("rules",)
_PASSAGES = ("retrieved", "pinned", "needed")
GAP = "\n\n"


def messages(pieces: Sequence[Piece], labels: Labels) -> list[Message]:
    """The prompt: a system message with the rules, a user message with all the rest, oldest text before newest.

    Pieces that show nothing are left out. The same pieces give the same bytes.
    """
    texts = {role: GAP.join(found) for role, found in turns(pieces, labels).items()}
    return [Message(role, text) for role, text in texts.items()]


def turns(pieces: Sequence[Piece], labels: Labels) -> dict[Role, list[str]]:
    """The blocks of each message in order; joined with GAP they are its content. Without rules there is no system
    message.
    """
    shown = [piece for piece in pieces if piece.text]
    system = [piece.text for piece in shown if piece.kind in _SYSTEM]
    user = blocks((piece for piece in shown if piece.kind not in _SYSTEM), labels)
    return {"system": system, "user": user} if system else {"user": user}


def blocks(pieces: Iterable[Piece], labels: Labels) -> list[str]:
    """Each piece as it stands in the prompt, with the label of its group in front of the first of a group."""
    found: list[str] = []
    for title, ones in itertools.groupby(pieces, key=lambda piece: title_of(piece, labels)):
        group = list(ones)
        texts = [block(piece.kind, piece.text, piece.source, labels) for piece in group]
        if title:
            found.append(title)
        if group[0].kind in FENCED:
            fence = fence_for(texts)
            texts = [fence, *texts, fence]
        found += texts
    return found


def around(title: str) -> tuple[str, ...]:
    """The blocks that stand around a fenced group."""
    return (title, FENCE, FENCE)


def title_of(piece: Piece, labels: Labels) -> str:
    """The line that introduces the group a piece belongs to, "" where it has none."""
    titles = {
        "headings": labels.headings,
        "ledger": labels.ledger,
        "section": labels.sections,
        "changes": labels.changes,
        "last": labels.last,
        **dict.fromkeys(_PASSAGES, labels.passages),
    }
    return titles.get(piece.kind, "")


def block(kind: str, text: str, source: str | None, labels: Labels) -> str:
    """One piece as it stands in the prompt. Text from outside the report is fenced and names its source."""
    if kind in _PASSAGES:
        line = {"retrieved": labels.retrieved, "pinned": labels.pinned, "needed": labels.needed}[kind]
        return f"{line.format(source=quoted(source or ''))}\n{fenced(text)}"
    if kind == "last":
        return fenced(text)
    return text
