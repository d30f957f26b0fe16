"""`fabai import --as proposal|resolution|amendment|outcome`: a document becomes a source and proposes commitments."""

from __future__ import annotations

import argparse
from hashlib import sha256

from fabai.cli import show
from fabai.dossier.documents import Kind, propose_from
from fabai.formats.read import read
from fabai.store.project import Project


def run(args: argparse.Namespace, kind: Kind) -> int:
    """Every file is read before the first one is written."""
    with Project.open(args.project) as project:
        found = [(path, read(path), sha256(path.read_bytes()).hexdigest()) for path in args.files]
        reported = []
        for path, document, digest in found:
            new, silent = propose_from(project, kind, document, path.name, digest)
            project.add_source(path.name, document.text, digest, kind)
            reported.append((path.name, new, silent, list(document.notices)))
    if args.json:
        show.as_json(
            {
                "imported": [
                    {
                        "file": name,
                        "kind": kind,
                        "proposed": [{"number": one.number, "kind": one.kind, "text": one.text} for one in new],
                        "unreported": [one.label or one.text for one in silent],
                        "notices": notices,
                    }
                    for name, new, silent, notices in reported
                ]
            }
        )
        return 0
    for name, new, silent, notices in reported:
        show.say(f"{name}: read as a source; {len(new)} commitments proposed")
        if silent:
            some = ", ".join(one.label or one.text[:40] for one in silent[:6])
            show.notice(f"{name} says nothing of {len(silent)} commitments: {some}{' …' if len(silent) > 6 else ''}")
        for notice in notices:
            show.notice(notice)
    show.say(f"next: fabai commitments {args.project}")
    return 0
