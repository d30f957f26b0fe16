"""A chat message, the common coin of prompt, writers and training examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat; content is plain text."""

    role: Role
    content: str

    def as_dict(self) -> dict[str, str]:
        """The layout that chat templates and OpenAI-compatible servers read."""
        return {"role": self.role, "content": self.content}


class TokenCounter(Protocol):
    """Counts tokens as one particular model does. `name` identifies the tokenizer, for caches."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int:
        """Tokens of bare text."""
        ...

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of the prompt after the model's chat template, the answer's opening included."""
        ...
