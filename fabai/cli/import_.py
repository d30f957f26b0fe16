"""`fabai import`: read a past report, a source document or a part of the dossier into a project.

Every file is read before the first one is written, and each is written in one transaction: a file that cannot be read
leaves the project as it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

from fabai.checks.planted import check_planted
from fabai.cli import import_commitments, import_files, import_list, show
from fabai.dossier import documents
from fabai.errors import UsageError
from fabai.formats.document import Document
from fabai.formats.read import read
from fabai.report import count_words
from fabai.store.project import Project

Kind = Literal["report", "source"]
_KINDS = (*get_args(Kind), "edited", *documents.KINDS, *import_list.KINDS, *import_files.KINDS)


_PLANTED = 5
"""Places with orders to a model that are told at the import; `fabai check` lists them all."""


@dataclass(frozen=True, slots=True)
class _Read:
    path: Path
    document: Document
    sha256: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument(
        "files",
        metavar="FILE",
        type=Path,
        nargs="+",
        help=".docx .docm .odt .doc .rtf .pdf .md .tex .html .txt, .xlsx .xls .ods .csv",
    )
    parser.add_argument(
        "--as",
        dest="kind",
        choices=_KINDS,
        default="report",
        help="report (default): its sections become the report's; source: its text is material to write from; "
        "proposal, resolution, amendment: sources that propose commitments; outcome: a report or delivery note "
        "that says how they went; expenses, hours, people, indicators, attendance: rows of .xlsx, .xls, .ods or .csv; "
        "photos; proofs: PDFs and pictures for the annexes; publications: .bib, .ris, CSL .json or a "
        "list of DOIs; references: .bib, .ris or CSL .json, which the text cites as [@key]; edited: an "
        "exported Word file that somebody changed, whose edits come back into their sections",
    )
    parser.add_argument(
        "--columns", metavar="C", help="which column of a spreadsheet holds what: 'creditor=B, total=H'"
    )
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.columns is not None and args.kind not in import_list.KINDS:
        raise UsageError("--columns goes with the rows of a spreadsheet: --as expenses, hours, people ...")
    if args.kind in import_list.KINDS:
        return import_list.run(args, args.kind)
    if args.kind in documents.KINDS:
        return import_commitments.run(args, args.kind)
    if args.kind in import_files.KINDS:
        return import_files.run(args, args.kind)
    if args.kind == "edited":
        from fabai.cli import import_edited

        return import_edited.run(args)
    if args.kind == "report" and len(args.files) > 1:
        raise UsageError("only one file can be the report; import the others with --as source")
    with Project.open(args.project) as project:
        found = list(_read_all(args.files, quiet=args.json))
        reported = [_write(project, one, args.kind) for one in found]
    if args.json:
        show.as_json({"imported": reported})
        return 0
    for one in reported:
        what = "the report" if args.kind == "report" else "a source"
        show.say(
            f"{one['file']}: {one['sections']} sections, {one['words']} words, {one['media']} pictures, read as {what}"
        )
        for notice in one["notices"]:
            show.notice(notice)
    if args.kind == "report":
        show.say(f"next: fabai outline {args.project}")
    return 0


def _read_all(paths: Sequence[Path], quiet: bool) -> Iterator[_Read]:
    for number, path in enumerate(paths, start=1):
        with _progress(f"reading {path.name} ({number} of {len(paths)})", quiet):
            document = read(path)
            yield _Read(path, document, sha256(path.read_bytes()).hexdigest())


def _write(project: Project, one: _Read, kind: Kind) -> dict[str, Any]:
    document = one.document
    notices = list(document.notices)
    if kind == "report":
        notices = list(project.import_document(document, one.path.name).notices)
    else:
        project.add_source(one.path.name, document.text, one.sha256, "source")
        if document.media:
            notices.append(f"only the text of {one.path.name} was kept, not its pictures")
    notices += [
        f"{one.path.name} gives orders to a model ('{planted.quote}'): it is kept as data; check whether to trust it"
        for planted in check_planted(document.text)
    ][:_PLANTED]
    return {
        "file": one.path.name,
        "kind": kind,
        "title": document.title,
        "language": document.language,
        "sections": len(document.sections),
        "words": sum(count_words(section.text) for section in document.sections),
        "media": len(document.media),
        "notices": notices,
    }


@contextmanager
def _progress(text: str, quiet: bool) -> Iterator[None]:
    """A turning wheel on a terminal, a plain line elsewhere; nothing where JSON is asked for."""
    if quiet:
        yield
        return
    if not sys.stderr.isatty():
        show.say(show.one_line(text))
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(show.one_line(text))):
        yield
