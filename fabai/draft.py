"""Drafting: one section, one window, one Writer, one saved Version.

Knows the order of the work and that nothing a model wrote is lost. Does not know how windows are planned, prompts
worded, models run or commands called.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from fabai import prompt
from fabai.answer import Target
from fabai.attempt import Attempt, attempt
from fabai.desk import Desk, Reader
from fabai.errors import WriterError
from fabai.length import Length
from fabai.lock import Constraint
from fabai.lock.choice import choose
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
from fabai.writers.base import Writer

WINDOW = WindowSettings()
SAMPLING = SamplingSettings()


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

    prepared: a window that `prepare` made, else one is made. constraint: the figures that may be written, of which the
    section is given those that concern it (fabai.lock.choice); the text is looked through again when it is whole, and
    is partial where one is not among them. Of two ways of locking, the second is tried where the first leaves facts
    out, and the text with more of them is kept. on_text: called with the
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
    how: dict[str, Any] = {"media": frozenset(project.media()), "on_text": on_text, "wanted": wanted}
    best: Attempt | None = None
    seconds = 0.0
    for lock in _locks(project, constraint, ready.window):
        found = attempt(writer, ready.messages, limited, target, length, lock=lock, **how)
        if best is None and found.failure is not None and not found.began:
            raise found.failure
        seconds += found.seconds
        if best is None or found.covered > best.covered:
            best = found
        if found.over:
            break
    assert best is not None
    # a second try that failed takes nothing from the first, but who stopped it wants no more
    failure = found.failure if isinstance(found.failure, KeyboardInterrupt) else best.failure
    text = resolve(best.text, project.ledger(), project.language)
    made = Made(
        writer=writer.name.partition(":")[0],
        model=writer.name,
        window=ready.digest,
        settings={
            "sampling": dataclasses.asdict(limited),
            "window": {"mode": ready.window.mode, "cap": ready.window.cap, "tokens": ready.window.tokens},
            "prompt": wording_digest(project.language),
            "seconds": round(seconds, 2),
            **({"lock": best.lock.way, "facts": len(best.lock.facts)} if best.lock is not None else {}),
            **({"usage": dataclasses.asdict(best.usage)} if best.usage is not None else {}),
            **({"note": best.note} if best.note else {}),
        },
    )
    version = project.save_version(section_id, text, made, partial=best.partial)
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
    locked: Collection[str] | None = None,
    on_section: Callable[[str, Prepared], None] | None = None,
    on_text: Callable[[str], None] | None = None,
    wanted: Callable[[], bool] | None = None,
) -> Iterator[Version]:
    """Draft sections one after the other, each in sight of the ones before. The window's state is carried along and
    kept in the project, so that section by section over several calls gives the same prompts as one call.

    condense: the writer also summarises each section that it has written, and before that those of which the window
    shows a summary that no writer made. locked: the sections that the constraint is for; None: all.
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
            constraint=constraint if locked is None or section_id in locked else None,
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


def _locks(project: Project, constraint: Constraint | None, window: Window) -> tuple[Constraint | None, ...]:
    """The locks to try, one after the other; one try without any where the text is free."""
    if constraint is None:
        return (None,)
    return constraint.ways(choose(window, constraint.facts, project.language))


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
