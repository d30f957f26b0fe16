"""The commitments of a project: proposed from documents, confirmed or rejected by a person, amended with history.

Knows that a proposal changes nothing until a person confirms it, and that an amendment gives a commitment a new state
while its earlier ones are kept. Does not know how documents are read.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import sha256
from typing import Any

from fabai.checks.violation import Findings, Violation
from fabai.dossier.commitment import KINDS, STATUSES, Commitment, Kind, Status
from fabai.dossier.kept import as_json, build
from fabai.dossier.matrix import material
from fabai.dossier.outcome import Outcome
from fabai.dossier.place import Place
from fabai.errors import BadSetting, UnknownName
from fabai.report import Language, fold
from fabai.store.project import Project

SOURCE: dict[Language, str] = {
    "es": "Compromisos: previsto y realizado",
    "ca": "Compromisos: previst i realitzat",
    "en": "Commitments: promised and done",
}
"""Name of the source that holds the matrix."""
_HOW_IT_WENT = ("status", "achieved", "evidence", "explanation")
_ASKED: tuple[Kind, ...] = ("objective", "activity", "deliverable", "milestone", "indicator", "publicity")
"""Kinds that a report must account for; headings, people and deadlines are held against lists and dates."""


@dataclass(frozen=True, slots=True)
class State:
    """A commitment as it stood at some time."""

    created: str
    commitment: Commitment


def standing(project: Project) -> tuple[Commitment, ...]:
    """The confirmed commitments, by kind and in the order in which they came."""
    found = [build(Commitment, item.data) for item in project.items().all("commitment") if item.data is not None]
    return tuple(sorted(found, key=lambda one: (KINDS.index(one.kind), one.number)))


def proposed(project: Project) -> tuple[Commitment, ...]:
    """What waits for a person: new commitments, and new states of standing ones (same key)."""
    items = project.items().all("commitment-proposal")
    return tuple(build(Commitment, item.data) for item in items if item.data is not None)


def add_proposals(project: Project, found: Iterable[Commitment]) -> tuple[Commitment, ...]:
    """Keep proposals apart; what stands already in the same words is not proposed again. Returns the new ones."""
    known = {one.key: one for one in standing(project)}
    waiting = {one.key: one for one in proposed(project)}
    rejected = {item.key for item in project.items().all("commitment-rejected")}
    taken = [one.number for one in (*known.values(), *waiting.values())]
    number = max([*taken, *_rejected_numbers(project)], default=0)
    new: list[Commitment] = []
    for one in found:
        same = known.get(one.key)
        if same is not None and _alike(same, one):
            continue
        if one.key in waiting and _alike(waiting[one.key], one):
            continue
        if f"{one.key}/{one.place.sha256}" in rejected:
            continue
        number += 1
        kept = {} if same is None else {name: getattr(same, name) for name in _HOW_IT_WENT}
        changed = {name: getattr(one, name) for name in _HOW_IT_WENT if getattr(one, name)}
        fresh = replace(one, **{**kept, **changed}, number=number, state="proposed")
        waiting[one.key] = fresh
        new.append(fresh)
    project.items().save("commitment-proposal", [(one.key, as_json(one)) for one in new], event="commitment")
    return tuple(new)


def _rejected_numbers(project: Project) -> list[int]:
    return [int(item.data.get("number", 0)) for item in project.items().all("commitment-rejected") if item.data]


def _alike(one: Commitment, other: Commitment) -> bool:
    """Whether two states bind to the same, wherever they stand and whatever became of them."""
    aside: dict[str, Any] = {
        "number": 0, "state": "proposed", "place": Place(""), "bound": "proposal", "decided_by": "", "quote": "",
        "was": "",
    }  # fmt: skip
    how = {name: getattr(one, name) if not getattr(other, name) else getattr(other, name) for name in _HOW_IT_WENT}
    return replace(one, **aside) == replace(other, **aside, **how)


def revise(
    project: Project,
    number: int,
    *,
    text: str,
    target: str,
    amount: Decimal | None,
    due: datetime.date | None,
) -> Commitment:
    """A proposal as a person corrects it before it is confirmed; where it was read stays known."""
    (one,) = _chosen(proposed(project), [number])
    new = _corrected(one, text, target, amount, due)
    moved = [] if new.key == one.key else [(one.key, None)]
    project.items().save("commitment-proposal", [*moved, (new.key, as_json(new))], event="commitment")
    return new


def _corrected(
    one: Commitment, text: str, target: str, amount: Decimal | None, due: datetime.date | None
) -> Commitment:
    if not text.strip():
        raise BadSetting("a commitment needs words: reject it if it is none")
    return replace(one, text=text.strip(), target=target.strip(), amount=amount, due=due)


def change(
    project: Project,
    name: str,
    *,
    text: str,
    target: str,
    amount: Decimal | None,
    due: datetime.date | None,
    who: str,
) -> Commitment:
    """A standing commitment as a person corrects it. Its earlier states stay in its history, and its file proposes the
    old words no more.
    """
    one = find(project, name)
    new = replace(_corrected(one, text, target, amount, due), decided_by=_named(who))
    moved = new.key != one.key
    if moved and any(each.key == new.key for each in standing(project)):
        raise BadSetting("another commitment has these words already: withdraw this one, or write others")
    _refuse(project, [one])
    new = replace(new, was=one.key if moved else one.was)
    gone = [(one.key, None)] if moved else []
    project.items().save("commitment", [*gone, (new.key, as_json(new))], event="commitment")
    keep_matrix(project)
    return new


def withdraw(project: Project, name: str, who: str) -> Commitment:
    """A standing commitment binds no more, and its file proposes it no more; how it stood stays in the project."""
    one = replace(find(project, name), state="rejected", decided_by=_named(who))
    _refuse(project, [one])
    project.items().save("commitment", [(one.key, None)], event="commitment")
    keep_matrix(project)
    return one


def _named(who: str) -> str:
    if not who.strip():
        raise BadSetting("say who decides: --by NAME")
    return who.strip()


def _refuse(project: Project, ones: Iterable[Commitment]) -> None:
    rows = [(f"{one.key}/{one.place.sha256}", as_json(one)) for one in ones]
    project.items().save("commitment-rejected", rows)


def confirm(project: Project, numbers: Sequence[int] | None, who: str) -> tuple[Commitment, ...]:
    """Make proposals binding, all of them where `numbers` is None. A new state of a standing commitment takes its
    place and number; the earlier state is in its history.
    """
    known = {one.key: one for one in standing(project)}
    by = _named(who)
    chosen = _chosen(proposed(project), numbers)
    out = []
    for one in chosen:
        same = known.get(one.key)
        number = one.number if same is None else same.number
        out.append(replace(one, number=number, state="confirmed", decided_by=by))
    items = project.items()
    items.save("commitment", [(one.key, as_json(one)) for one in out], event="commitment")
    items.save("commitment-proposal", [(one.key, None) for one in out], event="commitment")
    keep_matrix(project)
    return tuple(out)


def keep_matrix(project: Project) -> None:
    """Keep the matrix among the sources, where the window of each section finds the commitments that it needs."""
    text = material(standing(project), project.language)
    name = SOURCE[project.language]
    # where the last one was withdrawn, the source says nothing any more
    if text or any(one.name == name for one in project.sources()):
        project.add_source(name, text, sha256(text.encode()).hexdigest(), "matrix")


def reject(project: Project, numbers: Sequence[int] | None, who: str) -> tuple[Commitment, ...]:
    """Proposals that are none; they are not proposed again from the same file."""
    by = _named(who)
    chosen = [replace(one, state="rejected", decided_by=by) for one in _chosen(proposed(project), numbers)]
    _refuse(project, chosen)
    project.items().save("commitment-proposal", [(one.key, None) for one in chosen], event="commitment")
    return tuple(chosen)


def _chosen(waiting: Sequence[Commitment], numbers: Sequence[int] | None) -> list[Commitment]:
    if numbers is None:
        return list(waiting)
    by_number = {one.number: one for one in waiting}
    missing = [number for number in numbers if number not in by_number]
    if missing:
        raise UnknownName(f"no proposed commitment has the number {missing[0]}: fabai commitments PROJECT lists them")
    return [by_number[number] for number in dict.fromkeys(numbers)]


def find(project: Project, name: str) -> Commitment:
    """A standing commitment by key, number, ref ("M1 D2", "D1.2") or the beginning of its words."""
    every = standing(project)
    for names in ("key", "number", "label", "ref"):
        for one in every:
            if name == str(getattr(one, names)):
                return one
    begun = [one for one in every if fold(name) and fold(one.text).startswith(fold(name))]
    if len(begun) == 1:
        return begun[0]
    raise UnknownName.nearest(
        "commitment", name, [*(one.label for one in every if one.label), *(one.text for one in every)]
    )


def set_outcome(
    project: Project,
    name: str,
    *,
    status: str | None = None,
    achieved: str | None = None,
    evidence: Sequence[str] | None = None,
    explanation: str | None = None,
) -> Commitment:
    """How a commitment went; None leaves a value as it is."""
    one = find(project, name)
    if status is not None and status not in STATUSES:
        raise UnknownName.nearest("status", status, [known for known in STATUSES if known])
    given: dict[str, Any] = {
        "status": status,
        "achieved": achieved,
        "evidence": None if evidence is None else tuple(evidence),
        "explanation": explanation,
    }
    new = replace(one, **{name: value for name, value in given.items() if value is not None})
    project.items().save("commitment", [(new.key, as_json(new))], event="commitment")
    keep_matrix(project)
    return new


def propose_outcomes(project: Project, found: Sequence[Outcome]) -> tuple[Commitment, ...]:
    """What a report says of standing commitments, as proposals to confirm."""
    by_key = {one.key: one for one in standing(project)}
    changed = []
    for outcome in found:
        if outcome.key in by_key:
            one = by_key[outcome.key]
            status: Status = outcome.status or one.status
            changed.append(
                replace(
                    one,
                    status=status,
                    achieved=outcome.achieved or one.achieved,
                    evidence=outcome.evidence or one.evidence,
                    explanation=outcome.explanation or one.explanation,
                )
            )
    return add_proposals(project, changed)


def history(project: Project, name: str) -> tuple[State, ...]:
    """Every confirmed state of a commitment, oldest first."""
    key = find(project, name).key
    states: dict[int, State] = {}
    seen: set[str] = set()
    while key and key not in seen:
        seen.add(key)
        found = [item for item in project.items().history("commitment", key) if item.data is not None]
        states |= {item.id: State(item.created, build(Commitment, item.data or {})) for item in found}
        key = states[found[-1].id].commitment.was
    return tuple(states[number] for number in sorted(states))


def check_commitments(commitments: Iterable[Commitment]) -> Findings:
    """Commitments that nobody accounted for, that deviate without a reason, or that nothing proves."""
    found = []
    for one in commitments:
        if one.kind not in _ASKED:
            continue
        name = f"{one.label} {one.text}".strip()[:80]
        place = str(one.place)
        if not one.status:
            found.append(Violation("commitment-open", None, "error", "", "", name, evidence=place))
        elif one.deviates and not one.explanation:
            found.append(Violation("commitment-unexplained", None, "error", one.status, "", name, evidence=place))
        elif one.status == "achieved" and not one.evidence:
            found.append(Violation("commitment-unproven", None, "warning", "", "", name, evidence=place))
    return Findings(tuple(found))
