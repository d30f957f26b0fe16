"""`fabai corpus examples`: only arguments and printing; the work is in corpus/making."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from fabai.cli import show
from fabai.errors import MissingPart
from fabai.settings import ExampleSettings, Mode, WindowSettings

_SETTINGS, _WINDOW = ExampleSettings(), WindowSettings()


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("corpus", metavar="DIR", type=Path, help="folder of the corpus")
    parser.add_argument(
        "--model",
        required=True,
        help="the model that will learn: its folder, a tokenizer's folder, a GGUF file, a name",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", type=Path, help="folder of the examples (default: DIR/examples)"
    )
    parser.add_argument(
        "--mode",
        choices=get_args(Mode),
        default=_SETTINGS.mode,
        help=f"of the window, as the Release will draft (default: {_SETTINGS.mode})",
    )
    parser.add_argument(
        "--fill-share",
        type=float,
        default=_SETTINGS.fill,
        metavar="SHARE",
        help=f"examples in mode fill all the same (default: {_SETTINGS.fill})",
    )
    parser.add_argument(
        "--cap",
        type=int,
        default=_WINDOW.cap,
        help=f"most tokens of prompt and answer (default: {_WINDOW.cap})",
    )
    parser.add_argument("--decay", type=float, default=_WINDOW.decay, help=f"default: {_WINDOW.decay}")
    parser.add_argument(
        "--reserve",
        type=int,
        default=_WINDOW.reserve,
        help=f"tokens kept for the answer where the form sets no limit (default: {_WINDOW.reserve})",
    )
    parser.add_argument(
        "--kind",
        action="append",
        metavar="KIND",
        help=f"kinds of documents that teach, repeatable (default: {', '.join(_SETTINGS.kinds)})",
    )
    parser.add_argument(
        "--mix", action="append", default=[], metavar="PATH:SHARE", help="general conversations to mix in, repeatable"
    )
    parser.add_argument("--jsonl", action="store_true", help="JSONL instead of Parquet")
    parser.add_argument("--seed", type=int, default=_SETTINGS.seed)
    parser.add_argument("--workers", type=int, metavar="N", help="documents at once (default: one for each core)")
    show.json_option(parser, nested=True)


def run(args: argparse.Namespace) -> int:
    """Make the examples, then say what came of it."""
    try:
        making, general, model = (
            importlib.import_module(f"fabai.corpus.{one}") for one in ("making", "general", "model")
        )
    except ImportError as error:
        raise MissingPart(f"examples need the package {error.name}; run: pip install 'fabai[corpus]'") from None
    settings = replace(
        _SETTINGS,
        mode=args.mode,
        fill=args.fill_share,
        kinds=tuple(args.kind) if args.kind else _SETTINGS.kinds,
        seed=args.seed,
    )
    window = replace(_WINDOW, mode=args.mode, cap=args.cap, decay=args.decay, reserve=args.reserve)
    as_json = getattr(args, "json", False)
    out = args.output if args.output is not None else args.corpus / "examples"
    told = making.make(
        args.corpus,
        model.model_folder(args.model),
        out,
        window,
        settings,
        mixes=[general.mix(one) for one in args.mix],
        jsonl=args.jsonl,
        workers=args.workers if args.workers is not None else os.cpu_count() or 1,
        on_document=_progress(quiet=as_json),
    )
    if as_json:
        show.as_json({"examples": str(out), **told})
    else:
        _tell(out, told)
    return 0


def _tell(out: Path, told: dict[str, Any]) -> None:
    counts = told["counts"]
    columns: list[tuple[str, show.Align]] = [
        ("split", "left"),
        *((name, "right") for name in ("examples", "tokens", "with a loss")),
    ]
    rows = [
        (name, f"{number:,}", f"{counts['tokens'][name]:,}", f"{counts['labelled'][name]:,}")
        for name, number in counts["examples"].items()
    ]
    show.table(columns, rows)
    show.say(
        f"{counts['supported']:.1%} of the {counts['statements']:,} statements with figures or names are held by their "
        f"prompt; the others have no loss, which leaves {counts['with_loss']:.1%} of the text to learn from"
    )
    for reason, number in sorted(counts["lost"].items(), key=lambda one: -one[1]):
        show.say(f"no example: {number:,} times, {reason}")
    show.say(f"{out}: for {told['model']}, mode {told['mode']}, at most {told['cap']:,} tokens")


def _progress(quiet: bool) -> Callable[[int, int], None] | None:
    """One line that is written over on a terminal, a line now and then elsewhere."""
    if quiet:
        return None

    def terminal(done: int, of: int) -> None:
        print(f"\r{done} of {of} documents", end="\n" if done == of else "", file=sys.stderr, flush=True)

    def plain(done: int, of: int) -> None:
        if done == of or done % 50 == 0:
            print(f"{done} of {of} documents", file=sys.stderr, flush=True)

    return terminal if sys.stderr.isatty() else plain
