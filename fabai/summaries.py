"""The summaries of a project's sections: made by a Writer once for each text, or extracted where none was made.

Knows the store, the Writer and the prompt for a summary. Does not know how sentences are extracted
(fabai.window.summary) or when a window shows a summary.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from fabai.answer import Target, see
from fabai.desk import Desk
from fabai.message import Message, TokenCounter
from fabai.prompt.wording import wording
from fabai.report import Language
from fabai.settings import SamplingSettings, SummarySettings
from fabai.store.project import Project
from fabai.window.counts import Counts
from fabai.window.cut import cut
from fabai.window.shown import fenced, quoted, shown
from fabai.window.summary import extract, text_hash
from fabai.window.words import words
from fabai.writers.base import Usage, Writer

SUMMARY = SummarySettings()
SAMPLING = SamplingSettings()
_MOST = 10_000
"""Extracts kept for one ledger."""


def summaries(project: Desk, counter: TokenCounter, settings: SummarySettings = SUMMARY) -> dict[str, str]:
    """Section id -> summary of its present text, for the sections long enough to be worth one.

    A stored summary is found by the hash of the text; where there is none the sentences are extracted, which takes
    some milliseconds and is not stored, so that a Writer's summary can still come.
    """
    counts = Counts.of(counter)
    ledger, language = project.ledger(), project.language
    # hashing a ledger of hundreds of facts for each section would take longer than all the rest
    facts = text_hash("\0".join(f"{fact.name}\0{fact.value}" for fact in ledger))
    extracts: dict[str, str] = counts.remember(("extracts", facts, language, settings), dict)
    if len(extracts) > _MOST:
        extracts.clear()
    found: dict[str, str] = {}
    for section in project.report():
        text = section.text
        if counts.count(text) >= settings.worth * settings.tokens:
            made = project.summary(counts.remember(("text hash", text), partial(text_hash, text)))
            if not made and (made := extracts.get(text)) is None:
                made = extracts[text] = extract(text, ledger, language, counts.cached, settings)
            found[section.id] = made
    return {section_id: summary for section_id, summary in found.items() if summary}


def summarise(
    project: Project,
    section_id: str,
    writer: Writer,
    settings: SummarySettings = SUMMARY,
    sampling: SamplingSettings = SAMPLING,
) -> str:
    """The Writer's summary of a section's present text, made and stored once; call it when a Version has become the
    text, drafted or accepted. "" where the text is too short to be worth one.

    Where the Writer takes no instructions, says nothing, or names a figure that the text does not hold, the extracted
    sentences are returned and nothing is stored. WriterError where the Writer fails.
    """
    report = project.report()
    section = report.sections[report.index(section_id)]
    if not _worth(section.text, writer, settings):
        return ""
    key = text_hash(section.text)
    stored = project.summary(key)
    if stored is not None:
        return stored
    fallback = extract(section.text, project.ledger(), project.language, writer, settings)
    if not writer.chat or not fallback:
        return fallback
    asked = _prompt(section.heading, section.text, writer, project.language, settings)
    limited = replace(sampling, temperature=0.0, seed=0, max_tokens=min(4 * settings.tokens, sampling.max_tokens))
    raw = "".join(piece for piece in writer.stream(asked, limited) if not isinstance(piece, Usage))
    seen = see(raw, Target(section.heading, section.level, project.language), final=True)
    text = " ".join(seen.text.split())
    kept = cut(text, settings.tokens, writer, "start", project.language)
    summary = re.sub(r"\s*\[…\]$", "", kept.text)
    if not summary or seen.ended == "loop" or not _figures(summary) <= _figures(section.text):
        return fallback
    project.save_summary(key, summary, writer.name)
    return summary


def _worth(text: str, counter: TokenCounter, settings: SummarySettings) -> bool:
    return counter.count(text) >= settings.worth * settings.tokens


def _prompt(heading: str, text: str, writer: Writer, language: Language, settings: SummarySettings) -> list[Message]:
    words_of = wording(language)
    room = writer.context - 4 * settings.tokens
    ask = words_of.condense.format(heading=quoted(heading), words=settings.words)
    empty = [Message("user", f"{ask}\n\n{fenced('')}")]
    kept = cut(shown(text), room - writer.count_messages(empty) - 16, writer, "start", language)
    return [Message("user", f"{ask}\n\n{fenced(kept.text)}")]


def _figures(text: str) -> set[str]:
    return {re.sub(r"[.,]0{1,2}$|[.,]", "", word) for word in words(text) if word[0].isdigit()}
