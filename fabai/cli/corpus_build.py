"""`fabai corpus build`: only arguments and printing; the work is in corpus/build."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fabai.cli import show
from fabai.errors import MissingPart
from fabai.settings import CorpusSettings

_SHOWN = 12
_EVERY = 10.0
"""Seconds between two plain lines."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "sources", metavar="SOURCES.toml", type=Path, help="[[source]] tables: path, licence, consent ..."
    )
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, required=True, help="folder of the corpus")
    parser.add_argument(
        "--root", metavar="DIR", type=Path, help="where paths begin (default: the folder of SOURCES.toml)"
    )
    parser.add_argument("--strict", action="store_true", help="exit with 3 where a file was refused")
    parser.add_argument(
        "--names", action=argparse.BooleanOptionalAction, default=True, help="replace names of people too (default)"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="files read at once (default: one for each core)")
    show.json_option(parser, nested=True)


def run(args: argparse.Namespace) -> int:
    """Build, then say what came of it."""
    try:
        from fabai.corpus.build import build_corpus
        from fabai.corpus.sources import read_sources
    except ImportError as error:
        raise MissingPart(f"a corpus needs the package {error.name}; run: pip install 'fabai[corpus]'") from None
    settings = CorpusSettings(names=args.names, workers=args.workers)
    sources = read_sources(args.sources)
    root = args.root if args.root is not None else args.sources.parent
    asked_for_json = getattr(args, "json", False)
    with Watching(quiet=asked_for_json) as watch:
        summary = build_corpus(sources, root, args.output, settings, watch)
    if asked_for_json:
        show.as_json({"corpus": str(args.output), **asdict(summary)})
    else:
        _tell(args.output, summary)
    return 3 if args.strict and summary.refusals else 0


def _tell(folder: Path, summary: Any) -> None:
    show.say(
        f"{folder}: {summary.documents} documents, {summary.words:,} words "
        f"({summary.read} files read, {summary.kept} as they were)"
    )
    if summary.replaced:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(summary.replaced.items()))
        show.say(f"personal data replaced: {kinds} (replaced.jsonl says where)")
    if summary.boilerplate:
        show.say(f"paragraphs left out because several projects share them: {summary.boilerplate}")
    if summary.refusals:
        show.say(f"refused: {len(summary.refusals)} (refusals.jsonl has them all)")
        for one in summary.refusals[:_SHOWN]:
            show.say(f"  {show.one_line(one.path)}: {show.one_line(one.reason)}")
        if len(summary.refusals) > _SHOWN:
            show.say(f"  ... and {len(summary.refusals) - _SHOWN} more")
    show.say(f"next: fabai corpus check {folder}")


class Watching:
    """A bar on a terminal, plain lines elsewhere, nothing where JSON is asked for."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def __enter__(self) -> Watching:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._terminal = sys.stderr.isatty() and not self._quiet
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True, disable=not self._terminal)
        self._progress.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._progress.stop()

    def __call__(self, stage: str, total: int | None = None, /) -> Callable[[], None]:
        """A stage begins; the result is called after each file."""
        if not self._terminal:
            return _Lines(stage, total, self._quiet)
        for old in self._progress.task_ids:
            self._progress.remove_task(old)
        task = self._progress.add_task(stage, total=total)
        return lambda: self._progress.advance(task)


class _Lines:
    """Counts files; prints a line now and then."""

    def __init__(self, stage: str, total: int | None, quiet: bool) -> None:
        self._stage, self._total, self._quiet = stage, total, quiet
        self._count = 0
        self._last = time.monotonic()
        if not quiet:
            print(f"{stage} ({total} files)", file=sys.stderr, flush=True)

    def __call__(self) -> None:
        self._count += 1
        if not self._quiet and time.monotonic() - self._last >= _EVERY:
            self._last = time.monotonic()
            print(f"{self._stage}: {self._count} of {self._total}", file=sys.stderr, flush=True)
