"""What a section could be written from, and what to ask where that is nothing: who, how many, when, what changed, what
proves it.

Knows facts, sources and the form's guidance. Does not know models: questions are fixed sentences, so that none is ever
made up. Their words are in app/words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fabai.form import in_language
from fabai.ledger import Fact
from fabai.report import LANGUAGES, Report, Section, fold
from fabai.store.project import Project
from fabai.window.retrieval import retriever, section_query
from fabai.window.words import stems

ASKED = ("who", "how_many", "when", "what", "changed", "proof", "next")
"""The questions in the order in which they are asked."""
_HOLE = re.compile(r"\[falta:\s*([^\[\]]*)\]")
_NAME = "{question} · {heading}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found for a section. passages: names of the sources' passages. facts: names of facts that its heading or
    its guidance mentions, and the answers to its questions.
    """

    passages: tuple[str, ...]
    facts: tuple[str, ...]

    @property
    def any(self) -> bool:
        return bool(self.passages or self.facts)


def evidence(project: Project, report: Report, section: Section) -> Evidence:
    """What the project holds for a section beside its own text."""
    spec = project.form.spec(section.spec)
    guidance = in_language(spec.guidance, project.language) if spec is not None else ""
    headings = [*(one.heading for one in report.ancestors(section.id)), section.heading]
    ledger = project.ledger()
    about = {one for language in LANGUAGES for one in stems(" ".join([section.heading, guidance]), language)}
    facts = tuple(
        fact.name
        for fact in ledger
        if _answers(fact, section) or any(about & set(stems(fact.name, language)) for language in LANGUAGES)
    )
    sources = project.sources()
    passages = (
        retriever(sources, project.language).find(section_query(headings, guidance, ledger), 3) if sources else ()
    )
    return Evidence(tuple(one.source for one in passages), facts)


def questions(section: Section, project: Project, words: Mapping[str, str], most: int) -> list[dict[str, str]]:
    """What to ask of a section: the holes in its text first, then the fixed questions that have no answer yet."""
    known = {fold(fact.name) for fact in project.ledger()}
    asked = [
        {"key": "hole", "text": words["hole_question"].format(what=one), "name": one}
        for one in _HOLE.findall(section.text)
    ]
    for key in ASKED:
        name = _NAME.format(question=words[f"q_{key}_name"], heading=section.heading)
        if fold(name) not in known:
            asked.append({"key": key, "text": words[f"q_{key}"], "name": name})
    return asked[:most]


def answer(project: Project, section: Section, name: str, value: str, who: str, source: str) -> Fact:
    """An answer becomes a verified datum; source: what the person says proves it."""
    fact = Fact(name, value, source, confirmed_by=who)
    project.set_fact(fact)
    text = project.workbench.standing(section.id)
    filled = re.sub(rf"\[falta:\s*{re.escape(name)}\s*\]", lambda _: value, text.text)
    if filled != text.text:
        project.workbench.edit(section.id, filled, text.token, who)
    return fact


def _answers(fact: Fact, section: Section) -> bool:
    return fold(fact.name).endswith(fold(section.heading)) and "·" in fact.name
