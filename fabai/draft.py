"""Drafting: one section, one window, one Writer, one saved Version.

Knows the order of the work and that nothing a model wrote is lost. Does not know how windows are planned, prompts
worded, models run or commands called.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from fabai import prompt
from fabai.answer import Ended, Target, land, mend, see
from fabai.desk import Desk, Reader
from fabai.errors import WriterError
from fabai.length import Length
from fabai.lock import Constraint
from fabai.message import Message
from fabai.prompt.wording import wording, wording_digest
from fabai.reference import resolve
from fabai.report import Language, Report, fold
from fabai.settings import SamplingSettings, WindowSettings
from fabai.states import keep, kept
from fabai.store.project import Project
from fabai.store.record import Made, Version
from fabai.summaries import summaries, summarise
from fabai.window.candidates import heading_line
from fabai.window.counts import Counts
from fabai.window.passages import Retriever
from fabai.window.piece import Window
from fabai.window.plan import plan
from fabai.window.prefetch import opening
from fabai.window.retrieval import retriever
from fabai.window.shown import shown
from fabai.window.state import WindowState
from fabai.writers.base import Finish, Usage, Writer

WINDOW = WindowSettings()
SAMPLING = SamplingSettings()

# characters between two looks for loops, which cost some milliseconds
_LOOK = 120

_NOTES: dict[str, str] = {
    "thinking": "the model only reasoned and never came to the text; an empty partial version is kept, try again",
    "empty": "the model wrote nothing; an empty version is kept and the section stays as it was",
    "loop": "the model began to repeat itself; the text ends before that",
    "limit": "the model went on past the form's limit; the text ends at its last whole sentence within it",
    "over": "not even the model's first sentence is within the form's limit; the text is kept as partial",
    "length": "the model reached the section's limit; the text ends at its last whole sentence",
    "chopped": "the model reached the section's limit before its first sentence ended; the text is kept as partial",
    "cancelled": "the writing was stopped; what was written is kept as a partial version",
    "unverified": "'{0}' is no verified figure; the text is kept as partial",
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that a section's drafting is given. state: to pass in for the next section. messages: what the Writer is
    sent.
    """

    window: Window
    state: WindowState
    messages: tuple[Message, ...]

    @property
    def digest(self) -> str:
        """sha256 of the messages, the mark of what was shown."""
        layout = json.dumps([message.as_dict() for message in self.messages], ensure_ascii=False)
        return sha256(layout.encode("utf-8", "surrogatepass")).hexdigest()


def prepare(
    project: Desk,
    section_id: str,
    writer: Reader,
    settings: WindowSettings,
    state: WindowState | None = None,
    *,
    written: str = "",
    finder: Retriever | None = None,
) -> Prepared:
    """The window of a section in the project as it stands now. The one function behind context, draft and training
    examples.

    written: the text that the section has already, where what follows it is asked for. finder: finds passages in the
    project's sources; without one they are found by BM25, as in training. Raises WindowError where the
    fixed parts do not fit under the cap, UnknownName where there is no such section.
    """
    report, form = project.report(), project.form
    tail = _tail(written, writer, settings, project.language)
    parts = prompt.parts(
        report,
        section_id,
        form=form,
        ledger=project.ledger(),
        instructions=project.instructions,
        written=tail if writer.chat else "",
    )
    opening = () if writer.chat else (_opening(report, section_id, tail),)
    taken = sum(writer.count(f"\n\n{message.content}") for message in opening)
    if finder is None and (sources := project.sources()):
        finder = retriever(sources, project.language)
    window, state = plan(
        report,
        section_id,
        parts,
        writer,
        replace(settings, cap=settings.cap - taken) if taken else settings,
        state=state,
        form=form,
        pins=project.pins(),
        retriever=finder,
        summaries=summaries(project, writer),
        context=writer.context - taken,
    )
    return Prepared(window, state, (*prompt.messages(window, project.language), *opening))


def draft(
    project: Project,
    section_id: str,
    writer: Writer,
    *,
    window: WindowSettings = WINDOW,
    sampling: SamplingSettings = SAMPLING,
    state: WindowState | None = None,
    prepared: Prepared | None = None,
    constraint: Constraint | None = None,
    on_text: Callable[[str], None] | None = None,
    wanted: Callable[[], bool] | None = None,
) -> Version:
    """Write one section and save what came as a Version; its `made.settings` hold sampling, usage and, under "note",
    a sentence.

    prepared: a window that `prepare` made, else one is made. constraint: the figures that may be written; the text is
    looked through again when it is whole, and is partial where one is not among them. on_text: called with the
    section's text so far, whenever it grows. wanted: asked at each piece; False stops the writing. The answer may have
    as many tokens as the window reserves. The version is partial where the model failed, was stopped, or came to no
    whole sentence. A WriterError is raised after what came until then was saved; KeyboardInterrupt too.
    """
    report = project.report()
    ready = prepared if prepared is not None else prepare(project, section_id, writer, window, state)
    limited = replace(sampling, max_tokens=ready.window.reserve)
    target = _target(report, section_id, writer.chat)
    section = report.sections[report.index(section_id)]
    length = Length.of(section, report, project.form)
    stream = _Stream(writer, ready.messages, limited, target, length, constraint, on_text, wanted)
    failure: BaseException | None = None
    try:
        stream.run()
    except (WriterError, KeyboardInterrupt) as error:
        failure = error
        if not stream.raw:
            raise
    text, partial, note = _finished(stream, target, length, frozenset(project.media()), failure)
    text = resolve(text, project.ledger(), project.language)
    if constraint is not None and not note and (slips := constraint.slips(text)):
        partial, note = True, _NOTES["unverified"].format(slips[0].text)
    made = Made(
        writer=writer.name.partition(":")[0],
        model=writer.name,
        window=ready.digest,
        settings={
            "sampling": dataclasses.asdict(limited),
            "window": {"mode": ready.window.mode, "cap": ready.window.cap, "tokens": ready.window.tokens},
            "prompt": wording_digest(project.language),
            **({"lock": constraint.way} if constraint is not None else {}),
            **({"usage": dataclasses.asdict(stream.usage)} if stream.usage is not None else {}),
            **({"note": note} if note else {}),
        },
    )
    version = project.save_version(section_id, text, made, partial=partial)
    if isinstance(failure, WriterError):
        raise WriterError(
            f"{failure}; what was written is kept as version {version.number}, marked partial"
        ) from failure
    if failure is not None:
        raise failure
    return version


