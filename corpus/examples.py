"""Examples of one document: the drafting of a past report played again, section by section.

Knows the order of the work: the window of each section through `fabai.draft.prepare`, what the writer wrote as target,
what of it the prompt supports. Does not know files, splits, or how examples are stored.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from fabai.draft import Prepared, prepare
from fabai.errors import WindowError
from fabai.message import Message
from fabai.report import Language
from fabai.settings import ExampleSettings, Mode, WindowSettings
from fabai.window.shown import shown
from fabai.window.state import WindowState

from .briefs import PastBrief
from .reader import ModelReader
from .replay import Replay
from .support import Evidence, Statement, statements


@dataclass(frozen=True, slots=True)
class Example:
    """One row for training. tokens: prompt, target and end token; labelled: those with a loss. masked: [start, end) of
    the target without a loss. said, supported: statements of the target with figures or names, and those of them that
    the prompt holds.
    """

    id: str
    report: str
    project: str
    language: str
    kind: str
    mode: str
    tokens: int
    labelled: int
    messages: tuple[Message, ...]
    target: str
    masked: tuple[tuple[int, int], ...]
    said: int
    supported: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A target, or a part of one, that became no example. reason: a key that reports count by."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document's examples come from, for their rows."""

    report: str
    project: str
    kind: str


class Player:
    """Replays reports with one model's tokenizer and one window."""

    def __init__(self, reader: ModelReader, window: WindowSettings, settings: ExampleSettings) -> None:
        self.reader, self.window, self.settings = reader, window, settings

    def play(
        self, brief: PastBrief, origin: Origin, vocabulary: frozenset[str] = frozenset()
    ) -> Iterator[Example | Lost]:
        """The examples of a report in reading order; a section longer than its room gives several."""
        language = brief.report.language
        evidence = Evidence(language)
        desk = Replay(brief.form, brief.ledger, brief.report, brief.sources)
        state: WindowState | None = None
        targets = set(brief.targets)
        for section in brief.report.sections:
            text = shown(brief.texts[section.id])
            if section.id in targets:
                mode = self._mode(f"{origin.report}:{section.id}")
                settings = replace(self.window, mode=mode)
                before = state if mode == self.window.mode else None
                parts = self._parts(desk, section.id, text, settings, before, language, vocabulary)
                number = 0
                try:
                    for number, part in enumerate(parts):
                        if number == 0 and mode == self.window.mode:
                            state = part.ready.state
                        yield self._example(f"{origin.report}:{section.id}:{number}", origin, mode, part, evidence)
                except WindowError:
                    yield Lost(f"{origin.report}:{section.id}:{number}", "the fixed parts do not fit under the cap")
            if text:
                desk.accept(section.id, text)

    def _mode(self, key: str) -> Mode:
        lot = int.from_bytes(sha256(f"{self.settings.seed} {key}".encode()).digest()[:4], "big") / 2**32
        return "fill" if lot < self.settings.fill else self.window.mode

    def _parts(
        self,
        desk: Replay,
        section_id: str,
        text: str,
        settings: WindowSettings,
        before: WindowState | None,
        language: Language,
        vocabulary: frozenset[str],
    ) -> Iterator[_Part]:
        """The section in pieces that its reserve holds, each with the prompt that asks for it."""
        whole = statements(text, language, vocabulary)
        at = 0
        while at < len(whole):
            written = text[: whole[at].start] if at else ""
            ready = prepare(desk, section_id, self.reader, settings, before, written=written)
            end = self._reach(text, whole, at, ready.window.reserve - 1)
            yield _Part(ready, text, tuple(whole[at : max(end, at + 1)]), fits=end > at, language=language)
            at = max(end, at + 1)

    def _reach(self, text: str, whole: Sequence[Statement], at: int, room: int) -> int:
        """How many statements fit, back to the end of a paragraph where one lies in the second half of them."""
        start = whole[at].start
        if self.reader.count(text[start:].rstrip()) <= room:
            return len(whole)
        sizes = itertools.accumulate(self.reader.count(text[one.start : one.end]) for one in whole[at:])
        end = at + sum(1 for _ in itertools.takewhile(lambda size: size <= room, sizes))
        while end > at and self.reader.count(text[start : whole[end - 1].end].rstrip()) > room:
            end -= 1
        paragraphs = [one for one in range(at + 1, end + 1) if text[: whole[one - 1].end].endswith("\n\n")]
        return paragraphs[-1] if paragraphs and paragraphs[-1] - at >= (end - at) / 2 else end

    def _example(self, identity: str, origin: Origin, mode: Mode, part: _Part, evidence: Evidence) -> Example | Lost:
        if not part.fits:
            return Lost(identity, "one sentence is longer than the room for the answer")
        target, offset = part.target
        known = evidence.sets(part.prompt)
        said = supported = 0
        masked: list[tuple[int, int]] = []
        for one in part.statements:
            held = not one.opaque and not evidence.missing(one, known)
            said += bool(one.claims)
            supported += bool(one.claims) and held
            if not held:
                start, end = one.start - offset, min(one.end - offset, len(target))
                if masked and masked[-1][1] == start:
                    start = masked.pop()[0]
                masked.append((start, end))
        # the window has counted its own messages; a base model's answer begins behind them
        window = part.ready.window
        prompt = window.tokens if self.reader.chat else self.reader.count_messages(part.ready.messages)
        answer, labelled = self.reader.answer(target, masked)
        if labelled <= 1:
            return Lost(identity, "the prompt supports nothing of it")
        if prompt + answer > self.window.cap:
            return Lost(identity, "longer than the cap")
        return Example(
            identity, origin.report, origin.project, part.language, origin.kind, mode, prompt + answer, labelled,
            part.ready.messages, target, tuple(masked), said, supported,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Part:
    ready: Prepared
    text: str
    statements: tuple[Statement, ...]
    fits: bool
    language: Language

    @property
    def target(self) -> tuple[str, int]:
        """The text of the part and where it begins in its section."""
        start = self.statements[0].start
        return self.text[start : self.statements[-1].end].rstrip(), start

    @property
    def prompt(self) -> Iterator[str]:
        """The texts that the prompt shows."""
        for piece in self.ready.window.pieces:
            if piece.text:
                yield piece.text
            if piece.source:
                yield piece.source
        for message in self.ready.messages:
            if message.role == "assistant":
                yield message.content
