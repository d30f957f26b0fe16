"""`fabai publications`: the table of publications, citations, and what a funder would object to."""

from __future__ import annotations

import argparse
from pathlib import Path

from fabai.cli import show
from fabai.cli.violations import as_plain
from fabai.dossier.granted import terms_of
from fabai.dossier.kept import as_json
from fabai.dossier.publications import check_publications, grant_references, publications, table
from fabai.dossier.wording import sentence
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="period, DOI, acknowledgement of the grant, records twice")
    what.add_argument("--cite", action="store_true", help="one citation a line")
    what.add_argument("--md", action="store_true", help="the table as Markdown, for a section")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        found, language = publications(project), project.language
        findings = check_publications(found, terms_of(project), grant_references(project))
    heads, *rows = table(found, language)
    if args.json:
        show.as_json(
            {
                "publications": [{**as_json(one), "citation": one.citation()} for one in found],
                "violations": as_plain(findings.violations, language),
                "notices": list(findings.notices),
            }
        )
    elif not found:
        show.say("no publications yet: fabai import PROJECT FILE.bib --as publications (or .ris, or a list of DOIs)")
    elif args.check:
        show.table(
            [("publication", "left"), ("finding", "left")],
            [(one.quote, sentence(one, language)) for one in findings.violations],
            wide=0,
            wrap=True,
        )
        for notice in findings.notices:
            show.notice(notice)
    elif args.cite:
        for one in found:
            show.say(show.one_line(one.citation()))
    elif args.md:
        for line in (heads, tuple("---" for _ in heads), *rows):
            show.say("| " + " | ".join(show.one_line(cell).replace("|", "\\|") for cell in line) + " |")
    else:
        show.table([(head, "left") for head in heads], rows, wide=2, wrap=True)
    return 0 if findings.ok or not args.check else 3
