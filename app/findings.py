"""What is to be mended, and the rules that a person put aside for a reason, which stays with the project.

Knows what a page shows of a finding. Does not know any rule (fabai.checks, fabai.dossier) or when it
is looked (app.watch).
"""

from __future__ import annotations

import dataclasses
from typing import Any

from fabai.checks.rules import BY_ID, switchable
from fabai.checks.violation import Violation
from fabai.dossier.wording import sentence
from fabai.errors import BadSetting
from fabai.ledger import Ledger
from fabai.report import Language
from fabai.store.project import Project

from .call import Answer, Call
from .places import Places

_REASON = 500  # characters


def listed(call: Call) -> Answer:
    """What is to be mended, in the page's language; known is False while the first look is under way."""
    with call.project() as project:
        found = call.house.watch.now(project, call.place) if call.flag("now") else call.house.watch.known(call.place)
        call.house.watch.look(call.space, call.name, call.place)
        aside = _aside(project, call.language)
        texts = {section.id: section.text for section in project.report()} if found is not None else {}
        places, ledger = Places.of(project), project.ledger()
    if found is None:
        return {"known": False, "findings": [], "notices": [], "aside": aside}
    return {
        "known": True,
        "findings": [
            {
                **dataclasses.asdict(one),
                "sentence": sentence(one, call.language),
                # some quote the form, not the text
                "there": one.start is not None or (bool(one.quote) and one.quote in texts.get(one.section or "", "")),
                **_known_in(one, places, ledger),
            }
            for one in found.violations
        ],
        "notices": list(found.notices),
        "aside": aside,
    }


def _known_in(one: Violation, places: Places, ledger: Ledger) -> dict[str, Any]:
    """The file that the evidence names, or that the fact which it names was read from; words: to be shown there."""
    named = places.named(one.evidence)
    if named:
        return {**places.shown(named, one.evidence), "words": one.expected if isinstance(one.expected, str) else ""}
    fact = next((each for each in ledger if one.evidence.startswith(f"{each.name}:")), None)
    origin = None if fact is None else fact.origin
    return {**places.of_origin(origin), "words": "" if fact is None else fact.value}


def put_aside(call: Call) -> Answer:
    """A rule does not hold in this report, for a reason."""
    rule, reason = _rule(call), call.text("reason").strip()[:_REASON]
    if not reason:
        raise BadSetting("say why this does not apply here: the reason stays with the project")
    with call.project() as project:
        project.set_rule(rule, f"{reason} ({call.shown})" if call.shown else reason)
    return _looked(call)


def taken_up(call: Call) -> Answer:
    """A rule that was put aside holds again."""
    with call.project() as project:
        project.set_rule(_rule(call), None)
    return _looked(call)


def _rule(call: Call) -> str:
    return switchable(call.text("rule")).id


def _looked(call: Call) -> Answer:
    with call.project() as project:
        call.house.watch.now(project, call.place)
    call.tell("findings")
    return listed(call)


def _aside(project: Project, language: Language) -> list[dict[str, Any]]:
    return [
        {"rule": rule, "reason": reason, "says": about(rule, language)}
        for rule, reason in project.rules_off().items()
        # a rule of another version of fabai has no words here
        if rule in BY_ID
    ]


def about(rule: str, language: Language) -> str:
    """What a rule finds, without figures and without what to do: '«…» es un elogio sin datos en su frase'."""
    said = sentence(Violation(rule, None, "warning", "…", "…", "…"), language).rstrip(".")
    what, _, advice = said.rpartition(": ")
    return said if not what or ("…" in advice and "…" not in what) else what
