"""`fabai backup`: a consistent copy of a project file."""

from __future__ import annotations

import argparse
from pathlib import Path

from fabai.cli import show
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument("file", metavar="FILE", type=Path, help="the copy; a file that exists is never overwritten")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        project.backup(args.file)
    size = args.file.stat().st_size
    if args.json:
        show.as_json({"backup": str(args.file), "bytes": size})
    else:
        show.say(f"{show.one_line(str(args.file))}: checked copy, {size / 2**20:.1f} MiB")
    return 0
