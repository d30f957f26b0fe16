"""A funder's request for clarification read as a form: one section for each question, and the deadline that it sets.

Knows how requests number their points in three languages. Does not know projects or answers.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fabai.demands import Deadline
from fabai.dossier.promises import NUMBERS, duration_in
from fabai.errors import UnreadableFile
from fabai.form import Form, SectionSpec, find_form
from fabai.formats import ast
from fabai.formats.changes import read_texts
from fabai.formats.document import Document
from fabai.report import LANGUAGES, Language
from fabai.settings import ReadingLimits

_LIMITS = ReadingLimits()
_NUMBERED = re.compile(
    r"^\s*(?:\(?(\d{1,2}|[a-z])[.)]|(?:punt|punto|point|question|pregunta)\s+(\d{1,2})[.:)]?)\s+(?=\S)", re.IGNORECASE
)
_ASKS = re.compile(
    r"\?|\bplease\b|\bcal\b|\brequer|\baport|\baclar|\bjustifi|\bexplain|\bclarif|\bno consta|\bprovide", re.IGNORECASE
)
_TERM = re.compile(r"\btermini|\bplazo|\bwithin\b|\bdeadline", re.IGNORECASE)
_WORKING = re.compile(r"\bh[àá]bil|\bworking", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.;])\s+")
_LONGEST = 110


@dataclass(frozen=True, slots=True)
class Question:
    """number: the request's own, or counted from 1. text: in its words."""

    number: str
    text: str


def questions(document: Document, limits: ReadingLimits = _LIMITS) -> tuple[Question, ...]:
    """The points of a request in order: numbered ones; where there are none, items of lists; else "
    "sentences that ask."""
    trees = read_texts([section.text for section in document.sections], limits)
    found = list(_numbered(trees))
    if not found:
        found = [Question(str(number), text) for number, text in enumerate(_items(trees), start=1)]
    if not found:
        asked = [sentence for blocks in trees for sentence in _sentences(blocks) if _ASKS.search(sentence)]
        found = [Question(str(number), text) for number, text in enumerate(asked, start=1)]
    return tuple(found)


def _numbered(trees: Sequence[Sequence[ast.Element]]) -> Iterator[Question]:
    for blocks in trees:
        for block in blocks:
            if block["t"] == "OrderedList":
                start = block["c"][0][0]
                style = block["c"][0][1]["t"]
                for offset, item in enumerate(block["c"][1]):
                    number = chr(96 + start + offset) if "Alpha" in style else str(start + offset)
                    yield Question(number, ast.text(item))
            elif block["t"] in ("Para", "Plain"):
                text = ast.text(block)
                match = _NUMBERED.match(text)
                if match is not None:
                    yield Question((match[1] or match[2]).lower(), text[match.end() :])


def _items(trees: Sequence[Sequence[ast.Element]]) -> Iterator[str]:
    for blocks in trees:
        for block in blocks:
            if block["t"] == "BulletList":
                yield from (ast.text(item) for item in block["c"])


def _sentences(blocks: Sequence[ast.Element]) -> Iterator[str]:
    for block in blocks:
        if block["t"] in ("Para", "Plain"):
            yield from (one for one in _SENTENCE.split(ast.text(block)) if len(one) > 20 and not _TERM.search(one))


def deadline_in(document: Document, source: str, today: datetime.date) -> Deadline | None:
    """The days that a request gives from its notification, None where it does not say."""
    for section in document.sections:
        for sentence in _SENTENCE.split(" ".join(section.text.split())):
            duration = duration_in(sentence)
            if not duration or not _TERM.search(sentence):
                continue
            number, *rest = re.split(r"[\s-]+", duration.lower())
            count = int(number) if number.isdigit() else NUMBERS.get(number)
            if count is None or not rest:
                continue
            months = rest[-1].startswith(("m", "mes"))
            if months:
                return Deadline("notification", source, str(today), months=count)
            days = count * 7 if rest[-1].startswith(("week", "sem", "set")) else count
            return Deadline(
                "notification", source, str(today), days=days, working=_WORKING.search(sentence) is not None
            )
    return None


def response_form(document: Document, name: str, language: Language, today: datetime.date) -> Form:
    """The form `response` with the request's own questions and deadline. UnreadableFile where it asks nothing."""
    found = questions(document)
    if not found:
        raise UnreadableFile(f"{name} asks nothing that could be read: write its points as a numbered list")
    form = find_form("response")
    model = form.sections[0]
    words = {"es": "Pregunta", "ca": "Pregunta", "en": "Question"}
    sections = tuple(
        SectionSpec(
            id=f"pregunta-{position}",
            heading={one: f"{words[one]} {question.number}. {_short(question.text)}" for one in LANGUAGES},
            guidance={language: question.text},
            kind="response",
            evidence=model.evidence,
            source=name,
        )
        for position, question in enumerate(found, start=1)
    )
    deadline = deadline_in(document, name, today)
    return replace(form, sections=sections, deadlines=form.deadlines if deadline is None else (deadline,), source=name)


def _short(text: str) -> str:
    first = re.split(r"(?<=[.?!])\s", text, maxsplit=1)[0].rstrip(".")
    return first if len(first) <= _LONGEST else first[:_LONGEST].rsplit(" ", 1)[0] + " …"
