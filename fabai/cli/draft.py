"""`fabai draft`: write sections with a model; the text appears while it is written, and every version is kept."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

from fabai import releases
from fabai.beside import draft_beside
from fabai.cli import finding, show
from fabai.cli.finding import finder
from fabai.draft import Prepared, draft_all, note, read_ahead, used
from fabai.errors import UsageError, WriterError
from fabai.lock import Constraint
from fabai.lock.constraint import Way
from fabai.lock.switch import locked as switched_on
from fabai.report import Report
from fabai.settings import Mode, SamplingSettings, WindowSettings
from fabai.store.project import Project
from fabai.store.record import Version
from fabai.writers.adapter import adapter_in
from fabai.writers.choose import HELP, choose, notice_of

_WINDOW, _SAMPLING = WindowSettings(), SamplingSettings()


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument(
        "sections", metavar="SECTION", nargs="*", help="ids, outline numbers or headings, in the order to write"
    )
    parser.add_argument("--all", action="store_true", help="every section that has no text yet, in order")
    parser.add_argument("--writer", metavar="W", help=HELP)
    parser.add_argument("--embedder", metavar="MODEL", help=finding.HELP)
    parser.add_argument(
        "--mode",
        choices=get_args(Mode),
        help=f"of the window; default: what a release was trained on, else {_WINDOW.mode}",
    )
    parser.add_argument(
        "--cap",
        type=int,
        help=f"tokens of prompt and answer; default: what a release was trained on, else {_WINDOW.cap}",
    )
    parser.add_argument(
        "--temperature", type=float, default=_SAMPLING.temperature, help=f"default: {_SAMPLING.temperature}"
    )
    parser.add_argument("--seed", type=int, default=_SAMPLING.seed, help=f"default: {_SAMPLING.seed}")
    parser.add_argument(
        "--side-by-side",
        type=int,
        default=1,
        metavar="N",
        help="write up to N sections at a time, where the form says what each one needs; for a server, or N times the "
        "memory of one context; default: 1",
    )
    parser.add_argument(
        "--lock",
        nargs="?",
        const="values",
        choices=("values", "slots", "both", "off"),
        help="the model can write no figures but those of the facts and of the passages that it is shown; slots: it "
        "names the facts, whose values are put in; both: slots where values leave facts out, which takes twice the "
        "time; off: free even where 'verified figures only' is set. Default: where that is set for a section",
    )
    parser.add_argument(
        "--summaries",
        action="store_true",
        help="the model also summarises what it writes, and the earlier sections of which the window shows a summary; "
        "without this their sentences are picked",
    )
    parser.add_argument(
        "--ahead",
        action="store_true",
        help="for a server: at the end it reads what the next section's prompt will begin with (--mode tiers or warm)",
    )
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if bool(args.sections) == args.all:
        raise UsageError("name the sections to write, or give --all")
    if args.side_by_side < 1:
        raise UsageError("--side-by-side is 1 or more")
    window = _window(args)
    if args.ahead and window.mode == "fill":
        raise UsageError("--ahead needs --mode tiers or --mode warm: in fill no prompt begins like the one before")
    sampling = replace(_SAMPLING, temperature=args.temperature, seed=args.seed)
    with Project.open(args.project) as project:
        report = project.report()
        wanted = _empty(report) if args.all else [report.find(name).id for name in args.sections]
        if not wanted:
            show.notice("every section has a text already; name the ones to write again")
        beside = args.side_by_side
        with closing(choose(args.writer, parallel=beside)) as writer, finder(project, args.embedder) as found:
            locked = _locked(project, args.lock, wanted)
            if locked and not writer.locks:
                raise WriterError(
                    f"the writer '{writer.name}' cannot lock its figures: take llamacpp, transformers or a server "
                    "that fabai serve started, or give --lock off"
                )
            if said := notice_of(writer):
                show.notice(said)
            screen = Screen(report, quiet=args.json, live=beside == 1)
            versions: list[Version] = []
            how: dict[str, Any] = {"window": window, "sampling": sampling, "condense": args.summaries, "finder": found}
            how |= {"constraint": _constraint(project, args.lock) if locked else None, "locked": locked}
            for version in (
                draft_all(project, wanted, writer, on_section=screen.section, on_text=screen.text, **how)
                if beside == 1
                else draft_beside(project, wanted, writer, beside, on_section=screen.section, **how)
            ):
                screen.done(version)
                versions.append(version)
            if locked and not args.json and (said := speeds(project, versions)):
                show.say(f"\n{said}")
            if args.ahead and (following := _following(report, wanted)) is not None:
                try:
                    read_ahead(project, following, writer, window, found)
                except WriterError as error:
                    show.notice(f"the next section's prompt was not read ahead: {error}")
    if args.json:
        show.as_json({"versions": [as_json(version) for version in versions]})
    return 0


def _locked(project: Project, asked: Way | Literal["off"] | None, wanted: list[str]) -> frozenset[str]:
    """Those of the sections that are written under the lock."""
    if asked == "off":
        return frozenset()
    return frozenset(wanted) if asked else frozenset(wanted) & switched_on(project)


def _constraint(project: Project, way: Way | None) -> Constraint:
    found = Constraint(project.ledger(), project.language, way or "values")
    if not found.forms:
        show.notice(
            "no fact holds a figure, so the text has none but those of passages: fabai facts PROJECT add NAME VALUE "
            "--source S"
        )
    return found


def speeds(project: Project, versions: Sequence[Version]) -> str:
    """What the lock cost: tokens per second with it and, where the same model wrote sections here without it, without;
    "" where the model does not count.
    """
    models = {version.made.model for version in versions}
    known = [one for section in project.report() for one in project.versions(section.id) if one.made.model in models]
    free = _rate([one for one in known if "lock" not in one.made.settings])
    held = _rate([one for one in versions if "lock" in one.made.settings])
    if held is None:
        return ""
    beside = f"; without the lock this model wrote {free:.1f} here" if free is not None else ""
    return f"under the figure lock: {held:.1f} tokens per second, reading included{beside}"


def _rate(versions: Sequence[Version]) -> float | None:
    """Tokens per second, all together, of versions that say both."""
    told = [(used(one).get("completion_tokens", 0), one.made.settings.get("seconds", 0)) for one in versions]
    seconds = sum(took for tokens, took in told if tokens)
    return sum(tokens for tokens, took in told if took) / seconds if seconds else None


def trained_window(wish: str | None) -> WindowSettings:
    """What the release or adapter that a wish for a writer names was trained on, else the usual."""
    kind, _, what = (wish or "").partition(":")
    if kind == "release":
        found = releases.find(what) if what else releases.in_use()
        return _WINDOW if found is None else found.window(_WINDOW)
    if kind in ("llamacpp", "transformers"):
        adapter = adapter_in(Path(what.rpartition("+")[2].partition("#")[0]).expanduser()) if what else None
        return _WINDOW if adapter is None else releases.window_of(adapter, _WINDOW)
    return _WINDOW


def _window(args: argparse.Namespace) -> WindowSettings:
    """What was asked for, else what the writer was trained on."""
    usual = trained_window(args.writer)
    given = {key: getattr(args, key) for key in ("mode", "cap") if getattr(args, key) is not None}
    return replace(usual, **given)


class Screen:
    """Shows the writing: text as it comes on a terminal; elsewhere each section's text once it is whole.

    live False: several sections are written at a time, so each is shown with its heading when it is whole.
    """

    def __init__(self, report: Report, quiet: bool = False, live: bool = True) -> None:
        self._report, self._quiet, self._beside = report, quiet, not live
        self._live = sys.stdout.isatty() and not quiet and live
        self._shown = ""

    def section(self, section_id: str, prepared: Prepared) -> None:
        """A section begins. Notices of its window are told."""
        self._shown = ""
        for said in prepared.window.notices:
            show.notice(said)
        if self._quiet:
            return
        window = prepared.window
        reads = f"reads {window.tokens} tokens, may write {window.reserve}"
        if self._beside:
            show.say(f"  {self._title(section_id)}: {reads}")
        else:
            show.say(f"\n{self._title(section_id)}")
            show.say(f"  {reads}")
        sys.stdout.flush()

    def text(self, text: str) -> None:
        """The section's text so far; it only grows, or was reasoning and is replaced."""
        if not self._live:
            return
        new = text[len(self._shown) :] if text.startswith(self._shown) else f"\n{text}"
        self._shown = text
        sys.stdout.write(show.printable(new))
        sys.stdout.flush()

    def done(self, version: Version) -> None:
        """A version was saved."""
        if not self._quiet:
            if self._beside:
                show.say(f"\n{self._title(version.section)}")
            if self._live:
                sys.stdout.write("\n")
            elif version.text:
                show.say(show.printable(version.text))
            kept = "kept as partial, version" if version.partial else "saved as version"
            show.say(f"  {kept} {version.number}: {version.words} words")
            sys.stdout.flush()
        if said := note(version):
            show.notice(f"section {version.section}: {said}")

    def _title(self, section_id: str) -> str:
        position = self._report.index(section_id)
        heading = self._report.sections[position].heading or "(text in front of the first heading)"
        return f"{self._report.numbers()[position]} {heading}".strip()


def as_json(version: Version) -> dict[str, Any]:
    """One version, for scripts."""
    return {
        "section": version.section,
        "version": version.number,
        "words": version.words,
        "partial": version.partial,
        "note": note(version),
        "writer": version.made.model,
        "usage": used(version),
        "text": version.text,
    }


def _following(report: Report, wanted: list[str]) -> str | None:
    """The section behind the last one written, which is likely to be asked for next."""
    position = report.index(wanted[-1]) + 1 if wanted else len(report)
    return report.sections[position].id if position < len(report) else None


def _empty(report: Report) -> list[str]:
    return [section.id for section in report if section.status == "empty" and section.level > 0]
