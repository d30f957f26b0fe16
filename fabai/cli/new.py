"""`fabai new`: start a project from a form, or the next period of an earlier project."""

from __future__ import annotations

import argparse
import datetime
from hashlib import sha256
from pathlib import Path

from fabai.brief import Brief, read_brief
from fabai.cli import show
from fabai.errors import UsageError
from fabai.form import Form, find_form, in_language
from fabai.report import LANGUAGES, Language
from fabai.store.project import SUFFIX, Project, Source


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "project", metavar="PROJECT", type=Path, help=f"file to make; {SUFFIX} is added where it has no suffix"
    )
    parser.add_argument(
        "--form", help="id of a built-in form (fabai forms), or the path of a form's TOML (default: generic)"
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
    parser.add_argument(
        "--from",
        dest="earlier",
        type=Path,
        metavar="EARLIER",
        help="the next period of this project: structure, texts (to be reviewed), facts, commitments, partners",
    )
    parser.add_argument(
        "--period", type=int, metavar="N", help="with --from: number of the new period (default: the next)"
    )
    parser.add_argument(
        "--request",
        type=Path,
        metavar="FILE",
        help="a funder's request for clarification: one section for each of its questions (form: response)",
    )
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.earlier is not None:
        return _next_period(args)
    if args.period is not None:
        raise UsageError("--period goes with --from, the project of the earlier period")
    brief = Brief() if args.brief is None else read_brief(args.brief)
    if args.request is not None:
        form, language = _request(args, brief)
    else:
        form = find_form(args.form or "generic")
        language = args.lang or brief.language or form.languages[0]
    title = brief.title if args.title is None else args.title
    path = with_suffix(args.project)
    sources = [_source(one) for one in (*brief.sources, *([] if args.request is None else [args.request]))]
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


def _request(args: argparse.Namespace, brief: Brief) -> tuple[Form, Language]:
    """The form of a request's own questions, in its language."""
    from fabai.dossier.request import response_form
    from fabai.formats.read import read

    if args.form not in (None, "response"):
        raise UsageError("--request makes its own form of the request's questions: leave --form out")
    document = read(args.request)
    language = args.lang or brief.language or document.language or "es"
    return response_form(document, args.request.name, language, datetime.date.today()), language


def _next_period(args: argparse.Namespace) -> int:
    from fabai.dossier.period import carry, period_of

    if args.request is not None:
        raise UsageError("--from begins a period and --request an answer: they are two projects")
    if args.form is not None or args.lang is not None or args.brief is not None:
        raise UsageError(
            "--from takes form, language and facts from the earlier project: leave --form, --lang, --brief out"
        )
    path = with_suffix(args.project)
    with Project.open(args.earlier) as old:
        project, carried = carry(old, path, args.period or period_of(old) + 1, args.title)
    with project:
        form = project.form
    if args.json:
        counts = {name: getattr(carried, name) for name in ("period", "sections", "texts", "facts", "commitments")}
        show.as_json({"project": str(path), "form": form.id, "language": project.language, **counts})
        return 0
    show.say(
        f"{path}: period {carried.period}; {carried.sections} sections, {carried.texts} of them with inherited text, "
        f"{carried.facts} facts, {carried.commitments} commitments"
    )
    show.notice("inherited paragraphs must be reviewed or rewritten before the report can be presented")
    show.say(f"next: fabai terms {path} set start DATE; fabai terms {path} set end DATE; fabai check {path}")
    return 0


def with_suffix(path: Path) -> Path:
    """The path of a project to make."""
    if path.name in ("", ".", ".."):
        raise UsageError(f"'{path}' is no name for a project; give one such as memoria{SUFFIX}")
    return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)


def _source(path: Path) -> Source:
    from fabai.formats.read import read

    return Source(path.name, read(path).text, sha256(path.read_bytes()).hexdigest(), "source")
