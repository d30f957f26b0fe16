"""`fabai import --as photos|proofs|publications|references`: files that are kept, linked or listed."""

from __future__ import annotations

import argparse
from typing import Any, Literal, get_args

from fabai.cli import show
from fabai.dossier.annexes import add_photo, add_proof
from fabai.store.project import Project

Kind = Literal["photos", "proofs", "publications", "references"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def run(args: argparse.Namespace, kind: Kind) -> int:
    reported: list[dict[str, Any]] = []
    with Project.open(args.project) as project:
        if kind == "publications":
            from fabai.dossier.publications import add_publications, read_publications

            for path, found in [(path, read_publications(path)) for path in args.files]:
                added = add_publications(project, found)
                notices = list(found.notices)
                reported.append(
                    {"file": path.name, "publications": len(found.publications), "new": added, "notices": notices}
                )
        if kind == "references":
            from fabai.dossier.references import add_references, read_references

            for path, read in [(path, read_references(path)) for path in args.files]:
                new, replaced = add_references(project, read.entries)
                notices = [
                    *read.notices,
                    *([f"{replaced} that were there took the file's content"] if replaced else []),
                ]
                reported.append({"file": path.name, "references": len(read.entries), "new": new, "notices": notices})
        for path in args.files:
            if kind == "photos":
                photo = add_photo(project, path)
                reported.append({"file": path.name, "name": photo.name, "lighter": photo.lighter, "notices": []})
            elif kind == "proofs":
                proof = add_proof(project, path)
                alone = (
                    []
                    if proof.rows
                    else [f"nothing tells which expense {path.name} proves: fabai annexes PROJECT link"]
                )
                reported.append({"file": path.name, "rows": len(proof.rows), "notices": alone})
    if args.json:
        show.as_json({"imported": [{"kind": kind, **one} for one in reported]})
        return 0
    for one in reported:
        if kind == "photos":
            show.say(f"{one['file']}: write it into the text as ![caption]({one['name']}); its metadata was taken out")
        elif kind == "proofs":
            show.say(f"{one['file']}: proves {one['rows']} expenses")
        else:
            show.say(f"{one['file']}: {one[kind]} {kind}, {one['new']} of them new")
        for notice in one["notices"]:
            show.notice(notice)
    return 0
