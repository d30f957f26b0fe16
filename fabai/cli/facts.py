"""`fabai facts`: the ledger, the facts that must agree everywhere, and proposals that wait for a person's word."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, get_args

from fabai.cli import show
from fabai.errors import BadSetting, UsageError
from fabai.facts import read_fact
from fabai.ledger import Fact, FactKind, Ledger
from fabai.proposals.clash import Clash, clashes
from fabai.report import Language, fold
from fabai.store.project import Project, Proposal

_KINDS = [kind for kind in get_args(FactKind) if kind]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    add = actions.add_parser("add", help="add a fact, or change the value of the one with that name")
    add.add_argument("name", metavar="NAME", help='what it is: "importe concedido"')
    add.add_argument("value", metavar="VALUE", help='as it must be written: "18.500,00 €"')
    add.add_argument("--source", required=True, metavar="S", help='where it stands: "Resolución, p. 2"')
    add.add_argument("--kind", choices=_KINDS, default="", help="what the value is (default: read from it)")
    add.add_argument("--noun", default="", help="what a count counts, where the value does not say it")
    add.add_argument("--unit", default="", help="an indicator's unit or an amount's currency, where it does not say it")
    add.add_argument("--by", default="", metavar="WHO", help="who stands up for it")
    derive = actions.add_parser("derive", help="add a fact that is computed from others and follows them")
    derive.add_argument("name", metavar="NAME")
    derive.add_argument(
        "formula",
        metavar="FORMULA",
        help='names of facts in braces, + - * / and sum, difference, percent, deviation: "{personal} + {viajes}", '
        '"percent({ejecutado}; {concedido})"',
    )
    derive.add_argument("--by", default="", metavar="WHO", help="who stands up for the formula")
    remove = actions.add_parser("remove", help="take a fact out of the ledger; the project's trail keeps it")
    remove.add_argument("name", metavar="NAME")
    bring = actions.add_parser("import", help="propose the facts that documents and spreadsheets state")
    bring.add_argument("files", metavar="FILE", type=Path, nargs="+", help=".docx .pdf .md .odt .xlsx .xls .ods .csv")
    bring.add_argument("--confirm", action="store_true", help="confirm at once what is new; needs --by")
    bring.add_argument("--by", default="", metavar="WHO", help="who stands up for them")
    asked = actions.add_parser("proposals", help="show the facts that wait to be confirmed")
    confirm = actions.add_parser("confirm", help="proposals become facts: their numbers (3 5-9), or 'all' for new ones")
    reject = actions.add_parser("reject", help="proposals that are no facts of this report")
    for decision in (confirm, reject):
        decision.add_argument("numbers", metavar="N", nargs="+", help="numbers, stretches (5-9) or 'all'")
        decision.add_argument("--by", required=True, metavar="WHO", help="who decides")
    confirm.add_argument("--name", default="", help="another name for the one fact that is confirmed")
    confirm.add_argument("--value", default="", help="another way to write the one value that is confirmed")
    confirm.add_argument("--replace", action="store_true", help="where the ledger has another value, take the new one")
    listing = actions.add_parser("list", help="show the facts (also without an action)")
    for one in (add, derive, remove, bring, asked, confirm, reject, listing):
        show.json_option(one, nested=True)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        if args.action in _ACTIONS:
            said = _ACTIONS[args.action](project, args)
            if said and not args.json:
                show.say(show.one_line(said))
            if args.action in ("import", "proposals"):
                _proposals(project, args)
                return 0
            if not args.json:
                return 0
        _list(project, args.json)
    return 0


def _add(project: Project, args: argparse.Namespace) -> str:
    name = _known(project, args.name)
    fact = Fact(name, args.value, args.source, args.kind, args.noun, args.unit, confirmed_by=args.by)
    return _set(project, fact)


def _derive(project: Project, args: argparse.Namespace) -> str:
    fact = Fact(_known(project, args.name), "", f"= {args.formula.strip()}", confirmed_by=args.by, derived=args.formula)
    return _set(project, fact)


def _known(project: Project, name: str) -> str:
    """The ledger's way to write a name: "viajes" is the fact "Viajes"."""
    return next((fact.name for fact in project.ledger() if fold(fact.name) == fold(name) != ""), name)


