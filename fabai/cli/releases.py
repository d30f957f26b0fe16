"""`fabai releases`: what was released on this machine, compared, put to use, taken back."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from fabai import releases
from fabai.cli import show
from fabai.errors import UsageError
from fabai.releases import Release

_ACTIONS = ("list", "compare", "promote", "rollback", "add", "forget")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=_ACTIONS,
        default="list",
        help="list (the default); compare A B; promote R (drafting with --writer release takes it); rollback to the "
        "one before; add R, a folder that came from elsewhere; forget R (its folder stays)",
    )
    parser.add_argument("names", metavar="RELEASE", nargs="*", help="names, or folders")
    parser.add_argument("--even-so", action="store_true", help="promote a release that failed its evaluation")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    wanted = {"list": 0, "rollback": 0, "compare": 2}.get(args.action, 1)
    if len(args.names) != wanted:
        count = {0: "no release", 1: "one release", 2: "two releases"}[wanted]
        raise UsageError(f"fabai releases {args.action} takes {count}")
    if args.action == "list":
        return _list(args.json)
    if args.action == "compare":
        return _compare(releases.find(args.names[0]), releases.find(args.names[1]), args.json)
    if args.action == "add":
        found = releases.find(args.names[0])
        if found.path is not None:
            releases.register(found.path)
        said = f"{found.name} is on the list"
    elif args.action == "forget":
        releases.forget(args.names[0])
        said = f"{args.names[0]} is off the list; its folder stays"
    elif args.action == "promote":
        found = releases.promote(args.names[0], args.even_so)
        if found.passed is None:
            show.notice(f"{found.name} was not evaluated yet: fabai eval {found.name} --corpus DIR")
        said = f"{found.name} is in use: fabai draft PROJECT --all --writer release"
    else:
        before = releases.rollback()
        said = "no release is in use now" if before is None else f"{before.name} is in use again"
    if args.json:
        used = releases.in_use()
        show.as_json({"in_use": None if used is None else used.name})
    else:
        show.say(said)
    return 0


def _list(as_json: bool) -> int:
    found = releases.known()
    if as_json:
        show.as_json(
            [
                {
                    "name": one.name,
                    "path": None if one.path is None else str(one.path),
                    "in_use": one.in_use,
                    "passed": one.passed,
                    "base": one.base,
                    "created": one.about.get("created"),
                }
                for one in found
            ]
        )
        return 0
    if not found:
        show.say("no release was made on this machine yet: fabai release RUN -o DIR")
        return 0
    rows = [
        [
            "*" if one.in_use else "",
            one.name,
            str(one.about.get("created", ""))[:10],
            one.base,
            _verdict(one),
            "(the folder has gone)" if one.path is None else str(one.path),
        ]
        for one in found
    ]
    show.table(
        [
            ("", "left"),
            ("release", "left"),
            ("made", "left"),
            ("base", "left"),
            ("evaluation", "left"),
            ("folder", "left"),
        ],
        rows,
        wide=5,
    )
    return 0


def _compare(first: Release, second: Release, as_json: bool) -> int:
    rows = [(name, one, other) for name, one, other in _pairs(first.about, second.about)]
    if as_json:
        show.as_json({name: [one, other] for name, one, other in rows})
        return 0
    show.table(
        [("", "left"), (first.name, "right"), (second.name, "right")],
        [[name, _shown(one), _shown(other)] for name, one, other in rows],
    )
    return 0


def _pairs(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """What two releases say, the settings only where they differ."""
    found: list[tuple[str, Any, Any]] = []
    for name, *keys in (
        ("made", "created"), ("base", "base", "name"), ("corpus", "corpus", "id"), ("examples", "corpus", "train"),
        ("windows", "corpus", "mode"), ("cap", "corpus", "cap"), ("evaluation passed", "evaluation", "passed"),
    ):  # fmt: skip
        found.append((name, _at(one, keys), _at(other, keys)))
    mine, theirs = _at(one, ["recipe", "settings"]) or {}, _at(other, ["recipe", "settings"]) or {}
    for key in mine:
        if mine[key] != theirs.get(key):
            found.append((f"recipe: {key}", mine[key], theirs.get(key)))
    figures, others = _at(one, ["evaluation", "figures"]) or {}, _at(other, ["evaluation", "figures"]) or {}
    for key in dict.fromkeys((*figures, *others)):
        found.append((key, figures.get(key), others.get(key)))
    return found


def _at(table: Mapping[str, Any], keys: list[str]) -> Any:
    found: Any = table
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _verdict(one: Release) -> str:
    return "none yet" if one.passed is None else "passed" if one.passed else "failed"
