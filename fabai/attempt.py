"""One try at a section's text: the answer as it comes, why it ended, and what of it is kept.

Knows how an answer is watched and how its text is made good. Does not know projects' windows or where versions go.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fabai.answer import Ended, Target, land, mend, see
from fabai.errors import WriterError
from fabai.length import Length
from fabai.lock import Constraint
from fabai.message import Message
from fabai.settings import SamplingSettings
from fabai.writers.base import Finish, Usage, Writer

# characters between two looks for loops, which cost some milliseconds
_LOOK = 120

NOTES: dict[str, str] = {
    "thinking": "the model only reasoned and never came to the text; an empty partial version is kept, try again",
    "empty": "the model wrote nothing; an empty version is kept and the section stays as it was",
    "loop": "the model began to repeat itself; the text ends before that",
    "limit": "the model went on past the form's limit; the text ends at its last whole sentence within it",
    "over": "not even the model's first sentence is within the form's limit; the text is kept as partial",
    "length": "the model reached the section's limit; the text ends at its last whole sentence",
    "chopped": "the model reached the section's limit before its first sentence ended; the text is kept as partial",
    "cancelled": "the writing was stopped; what was written is kept as a partial version",
    "unverified": "'{0}' is no verified figure; the text is kept as partial",
    "doubtful": "look at '{0}': a verified figure, but the model would not have written it here by itself",
}
"""What a person should read about a version, by its kind."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a try came to. note: a sentence for a person, "" where all went well. failure: what ended it before its
    time. began: whether anything was written. seconds: that it took. lock: its constraint.
    """

    text: str
    partial: bool
    note: str
    failure: BaseException | None
    began: bool
    cancelled: bool
    usage: Usage | None
    seconds: float
    lock: Constraint | None

    @property
    def covered(self) -> int:
        """How many of the lock's facts the text has; a text that is no whole one has none."""
        return 0 if self.lock is None or self.partial else self.lock.covered(self.text)

    @property
    def over(self) -> bool:
        """Whether there is nothing for another try to better."""
        done = self.lock is None or self.covered == len(self.lock.facts)
        return done or self.failure is not None or self.cancelled


def attempt(
    writer: Writer,
    messages: Sequence[Message],
    sampling: SamplingSettings,
    target: Target,
    length: Length,
    *,
    media: frozenset[str],
    lock: Constraint | None = None,
    on_text: Callable[[str], None] | None = None,
    wanted: Callable[[], bool] | None = None,
) -> Attempt:
    """Ask once. A WriterError or KeyboardInterrupt is the attempt's `failure`. media: names of the images that a text
    may show.
    """
    begun = time.monotonic()
    stream = _Stream(writer, messages, sampling, target, length, lock, on_text, wanted)
    failure: BaseException | None = None
    try:
        stream.run()
    except (WriterError, KeyboardInterrupt) as error:
        failure = error
    seconds = round(time.monotonic() - begun, 2)
    text, partial, note = _finished(stream, target, length, media, failure)
    if lock is not None:
        text = lock.filled(text)
        if not note and (slips := lock.slips(text)):
            partial, note = True, NOTES["unverified"].format(slips[0].text)
        elif not note and stream.usage is not None and (wanted_other := _still(stream.usage.doubtful, text)):
            note = NOTES["doubtful"].format("', '".join(wanted_other))
    return Attempt(
        text, partial, note, failure, bool(stream.raw), stream.finish == "cancelled", stream.usage, seconds, lock
    )


def _still(figures: Sequence[str], text: str) -> list[str]:
    """Those that are in the text that was kept."""
    return [one for one in figures if one in text]


class _Stream:
    """One answer as it comes: what was seen of it, why it ended, what it cost."""

    def __init__(
        self,
        writer: Writer,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        target: Target,
        length: Length,
        constraint: Constraint | None,
        on_text: Callable[[str], None] | None,
        wanted: Callable[[], bool] | None,
    ) -> None:
        self.raw = ""
        self.ended: Ended = ""
        self.finish: Finish | None = None
        self.usage: Usage | None = None
        self._target, self._length, self._on_text, self._wanted = target, length, on_text, wanted
        self._shown, self._looked = "", 0
        self._stream = writer.stream(messages, sampling, constraint=constraint)

    def run(self) -> None:
        try:
            for piece in self._stream:
                if isinstance(piece, Usage):
                    self.usage, self.finish = piece, piece.finish
                    break
                self.raw += piece
                if self._wanted is not None and not self._wanted():
                    self.finish = "cancelled"
                    break
                if self._look():
                    break
        finally:
            self._stream.close()

    def _look(self) -> bool:
        """Show what is new; True where nothing that follows can belong to the section."""
        loops = len(self.raw) - self._looked >= _LOOK
        if loops:
            self._looked = len(self.raw)
        seen = see(self.raw, self._target, loops=loops)
        if self._on_text is not None and seen.text != self._shown:
            self._shown = seen.text
            self._on_text(seen.text)
        self.ended = seen.ended or ("limit" if self._length.passed(seen.text) else "")
        return bool(self.ended)


def _finished(
    stream: _Stream, target: Target, length: Length, media: frozenset[str], failure: BaseException | None
) -> tuple[str, bool, str]:
    """The version's text, whether it is partial, and a sentence about it, "" where all went well."""
    seen = see(stream.raw, target, final=True)
    text, ended = seen.text, seen.ended or stream.ended
    if ended == "thinking":
        return "", True, NOTES["thinking"]
    partial, note = failure is not None or stream.finish == "cancelled", NOTES["loop"] if ended == "loop" else ""
    if failure is not None:
        note = str(failure) if isinstance(failure, WriterError) else NOTES["cancelled"]
    elif stream.finish == "cancelled":
        note = NOTES["cancelled"]
    elif ended == "loop":
        text, _ = land(text, target.language)
    elif stream.finish == "length" and not ended:
        text, whole = land(text, target.language)
        partial, note = not whole, NOTES["length" if whole else "chopped"]
    text = mend(text, media)
    if not partial:
        landed, within = length.land(text)
        if landed != text or not within:
            text, partial, note = mend(landed, media), not within, NOTES["limit" if within else "over"]
    if not text and not partial:
        return "", True, NOTES["empty"]
    return text, partial, note
