"""`fabai slice`: a model cut to the tokens that our languages use. Only arguments and printing; the work is in
training/slice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from fabai.errors import MissingPart, UsageError
from fabai.settings import SliceSettings


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "model", nargs="?", help="folder of the model (safetensors, tokenizer.json), or a hub id such as Qwen/Qwen3-8B"
    )
    parser.add_argument(
        "--corpus", metavar="DIR", action="append", default=[], help="folder of .txt, .md and .jsonl files, by language"
    )
    parser.add_argument("--text", metavar="FILE", nargs="+", default=[], help="text files; LANG=FILE says the language")
    parser.add_argument(
        "--languages", default="es,ca,en", help="languages that must be cut as before (default es,ca,en)"
    )
    parser.add_argument(
        "--size",
        type=int,
        help="rows to keep, rounded up to a multiple of 64; without it all tokens that the text uses",
    )
    parser.add_argument(
        "--coverage", type=float, help="instead of a size: share of tokens cut as before, in every language (0.999)"
    )
    parser.add_argument(
        "--words",
        metavar="FILE",
        nargs="+",
        default=[],
        help="lists of frequent words (LANG=FILE; default: package wordfreq)",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder of the slice; must not exist")
    parser.add_argument(
        "--verify",
        action=argparse.BooleanOptionalAction,
        help="prove it bit for bit (default: models up to 1e9 parameters)",
    )
    parser.add_argument(
        "--keep-dropped", action="store_true", help="save the dropped rows too, so that unslice needs no original"
    )
    parser.add_argument("--report", type=Path, metavar="DIR", help="show the report of a slice and do nothing else")
    parser.add_argument("--json", action="store_true", help="the report for machines")


def run(args: argparse.Namespace) -> int:
    """Slice, or show a report."""
    if args.report is not None:
        from fabai.training.slice.manifest import read_report

        print(read_report(args.report, "json" if args.json else "md"), end="")
        return 0
    if args.model is None or args.output is None:
        raise UsageError("slice needs a model and an output folder: fabai slice MODEL --text FILE... -o DIR")
    if not args.corpus and not args.text:
        raise UsageError("slice needs text to choose tokens from: give --corpus DIR or --text FILE...")
    try:
        from fabai.training.slice.choice import Wanted
        from fabai.training.slice.job import Request, slice_model
    except ImportError as error:
        raise MissingPart(f"slicing needs the package {error.name}; run: pip install 'fabai[train]'") from None
    languages = [one for one in args.languages.split(",") if one]
    if not languages:
        raise UsageError("--languages is empty; give for example --languages es,ca,en")
    request = Request(
        model=args.model,
        text=[*args.corpus, *args.text],
        languages=languages,
        wanted=Wanted(args.size, args.coverage),
        words=args.words,
        verify=args.verify,
        keep_dropped=args.keep_dropped,
        settings=SliceSettings(),
    )
    with Watching() as watch:
        report = slice_model(request, args.output, watch)
    if args.json:
        print(json.dumps(report.table(), ensure_ascii=False))
    else:
        print(report.markdown())
        print(
            f"{args.output}: {report.sizes.rows_before:,} rows cut to {report.sizes.rows_after:,}; report in "
            f"{args.output}/slice"
        )
    return 0


class Watching:
    """Stages on stderr: a bar on a terminal, plain lines elsewhere."""

    def __enter__(self) -> Watching:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

        self._terminal = sys.stderr.isatty()
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(binary_units=True),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True, disable=not self._terminal)
        self._progress.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._progress.stop()

    def __call__(self, stage: str, total: int | None = None, /) -> Callable[[int], None]:
        if not self._terminal:
            print(stage + (f" ({total / 2**30:.2f} GiB)" if total is not None else ""), file=sys.stderr, flush=True)
        for old in self._progress.task_ids:
            self._progress.remove_task(old)
        task = self._progress.add_task(stage, total=total)
        return lambda done: self._progress.advance(task, done)
