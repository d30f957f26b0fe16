"""`fabai import --as expenses|hours|people|indicators|attendance`: a spreadsheet becomes rows that keep their place."""

from __future__ import annotations

import argparse
from typing import Any, get_args

from fabai.cli import show
from fabai.dossier.columns import ListKind, read_wish
from fabai.dossier.costs import keep_costs
from fabai.dossier.listing import Listing, read_list
from fabai.dossier.lists import add_list, known_layouts, list_files
from fabai.errors import UsageError
from fabai.store.project import Project

KINDS: tuple[ListKind, ...] = get_args(ListKind)


def run(args: argparse.Namespace, kind: ListKind) -> int:
    """Every file is read before the first row is written."""
    if args.columns is not None and len(args.files) > 1:
        raise UsageError("--columns holds for one file: import the others on their own")
    wish = None if args.columns is None else read_wish(kind, args.columns)
    with Project.open(args.project) as project:
        known = known_layouts(project, kind)
        listings = [read_list(path, kind, known, wish) for path in args.files]
        before = {(one.kind, one.file): one for one in list_files(project)}
        reported = []
        for listing in listings:
            add_list(project, listing)
            old = before.get((listing.kind, listing.file))
            replaced = old is not None and old.sha256 != listing.sha256
            remembered = any(columns.layout in known for columns in listing.columns)
            reported.append(_report(listing, remembered, replaced))
        keep_costs(project)
    if args.json:
        show.as_json({"imported": reported})
        return 0
    for one in reported:
        columns = ", ".join(f"{field}={letter}" for field, letter in one["columns"][0].items())
        how = "columns as confirmed before" if one["remembered"] else "columns proposed (change them with --columns)"
        show.say(f"{one['file']}: {one['rows']} rows of {kind}; {how}: {columns}")
        if one["replaced"]:
            show.notice(f"the rows of an earlier '{one['file']}' were replaced; what they said is kept in the history")
        for check in one["sums"]:
            if not check["ok"]:
                show.notice(
                    f"{check['place']}: the total of '{check['field']}' says {check['stated']} and the rows add "
                    f""
                    f"up to {check['summed']}"
                )
        for notice in one["notices"]:
            show.notice(notice)
    if kind in ("expenses", "hours"):
        show.say(f"next: fabai expenses {args.project} --check")
    return 0


def _report(listing: Listing, remembered: bool, replaced: bool) -> dict[str, Any]:
    return {
        "file": listing.file,
        "kind": listing.kind,
        "rows": len(listing.entries),
        "columns": [one.shown for one in listing.columns],
        "remembered": remembered,
        "replaced": replaced,
        "sums": [
            {
                "place": str(one.place),
                "field": one.field,
                "stated": str(one.stated),
                "summed": str(one.summed),
                "ok": one.ok,
            }
            for one in listing.sums
        ],
        "notices": list(listing.notices),
    }
