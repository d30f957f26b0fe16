"""Commitments as the pages show them: what documents propose, what a person confirmed, how each went; the table of it.

Knows what may be changed and who is told. Does not know how commitments are found in documents (app.intake,
fabai.dossier).
"""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from fabai.dossier import commitments
from fabai.dossier.commitment import KINDS, Commitment
from fabai.dossier.commitments import check_commitments, proposed, standing
from fabai.dossier.matrix import heads, matrix_rows, shown_ref, write_matrix
from fabai.dossier.place import Place
from fabai.dossier.wording import sentence
from fabai.dossier.written import typed_amount, typed_date
from fabai.errors import BadSetting, UsageError
from fabai.report import Language
from fabai.store.project import Project

from .call import Answer, Call
from .material import changed
from .submission import put
from .terms import following

TABLES = ("docx", "xlsx", "csv")


def listed(call: Call) -> Answer:
    """Proposals first to be decided, then what binds, each with what still has to be said of it."""
    with call.project() as project:
        every = standing(project)
        waiting = sorted(proposed(project), key=lambda one: one.number)
        sources = {one.name: one.id for one in project.sources()}
        names = {one.place.file for one in every}
    language = call.language
    known = {one.key: one for one in every}
    faults = _faults(every, language)
    return {
        "heads": list(heads(language)),
        "kinds": list(KINDS),
        "commitments": [{**_shown(one, language, sources), "finding": faults.get(one.key, "")} for one in every],
        "proposed": [
            {
                **_shown(one, language, sources),
                "before": "" if one.key not in known else _promised(known[one.key], language),
                "amends": one.key in known,
            }
            for one in waiting
        ],
        "files": sorted(names),
    }


def decide(call: Call) -> Answer:
    """Make proposals binding, or take them away."""
    numbers = _numbers(call)
    _named(call)
    with call.project() as project, following(project):
        act = commitments.confirm if call.flag("confirmed") else commitments.reject
        act(project, numbers, call.shown)
    return _told(call)


def revise(call: Call) -> Answer:
    """Correct a proposal before it is decided."""
    with call.project() as project:
        commitments.revise(project, call.number("number"), **_words(call))
    return _told(call)


def change(call: Call) -> Answer:
    """Correct what binds already; how it stood before stays in its history."""
    _named(call)
    with call.project() as project, following(project):
        commitments.change(project, call.text("key"), **_words(call), who=call.shown)
    return _told(call)


def withdraw(call: Call) -> Answer:
    """What was confirmed binds no more."""
    _named(call)
    with call.project() as project, following(project):
        commitments.withdraw(project, call.text("key"), call.shown)
    return _told(call)


def add(call: Call) -> Answer:
    """A commitment that no document was read for; it binds at once, for a person says so."""
    kind = call.text("kind")
    if kind not in KINDS:
        raise UsageError("choose what kind of commitment it is")
    if not call.text("text").strip():
        raise BadSetting("say what was promised")
    _named(call)
    one = Commitment(
        kind,
        call.text("text").strip(),
        Place(call.text("source", "").strip() or call.shown),
        target=call.text("target").strip(),
        amount=_amount(call.text("amount")),
        due=date_of(call.text("due")),
    )
    with call.project() as project, following(project):
        new = commitments.add_proposals(project, [one])
        commitments.confirm(project, [each.number for each in new], call.shown)
    return _told(call)


def state(call: Call) -> Answer:
    """How a commitment went: achieved, partly or not, what was reached, what proves it, why it deviates."""
    with call.project() as project:
        commitments.set_outcome(
            project,
            call.text("key"),
            status=call.text("status") if "status" in call.args else None,
            achieved=call.text("achieved") if "achieved" in call.args else None,
            evidence=[str(one) for one in call.several("evidence")] if "evidence" in call.args else None,
            explanation=call.text("explanation") if "explanation" in call.args else None,
        )
    return _told(call)


def history(call: Call) -> Answer:
    """The states of a commitment, the oldest first: by which document, what was promised."""
    with call.project() as project:
        states = commitments.history(project, call.text("key"))
    return {
        "states": [
            {
                "created": one.created,
                "bound": one.commitment.bound,
                "place": str_of(one.commitment.place, call.language),
                "promised": _promised(one.commitment, call.language),
                "text": one.commitment.text,
                "status": one.commitment.status,
                "by": one.commitment.decided_by,
            }
            for one in states
        ]
    }


def table(call: Call) -> Answer:
    """The table promised and done as a file, in the language of the report."""
    kind = call.text("kind")
    if kind not in TABLES:
        raise UsageError("choose Word, a spreadsheet or CSV")
    with call.project() as project, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table.{kind}"
        write_matrix(path, standing(project), project.language, project.title)
        data = path.read_bytes()
    return {**put(call, data, kind, f"{call.name}-compromisos"), "notices": []}


def propose(project: Project, found: tuple[Commitment, ...]) -> int:
    """Keep what a document proposes; how many are new."""
    return len(commitments.add_proposals(project, found))


def str_of(place: Place, language: Language) -> str:
    """Where something stands, as a person reads it: file, sheet and row, heading, page."""
    row = {"es": "fila", "ca": "fila", "en": "row"}[language]
    page = {"es": "p.", "ca": "p.", "en": "p."}[language]
    parts = [
        place.file,
        place.sheet,
        place.cell or (f"{row} {place.row}" if place.row else ""),
        place.section,
        f"{page} {place.page}" if place.page else "",
    ]
    return ", ".join(part for part in parts if part)


def date_of(text: str) -> datetime.date | None:
    """A day as a page gives it; None for an empty field."""
    return typed_date(text.strip()) if text.strip() else None


def _amount(text: str) -> Decimal | None:
    return typed_amount(text) if text.strip() else None


def _shown(one: Commitment, language: Language, sources: Mapping[str, int | None]) -> dict[str, Any]:
    _, text, promised, achieved, _, _, explanation = matrix_rows([one], language)[0]
    return {
        "key": one.key,
        "number": one.number,
        "kind": one.kind,
        "ref": shown_ref(one),
        "text": text,
        "promised": promised,
        "target": one.target,
        "amount": "" if one.amount is None else f"{one.amount:f}".replace(".", ","),
        "due": "" if one.due is None else str(one.due),
        "status": one.status,
        "achieved": achieved,
        "evidence": list(one.evidence),
        "explanation": explanation,
        "quote": one.quote,
        "bound": one.bound,
        "place": str_of(one.place, language),
        "source": sources.get(one.place.file),
        "by": one.decided_by,
    }


def _promised(one: Commitment, language: Language) -> str:
    return matrix_rows([one], language)[0][2]


def _faults(every: tuple[Commitment, ...], language: Language) -> dict[str, str]:
    found = {}
    for one in every:
        for violation in check_commitments([one]).violations:
            found[one.key] = sentence(violation, language)
    return found


def _words(call: Call) -> dict[str, Any]:
    """What a person may correct of a commitment."""
    return {
        "text": call.text("text"),
        "target": call.text("target"),
        "amount": _amount(call.text("amount")),
        "due": date_of(call.text("due")),
    }


def _numbers(call: Call) -> list[int] | None:
    if call.flag("all"):
        return None
    return call.numbers("numbers")


def _named(call: Call) -> None:
    if not call.shown:
        raise BadSetting("say who you are first: your name stands under what you confirm")


def _told(call: Call) -> Answer:
    changed(call, "commitments")
    return listed(call)
