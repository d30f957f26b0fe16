"""`fabai partners`: ask partners for their sections with Word files, and put what they send back into its place."""

from __future__ import annotations

import argparse
from pathlib import Path

from fabai.cli import show
from fabai.dossier.changes import changes, decide
from fabai.dossier.kept import as_json
from fabai.dossier.merging import merge, partner_of
from fabai.dossier.packs import make_pack
from fabai.dossier.partners import add_partner, contributions, find_partner, partners, status_of
from fabai.errors import FabaiError
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    add = actions.add_parser("add", help="add a partner, or change what they are asked for")
    add.add_argument("partner", metavar="ID", help="a short name: FAC")
    add.add_argument("name", metavar="NAME")
    add.add_argument("--sections", metavar="S", nargs="+", default=[], help="sections by id, number or heading")
    show.json_option(add, nested=True)
    pack = actions.add_parser(
        "pack", help="write a Word file for each partner: sections, guidance, limits, commitments"
    )
    pack.add_argument("partners", metavar="ID", nargs="*", help="which partners (default: all)")
    pack.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder for the files")
    show.json_option(pack, nested=True)
    back = actions.add_parser("merge", help="take returned files in: texts, tracked changes, comments")
    back.add_argument(
        "files", metavar="[ID=]FILE", nargs="+", help="a returned file, with its partner where nothing tells it"
    )
    back.add_argument(
        "--refuse",
        action="append",
        default=[],
        metavar="AUTHOR",
        help="take this author's tracked changes back; '*' for all",
    )
    back.add_argument("--anyway", action="store_true", help="also a file that was made for another project or period")
    show.json_option(back, nested=True)
    listed = actions.add_parser("changes", help="the tracked changes that came with the files, with their numbers")
    listed.add_argument("partner", metavar="ID", nargs="?")
    show.json_option(listed, nested=True)
    for action, what in (("refuse", "take single tracked changes back"), ("accept", "accept refused ones again")):
        one = actions.add_parser(action, help=f"{what}: their numbers, as 'changes' lists them")
        one.add_argument("numbers", metavar="N", type=int, nargs="+")
        show.json_option(one, nested=True)
    show.json_option(actions.add_parser("list", help="who owes what (also without an action)"), nested=True)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        if args.action == "add":
            partner = add_partner(project, args.partner, args.name, args.sections)
            if not args.json:
                show.say(f"{partner.id}: {partner.name}, {len(partner.sections)} sections")
                return 0
        elif args.action == "pack":
            return _pack(args, project)
        elif args.action == "merge":
            return _merge(args, project)
        elif args.action == "changes":
            return _changes(args, project)
        elif args.action in ("refuse", "accept"):
            for piece in decide(project, args.numbers, args.action == "refuse"):
                if piece.status == "conflict":
                    show.notice(f"'{piece.section}' was changed meanwhile: both texts are kept, choose one")
            return _changes(args, project)
        return _list(args, project)


def _pack(args: argparse.Namespace, project: Project) -> int:
    chosen = [find_partner(project, one) for one in args.partners] or list(partners(project))
    args.output.mkdir(parents=True, exist_ok=True)
    written = []
    for partner in chosen:
        path = args.output / f"{project.path.stem}-{partner.id}.docx"
        path.write_bytes(make_pack(project, partner.id))
        written.append(path)
    if args.json:
        show.as_json({"files": [str(path) for path in written]})
        return 0
    for path in written:
        show.say(str(path))
    if not written:
        show.say("no partners yet: fabai partners PROJECT add ID NAME --sections SECTION…")
    return 0


def _merge(args: argparse.Namespace, project: Project) -> int:
    """Each file by itself: one that cannot be taken in keeps none of the others out."""
    reported, failed = [], []
    for written in args.files:
        named, _, rest = written.rpartition("=")
        path = Path(rest)
        if named and Path(written).exists():
            named, path = "", Path(written)
        try:
            merged = merge(project, partner_of(project, path, named), path, args.refuse, args.anyway)
            reported.append(merged)
        except FabaiError as error:
            failed.append((path.name, str(error)))
    if args.json:
        show.as_json(
            {
                "merged": [
                    {
                        "file": one.contribution.file,
                        "partner": one.contribution.partner,
                        "sections": {piece.section: piece.status for piece in one.contribution.pieces},
                        "changes": one.contribution.changes,
                        "notes": one.contribution.notes,
                        "notices": list(one.notices),
                    }
                    for one in reported
                ],
                "failed": [{"file": name, "why": why} for name, why in failed],
            }
        )
    else:
        for one in reported:
            done = one.contribution
            counts = ", ".join(f"{piece.section}: {piece.status}" for piece in done.pieces)
            show.say(f"{done.file} ({done.partner}): {counts}; {done.changes} tracked changes, {done.notes} notes")
            for notice in one.notices:
                show.notice(notice)
        for _, why in failed:
            show.notice(why)
    return 1 if failed and not reported else 0


def _changes(args: argparse.Namespace, project: Project) -> int:
    found = changes(project, getattr(args, "partner", None))
    if args.json:
        show.as_json({"changes": [as_json(one) for one in found]})
        return 0
    heads = ("no", "partner", "author", "date", "section", "change", "words", "now")
    show.table(
        [(head, "right" if head == "no" else "left") for head in heads],
        [
            (
                str(one.number), one.partner, one.author, one.date[:10], one.section, one.kind, one.text,
                "refused" if one.refused else "accepted",
            )
            for one in found
        ],
        wide=6,
    )  # fmt: skip
    return 0


def _list(args: argparse.Namespace, project: Project) -> int:
    status = status_of(project)
    if args.json:
        show.as_json(
            {
                "partners": [
                    {"id": one.id, "name": one.name, "sections": status.get(one.id, {})} for one in partners(project)
                ],
                "files": [
                    {"partner": one.partner, "file": one.file, "received": one.received}
                    for one in contributions(project)
                ],
            }
        )
        return 0
    headings = {one.id: one.heading for one in project.report()}
    rows = [
        (one.id, one.name, headings.get(section, section), state)
        for one in partners(project)
        for section, state in status.get(one.id, {}).items()
    ]
    if not rows:
        show.say("no partners yet: fabai partners PROJECT add ID NAME --sections SECTION…")
        return 0
    show.table([("partner", "left"), ("name", "left"), ("section", "left"), ("status", "left")], rows, wide=2)
    return 0
