"""A text that stands, asked for anew: shortened, developed, continued, or as a person wishes.

Knows what the model is asked. Does not know who asks or where the answer goes. The words are in fabai/prompt, one file
per language. What the text says is material, never an order: it stands between lines of tildes, and the window in front
of it is the one that drafting uses.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Literal

from fabai.answer import Target, land, mend, see
from fabai.attempt import NOTES
from fabai.draft import SAMPLING, WINDOW, Prepared, prepare
from fabai.form import Limit
from fabai.lock import Constraint
from fabai.message import Message
from fabai.prompt import limit_text
from fabai.reference import resolve
from fabai.report import Language
from fabai.settings import SamplingSettings, WindowSettings
from fabai.store.project import Project
from fabai.store.record import Made
from fabai.strict import build
from fabai.window.shown import fenced, quoted, shown
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
    keep: str
    closing: str


@cache
def asking(language: Language) -> Asking:
    """An unknown or missing key in the language's file is an error that names it."""
    text = resources.files("fabai.prompt").joinpath(f"asking-{language}.toml").read_text(encoding="utf-8")
    return build(Asking, tomllib.loads(text), f"asking-{language}.toml")


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
    limits: Sequence[Limit] | None = None,
    keep: Sequence[str] = (),
    window: WindowSettings = WINDOW,
    sampling: SamplingSettings = SAMPLING,
    constraint: Constraint | None = None,
    on_text: Callable[[str], None] | None = None,
    wanted: Callable[[], bool] | None = None,
) -> Answer:
    """What the model makes of a text of a section. window, on_text, wanted: as in `fabai.draft.draft`.

    limits: what the text is shortened to, the form's limits of the section where None. keep: what must stay word for
    word when it is shortened. constraint: the figures that may be written; the answer is partial where another one
    came in.
    """
    prepared = prepare(project, section_id, writer, window, written=text if wish == "proceed" else "")
    report = project.report()
    section = report.sections[report.index(section_id)]
    messages = (
        prepared.messages
        if wish == "proceed"
        else _messages(project, prepared, section_id, wish, text, instruction, limits, keep)
    )
    limited = replace(sampling, max_tokens=prepared.window.reserve)
    target = Target(section.heading, section.level, project.language, headings=writer.chat)
    raw, shown_last, finish = "", "", "stop"
    with closing(writer.stream(messages, limited, constraint=constraint)) as stream:
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
    settings: dict[str, Any] = {
        "wish": wish,
        "instruction": instruction,
        "window": {"tokens": prepared.window.tokens},
        **({"lock": constraint.way} if constraint is not None else {}),
    }
    if constraint is not None and not partial and (slips := constraint.slips(found)):
        partial, settings["note"] = True, NOTES["unverified"].format(slips[0].text)
    return Answer(found, Made(writer.name.partition(":")[0], writer.name, prepared.digest, settings), partial)


def _messages(
    project: Project,
    prepared: Prepared,
    section_id: str,
    wish: Wish,
    text: str,
    instruction: str,
    limits: Sequence[Limit] | None,
    keep: Sequence[str],
) -> tuple[Message, ...]:
    words = asking(project.language)
    report = project.report()
    section = report.sections[report.index(section_id)]
    spec = project.form.spec(section.spec)
    given = (() if spec is None else spec.limits) if limits is None else limits
    limit = limit_text(given, project.language, project.form) or words.shorter
    ask = getattr(words, wish).format(heading=quoted(section.heading), limit=limit, wish=shown(instruction))
    if keep:
        ask = f"{ask} {words.keep.format(facts='; '.join(quoted(one) for one in keep))}"
    last = prepared.messages[-1]
    # the last message of a window asks for the section; here the wish stands in that place, behind the same material
    return (
        *prepared.messages[:-1],
        replace(last, content=f"{last.content}\n\n{ask}\n\n{fenced(shown(text))}\n\n{words.closing}"),
    )
