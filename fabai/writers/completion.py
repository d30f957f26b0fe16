"""Chat messages as one text, for base models that have no chat template and can only continue what they read.

Knows the order. Does not know any model.
"""

from __future__ import annotations

from collections.abc import Sequence

from fabai.message import Message


def completion_prompt(messages: Sequence[Message]) -> str:
    """The contents with a blank line between them. A last message of the assistant is left open: the answer goes on
    from there.
    """
    closed = [message.content.strip() for message in messages]
    if messages and messages[-1].role == "assistant":
        closed[-1] = messages[-1].content.lstrip()
        return "\n\n".join(closed)
    return "\n\n".join([*closed, ""])
