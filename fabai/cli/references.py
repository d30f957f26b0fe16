"""`fabai references`: the references that the text can cite, by key, and how often it does."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from fabai.cli import show
from fabai.dossier.publications import works_of
from fabai.dossier.references import literature
from fabai.formats.citation import citations
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        works = works_of(literature(project))
        cited = Counter(key for section in project.report() for one in citations(section.text) for key in one.keys)
    rows = [(key, cited[key], work.citation()) for key, work in works.items()]
    if args.json:
        show.as_json({"references": [{"key": key, "cited": times, "citation": said} for key, times, said in rows]})
    elif not rows:
        show.say("no references yet: fabai import PROJECT FILE.bib --as references (or .ris, or CSL .json)")
    else:
        show.table(
            [("key: [@key]", "left"), ("cited", "right"), ("reference", "left")],
            [(key, str(times or ""), said) for key, times, said in rows],
            wide=2,
            wrap=True,
        )
    return 0