def _set(project: Project, fact: Fact) -> str:
    before = project.ledger()
    project.set_fact(fact)
    after = project.ledger()
    now = after.get(fact.name.strip()) or fact
    old = before.get(now.name)
    was = "" if old is None or old.value == now.value else f" (it was {old.value})"
    followed = [
        f"{one.name} = {one.value}"
        for one in after
        if one.derived and one.name != now.name and one != before.get(one.name)
    ]
    behind = f"; computed from it: {', '.join(followed)}" if followed else ""
    return f"{now.name} = {now.value}{was}{behind}"


def _remove(project: Project, args: argparse.Namespace) -> str:
    project.remove_fact(args.name)
    return f"{args.name} is no longer in the ledger"


def _import(project: Project, args: argparse.Namespace) -> str:
    from fabai.proposals import propose

    if args.confirm and not args.by.strip():
        raise UsageError("--confirm needs --by: say who stands up for the facts")
    read = [propose(path, project.language) for path in args.files]
    new = project.propose((one.fact, one.context) for found in read for one in found.candidates)
    for notice in (one for found in read for one in found.notices):
        show.notice(notice)
    count = sum(len(found.candidates) for found in read)
    said = f"{len(new)} facts proposed" + (f", {count - len(new)} proposed before" if len(new) < count else "")
    if args.confirm:
        standing = clashes({one.id: one.fact for one in project.proposals()}, project.ledger(), project.language)
        sure = [one for one in new if standing[one.id].standing in ("new", "same value", "known")]
        _take(project, sure, standing, args.by)
        return f"{said}; {len(sure)} confirmed by {args.by}, {len(new) - len(sure)} wait"
    return f"{said}; next: fabai facts {args.project} confirm N... --by WHO"


def _confirm(project: Project, args: argparse.Namespace) -> str:
    open_ones = project.proposals()
    standing = clashes({one.id: one.fact for one in open_ones}, project.ledger(), project.language)
    chosen = _chosen(args.numbers, open_ones)
    if "all" in args.numbers:
        chosen = [one for one in chosen if args.replace or standing[one.id].standing != "conflict"]
    if (args.name or args.value) and len(chosen) != 1:
        raise UsageError("--name and --value are for one fact: give one number")
    if args.name or args.value:
        mended = replace(
            chosen[0].fact, name=args.name or chosen[0].fact.name, value=args.value or chosen[0].fact.value
        )
        chosen = [replace(chosen[0], fact=mended)]
        standing = clashes({chosen[0].id: mended}, project.ledger(), project.language)
    _ask_which(chosen, standing, project.language, replaces=args.replace)
    _take(project, chosen, standing, args.by)
    left = len(project.proposals())
    return f"{len(chosen)} confirmed by {args.by}, {left} wait"


def _reject(project: Project, args: argparse.Namespace) -> str:
    chosen = _chosen(args.numbers, project.proposals())
    project.reject([one.id for one in chosen], args.by)
    return f"{len(chosen)} rejected by {args.by}, {len(project.proposals())} wait"


def _take(project: Project, chosen: Sequence[Proposal], standing: dict[int, Clash], who: str) -> None:
    facts = {}
    for one in chosen:
        clash = standing[one.id]
        other = clash.other if clash.other is not None and not clash.proposed else None
        fact = one.fact
        if other is not None and fold(other.name) == fold(fact.name):
            # the ledger's way to write a known value stays; a place is better than none
            known = replace(
                other, origin=other.origin or fact.origin, source=other.source if other.origin else fact.source
            )
            fact = known if clash.standing == "known" else replace(fact, name=other.name)
        facts[one.id] = fact
    if facts:
        project.confirm(facts, who)


def _ask_which(chosen: Sequence[Proposal], standing: dict[int, Clash], language: Language, *, replaces: bool) -> None:
    """A fact has one value: where two are on the table, a person says which."""
    names: dict[str, Proposal] = {}
    for one in chosen:
        first = names.setdefault(fold(one.fact.name), one)
        if read_fact(first.fact, language).key != read_fact(one.fact, language).key:
            raise BadSetting(
                f"'{one.fact.name}' has two values: {first.fact.value} (number {first.id}, {first.fact.source}) and "
                f"{one.fact.value} (number {one.id}, {one.fact.source}); which is right? confirm one, reject the "
                "other, or give it a name of its own (--name)"
            )
        clash = standing[one.id]
        if clash.standing == "conflict" and clash.other is not None and not replaces and not clash.proposed:
            raise BadSetting(
                f"'{one.fact.name}' has two values: {clash.other.value} in the ledger ({clash.other.source}) and "
                f"{one.fact.value} (number {one.id}, {one.fact.source}); which is right? confirm with --replace, "
                f"reject {one.id}, or give it a name of its own (--name)"
            )


