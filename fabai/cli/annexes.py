"""`fabai annexes`: proofs numbered and linked to expenses, what is missing, and all of them as one PDF."""

from __future__ import annotations

import argparse
from pathlib import Path

from fabai.cli import show
from fabai.cli.violations import tell
from fabai.dossier.annexes import annexes, link, missing, photos
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    one = actions.add_parser("link", help="say what a proof proves")
    one.add_argument("file", metavar="FILE", help="name of the proof")
    one.add_argument("rows", metavar="N", type=int, nargs="*", help="expenses, as numbered by 'fabai annexes missing'")
    one.add_argument("--annex", default="", metavar="ID", help="the form's annex that it is (fabai forms FORM)")
    show.json_option(one, nested=True)
    show.json_option(
        actions.add_parser("missing", help="what nothing proves; exit code 3 where something is"), nested=True
    )
    write = actions.add_parser("write", help="all annexes as one PDF with an index")
    write.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.pdf")
    show.json_option(write, nested=True)
    show.json_option(actions.add_parser("list", help="the numbered annexes (also without an action)"), nested=True)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        if args.action == "missing":
            return tell(missing(project), project.language, "where", "what is missing", "evidence", args.json)
        if args.action == "link":
            link(project, args.file, args.rows, args.annex)
        if args.action == "write":
            return _write(args, project)
        found = annexes(project)
        pictures = photos(project)
    if args.json:
        show.as_json(
            {
                "annexes": [
                    {"number": one.number, "title": one.title, "file": one.file, "rows": list(one.rows)}
                    for one in found
                ],
                "photos": [{"name": one.name, "file": one.file} for one in pictures],
            }
        )
        return 0
    if not found and not pictures:
        show.say("no annexes yet: fabai import PROJECT FILE.pdf --as proofs (or FILE.jpg --as photos)")
        return 0
    show.table(
        [("no", "right"), ("annex", "left"), ("file", "left"), ("expenses", "left")],
        [(str(one.number), one.title, one.file, ", ".join(map(str, one.rows))) for one in found],
        wide=1,
    )
    for one in pictures:
        show.say(f"photo {one.file}: write it into the text as ![caption]({one.name})")
    return 0


def _write(args: argparse.Namespace, project: Project) -> int:
    from fabai.submission.annexes import together

    merged = together(project)
    args.output.write_bytes(merged.parts[0])
    count = len(merged.pages) + len(merged.faults)
    if args.json:
        show.as_json({"file": str(args.output), "annexes": count, "faults": list(merged.faults)})
        return 0
    show.say(f"{args.output}: {count} annexes")
    for fault in merged.faults:
        show.notice(fault)
    return 0
