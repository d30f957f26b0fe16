"""A text that stands, asked for anew: shortened, developed, continued, or as a person wishes; locked paragraphs stay.

Knows what the model is asked and how its answer meets the locked paragraphs. Does not know who asks or where the answer
goes. The words are in app/prompts, one file per language. What the text says is material, never an order: it stands
between lines of tildes, and the window in front of it is the one that drafting uses.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Literal

from fabai.answer import Target, land, mend, see
from fabai.draft import SAMPLING, WINDOW, Prepared, prepare
from fabai.message import Message
from fabai.prompt import limit_text
from fabai.reference import resolve
from fabai.report import Language
from fabai.settings import SamplingSettings
from fabai.store.project import Project
from fabai.store.provenance import split
from fabai.store.record import Made
from fabai.strict import build
from fabai.window.shown import fenced, shown
from fabai.writers.base import Usage, Writer

Wish = Literal["rewrite", "shorten", "expand", "proceed"]
WISHES: tuple[Wish, ...] = ("rewrite", "shorten", "expand", "proceed")


@dataclass(frozen=True, slots=True)
class Asking:
    """The words of one language."""

    rewrite: str
    shorten: str
    expand: str
    proceed: str
    shorter: str
    closing: str


@cache
def asking(language: Language) -> Asking:
    """An unknown or missing key in the language's file is an error that names it."""
    text = resources.files("fabai.app").joinpath("prompts", f"{language}.toml").read_text(encoding="utf-8")
    return build(Asking, tomllib.loads(text), f"{language}.toml")


@dataclass(frozen=True, slots=True)
class Answer:
    """text: the new text alone. partial: the model was stopped, or did not come to the end of a sentence."""

    text: str
    made: Made
    partial: bool


def rewrite(
    project: Project,
    section_id: str,
    writer: Writer,
    wish: Wish,
    text: str,
    instruction: str = "",
    *,
    sampling: SamplingSettings = SAMPLING,
    on_text: Callable[[str], None] | None = None,
    wanted: Callable[[], bool] | None = None,
) -> Answer:
    """What the model makes of a text of a section. on_text, wanted: as in `fabai.draft.draft`."""
    prepared = prepare(project, section_id, writer, WINDOW, written=text if wish == "proceed" else "")
    report = project.report()
    section = report.sections[report.index(section_id)]
    messages = (
        prepared.messages if wish == "proceed" else _messages(project, prepared, section_id, wish, text, instruction)
    )
    limited = replace(sampling, max_tokens=prepared.window.reserve)
    target = Target(section.heading, section.level, project.language, headings=writer.chat)
    raw, shown_last, finish = "", "", "stop"
    with closing(writer.stream(messages, limited)) as stream:
        for piece in stream:
            if isinstance(piece, Usage):
                finish = piece.finish
                break
            raw += piece
            if wanted is not None and not wanted():
                finish = "cancelled"
                break
            seen = see(raw, target, loops=False)
            if on_text is not None and seen.text != shown_last:
                shown_last = seen.text
                on_text(seen.text)
            if seen.ended:
                break
    found = see(raw, target, final=True).text
    partial = finish == "cancelled"
    if finish == "length":
        found, whole = land(found, project.language)
        partial = not whole
    found = resolve(mend(found, frozenset(project.media())), project.ledger(), project.language)
    settings = {"wish": wish, "instruction": instruction, "window": {"tokens": prepared.window.tokens}}
    return Answer(found, Made(writer.name.partition(":")[0], writer.name, prepared.digest, settings), partial)


def _messages(
    project: Project, prepared: Prepared, section_id: str, wish: Wish, text: str, instruction: str
) -> tuple[Message, ...]:
    words = asking(project.language)
    report = project.report()
    section = report.sections[report.index(section_id)]
    spec = project.form.spec(section.spec)
    limit = limit_text(() if spec is None else spec.limits, project.language, project.form) or words.shorter
    ask = getattr(words, wish).format(heading=shown(section.heading), limit=limit, wish=shown(instruction))
    last = prepared.messages[-1]
    # the last message of a window asks for the section; here the wish stands in that place, behind the same material
    return (
        *prepared.messages[:-1],
        replace(last, content=f"{last.content}\n\n{ask}\n\n{fenced(shown(text))}\n\n{words.closing}"),
    )


def with_locked(old: str, new: str, locked: Iterable[str]) -> str:
    """The new text with every locked paragraph of the old one in it, word for word, at about its place."""
    kept = {one.strip() for one in locked}
    before = [old[start:end] for start, end in split(old)]
    after = [new[start:end] for start, end in split(new)]
    present = {one.strip() for one in after}
    missing = [(place, one) for place, one in enumerate(before) if one.strip() in kept and one.strip() not in present]
    for place, one in missing:
        after.insert(min(len(after), round(place * (len(after) + 1) / max(1, len(before)))), one)
    return new if not missing else "\n\n".join(after) + "\n"


def paragraphs(text: str) -> Sequence[str]:
    """The blocks of a text, as reviews count them."""
    return [text[start:end] for start, end in split(text)]
