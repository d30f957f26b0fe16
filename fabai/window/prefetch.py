"""What a server can read before anybody asks: the next prompt up to where its section's own part begins.

Does not know when that is worth it, nor how a writer is asked (fabai.draft.read_ahead).
"""

from __future__ import annotations

from fabai.message import Message
from fabai.window import layout
from fabai.window.parts import Labels
from fabai.window.piece import Window


def opening(window: Window, labels: Labels) -> list[Message]:
    """The messages of the window without the pieces behind its sections, which a person may still change."""
    return layout.messages([piece for piece in window.pieces if piece.kind not in layout.END], labels)
