"""`fabai shorten`: sections over their limit written shorter by a model, and what changed shown."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from fabai.checks.pages import Laid
from fabai.cli import show
from fabai.cli.draft import trained_window
from fabai.dossier.references import worded
from fabai.draft import note
from fabai.errors import MissingPart, UnreadableFile, UsageError
from fabai.form import Limit
from fabai.report import Language, Report, Section
from fabai.rewriting import Answer
from fabai.shortening import ROUNDS, Round, budgets, in_pages, page_budgets, shorten
from fabai.store.project import Project
from fabai.window.segment import boundaries
from fabai.writers.base import Writer
from fabai.writers.choose import HELP, choose, notice_of

OVER = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument(
        "sections",
        metavar="SECTION",
        nargs="*",
        help="ids, outline numbers or headings (default: every section over its limit, in pages too, and "
        "all where the whole is)",
    )
    parser.add_argument("--words", type=int, metavar="N", help="at most so many")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, metavar="N", help=f"askings of a section at most; default: {ROUNDS}"
    )
    parser.add_argument("--writer", metavar="W", help=HELP)
    parser.add_argument("--accept", action="store_true", help="take each shorter text that is within its limit")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    """Exit code 3 where a section is still over its limit."""
    if args.rounds < 1:
        raise UsageError("--rounds is 1 or more")
    if args.words is not None and (args.words < 1 or not args.sections):
        raise UsageError("--words is 1 or more, and goes with the sections that it is for")
    with Project.open(args.project) as project:
        report = project.report()
        over = budgets(worded(project, report), project.form)
        paged = args.words is None and in_pages(report, project.form)
        wanted = _wanted(args, report, {**(_page_budgets(project, report) if paged else {}), **over})
        if not wanted:
            show.notice("every section is within its limits")
            return 0
        told: dict[str, dict[str, Any]] = {}
        with closing(choose(args.writer)) as writer:
            if said := notice_of(writer):
                show.notice(said)
            left: dict[str, int] = {}
            while asked := [one for one in wanted if left.setdefault(one[0].id, args.rounds)]:
                before = report
                for section, limit in asked:
                    answer = _asked(args, project, writer, section, limit, left[section.id])
                    left[section.id] -= len(answer.made.settings["rounds"])
                    report = report.with_section(_kept(args, project, section, answer, told))
                # what the pages hold now is only known when they are laid out again
                wanted = _wanted(args, report, _page_budgets(project, report)) if paged else []
                if report == before:
                    break
    for section, _ in wanted:
        told.setdefault(section.id, {"section": section.id, "version": None})["within"] = False
        show.notice(f"{section.heading or section.id}: still on more pages than its limit")
    if args.json:
        show.as_json({"sections": list(told.values())})
    return 0 if all(one["within"] for one in told.values()) else OVER


def _asked(
    args: argparse.Namespace, project: Project, writer: Writer, section: Section, limit: Limit, rounds: int
) -> Answer:
    if not args.json:
        show.say(f"\n{section.heading or section.id}: to {limit.maximum} {limit.unit.replace('_', ' ')}")
    return shorten(
        project, section.id, writer, section.text, limit,
        rounds=rounds, window=trained_window(args.writer), on_round=None if args.json else _round,
    )  # fmt: skip


def _kept(
    args: argparse.Namespace, project: Project, section: Section, answer: Answer, told: dict[str, dict[str, Any]]
) -> Section:
    """The section as the model shortened it, kept as a version and shown; as it was where nothing shorter came."""
    if answer.text == section.text:
        show.notice(str(answer.made.settings.get("note", "the model found nothing shorter")))
        told[section.id] = {"section": section.id, "version": None, "within": not answer.partial}
        return section
    version = project.save_version(section.id, answer.text, answer.made, partial=answer.partial)
    taken = args.accept and not answer.partial
    if taken:
        project.accept(version.id)
    told[section.id] = {"section": section.id, "version": version.number, "within": not answer.partial}
    if not args.json:
        for line in difference(section.text, answer.text, project.language):
            show.paragraph(line)
        show.say(f"  kept as version {version.number}{' and accepted' if taken else ''}")
    if said := note(version):
        show.notice(said)
    return replace(section, text=answer.text)


def _page_budgets(project: Project, report: Report) -> dict[str, Limit]:
    """What each section must come down to for the limits in pages; nothing, and a notice, where no page can be laid
    out here.
    """
    from fabai.formats.libreoffice import to_pdf
    from fabai.formats.package import Package
    from fabai.submission.document import word_file

    try:
        word = word_file(project, report, paged=False)
        return page_budgets(report, project.form, Laid(report, Package(word), to_pdf(word)))
    except (MissingPart, UnreadableFile) as error:
        show.notice(f"the limits in pages were left out: {error}")
        return {}


def _wanted(args: argparse.Namespace, report: Report, over: dict[str, Limit]) -> list[tuple[Section, Limit]]:
    if not args.sections:
        return [(section, over[section.id]) for section in report if section.id in over]
    named = [report.find(name) for name in args.sections]
    if args.words is not None:
        return [(section, Limit("words", args.words)) for section in named if section.text.strip()]
    return [(section, over[section.id]) for section in named if section.id in over]


def _round(one: Round) -> None:
    lost = f"; lost {', '.join(one.lost)}, asked again" if one.lost else ""
    show.say(f"  asked for {one.budget}, got {one.length}{lost}")


def difference(old: str, new: str, language: Language) -> Iterator[str]:
    """Sentences that went ("- ...") and that came ("+ ...")."""
    before, after = _sentences(old, language), _sentences(new, language)
    for line in difflib.ndiff(before, after):
        if line[:2] in ("- ", "+ ") and line[2:].strip():
            yield show.one_line(line)


def _sentences(text: str, language: Language) -> list[str]:
    return [text[start:end].strip() for start, end in pairwise([0, *boundaries(text, language)])]
