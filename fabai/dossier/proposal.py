"""Commitments proposed from a granted proposal: what its headings, labels, lists and tables promise.

Knows how proposals are laid out. Proposes too much rather than too little, as a person confirms each. Does not know
projects, nor what a resolution decides (fabai.dossier.resolution).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from fabai.dossier.commitment import Commitment, Kind
from fabai.dossier.place import Place
from fabai.dossier.promise_tables import from_table
from fabai.dossier.promises import (
    Promise,
    amount_in,
    dates_in,
    duration_in,
    first_number,
    people_in,
    shortened,
    target_in,
)
from fabai.dossier.topics import label_of, topic_of
from fabai.formats import ast
from fabai.formats.changes import read_texts
from fabai.formats.document import Document
from fabai.report import TYPED_NUMBER, Language
from fabai.settings import ReadingLimits

_LIMITS = ReadingLimits()
_HEAD_WORDS = 12
_GOALS = re.compile(
    r"\b(?:(?:overall|general|main|primary|specific|principal) (?:objectives?|goals?|aim)|(?:objective"
    r"|goal|aim) of (?:this|the|our)\b"
    r"|objetivos? (?:general|principal|(?:del? |de la )(?:est[ae] |presente )?(?:proyecto|trabajo|propuesta|actuación))"
    r"|objectius? (?:general|principal|(?:del |de la |d['’])(?:aquesta? |present )?(?:projecte|treball|proposta"
    r"|actuació))"
    r"|(?:our|the project'?s?) (?:objective|goal|aim) is|tiene (?:como|por) objetivo|té (?:com a|per) objectiu)",
    re.IGNORECASE,
)
_PROMISES = re.compile(
    r"^(?:(?:in addition|finally|then|first|second|here|además|finalmente|a més"
    r"|finalment),? )?(?:we (?:will|shall|plan to|propose to)"
    r"|se (?:realizará|desarrollará|elaborará|organizará|publicará|instalará)n?|(?:es|s'|s’) ?(?:farà"
    r"|faran|desenvoluparà|organitzarà"
    r"|elaborarà|publicarà|instal·larà)n?)\b",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\b(?:following|siguientes?|següents?)(?: \w+){0,3}\W*$|\b(?:following|siguientes) \w+|\w+ següents?\b",
    re.IGNORECASE,
)
"""A long sentence before a list that says what the list holds ("the following objectives:")."""
_STATES = re.compile(r"\b(?:is|are|es|és|son|són|consisten?|consisteix(?:en)?|será|serà)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Ý¿¡])")
_KEYED = re.compile(
    r"^\W*(?:total |estimated |overall )*(duration|duraci[oó]n?|durada|costs?|coste|import(?:e)?|fte"
    r"|full-time equivalent"
    r"|payout)\W*(?:\([^)]*\)\W*)?:",
    re.IGNORECASE,
)
_GOAL_INSIDE = re.compile(r"\W*\b(?:goals?|objectives?|objetivos?|objectius?)\W*:\W*", re.IGNORECASE)


@dataclass(slots=True)
class _State:
    """Where the walk stands: what the part is about, what its items belong to, the labelled item that is open."""

    topic: str | None = None
    parent: str = ""
    open: Promise | None = None
    open_list: bool = False
    stack: list[tuple[int, str | None, str]] = field(default_factory=list)


def propose(document: Document, file: str, sha256: str, limits: ReadingLimits = _LIMITS) -> tuple[Commitment, ...]:
    """The commitments of a proposal in the order of its text, numbered from 1."""
    language = document.language or "es"
    trees = read_texts([section.text for section in document.sections], limits)
    state = _State()
    found: list[tuple[Promise, str]] = []
    for section, blocks in zip(document.sections, trees, strict=True):
        found += [(promise, section.heading) for promise in _heading(state, section.heading, section.level, language)]
        found += [(promise, section.heading) for promise in _blocks(blocks, state, language)]
        state.open = None
    merged = _merged(found)
    return tuple(
        _commitment(promise, number, Place(file, sha256, section=heading))
        for number, (promise, heading) in enumerate(merged, start=1)
    )


def _commitment(promise: Promise, number: int, place: Place) -> Commitment:
    return Commitment(
        kind=promise.kind,
        text=shortened(promise.text),
        place=place,
        number=number,
        ref=promise.ref,
        parent=promise.parent,
        target=promise.target,
        amount=promise.amount,
        start=promise.start,
        due=promise.due,
        when=promise.when,
        role=promise.role,
        quote=promise.quote or promise.text,
    )


def _heading(state: _State, heading: str, level: int, language: Language) -> Iterator[Promise]:
    """A heading sets the topic of what stands under it, and may be a commitment itself ("Milestone 1: …")."""
    if state.parent and duration_in(heading) and len(heading.split()) <= 4:
        # a milestone's bare duration, set as a heading by the line under it
        return
    heading = TYPED_NUMBER.sub("", heading)
    while state.stack and state.stack[-1][0] >= level:
        state.stack.pop()
    outer = state.stack[-1] if state.stack else (0, None, "")
    topic, parent = topic_of(heading), outer[2]
    label = label_of(heading)
    if label is not None and outer[1] != "none":
        kind, ref, rest = label
        if kind in ("milestone", "activity", "objective", "deliverable"):
            promise = _labelled(kind, ref, rest or heading, parent, language)
            yield promise
            topic = "activity" if kind in ("milestone", "activity") else None
            parent = ref if kind in ("milestone", "activity") else parent
    if topic is None:
        topic = outer[1]
    state.stack.append((level, topic, parent))
    state.topic, state.parent = topic, parent


def _blocks(blocks: Sequence[ast.Element], state: _State, language: Language) -> Iterator[Promise]:
    for block in blocks:
        kind = block["t"]
        if kind in ("Para", "Plain"):
            yield from _paragraph(block, state, language)
        elif ast.is_list(block):
            items = block["c"] if kind == "BulletList" else block["c"][1]
            for item in items:
                yield from _item(item, state, language)
        elif kind == "Table":
            yield from from_table(block, state.topic, state.parent, language)
        elif kind in ("BlockQuote", "Div"):
            yield from _blocks(block["c"] if kind == "BlockQuote" else block["c"][1], state, language)


def _paragraph(block: ast.Element, state: _State, language: Language) -> Iterator[Promise]:
    text = ast.text(block)
    bold = bool(block["c"]) and block["c"][0]["t"] in ("Strong", "Emph", "Underline")
    if not text or state.topic == "none":
        return
    label = label_of(text)
    if label is not None and (bold or ":" in text[: len(label[1]) + 20] or len(text.split()) <= _HEAD_WORDS):
        kind, ref, rest = label
        promise = _labelled(kind, ref, rest, state.parent if kind not in ("milestone",) else "", language)
        if kind == "milestone" or (kind == "activity" and not state.parent):
            state.parent, state.topic = ref, "activity"
        state.open = promise
        state.open_list = kind not in ("milestone", "activity")
        yield promise
        return
    if text.endswith(":") or (bold and len(block["c"]) == 1 and len(text.split()) <= _HEAD_WORDS):
        topic = topic_of(text) if len(text.split()) <= _HEAD_WORDS or _ANNOUNCES.search(text) else None
        if topic is not None:
            state.topic, state.open = topic, None
            return
        if duration_in(text) and state.open is not None and not state.open.target:
            state.open.target = text.strip(" *:")
        return
    keyed = re.match(r"^\s*\W*(goals?|objectives?|objetivos?|objectius?)\s*:\s*(.+)", text, re.IGNORECASE)
    if keyed is not None:
        yield Promise("objective", keyed[2], parent=state.parent, quote=text)
    elif state.topic == "objective" or (state.topic is None and _GOALS.search(text)):
        for sentence in _SENTENCE.split(text):
            if _GOALS.search(sentence) and (state.topic is not None or _STATES.search(sentence)):
                yield Promise("objective", sentence, parent=state.parent, quote=sentence)
    elif state.topic in ("activity", "deliverable"):
        for sentence in _SENTENCE.split(text):
            if _PROMISES.match(sentence):
                yield Promise("activity", sentence, parent=state.parent, quote=sentence)
    elif state.topic == "person":
        yield from _people(text)
    elif state.topic in ("period", "budget"):
        yield from _period_or_total(text, state, language)


def _item(item: Sequence[ast.Element], state: _State, language: Language) -> Iterator[Promise]:
    """One item of a list; items under a labelled one are its details."""
    if not item or state.topic == "none":
        return
    first = ast.text(item[0]) if item[0]["t"] in ("Para", "Plain") else ""
    inner = [block for block in item[1:] if ast.is_list(block)]
    label = label_of(first)
    if label is not None:
        kind, ref, rest = label
        name, *goals = _GOAL_INSIDE.split(rest, maxsplit=1)
        promise = _labelled(kind, ref, name, "" if kind == "milestone" else state.parent, language)
        yield promise
        for goal in goals:
            yield Promise("objective", goal, parent=ref, quote=goal)
        if kind in ("milestone", "activity"):
            yield from _under(item[1:], promise, language)
        return
    if state.open is not None and state.open_list:
        state.open.text = f"{state.open.text}; {first}" if state.open.text else first
        return
    details = [ast.text(block) for block in inner]
    quote = " ".join([first, *details])
    if _KEYED.match(first):
        yield from _period_or_total(first, state, language)
        return
    if state.topic == "person":
        yield from _people(first)
        return
    kind_of_topic = _kind(state.topic)
    if kind_of_topic is None or len(first) < 4 or first.startswith(("http", "www.")):
        return
    if kind_of_topic == "indicator":
        yield Promise("indicator", first, parent=state.parent, target=target_in(first, language), quote=quote)
    elif kind_of_topic == "budget":
        amount = amount_in(first, language)
        if amount is not None:
            name = re.split(r"[:–—(]|\s-\s|\d", first)[0].strip(" .:-$€£")
            if name:
                yield Promise("budget", name, amount=amount, target=first, quote=quote)
    else:
        start, due, when = dates_in(first, language)
        yield Promise(kind_of_topic, first, parent=state.parent, start=start, due=due, when=when, quote=quote)


def _under(blocks: Sequence[ast.Element], owner: Promise, language: Language) -> Iterator[Promise]:
    """What stands inside a labelled item: goals and activities of its own."""
    inside = _State("activity", owner.ref)
    for block in blocks:
        if block["t"] in ("Para", "Plain"):
            text = ast.text(block)
            if re.match(r"^\s*\W*(?:goals?|objectives?|objetivos?|objectius?)\s*:", text, re.IGNORECASE):
                yield from _paragraph(block, inside, language)
        else:
            yield from _blocks([block], inside, language)


def _labelled(kind: str, ref: str, rest: str, parent: str, language: Language) -> Promise:
    start, due, when = dates_in(rest, language)
    target = duration_in(rest)
    words = re.sub(r"^[\s\-–—:.()]+|[\s\-–—:(]+$", "", rest)
    if target and words.startswith(target):
        words = words[len(target) :].lstrip(" -–—:.)")
    words = re.sub(rf"\s*\(\s*{re.escape(target)}\s*\)?$", "", words) if target else words
    if kind == "indicator":
        target = target_in(rest, language) or target
    return Promise(
        cast(Kind, kind),
        words,
        ref,
        parent,
        target=target,
        start=start,
        due=due,
        when=when,
        quote=f"{ref} {rest}".strip(),
    )


def _kind(topic: str | None) -> Kind | None:
    return cast(Kind, topic) if topic not in (None, "none", "period") else None


def _people(text: str) -> Iterator[Promise]:
    for name, role in people_in(text):
        yield Promise("person", name, role=role, quote=text)


def _period_or_total(text: str, state: _State, language: Language) -> Iterator[Promise]:
    """A line such as 'Total costs: 12,000 EUR' or 'Duration: 3 months', and totals and periods in sentences."""
    keyed = _KEYED.match(text)
    if keyed is not None and not keyed[1].lower().startswith(("dur", "fte", "full")):
        amount = first_number(text, language)
        if amount is not None:
            name = f"Total {state.parent}".strip()
            yield Promise("budget", name, parent=state.parent, amount=amount, target=text, quote=text)
        return
    for sentence in _SENTENCE.split(text):
        amount = amount_in(sentence, language)
        if state.topic == "budget" and amount is not None and re.search(r"\btotal\b", sentence, re.IGNORECASE):
            yield Promise("budget", "Total", amount=amount, target=sentence, quote=sentence)
            return
    start, due, when = dates_in(text, language)
    short = len(text.split()) <= _HEAD_WORDS * 2 and state.topic != "budget"
    if (duration_in(text) and (short or keyed is not None)) or (start is not None and due is not None):
        yield Promise(
            "period", text, parent=state.parent, target=duration_in(text), start=start, due=due, when=when, quote=text
        )


def _merged(found: Sequence[tuple[Promise, str]]) -> list[tuple[Promise, str]]:
    """One commitment where a list and a table name the same: what the first lacks comes from the second."""
    out: list[tuple[Promise, str]] = []
    places: dict[str, int] = {}
    for promise, heading in found:
        if not promise.text and not promise.ref:
            continue
        key = promise.key
        if key not in places:
            places[key] = len(out)
            out.append((promise, heading))
            continue
        first, where = out[places[key]]
        out[places[key]] = (
            replace(
                first,
                text=first.text or promise.text,
                target=first.target or promise.target,
                amount=first.amount if first.amount is not None else promise.amount,
                start=first.start or promise.start,
                due=first.due or promise.due,
                when=first.when or promise.when,
                role=first.role or promise.role,
            ),
            where,
        )
    return [(replace(one, text=one.text or one.ref), heading) for one, heading in out]
