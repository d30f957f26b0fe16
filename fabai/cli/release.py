"""`fabai release`: a finished run becomes a folder to hand out: only arguments and printing."""

from __future__ import annotations

import argparse
from pathlib import Path

from fabai.cli import show
from fabai.errors import MissingPart


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_folder", metavar="RUN", type=Path, help="folder of a finished run of fabai train")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, required=True, help="the release's folder")
    parser.add_argument(
        "--corpus",
        metavar="DIR",
        type=Path,
        help="held-out examples, or the corpus that holds them: the forms are compared on them, and the card names "
        "the licences and languages of its documents; without it, on general texts",
    )
    parser.add_argument("--base", metavar="FOLDER", type=Path, help="where the base lies, if not where it was")
    parser.add_argument("--any-base", action="store_true", help="take that base although it is not the one trained on")
    parser.add_argument("--merge", choices=("16bit",), help="also a model folder with the adapter in the weights")
    parser.add_argument(
        "--gguf",
        metavar="NUMBERS",
        action="append",
        default=[],
        help="also a file for llama.cpp: Q8_0, Q5_1, Q4_0, F16, BF16, or Q4_K_M where llama-quantize is installed; "
        "repeatable",
    )
    parser.add_argument(
        "--full", action="store_true", help="merged forms get the full vocabulary of a sliced model, for other tools"
    )
    parser.add_argument("--original", metavar="FOLDER", type=Path, help="the model that was sliced, for --full")
    parser.add_argument("--even-so", action="store_true", help="keep a form that does not agree with the adapter")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of texts; default: 0")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from fabai import releases

    releases.free(args.output.resolve().name, args.output)
    try:
        from fabai.training.release.card import as_json
        from fabai.training.release.make import Request, make
    except ImportError as error:
        raise MissingPart(f"a release needs the package {error.name}; run: pip install 'fabai[train]'") from None
    request = Request(
        args.run_folder,
        args.output,
        args.corpus,
        args.base,
        args.any_base,
        args.merge is not None,
        tuple(dict.fromkeys(args.gguf)),
        args.full,
        args.original,
        args.even_so,
        args.seed,
    )
    manifest = make(request, _quiet if args.json else show.notice)
    releases.register(args.output)
    if args.json:
        show.as_json(as_json(manifest))
        return 0
    rows = [
        [
            one.file,
            one.numbers,
            f"{one.size / 2**20:.1f}",
            "" if one.compared is None else f"{one.compared.top1:.1%}",
            "" if one.compared is None else f"{one.compared.kl:.4f}",
            "" if one.compared is None else f"{one.compared.loss:.4f}",
            one.note if one.compared is None else one.compared.beside,
        ]
        for one in manifest.forms
    ]
    titles: list[tuple[str, show.Align]] = [
        ("form", "left"), ("numbers", "left"), ("MiB", "right"), ("agrees", "right"), ("KL", "right"),
        ("loss", "right"), ("beside", "left"),
    ]  # fmt: skip
    show.table(titles, rows, wide=6, wrap=True)
    show.say(f"{args.output} is written; evaluate it: fabai eval {args.output} --corpus DIR")
    return 0


def _quiet(_: str) -> None:
    """With --json nothing else is printed."""
