"""What a Writer is: a model that turns chat messages into a stream of text.

Knows the protocol. Does not know any model, the window, or a project.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from fabai.lock import Constraint
from fabai.message import Message
from fabai.settings import SamplingSettings

Finish = Literal["stop", "length", "cancelled"]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a stream cost, in the model's own tokens.

    cached: prompt tokens that were not read again, None where the server does not say. doubtful: figures under a lock
    that the model would hardly have written without it, where the Writer can tell.
    """

    prompt_tokens: int
    completion_tokens: int
    finish: Finish
    cached: int | None = None
    doubtful: tuple[str, ...] = ()


class Writer(Protocol):
    """A model. It is also the TokenCounter of its own tokenizer and chat template. Close it when done."""

    @property
    def name(self) -> str:
        """Identifies model and tokenizer, for caches and the record of a Version."""
        ...

    @property
    def context(self) -> int:
        """Most tokens of prompt and answer together that the model takes."""
        ...

    @property
    def chat(self) -> bool:
        """True where the model answers instructions through a chat template; a base model only continues a text."""
        ...

    @property
    def locks(self) -> bool:
        """Whether it can keep to a constraint."""
        ...

    def count(self, text: str) -> int:
        """Tokens of bare text."""
        ...

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of the prompt after the chat template, the answer's opening included."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str] = (),
        constraint: Constraint | None = None,
    ) -> Generator[str | Usage, None, None]:
        """Pieces of text as they are written, then one Usage. Closing the iterator cancels the writing.

        A last message of the role "assistant" is the beginning of the answer, which the model continues; only base
        models (`chat` False) must take one. A stop string ends the answer and is no part of it.
        constraint: the figure lock; a Writer that cannot keep to it raises a WriterError before it writes anything, and
        the text never ends within a value.
        Raises WriterError with one sentence; what was yielded before stays the caller's.
        """
        ...

    def close(self) -> None:
        """Free the model."""
        ...
