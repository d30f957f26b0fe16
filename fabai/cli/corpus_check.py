"""`fabai corpus check`: only arguments and printing; the work is in corpus/check. Exit 3 where something is found."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import asdict
from pathlib import Path

from fabai.cli import show
from fabai.errors import MissingPart

_SHOWN = 40


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("corpus", metavar="DIR", type=Path, help="folder of the corpus")
    parser.add_argument(
        "--examples",
        metavar="OUT",
        type=Path,
        action="append",
        default=[],
        help="examples made of it, repeatable; those in DIR/examples are looked at always",
    )
    parser.add_argument("--all", action="store_true", help=f"list every finding, not {_SHOWN}")
    show.json_option(parser, nested=True)


def run(args: argparse.Namespace) -> int:
    """Look, then say what must be mended and where."""
    try:
        module = importlib.import_module("fabai.corpus.check")
        checked = module.check(args.corpus, args.examples)
    except ImportError as error:
        raise MissingPart(f"a corpus needs the package {error.name}; run: pip install 'fabai[corpus]'") from None
    if getattr(args, "json", False):
        show.as_json(asdict(checked))
    else:
        shown = checked.findings if args.all else checked.findings[:_SHOWN]
        for one in shown:
            show.say(f"{one.rule}: {show.one_line(one.text)}")
        if len(shown) < len(checked.findings):
            show.say(f"... and {len(checked.findings) - len(shown)} more (--all lists them)")
        for folder, share in checked.support.items():
            show.say(f"{folder}: {share:.1%} of the statements with a loss are held by their prompts")
        what = f"{len(checked.findings)} findings" if checked.findings else "nothing to mend"
        show.say(f"{args.corpus}: {checked.documents} documents looked at, {what}")
    return 3 if checked.findings else 0
