"""From pieces to chat messages: the one place that knows what stands between pieces.

Knows the order of kinds, labels and fences. Does not know what was chosen or why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fabai.message import Message, Role
from fabai.window.parts import Labels
from fabai.window.piece import Piece
from fabai.window.shown import fenced

FRONT = ("rules", "form", "glossary", "headings", "ledger")
END = ("changes", "retrieved", "pinned", "needed", "guidance", "last", "instruction")
ORDER = (*FRONT, "section", *END)

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
    group: str | None = None
    for piece in pieces:
        title = title_of(piece, labels)
        if title and title != group:
            found.append(title)
        group = title
        found.append(block(piece.kind, piece.text, piece.source, labels))
    return found


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
        return f"{line.format(source=source or '')}\n{fenced(text)}"
    if kind == "last":
        return fenced(text)
    return text