def _chosen(numbers: Sequence[str], proposals: Sequence[Proposal]) -> list[Proposal]:
    known = {one.id: one for one in proposals}
    wanted: list[int] = []
    for number in numbers:
        stretch = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", number)
        if number == "all":
            wanted += known
        elif stretch is None:
            raise UsageError(f"'{number}' is no number of a proposal: fabai facts PROJECT proposals lists them")
        elif stretch[2] is None:
            wanted.append(int(stretch[1]))
        else:
            inside = [one for one in known if int(stretch[1]) <= one <= int(stretch[2])]
            wanted += inside or [int(stretch[1])]
    missing = next((one for one in wanted if one not in known), None)
    if missing is not None:
        raise UsageError(f"there is no open proposal {missing}: fabai facts PROJECT proposals lists them")
    return [known[one] for one in dict.fromkeys(wanted)]


def _show_only(_project: Project, _args: argparse.Namespace) -> str:
    return ""


_ACTIONS: dict[str, Callable[[Project, argparse.Namespace], str]] = {
    "add": _add,
    "derive": _derive,
    "remove": _remove,
    "import": _import,
    "confirm": _confirm,
    "reject": _reject,
    "proposals": _show_only,
}


def _proposals(project: Project, args: argparse.Namespace) -> None:
    ones = project.proposals()
    standing = clashes({one.id: one.fact for one in ones}, project.ledger(), project.language)
    if args.json:
        shown = [
            {
                "id": one.id,
                **fact_as_json(one.fact, project.language),
                "context": one.context,
                "standing": standing[one.id].standing,
                "other": None if (other := standing[one.id].other) is None else asdict(other),
            }
            for one in ones
        ]
        facts = [fact_as_json(fact, project.language) for fact in project.ledger()]
        show.as_json({"proposals": shown, "facts": facts})
    elif not ones:
        show.say("no facts wait to be confirmed")
    else:
        rows = [(str(one.id), one.fact.name, one.fact.value, _said(standing[one.id]), one.fact.source) for one in ones]
        columns: list[tuple[str, show.Align]] = [
            ("N", "right"), ("fact", "left"), ("value", "left"), ("ledger", "left"), ("source", "left"),
        ]  # fmt: skip
        show.table(columns, rows, wide=1)


def _said(clash: Clash) -> str:
    if clash.other is None:
        return "new"
    if clash.standing == "known":
        return "known"
    if clash.standing == "same value":
        return f"same as '{clash.other.name}'"
    return f"{'another proposal' if clash.proposed else 'ledger'} has {clash.other.value}: which?"


def fact_as_json(fact: Fact, language: Language) -> dict[str, Any]:
    """A fact and what its value was read as."""
    reading = read_fact(fact, language)
    number = None if reading.number is None else f"{reading.number + 0:f}"
    read = {"kind": reading.kind, "number": number, "noun": reading.noun, "unit": reading.unit}
    return asdict(fact) | read


def _list(project: Project, as_json: bool) -> None:
    ledger: Ledger = project.ledger()
    waiting = len(project.proposals())
    if as_json:
        show.as_json({"facts": [fact_as_json(fact, project.language) for fact in ledger], "proposals": waiting})
        return
    if not len(ledger):
        show.say("no facts yet: fabai facts PROJECT add NAME VALUE --source WHERE")
    else:
        rows = [(fact.name, fact.value, fact.source, fact.confirmed_by) for fact in ledger]
        columns: list[tuple[str, show.Align]] = [
            ("fact", "left"), ("value", "left"), ("source", "left"), ("confirmed by", "left"),
        ]  # fmt: skip
        show.table(columns, rows, wide=2)
    if waiting:
        show.say(f"{waiting} more wait to be confirmed: fabai facts PROJECT proposals")
