"""`fabai demo`: the whole road on the shipped sample, with a real model on this machine's processor.

A past report is read, a project with the facts of its next edition is made, some sections are written anew, a Word
file comes out. The document is CC0, the organisation fictional (fabai/sample/README says where the document is from).
"""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from fabai.brief import read_brief
from fabai.cli import show
from fabai.cli.draft import Screen, as_json
from fabai.cli.get import Bar, announce
from fabai.cli.outfile import write
from fabai.draft import draft_all
from fabai.errors import ExportError
from fabai.form import find_form
from fabai.report import count_words
from fabai.settings import SamplingSettings, WindowSettings, WriterSettings
from fabai.store.project import Project
from fabai.store.record import Version
from fabai.strict import build, read_toml
from fabai.submission.document import word_file
from fabai.writers.choose import HELP, choose
from fabai.writers.fetch import fetch
from fabai.writers.models import find_model, place

_DOCUMENT = "memoria.docx"


@dataclass(frozen=True, slots=True)
class Plan:
    """demo.toml: which sections are written, and how."""

    sections: tuple[str, ...]
    window: WindowSettings
    sampling: SamplingSettings


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("out"), help="where the files go; default: ./out"
    )
    parser.add_argument("--writer", metavar="W", help=HELP)
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    started = time.monotonic()
    say = _silent if args.json else show.say
    with resources.as_file(resources.files("fabai.sample")) as sample:
        plan = build(Plan, read_toml(sample / "demo.toml"), "demo.toml")
        if args.writer is None:
            _model(say)
        out: Path = args.out
        project_path, docx = out / "demo.fabai", out / "memoria-demo.docx"
        with _project(sample, project_path, say) as project:
            versions = _written(project, plan, args.writer, quiet=args.json)
            _export(project, docx)
            report = project.report()
    seconds = time.monotonic() - started
    if args.json:
        show.as_json(
            {
                "docx": str(docx),
                "project": str(project_path),
                "sections": len(report),
                "drafted": [as_json(version) for version in versions],
                "seconds": round(seconds, 1),
            }
        )
        return 0
    words = sum(version.words for version in versions)
    say("")
    say(
        f"Done in {seconds:.0f} s: {docx} has {len(report)} sections; {len(versions)} are new, "
        f"{words} words by the model."
    )
    say(f"The project with every version and the facts is {project_path}: see it with  fabai outline {project_path}")
    if args.writer is None:
        say(f"{WriterSettings().model} is a very small model: it only shows the road, and what it says is invented.")
        say("For a report, take one that heeds instructions and facts (2.5 GB, from the hub):")
        say("  fabai get qwen3-4b-gguf && fabai demo --writer llamacpp:qwen3-4b-gguf")
    return 0


def _model(say: Any) -> None:
    model = find_model(WriterSettings().model)
    here = place(model).exists()
    if not here:
        announce(model)
    with Bar(model, quiet=here) as bar:
        path = fetch(model, bar.seen)
    say(f"1. Model: {model.name} ({model.licence}), {path}")


def _project(sample: Path, path: Path, say: Any) -> Project:
    """A project of the sample's form with the past report as its text and the brief's facts."""
    from fabai.formats.read import read

    _clear(path)
    started = time.monotonic()
    document = read(sample / _DOCUMENT)
    brief = read_brief(sample / "brief.toml")
    words = sum(count_words(section.text) for section in document.sections)
    pictures = f", {len(document.media)} pictures" if document.media else ""
    say(
        f"2. Past report: {len(document.sections)} sections, {words} words{pictures}, "
        f"read in {time.monotonic() - started:.1f} s"
    )
    project = Project.create(
        path, find_form("generic"), brief.language or "es", brief.title, brief.instructions, facts=brief.fact
    )
    project.import_document(document, _DOCUMENT)
    say(f"3. New project: {path}, {len(brief.fact)} facts in its ledger")
    return project


def _written(project: Project, plan: Plan, wish: str | None, quiet: bool) -> list[Version]:
    report = project.report()
    sections = [report.find(number).id for number in plan.sections]
    screen = Screen(report, quiet=quiet)
    with closing(choose(wish)) as writer:
        if not quiet:
            show.say(f"4. Writing {len(sections)} sections anew, each in sight of a window of the rest:")
        versions = []
        for version in draft_all(
            project,
            sections,
            writer,
            window=plan.window,
            sampling=plan.sampling,
            on_section=screen.section,
            on_text=screen.text,
        ):
            screen.done(version)
            versions.append(version)
        return versions


def _export(project: Project, path: Path) -> None:
    notices: list[str] = []
    write(path, word_file(project, notices=notices, fresh=True))
    for one in notices:
        show.notice(one)


def _clear(path: Path) -> None:
    """The folder for the demo's files; the project of an earlier run moves aside: a person may have worked in it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.replace(path.with_suffix(".bak.fabai"))
    except OSError as error:
        raise ExportError(
            f"the demo cannot write in {path.parent}: {error.strerror or error}; give --out DIR"
        ) from error


def _silent(_: str) -> None:
    """With --json nothing else is printed."""
