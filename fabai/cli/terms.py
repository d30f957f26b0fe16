"""`fabai terms`: the terms of the grant that expenses, hours and deadlines are held against."""

from __future__ import annotations

import argparse
from pathlib import Path

from fabai.cli import show
from fabai.dossier.costs import keep_costs
from fabai.dossier.granted import terms_of
from fabai.dossier.lists import set_term, unset_term
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    put = actions.add_parser("set", help="set one term")
    put.add_argument(
        "name",
        metavar="NAME",
        help="start, end, pay_by, notified, paid_out, awarded, tolerance, quotes_from, works_from, hours_year, grant, "
        "cost, heading:NAME, hours:PERSON, income:FUNDER; place (ES, CT, AD: whose holidays are no working days) or "
        "closed (one more such day)",
    )
    put.add_argument("value", metavar="VALUE", help='a date or an amount: 31/12/2026, "12.000,00", "10 %%"')
    put.add_argument("--source", default="", metavar="S", help='where it stands: "Resolution, p. 2"')
    show.json_option(put, nested=True)
    gone = actions.add_parser("remove", help="take back a term that was set: what the documents say holds again")
    gone.add_argument("name", metavar="NAME", help="as for 'set'")
    show.json_option(gone, nested=True)
    show.json_option(actions.add_parser("list", help="show the terms (also without an action)"), nested=True)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        if args.action == "set":
            set_term(project, args.name, args.value, args.source)
        if args.action == "remove":
            unset_term(project, args.name)
        if args.action in ("set", "remove"):
            keep_costs(project)
        terms = terms_of(project)
    plain = terms.as_json()
    if args.json:
        show.as_json({"terms": plain})
        return 0
    sources = plain.pop("sources", {})
    rows: list[tuple[str, str, str]] = []
    for name, value in plain.items():
        if isinstance(value, dict):
            rows += [(f"{name}:{inner}", amount, sources.get(f"{name}:{inner}", "")) for inner, amount in value.items()]
        elif isinstance(value, list):
            rows.append((name, ", ".join(value), sources.get(name, "")))
        else:
            rows.append((name, str(value), sources.get(name, "")))
    show.table([("term", "left"), ("value", "right"), ("source", "left")], rows, wide=2)
    return 0
