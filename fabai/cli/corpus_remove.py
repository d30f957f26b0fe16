"""`fabai corpus remove`: only arguments and printing; the work is in corpus/remove."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from fabai.cli import show


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("corpus", metavar="DIR", type=Path, help="folder of the corpus")
    parser.add_argument("document", metavar="ID", help="id of the document, or its path in the sources")
    parser.add_argument(
        "--releases",
        metavar="DIR",
        type=Path,
        action="append",
        help="where runs, Releases and examples lie, repeatable (default: the folder that this is called in)",
    )
    show.json_option(parser, nested=True)


def run(args: argparse.Namespace) -> int:
    """Remove the document, then say what still holds it."""
    module = importlib.import_module("fabai.corpus.remove")
    removed = module.remove(args.corpus, args.document, args.releases or [Path()])
    if getattr(args, "json", False):
        show.as_json(
            {
                "id": removed.id,
                "path": removed.path,
                "releases": [str(one) for one in removed.releases],
                "examples": [str(one) for one in removed.examples],
            }
        )
        return 0
    show.say(f"{removed.path} ({removed.id}) is no longer in {args.corpus}, and the next build leaves it out")
    for one in removed.examples:
        show.say(f"examples that still hold it: {one}: make them again")
    for one in removed.releases:
        show.say(f"trained on it: {one}: a model cannot forget, so train it again on examples without it")
    if not removed.releases:
        show.say("no run or Release that was found was trained on it")
    return 0
