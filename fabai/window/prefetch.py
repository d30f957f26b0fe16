"""What a server can read before anybody asks: the next prompt up to where its section's own part begins.

Plan the next section's window as soon as a section is accepted, send `opening` with an answer of one token, and keep
the state; when the person asks for the section, plan it again with that state: all but the end of the prompt is in
the cache.
"""

from __future__ import annotations

from fabai.message import Message
from fabai.window import layout
from fabai.window.parts import Labels
from fabai.window.piece import Window


def opening(window: Window, labels: Labels) -> list[Message]:
    """The messages of the window without the pieces behind its sections, which a person may still change."""
    return layout.messages([piece for piece in window.pieces if piece.kind not in layout.END], labels)
