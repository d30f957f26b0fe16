"""A text over its limit made shorter by the Writer, in rounds with a smaller budget each: never cut, and no fact lost.

Knows budgets, what a text measures, what its pages hold, and which facts of the ledger it has. Does not know how the
model is asked (fabai.rewriting) nor who sees the difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from fabai.checks.limits import applying, measure
from fabai.checks.pages import Laid
from fabai.checks.plain import plain, plains
from fabai.dossier.references import texts_in_words
from fabai.draft import SAMPLING, WINDOW
from fabai.figures import accepted, figures, marks
from fabai.form import Form, Limit
from fabai.ledger import Fact, Ledger
from fabai.lock import Constraint
from fabai.report import Language, Report, fold
from fabai.rewriting import Answer, rewrite
from fabai.settings import SamplingSettings, WindowSettings
from fabai.store.project import Project
from fabai.store.record import Made
from fabai.writers.base import Writer

ROUNDS = 3
_FULL = 0.98
"""Of a page that is filled: text never ends at its last line."""
_LEAST = 0.6
"""Share of the limit below which no budget is asked for."""
NOTES: dict[str, str] = {
    "long": "the shortest text that keeps every fact still measures {0}; shorten it by hand",
    "lost": "every shorter text lost facts ({0}), so the text stays as it was",
}
"""What a person should read about a shortened text, by its kind."""


@dataclass(frozen=True, slots=True)
class Round:
    """One asking: the budget, what the answer measured, and the facts that it lost, by name."""

    budget: int
    length: int
    lost: tuple[str, ...]


def budgets(report: Report, form: Form) -> dict[str, Limit]:
    """The maximum that each section must come down to, in words or characters; sections within theirs are left out.

    report: with its citations in words (fabai.dossier.references.worded), as limits count them. Where the whole is too
    long, each section that counts gives up the same share.
    """
    filled = [section for section in report if section.text.strip()]
    texts = dict(zip((one.id for one in filled), plains([one.text for one in filled]), strict=True))
    out: dict[str, Limit] = {}
    for section in report:
        spec = form.spec(section.spec)
        limits = () if spec is None or section.id not in texts else applying(spec.limits, report)
        over = [one for one in limits if _over(one, texts[section.id]) > 1]
        if over:
            out[section.id] = max(over, key=lambda one: _over(one, texts[section.id]))
    for limit in applying(form.limits, report):
        counted = [one for one in report if one.id in texts and one.spec not in limit.excludes]
        share = _over(limit, "\n".join(texts[one.id] for one in counted))
        for section in counted if share > 1 else ():
            most = int(measure(texts[section.id], limit.unit, limit.line_break) / share)
            known = out.get(section.id)
            if known is None or (known.unit == limit.unit and (known.maximum or 0) > most):
                out[section.id] = replace(limit, maximum=most, minimum=None, excludes=())
    return out


def in_pages(report: Report, form: Form) -> bool:
    """Whether any limit that holds is a maximum of pages."""
    specs = [form.spec(section.spec) for section in report]
    limits = [*form.limits, *(limit for spec in specs if spec is not None for limit in spec.limits)]
    return any(one.unit == "pages" and one.maximum is not None for one in applying(tuple(limits), report))


def page_budgets(report: Report, form: Form, laid: Laid) -> dict[str, Limit]:
    """The words that each section must come down to for the limits in pages, by the words that its pages hold now.

    A section's limit holds for those under it too. Where the whole is too long, each section that counts gives up the
    same share. Tables and pictures give up nothing, so the result is laid out and asked for again.
    """
    texts = [one.text for one in report]
    words = {one.id: measure(text, "words") for one, text in zip(report, plains(texts), strict=True) if text}
    shares: dict[str, float] = {}
    for index, section in enumerate(report):
        spec = form.spec(section.spec)
        length, begun = laid.length(index), laid.pages_of(index)
        for limit in applying(spec.limits, report) if spec is not None else ():
            if limit.unit == "pages" and limit.maximum is not None and length and (begun or 0) > limit.maximum:
                for one in laid.under(index):
                    shares[one.id] = min(shares.get(one.id, 1.0), limit.maximum * _FULL / length)
    for limit in applying(form.limits, report):
        if limit.unit != "pages" or limit.maximum is None or laid.counted(limit) <= limit.maximum:
            continue
        share = limit.maximum * _FULL / laid.filled(limit)
        for section in report:
            if section.spec is None or section.spec not in limit.excludes:
                shares[section.id] = min(shares.get(section.id, 1.0), share)
    return {name: Limit("words", max(int(words[name] * share), 1)) for name, share in shares.items() if words.get(name)}


def _over(limit: Limit, text: str) -> float:
    """How many times its maximum a plain text measures; 0 where the limit says nothing of it."""
    if limit.maximum is None or limit.unit == "pages":
        return 0.0
    return measure(text, limit.unit, limit.line_break) / max(limit.maximum, 0.5)


def held(text: str, ledger: Ledger, language: Language) -> tuple[Fact, ...]:
    """The facts whose value a text states: every figure of it, or its words."""
    there = {mark for figure in figures(text, language) for mark in marks(figure)}
    words = f" {fold(text)} "
    found = []
    for fact in ledger:
        wanted = figures(fact.value, language)
        stated = all(any(mark in there for mark in accepted(one)) for one in wanted) if wanted else False
        if stated or (not wanted and f" {fold(fact.value)} " in words):
            found.append(fact)
    return tuple(found)


def shorten(
    project: Project,
    section_id: str,
    writer: Writer,
    text: str,
    limit: Limit,
    *,
    rounds: int = ROUNDS,
    window: WindowSettings = WINDOW,
    sampling: SamplingSettings = SAMPLING,
    constraint: Constraint | None = None,
    on_round: Callable[[Round], None] | None = None,
    on_text: Callable[[str], None] | None = None,
    wanted: Callable[[], bool] | None = None,
) -> Answer:
    """The text brought within a maximum, asked for up to `rounds` times, each time with what must stay.

    The answer is the shortest text that lost no fact of the ledger, the text as it was where every one did; partial
    where it is not within the limit, and then `made.settings["note"]` says so. `made.settings["rounds"]` tells each.
    """
    language, ledger = project.language, project.ledger()
    most = limit.maximum or 0
    facts = held(plain(text), ledger, language)
    keep = tuple(dict.fromkeys(one.value for one in facts))
    best, asked = text, most
    told: list[Round] = []
    lost_ever: dict[str, None] = {}
    made: Made | None = None
    for _ in range(max(rounds, 1)):
        answer = rewrite(
            project, section_id, writer, "shorten", best,
            limits=(replace(limit, maximum=asked, minimum=None),), keep=keep,
            window=window, sampling=sampling, constraint=constraint, on_text=on_text, wanted=wanted,
        )  # fmt: skip
        there = held(plain(answer.text), ledger, language)
        lost = tuple(one.name for one in facts if one not in there)
        length = length_of(project, answer.text, limit)
        told.append(Round(asked, length, lost))
        if on_round is not None:
            on_round(told[-1])
        lost_ever |= dict.fromkeys(lost)
        made = answer.made if made is None else made
        if answer.text.strip() and not answer.partial and not lost and length < length_of(project, best, limit):
            best, made = answer.text, answer.made
        if length_of(project, best, limit) <= most or (wanted is not None and not wanted()):
            break
        asked = max(int(asked * most / max(length, most + 1)), int(most * _LEAST))
    assert made is not None  # one round at least was asked
    settings: dict[str, Any] = {**made.settings, "rounds": [[one.budget, one.length, *one.lost] for one in told]}
    length = length_of(project, best, limit)
    if length > most:
        whole = best == text and bool(lost_ever)
        what = ", ".join(lost_ever) if whole else f"{length} / {most}"
        settings["note"] = NOTES["lost" if whole else "long"].format(what)
    return Answer(best, replace(made, settings=settings), partial=length > most)


def length_of(project: Project, text: str, limit: Limit) -> int:
    """A Markdown text in a limit's unit, its citations in words."""
    (shown,) = texts_in_words(project, [text])
    return measure(plain(shown), limit.unit, limit.line_break)
