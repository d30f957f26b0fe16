"""Promises in the tables of a proposal: deliverables, milestones, indicators, people, budget.

Knows what columns are called (fabai.dossier.topics) and pandoc's tables. Does not know the text around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from fabai.dossier.commitment import Kind
from fabai.dossier.promises import Promise, amount_in, dates_in, duration_in, target_in
from fabai.dossier.topics import column_of, label_of
from fabai.dossier.written import amount_of
from fabai.formats import ast
from fabai.formats.sheet import Cell
from fabai.report import Language, fold

_SUBJECTS = ("deliverable", "milestone", "indicator", "activity", "objective", "person", "budget")
_LETTER: dict[Kind, str] = {"deliverable": "D", "milestone": "M", "indicator": "I", "activity": "A", "objective": "O"}
_TOTAL = re.compile(r"^(?:sub)?total|^suma")


def rows_of(table: ast.Element) -> tuple[list[str], list[list[str]]]:
    """The heads and the rows of a table as plain text."""
    _, _, _, head, bodies, foot = table["c"]
    heads = [_texts(row) for row in head[1]]
    rows: list[Any] = [*(row for body in bodies for row in (*body[2], *body[3])), *foot[1]]
    lines = [_texts(row) for row in rows]
    if not heads and lines:
        return lines[0], lines[1:]
    return (heads[-1] if heads else []), lines


def _texts(row: Any) -> list[str]:
    return [ast.text(cell[4]) for cell in row[1]]


def from_table(table: ast.Element, topic: str | None, parent: str, language: Language) -> Iterator[Promise]:
    """A promise for each row whose table says what it lists; nothing from other tables."""
    heads, rows = rows_of(table)
    columns: dict[str, int] = {}
    for index, head in enumerate(heads):
        kind = column_of(head)
        if kind is not None:
            columns.setdefault(kind, index)
    subject = _subject(columns, topic)
    if subject is None or topic == "none":
        return
    head = heads[columns["target"]].strip() if "target" in columns else ""
    unit = head.lower() if duration_in(f"2 {head}") else ""
    for row in rows:
        promise = _row(row, columns, subject, parent, language, unit)
        if promise is not None:
            yield promise


def _subject(columns: dict[str, int], topic: str | None) -> Kind | None:
    """What the rows are: the column that names it, the one of the part's topic before others."""
    named = [kind for kind in _SUBJECTS if kind in columns]
    if topic in named:
        return cast(Kind, topic)
    # 'Concept | Amount' is a budget only where amounts are, 'Name | …' people only where roles or a topic say so
    if "budget" in named and ("amount" not in columns or len(named) > 1):
        named.remove("budget")
    if "person" in named and "role" not in columns and topic != "person":
        named.remove("person")
    return cast(Kind, named[0]) if named else None


def _row(
    row: list[str], columns: dict[str, int], subject: Kind, parent: str, language: Language, unit: str
) -> Promise | None:
    def cell(name: str) -> str:
        index = columns.get(name)
        return row[index] if index is not None and index < len(row) else ""

    text = cell(subject)
    ref = re.sub(r"\s+", "", cell("ref")).strip(".")
    owner = parent
    label = label_of(text) or label_of(ref)
    if label is not None and label[0] == subject:
        ref = label[1]
        text = label[2] if label_of(text) else text
    elif ref and not re.search(r"[A-Za-z]", ref):
        ref = f"{_LETTER[subject]}{ref}" if subject in _LETTER else ""
    if subject == "deliverable" and "milestone" in columns and (above := label_of(cell("milestone"))) is not None:
        owner = above[1]
    if _TOTAL.match(fold(text)) or not (text or ref):
        return None
    detail = cell("detail")
    amount = _amount(cell("amount"), language) if subject == "budget" else None
    if subject == "budget" and amount is None:
        return None
    start, due, when = dates_in(cell("when"), language)
    target = cell("target")
    if re.fullmatch(r"[\d.,]+", target) and unit:
        target = f"{target} {unit}"
    return Promise(
        subject,
        f"{text}: {detail}" if detail and detail != text and subject not in ("person", "budget") else text or ref,
        ref if subject not in ("person", "budget") else "",
        owner if subject not in ("person", "budget", "indicator") else "",
        target=target or (target_in(text, language) if subject == "indicator" else ""),
        amount=amount,
        start=start,
        due=due,
        when=when or (cell("when") if due is None else ""),
        role=cell("role"),
        quote=" | ".join(one for one in row if one),
    )


def _amount(text: str, language: Language) -> Any:
    return amount_of(Cell("A1", text, text)) if text else amount_in(text, language)
