"""`fabai deadlines`: what is due when, from the form's rules, resolutions and milestones, and the days left."""

from __future__ import annotations

import argparse
import datetime
from pathlib import Path

from fabai.cli import show
from fabai.demands import day
from fabai.dossier.deadlines import deadlines
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument("--today", metavar="DATE", help="count the days from another day: 2026-03-31")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    today = datetime.date.today() if args.today is None else day(args.today)
    with Project.open(args.project) as project:
        found = deadlines(project, today)
    if args.json:
        show.as_json(
            {
                "today": str(today),
                "deadlines": [
                    {
                        "name": one.name,
                        "day": None if one.day is None else str(one.day),
                        "left": one.left,
                        "source": one.source,
                        "capped": one.capped,
                        "extendable": one.extendable,
                        "waits_for": one.waits_for,
                        "until": None if one.until is None else str(one.until),
                    }
                    for one in found
                ],
            }
        )
        return 0
    if not found:
        show.say("no deadlines known: import the resolution (--as resolution), or take a form that states one")
        return 0
    show.table(
        [("what", "left"), ("day", "left"), ("days left", "right"), ("source", "left")],
        [
            (one.name, "" if one.day is None else str(one.day), "" if one.left is None else str(one.left), one.source)
            for one in found
        ],
        wide=3,
        wrap=True,
    )
    for one in found:
        if one.until is not None:
            show.notice(
                f"'{one.name}': {one.day} is no working day; by Ley 39/2015, art. 30.5, the term runs to {one.until}, "
                "unless the call says otherwise"
            )
        if one.waits_for:
            show.notice(f"'{one.name}' runs from a day that is not known: fabai terms PROJECT set {one.waits_for} DATE")
        if one.capped and one.day is not None:
            show.notice(f"'{one.name}' ends on {one.day} at the latest, whatever the months say ({one.source})")
    return 0
