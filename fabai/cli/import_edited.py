"""`fabai import PROJECT FILE.docx --as edited`: hand edits of an exported Word file back into their sections."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from fabai.cli import show
from fabai.errors import UsageError
from fabai.formats.read import read
from fabai.store.project import Project

_CLASH = "changed in the same place on both sides; the project's text stays, the file's is kept as a version"


def run(args: argparse.Namespace) -> int:
    """One file at a time; what clashes is kept as a version and told."""
    from fabai.submission.merge import take_back

    if len(args.files) != 1:
        raise UsageError("give one edited file at a time: each is compared with what was exported")
    (path,) = args.files
    document = read(path)
    with Project.open(args.project) as project:
        found = take_back(project, document, path.name)
        names = {section.id: section.heading or section.id for section in project.report()}
    if args.json:
        show.as_json({"file": path.name, **{key: list(ones) for key, ones in asdict(found).items()}})
        return 0
    for notice in document.notices:
        show.notice(notice)
    kinds = (
        ("taken from the file", found.taken),
        ("both sides' changes merged", found.merged),
        (_CLASH, found.conflicts),
    )
    for what, ones in kinds:
        for one in ones:
            show.paragraph(f"{names.get(one, one)}: {what}")
    for heading in found.unknown:
        show.notice(f"'{show.one_line(heading)}' is no section of the project; its text was not taken")
    for one in found.absent:
        show.notice(f"'{names.get(one, one)}' is not in the file; it stays as it is")
    changed = len(found.taken) + len(found.merged)
    show.say(f"{show.one_line(path.name)}: {changed} sections changed, {len(found.conflicts)} to settle by hand")
    return 0