def draft_all(
    project: Project,
    sections: Sequence[str],
    writer: Writer,
    *,
    window: WindowSettings = WINDOW,
    sampling: SamplingSettings = SAMPLING,
    condense: bool = False,
    finder: Retriever | None = None,
    constraint: Constraint | None = None,
    on_section: Callable[[str, Prepared], None] | None = None,
    on_text: Callable[[str], None] | None = None,
    wanted: Callable[[], bool] | None = None,
) -> Iterator[Version]:
    """Draft sections one after the other, each in sight of the ones before. The window's state is carried along and
    kept in the project, so that section by section over several calls gives the same prompts as one call.

    condense: the writer also summarises each section that it has written, and before that those of which the window
    shows a summary that no writer made.
    """
    state = kept(project, writer, window)
    asked: set[str] = set()
    for section_id in sections:
        prepared = prepare(project, section_id, writer, window, state, finder=finder)
        shown = {one.section for one in prepared.window.pieces if one.section is not None and one.state == "summary"}
        if condense and (new := shown - asked):
            asked |= new
            for one in sorted(new):
                summarise(project, one, writer)
            prepared = prepare(project, section_id, writer, window, state, finder=finder)
        state = prepared.state
        if on_section is not None:
            on_section(section_id, prepared)
        version = draft(
            project,
            section_id,
            writer,
            sampling=sampling,
            prepared=prepared,
            constraint=constraint,
            on_text=on_text,
            wanted=wanted,
        )
        keep(project, writer, window, state)
        yield version
        if condense:
            asked.add(section_id)
            summarise(project, section_id, writer)


def read_ahead(
    project: Project,
    section_id: str,
    writer: Writer,
    window: WindowSettings = WINDOW,
    finder: Retriever | None = None,
) -> None:
    """Let the writer read the prompt of a section that will be asked for next, up to where the section's own part
    begins, and keep the window's state, so that only the end is left to read then.

    It costs the time that the reading takes, so it is for the while in which a person reads what was just written; in
    one run over several sections the next prompt follows at once. WriterError where the writer fails.
    """
    prepared = prepare(project, section_id, writer, window, kept(project, writer, window), finder=finder)
    keep(project, writer, window, prepared.state)
    one = replace(SAMPLING, max_tokens=1)
    with closing(writer.stream(opening(prepared.window, wording(project.language).labels), one)) as stream:
        next(stream, None)


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
        return "", True, _NOTES["thinking"]
    partial, note = failure is not None or stream.finish == "cancelled", _NOTES["loop"] if ended == "loop" else ""
    if failure is not None:
        note = str(failure) if isinstance(failure, WriterError) else _NOTES["cancelled"]
    elif stream.finish == "cancelled":
        note = _NOTES["cancelled"]
    elif ended == "loop":
        text, _ = land(text, target.language)
    elif stream.finish == "length" and not ended:
        text, whole = land(text, target.language)
        partial, note = not whole, _NOTES["length" if whole else "chopped"]
    text = mend(text, media)
    if not partial:
        landed, within = length.land(text)
        if landed != text or not within:
            text, partial, note = mend(landed, media), not within, _NOTES["limit" if within else "over"]
    if not text and not partial:
        return "", True, _NOTES["empty"]
    return text, partial, note


def _target(report: Report, section_id: str, chat: bool) -> Target:
    position = report.index(section_id)
    section = report.sections[position]
    after = report.sections[position + 1 : position + 2]
    others = frozenset(fold(one.heading) for one in report.sections if one.heading) - {"", fold(section.heading)}
    # a base model knows no instruction: a heading of any level is the document going on
    return Target(
        section.heading, section.level, report.language, after[0].heading if after else "", others, headings=chat
    )


def _tail(written: str, reader: Reader, settings: WindowSettings, language: Language) -> str:
    """The end of what a section has already, in whole sentences."""
    if not written.strip():
        return ""
    most = min(settings.written, settings.cap // 8)
    return Counts.of(reader).cut(shown(written), most, "end", language).text


def _opening(report: Report, section_id: str, tail: str = "") -> Message:
    """The beginning of the answer for a base model: it goes on writing under a heading, or behind the text that stands
    there, and does not heed an instruction.
    """
    position = report.index(section_id)
    section = report.sections[position]
    line = heading_line(section, report.numbers()[position]) or report.title
    head = f"{'#' * max(1, section.level)} {line}\n\n"
    return Message("assistant", f"{head}{tail}\n\n" if tail else head)


def used(version: Version) -> dict[str, Any]:
    """What the writing of a version cost, as recorded: prompt_tokens, completion_tokens, finish, cached; {} where
    unknown.
    """
    return dict(version.made.settings.get("usage", {}))


def note(version: Version) -> str:
    """The sentence that a person should read about a version, "" where all went well."""
    return str(version.made.settings.get("note", ""))
