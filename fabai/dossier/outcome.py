"""How commitments went, proposed from a report or a delivery note: what was reached, evidence, why it deviates.

Knows tables with a commitment's number, "5 days estimate / 25 days actual", links, and explanations under headings of
deviations. Does not decide whether a commitment is met: a person does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from fabai.dossier.commitment import Commitment, Status
from fabai.dossier.place import Place
from fabai.dossier.promise_tables import rows_of
from fabai.dossier.topics import label_of
from fabai.formats import ast
from fabai.formats.changes import read_texts
from fabai.formats.document import Document
from fabai.report import fold
from fabai.settings import ReadingLimits

_LIMITS = ReadingLimits()
_REF = re.compile(r"\b([A-Z]{1,3})\.?\s?(\d+(?:\.\d+)*)\b")
_PAIR = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*([^\W\d_]*)\s*(?:original |initial )?(?:estimate[d]?|planned|previst\w*"
    r"|expected|estimad\w*)?\s*(?:/|->|→|vs\.?|;)\s*"
    r"(\d+(?:[.,]\d+)?)\s*([^\W\d_]*)\s*(actual|real\w*|done|fets?|spent)?",
    re.IGNORECASE,
)
_DEVIATION = re.compile(r"\bdeviat|\bdesviaci|\bexplanation|\bjustificaci", re.IGNORECASE)
_PARENT = re.compile(
    r"\b(?:milestone|hito|fita|work package|paquete de trabajo|paquet de treball)\b\D{0,20}(\d+)", re.IGNORECASE
)
_NOT_DONE = re.compile(
    r"\bnot (?:done|achieved|completed|started|delivered)|\bno (?:s'ha|se ha|realizad|fet|assolit)"
    r"|\bcancel|\bpending|\bpendent|\bpendiente",
    re.IGNORECASE,
)
_PARTLY = re.compile(r"\bpartial|\bparcial|\bpartly|\bdelayed|\bretras|\bretard|\bongoing|\ben curs", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """planned, actual: figures of one unit where the report has both. status "": the report does not say."""

    key: str
    place: Place
    planned: Decimal | None = None
    actual: Decimal | None = None
    unit: str = ""
    achieved: str = ""
    status: Status = ""
    evidence: tuple[str, ...] = ()
    explanation: str = ""


def outcomes(
    document: Document, file: str, sha256: str, standing: Sequence[Commitment], limits: ReadingLimits = _LIMITS
) -> tuple[Outcome, ...]:
    """What a report says of each commitment that it names, in the order of the commitments."""
    trees = read_texts([section.text for section in document.sections], limits)
    parent = _reported_parent(trees)
    found: dict[str, Outcome] = {}
    explained: dict[str, list[str]] = {}
    deviating = False
    for section, blocks in zip(document.sections, trees, strict=True):
        place = Place(file, sha256, section=section.heading)
        deviating = _DEVIATION.search(section.heading) is not None
        for block in blocks:
            if block["t"] == "Table":
                for one in _table(block, standing, parent, place):
                    found.setdefault(one.key, one)
            elif block["t"] in ("Para", "Plain") and len(ast.text(block)) < 120 and _DEVIATION.search(ast.text(block)):
                deviating = True
            elif deviating and ast.is_list(block):
                for key, text in _explanations(block, standing, parent):
                    explained.setdefault(key, []).append(text)
    for key, texts in explained.items():
        base = found.get(key) or Outcome(key, Place(file, sha256))
        found[key] = replace(base, explanation="\n\n".join(texts))
    order = {one.key: number for number, one in enumerate(standing)}
    return tuple(sorted(found.values(), key=lambda one: order[one.key]))


def unreported(standing: Sequence[Commitment], found: Sequence[Outcome]) -> tuple[Commitment, ...]:
    """Deliverables, milestones, activities and indicators that the report does not name, nor anything that belongs to
    them.
    """
    told = {one.key for one in found}
    parents = {one.parent for one in standing if one.key in told}
    asked = ("deliverable", "milestone", "activity", "indicator")
    return tuple(
        one for one in standing if one.kind in asked and one.key not in told and not (one.ref and one.ref in parents)
    )


def _reported_parent(trees: Sequence[Sequence[ast.Element]]) -> str:
    """The milestone or work package that a delivery is about, "" where it is about all."""
    for blocks in trees:
        for block in blocks:
            if ast.is_list(block) or block["t"] in ("Para", "Plain"):
                match = _PARENT.search(ast.text(block))
                if match is not None and len(ast.text(block)) < 400:
                    return (
                        f"M{match[1]}"
                        if "stone" in match[0].lower() or "fit" in match[0].lower() or "hit" in match[0].lower()
                        else f"WP{match[1]}"
                    )
    return ""


def _find(text: str, standing: Sequence[Commitment], parent: str) -> Commitment | None:
    """The commitment that a text names, by its ref (the delivery's own milestone first), else by its words."""
    refs = [f"{match[1]}{match[2]}".upper() for match in _REF.finditer(text)]
    label = label_of(text)
    if label is not None:
        refs.append(label[1])
    for ref in refs:
        named = [one for one in standing if one.ref == ref]
        own = [one for one in named if one.parent == parent]
        if own or named:
            return (own or named)[0]
    plain = fold(text)
    return next((one for one in standing if len(fold(one.text)) > 12 and fold(one.text) in plain), None)


def _table(table: ast.Element, standing: Sequence[Commitment], parent: str, place: Place) -> Iterator[Outcome]:
    _, rows = rows_of(table)
    raw = [row for body in table["c"][4] for row in (*body[2], *body[3])]
    for number, row in enumerate(rows):
        one = _find(" ".join(row[:2]), standing, parent)
        if one is None:
            continue
        words = " | ".join(row)
        pair = _PAIR.search(words)
        links = _links(raw[number]) if number < len(raw) else ()
        status: Status = "not" if _NOT_DONE.search(words) else "partly" if _PARTLY.search(words) else "achieved"
        planned = actual = None
        achieved = ""
        if pair is not None and (pair[5] or pair[2] == pair[4]):
            planned, actual = Decimal(pair[1].replace(",", ".")), Decimal(pair[3].replace(",", "."))
            achieved = f"{pair[3]} {pair[4] or pair[2]}".strip()
        yield Outcome(one.key, place, planned, actual, pair[2] if pair is not None else "", achieved, status, links)


def _links(row: object) -> tuple[str, ...]:
    """Addresses in a table's row, but those of its first cell, which lead to the promise."""
    cells = row[1] if isinstance(row, list) else []
    found = [
        element["c"][2][0]
        for cell in cells[1:]
        for element in ast.walk(cell)
        if element["t"] == "Link" and element["c"][2]
    ]
    return tuple(dict.fromkeys(found))


def _explanations(block: ast.Element, standing: Sequence[Commitment], parent: str) -> Iterator[tuple[str, str]]:
    """Items such as 'Deliverable 1' with the reasons inside."""
    for item in block["c"] if block["t"] == "BulletList" else block["c"][1]:
        if not item:
            continue
        first = ast.text(item[0])
        one = _find(first, standing, parent)
        if one is None:
            continue
        inner = [ast.text(part) for rest in item[1:] for part in _leaves(rest)]
        text = "\n\n".join(inner) if inner else first
        yield one.key, text


def _leaves(block: ast.Element) -> Iterator[ast.Element]:
    if ast.is_list(block):
        for item in block["c"] if block["t"] == "BulletList" else block["c"][1]:
            for part in item:
                yield from _leaves(part)
    else:
        yield block
