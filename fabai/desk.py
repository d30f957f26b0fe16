"""The Desk: all that the drafting of a section reads of a report under way, and what it asks of a model beforehand.

A Project is one on disk; the corpus replays past reports on one in memory. Both go through the same `fabai.draft.
prepare`, so a model is trained on what it will be shown. Does not know where a Desk keeps anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fabai.form import Form
from fabai.ledger import Ledger
from fabai.message import TokenCounter
from fabai.report import Language, Report
from fabai.window.plan import Pin
from fabai.window.retrieval import Text


class Desk(Protocol):
    """What lies ready when a section is to be written; the methods give the state of now."""

    @property
    def form(self) -> Form: ...

    @property
    def language(self) -> Language: ...

    @property
    def instructions(self) -> str: ...

    def report(self) -> Report:
        """The sections in reading order, each with the text that stands now."""
        ...

    def ledger(self) -> Ledger: ...

    def sources(self) -> Sequence[Text]:
        """The documents that the report is written from."""
        ...

    def pins(self) -> Mapping[str, Pin]:
        """Sections that are always or never shown."""
        ...

    def summary(self, text_hash: str) -> str | None:
        """A summary that was made before of the text with that hash."""
        ...


class Reader(TokenCounter, Protocol):
    """What preparing a prompt asks of a model, which need not be loaded for it; every Writer is one."""

    @property
    def context(self) -> int:
        """Most tokens of prompt and answer together that the model takes."""
        ...

    @property
    def chat(self) -> bool:
        """True where the model answers instructions through a chat template; a base model only continues a text."""
        ...
