"""`fabai unslice`: the full vocabulary back. Only arguments and printing; the work is in training/slice."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from fabai.cli.slice import Watching


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("slice", type=Path, metavar="DIR", help="a folder that fabai slice wrote")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="folder of the full model; must not exist"
    )
    parser.add_argument(
        "--original", metavar="MODEL", help="the model that was sliced, if it is not where it was (folder or hub id)"
    )
    parser.add_argument("--json", action="store_true", help="the result for machines")


def run(args: argparse.Namespace) -> int:
    """Restore."""
    from fabai.training.slice.checkpoint import locate
    from fabai.training.slice.unslice import unslice

    with Watching() as watch:
        restored = unslice(args.slice, args.output, locate(args.original) if args.original is not None else None, watch)
    if args.json:
        print(json.dumps(asdict(restored)))
        return 0
    print(
        f"{args.output}: {restored.rows:,} rows again, {restored.from_slice:,} of them from the slice, the rest from "
        f"{restored.source}"
    )
    if restored.changed:
        print(
            f"{restored.changed:,} rows of the slice were no longer the original's (training changed them); the "
            "slice's were taken"
        )
    return 0
