"""`fabai facts`: the ledger, the facts that must agree everywhere."""

from __future__ import annotations

import argparse
from pathlib import Path

from fabai.cli import show
from fabai.ledger import Fact
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    add = actions.add_parser("add", help="add a fact, or change the value of the one with that name")
    add.add_argument("name", metavar="NAME", help='what it is: "importe concedido"')
    add.add_argument("value", metavar="VALUE", help='as it must be written: "18.500,00 €"')
    add.add_argument("--source", required=True, metavar="S", help='where it stands: "Resolución, p. 2"')
    show.json_option(add, nested=True)
    show.json_option(actions.add_parser("list", help="show the facts (also without an action)"), nested=True)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        if args.action == "add":
            fact = Fact(args.name, args.value, args.source)
            old = project.ledger().get(fact.name)
            project.set_fact(fact)
            if not args.json:
                was = "" if old is None or old.value == fact.value else f" (it was {old.value})"
                show.say(show.one_line(f"{fact.name} = {fact.value}{was}"))
                return 0
        ledger = project.ledger()
    if args.json:
        facts = [{"name": fact.name, "value": fact.value, "source": fact.source} for fact in ledger]
        show.as_json({"facts": facts})
    elif not len(ledger):
        show.say("no facts yet: fabai facts PROJECT add NAME VALUE --source WHERE")
    else:
        rows = [(fact.name, fact.value, fact.source) for fact in ledger]
        show.table([("fact", "left"), ("value", "left"), ("source", "left")], rows, wide=2)
    return 0
