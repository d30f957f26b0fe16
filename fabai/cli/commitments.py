"""`fabai commitments`: what was promised against what was done; proposals confirmed, outcomes stated, the matrix."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from fabai.cli import show
from fabai.cli.violations import tell
from fabai.dossier.commitment import KINDS, STATUSES, Commitment
from fabai.dossier.commitments import (
    change,
    check_commitments,
    confirm,
    find,
    history,
    proposed,
    reject,
    revise,
    set_outcome,
    standing,
    withdraw,
)
from fabai.dossier.costs import keep_costs
from fabai.dossier.kept import as_json
from fabai.dossier.matrix import heads, matrix_rows, write_matrix
from fabai.dossier.written import typed_amount, typed_date
from fabai.errors import UsageError
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    for name, text in (
        ("confirm", "make proposals binding: their numbers, or --all"),
        ("reject", "take proposals away: their numbers, or --all"),
    ):
        one = actions.add_parser(name, help=text)
        one.add_argument("numbers", metavar="N", type=int, nargs="*")
        one.add_argument("--all", action="store_true", help="every proposal")
        one.add_argument("--by", required=True, metavar="NAME", help="who decides")
        show.json_option(one, nested=True)
    put = actions.add_parser("set", help="how a commitment went")
    put.add_argument(
        "commitment", metavar="COMMITMENT", help='its number, its own ("D1.2") or the beginning of its words'
    )
    put.add_argument("--status", choices=[one for one in STATUSES if one])
    put.add_argument("--achieved", metavar="TEXT", help='what was reached: "112 participants"')
    put.add_argument("--evidence", metavar="WHERE", action="append", help="a file, a link, an annex; may be repeated")
    put.add_argument("--explanation", metavar="TEXT", help="why it deviates")
    show.json_option(put, nested=True)
    edit = actions.add_parser("edit", help="correct what was promised; how it stood stays in its history")
    edit.add_argument(
        "commitment", metavar="COMMITMENT", help="as for 'set'; a proposal by its number, before it is confirmed"
    )
    edit.add_argument("--text", metavar="TEXT", help="its words")
    edit.add_argument("--target", metavar="TEXT", help='what is to be reached: "120 participants"; "" for none')
    edit.add_argument("--amount", metavar="AMOUNT", help='"12.000,00"; "" for none')
    edit.add_argument("--due", metavar="DATE", help='until when: 31/12/2026; "" for none')
    edit.add_argument("--by", required=True, metavar="NAME", help="who corrects it")
    show.json_option(edit, nested=True)
    gone = actions.add_parser("withdraw", help="a confirmed commitment binds no more; its history stays")
    gone.add_argument("commitment", metavar="COMMITMENT", help="as for 'set'")
    gone.add_argument("--by", required=True, metavar="NAME", help="who withdraws it")
    show.json_option(gone, nested=True)
    past = actions.add_parser("history", help="the states of a commitment, oldest first")
    past.add_argument("commitment", metavar="COMMITMENT")
    show.json_option(past, nested=True)
    matrix = actions.add_parser("matrix", help="promised and done as a table")
    matrix.add_argument("-o", "--output", type=Path, metavar="FILE", help=".docx, .xlsx, .csv or .md")
    matrix.add_argument("--kind", choices=KINDS, action="append", help="only these kinds; may be repeated")
    show.json_option(matrix, nested=True)
    show.json_option(
        actions.add_parser("list", help="show commitments and proposals (also without an action)"), nested=True
    )
    show.json_option(actions.add_parser("check", help="what nobody accounted for, explained or proved"), nested=True)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        if args.action in ("confirm", "reject"):
            if bool(args.numbers) == args.all:
                raise UsageError("give the numbers of the proposals, or --all")
            act = confirm if args.action == "confirm" else reject
            done = act(project, None if args.all else args.numbers, args.by)
            keep_costs(project)
            return _say(args, done, f"{len(done)} commitments {args.action}ed")
        if args.action == "set":
            if (args.status, args.achieved, args.evidence, args.explanation) == (None,) * 4:
                raise UsageError("say how it went: --status, --achieved, --evidence or --explanation")
            one = set_outcome(
                project,
                args.commitment,
                status=args.status,
                achieved=args.achieved,
                evidence=args.evidence,
                explanation=args.explanation,
            )
            return _say(args, (one,), f"{one.label or one.number} {one.text}: {one.status or 'no status yet'}")
        if args.action == "edit":
            return _edit(args, project)
        if args.action == "withdraw":
            one = withdraw(project, args.commitment, args.by)
            keep_costs(project)
            return _say(args, (one,), f"{one.label or one.number} {one.text}: withdrawn")
        if args.action == "history":
            return _history(args, project)
        if args.action == "matrix":
            return _matrix(args, project)
        if args.action == "check":
            found = check_commitments(standing(project))
            return tell(found, project.language, "commitment", "finding", "quote", args.json)
        every, waiting = standing(project), proposed(project)
    if args.json:
        show.as_json({"commitments": [_plain(one) for one in every], "proposed": [_plain(one) for one in waiting]})
        return 0
    if not every and not waiting:
        show.say("no commitments yet: fabai import PROJECT FILE --as proposal (or resolution, amendment)")
        return 0
    _table(every)
    if waiting:
        show.say(f"\n{len(waiting)} proposed; confirm them with: fabai commitments {args.project} confirm N… --by NAME")
        _table(waiting)
    return 0


def _edit(args: argparse.Namespace, project: Project) -> int:
    if (args.text, args.target, args.amount, args.due) == (None,) * 4:
        raise UsageError("say what changes: --text, --target, --amount or --due")
    waiting = next((one for one in proposed(project) if str(one.number) == args.commitment), None)
    one = find(project, args.commitment) if waiting is None else waiting
    words: dict[str, Any] = {
        "text": one.text if args.text is None else args.text,
        "target": one.target if args.target is None else args.target,
        "amount": one.amount if args.amount is None else typed_amount(args.amount) if args.amount.strip() else None,
        "due": one.due if args.due is None else typed_date(args.due) if args.due.strip() else None,
    }
    if waiting is None:
        new = change(project, one.key, **words, who=args.by)
        keep_costs(project)
    else:
        new = revise(project, one.number, **words)
    return _say(args, (new,), f"{new.label or new.number} {new.text}: {_promised(new) or 'no target'}")


def _plain(one: Commitment) -> dict[str, object]:
    return {"key": one.key, "label": one.label, **as_json(one)}


def _say(args: argparse.Namespace, done: tuple[Commitment, ...], text: str) -> int:
    if args.json:
        show.as_json({"commitments": [_plain(one) for one in done]})
    else:
        show.say(show.one_line(text))
    return 0


def _table(commitments: tuple[Commitment, ...]) -> None:
    show.table(
        [
            ("no", "right"),
            ("kind", "left"),
            ("ref", "left"),
            ("commitment", "left"),
            ("promised", "left"),
            ("status", "left"),
            ("place", "left"),
        ],
        [
            (
                str(one.number),
                one.kind,
                one.label,
                one.text,
                _promised(one),
                one.status,
                f"{one.place.file}, {one.place.section}",
            )
            for one in commitments
        ],
        wide=3,
    )


def _promised(one: Commitment) -> str:
    parts = [one.target if one.kind != "budget" else "", "" if one.amount is None else f"{one.amount:,}", one.when]
    if one.due is not None:
        parts.append(str(one.due))
    return " ".join(part for part in parts if part)[:40]


def _history(args: argparse.Namespace, project: Project) -> int:
    states = history(project, find(project, args.commitment).label or args.commitment)
    if args.json:
        show.as_json({"history": [{"created": one.created, **_plain(one.commitment)} for one in states]})
        return 0
    show.table(
        [("since", "left"), ("bound by", "left"), ("promised", "left"), ("status", "left"), ("words", "left")],
        [
            (
                one.created,
                f"{one.commitment.bound} ({one.commitment.place.file})",
                _promised(one.commitment),
                one.commitment.status,
                one.commitment.quote or one.commitment.text,
            )
            for one in states
        ],
        wide=4,
    )
    return 0


def _matrix(args: argparse.Namespace, project: Project) -> int:
    language = project.language
    chosen = tuple(one for one in standing(project) if args.kind is None or one.kind in args.kind)
    rows = matrix_rows(chosen, language)
    if args.output is not None:
        write_matrix(args.output, chosen, language, project.title)
        if not args.json:
            show.say(f"{args.output}: {len(rows)} commitments")
            return 0
    if args.json:
        show.as_json({"heads": list(heads(language)), "rows": [list(row) for row in rows]})
        return 0
    show.table([(head, "left") for head in heads(language)], rows, wide=1, wrap=True)
    return 0
