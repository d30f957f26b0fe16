"""`fabai export`: the report as a Word file for submission, or as PDF or Markdown."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from fabai.cli import show
from fabai.cli.outfile import write
from fabai.errors import FabaiError, UsageError
from fabai.report import Report
from fabai.store.project import Project
from fabai.submission.document import COVER, markdown, with_cover, word_file


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="file to write (default: beside the project, with its name)"
    )
    parser.add_argument("--template", metavar="T.docx|.doc", type=Path, help="a funder's template to fill")
    parser.add_argument(
        "--fresh", action="store_true", help="a new document with cover and contents, not the imported one changed"
    )
    parser.add_argument(
        "--csl", metavar="STYLE.csl", type=Path, help="how citations are worded, from now on (default: author and date)"
    )
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--pdf", action="store_true", help="write a PDF (needs LibreOffice)")
    kinds.add_argument("--md", action="store_true", help="write Markdown")
    kinds.add_argument(
        "--package",
        metavar="DIR",
        type=Path,
        help="write all that is handed in into a new folder: PDF/A-2b, Word, portal fields, annexes, hashes, "
        "what is missing",
    )
    kinds.add_argument(
        "--evidence",
        metavar="FILE",
        type=Path,
        help="write where every figure comes from, by budget heading: .xlsx, .docx, .md",
    )
    kinds.add_argument(
        "--ai-record",
        metavar="FILE",
        type=Path,
        help="write how AI was used, as funders ask for it: .docx, .md, .pdf, .xlsx by paragraph, .txt in a sentence",
    )
    kinds.add_argument(
        "--compare",
        metavar="PROPOSAL",
        type=Path,
        help="write the report beside what was proposed, changes marked, into the Word file that -o names",
    )
    parser.add_argument("--annexes", metavar="DIR", type=Path, help="with --package: the folder of files to annex")
    for key, what in (
        ("organisation", "who hands the report in"),
        ("call", "name of the call"),
        ("period", "dates of the project"),
        ("date", "date of the report"),
    ):
        parser.add_argument(f"--{key}", help=f"{what}, for the cover (default: the fact of that name in the ledger)")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.csl is not None:
        from fabai.dossier.references import keep_style

        with Project.open(args.project) as project:
            keep_style(project, args.csl)
    if args.evidence is not None or args.ai_record is not None:
        from fabai.cli.export_evidence import write_evidence

        return write_evidence(args)
    if args.package is not None:
        return _package(args)
    if args.annexes is not None:
        raise UsageError("--annexes goes with --package")
    if args.compare is not None:
        return _compare(args)
    kind = _kind(args)
    output = args.output if args.output is not None else args.project.with_suffix(f".{kind}")
    if output.is_dir():
        raise UsageError(f"{output} is a folder; name the file to write with -o")
    if args.fresh and args.template is not None:
        raise UsageError("--fresh makes a document in fabai's own look, --template fills another: give one of them")
    notices: list[str] = []
    template = _template(args, notices)
    with Project.open(args.project) as project:
        report = with_cover(project, {key: getattr(args, key) for key in COVER})
        if kind == "md":
            data = markdown(report).encode()
            notices += write_media(report, project.media(), output.parent)
        else:
            data = word_file(project, report, template, notices, fresh=args.fresh)
            if kind == "pdf":
                from fabai.formats.libreoffice import to_pdf

                data = to_pdf(data)
        backup = write(output, data)
        if kind == "docx" and not args.fresh:
            notices += _remembered(project)
    if backup is not None:
        notices.append(f"{output.name} held something else; that file is kept as {backup.name}")
    if args.json:
        show.as_json(
            {
                "file": str(output),
                "bytes": len(data),
                "sections": len(report),
                "backup": None if backup is None else str(backup),
                "notices": notices,
            }
        )
        return 0
    for one in notices:
        show.notice(one)
    show.say(f"{show.one_line(str(output))}: {len(report)} sections, {len(data) / 1024:.0f} KiB")
    return 0


def _compare(args: argparse.Namespace) -> int:
    from fabai.evidence.paper import word_file as paper
    from fabai.formats.read import read
    from fabai.submission.comparison import comparison

    if args.output is None or args.output.suffix.lower() != ".docx" or args.template is not None or args.fresh:
        raise UsageError("--compare writes a Word file of its own: name it with -o FILE.docx, without --template")
    proposal = read(args.compare)
    with Project.open(args.project) as project:
        found = comparison(project.report(), proposal)
    data = paper(found, landscape=True)
    backup = write(args.output, data)
    notices = list(proposal.notices)
    if backup is not None:
        notices.append(f"{args.output.name} held something else; that file is kept as {backup.name}")
    if args.json:
        show.as_json({"file": str(args.output), "changed": len(found) - 1, "notices": notices})
        return 0
    for one in notices:
        show.notice(one)
    show.say(f"{show.one_line(str(args.output))}: {len(found) - 1} sections differ from {args.compare.name}")
    return 0


def _package(args: argparse.Namespace) -> int:
    from fabai.cli.export_package import write_package

    if args.output is not None:
        raise UsageError("--package names its files itself: leave out -o")
    notices: list[str] = []
    template = _template(args, notices)
    with Project.open(args.project) as project:
        report = with_cover(project, {key: getattr(args, key) for key in COVER})
        document = word_file(project, report, template, notices, fresh=args.fresh)
        return write_package(args, project, document, notices)


def _template(args: argparse.Namespace, notices: list[str]) -> bytes | None:
    from fabai.formats.template_file import template_file

    return None if args.template is None else template_file(args.template, notices)


def _remembered(project: Project) -> list[str]:
    """What goes out is kept, so that edits made to the file can come back (`fabai import P FILE --as edited`)."""
    from fabai.submission.merge import remember

    try:
        remember(project)
    except FabaiError as error:
        return [f"edits made to the file cannot be merged later: {error}"]
    return []


def write_media(report: Report, media: Mapping[str, bytes], folder: Path) -> list[str]:
    """The pictures of the text, beside it; a sentence for each file of another content that bore the same name."""
    text = "\n".join(section.text for section in report)
    said = []
    for name, data in media.items():
        if not re.search(rf"\]\({re.escape(name)}", text):
            continue
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts or "\\" in name:
            said.append(f"the picture {show.one_line(name)} names a place outside the folder and was not written")
        else:
            backup = write(folder / name, data)
            if backup is not None:
                said.append(f"there was another {name} in the folder; it is kept as {backup.name}")
    return said


def _kind(args: argparse.Namespace) -> str:
    suffix = "" if args.output is None else args.output.suffix.lower()
    if args.md or (suffix == ".md" and not args.pdf):
        kind = "md"
    elif args.pdf or suffix == ".pdf":
        kind = "pdf"
    else:
        kind = "docx"
    if kind == "md" and args.template is not None:
        raise UsageError("a Word template cannot be used for Markdown; leave out --template or --md")
    return kind
