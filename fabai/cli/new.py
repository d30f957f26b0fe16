"""`fabai new`: start a project from a form."""

from __future__ import annotations

import argparse
from hashlib import sha256
from pathlib import Path

from fabai.brief import Brief, read_brief
from fabai.cli import show
from fabai.errors import UsageError
from fabai.form import find_form, in_language
from fabai.report import LANGUAGES
from fabai.store.project import SUFFIX, Project, Source


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "project", metavar="PROJECT", type=Path, help=f"file to make; {SUFFIX} is added where it has no suffix"
    )
    parser.add_argument(
        "--form", default="generic", help="id of a built-in form (fabai forms), or the path of a form's TOML"
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, help="language of the report (default: the brief's, else the form's first)"
    )
    parser.add_argument(
        "--title", help="title of the report (default: the brief's, else that of the first document imported)"
    )
    parser.add_argument(
        "--brief", type=Path, metavar="FILE.toml", help="title, language, instructions, facts and sources"
    )
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    form = find_form(args.form)
    brief = Brief() if args.brief is None else read_brief(args.brief)
    language = args.lang or brief.language or form.languages[0]
    title = brief.title if args.title is None else args.title
    path = with_suffix(args.project)
    sources = [_source(one) for one in brief.sources]
    with Project.create(path, form, language, title, brief.instructions, facts=brief.fact, sources=sources) as project:
        report = project.report()
    if args.json:
        show.as_json({"project": str(path), "form": form.id, "language": language, "sections": len(report)})
        return 0
    show.say(f"{path}: {in_language(form.name, language)} ({language}), {len(report)} sections")
    if not form.own_sections:
        show.say(f"next: fabai import {path} PAST-REPORT.docx --as report")
    note = in_language(form.notice, language)
    if note:
        show.notice(note)
    return 0


def with_suffix(path: Path) -> Path:
    """The path of a project to make."""
    if path.name in ("", ".", ".."):
        raise UsageError(f"'{path}' is no name for a project; give one such as memoria{SUFFIX}")
    return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)


def _source(path: Path) -> Source:
    from fabai.formats.read import read

    return Source(path.name, read(path).text, sha256(path.read_bytes()).hexdigest(), "source")
