"""`fabai expenses`: the list of expenses with its rows and sums, checked, or filled into the funder's own sheet."""

from __future__ import annotations

import argparse
from decimal import Decimal
from pathlib import Path
from typing import Any

from fabai.cli import show
from fabai.cli.violations import as_plain
from fabai.dossier.expenses import Expense, check_lists, expenses, sums_by_heading
from fabai.dossier.granted import terms_of
from fabai.dossier.kept import as_json
from fabai.dossier.rules import money
from fabai.dossier.terms import Terms
from fabai.dossier.wording import sentence
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument("--check", action="store_true", help="hold rows, hours and sums against the terms of the grant")
    parser.add_argument("--off", action="append", default=[], metavar="RULE", help="leave a rule out (with --check)")
    parser.add_argument(
        "--fill", type=Path, metavar="FILE.xlsx", help="write the rows into the funder's own sheet, its formulas intact"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.xlsx", help="where the filled sheet goes")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        rows, terms = expenses(project), terms_of(project)
        if args.fill is not None:
            return _fill(args, rows)
        if args.check:
            return _check(args, project, terms)
        sums = sums_by_heading(project, terms)
    total = sum((one.amount or Decimal(0) for one in rows), Decimal(0))
    if args.json:
        by_heading: dict[str, Any] = {
            name: {"granted": None if granted is None else str(granted), "charged": str(charged)}
            for name, (granted, charged) in sums.items()
        }
        show.as_json({"expenses": [as_json(one) for one in rows], "by_heading": by_heading, "total": str(total)})
        return 0
    if not rows:
        show.say("no expenses yet: fabai import PROJECT FILE.xlsx --as expenses")
        return 0
    show.table(
        [("date", "left"), ("creditor", "left"), ("number", "left"), ("heading", "left"), ("charged", "right"),
         ("place", "left")],
        [
            (str(one.issued or ""), one.creditor, one.number, one.heading, money(one.amount or Decimal(0)),
             f"{one.place.sheet} {one.place.row}")
            for one in rows
        ],
        wide=1,
    )  # fmt: skip
    show.say("")
    show.table(
        [("heading", "left"), ("granted", "right"), ("charged", "right")],
        [
            *(
                (name, "" if granted is None else money(granted), money(charged))
                for name, (granted, charged) in sums.items()
            ),
            ("", "", money(total)),
        ],
        wide=0,
    )
    return 0


def _check(args: argparse.Namespace, project: Project, terms: Terms) -> int:
    findings = check_lists(project, terms, args.off)
    if args.json:
        show.as_json({"violations": as_plain(findings.violations, project.language), "notices": list(findings.notices)})
    else:
        rows = [(one.evidence, one.quote, sentence(one, project.language)) for one in findings.violations]
        if rows:
            show.table([("where", "left"), ("what", "left"), ("finding", "left")], rows, wide=2, wrap=True)
        errors = sum(one.severity == "error" for one in findings.violations)
        show.say(f"{errors} to fix, {len(findings.violations) - errors} to look at")
        for notice in findings.notices:
            show.notice(notice)
    return 0 if findings.ok else 3


def _fill(args: argparse.Namespace, rows: tuple[Expense, ...]) -> int:
    from fabai.dossier.filling import fill
    from fabai.errors import UsageError

    if args.output is None:
        raise UsageError("say where the filled sheet goes: -o FILE.xlsx")
    done = fill(args.fill, args.output, rows)
    if args.json:
        show.as_json({"file": str(args.output), "rows": done.rows, "first": done.first, "sheet": done.sheet})
        return 0
    show.say(f"{args.output}: {done.rows} rows in sheet '{done.sheet}' from row {done.first} on")
    for notice in done.notices:
        show.notice(notice)
    return 0
