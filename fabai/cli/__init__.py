"""The command line: a table of commands, each in a module of its own that is imported only when it is called.

A command module has `arguments(parser)` and `run(args) -> exit code`. Errors are printed here and nowhere else.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Sequence

from fabai import __version__
from fabai.errors import FabaiError

_LINE_END = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("fabai.cli.demo", "the whole road on the shipped sample: read a past report, draft, write a Word file"),
    "new": ("fabai.cli.new", "start a project from a form"),
    "forms": ("fabai.cli.forms", "the built-in forms, each rule with its source and date"),
    "import": ("fabai.cli.import_", "read a past report or a source document into a project"),
    "outline": ("fabai.cli.outline", "the section tree with limits and status"),
    "facts": ("fabai.cli.facts", "the ledger: facts that must agree everywhere"),
    "context": ("fabai.cli.context", "what the model is shown for a section, and why"),
    "draft": ("fabai.cli.draft", "write sections with a model; every version is kept"),
    "check": ("fabai.cli.check", "limits of the form against the text"),
    "export": ("fabai.cli.export", "a Word file for submission"),
    "backup": ("fabai.cli.backup", "a consistent copy of a project file"),
    "get": ("fabai.cli.get", "fetch a model"),
    "doctor": ("fabai.cli.doctor", "what can run on this machine, and how to get the rest"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 FabaiError, 2 bad usage, 3 checks found violations)."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = _parser(words)
    args = parser.parse_args(words)
    if args.command is None:
        parser.print_help()
        return 2
    try:
        code = int(args.run(args))
        sys.stdout.flush()
        return code
    except FabaiError as error:
        print(f"fabai: {_LINE_END.sub(' ', str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("fabai: stopped; what was saved before stays saved", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # the reader of our output has gone (`fabai outline P | head`): no news, no traceback at exit
        _drop_output()
        return 0
    except OSError as error:
        where = "the output" if error.filename is None else repr(error.filename)
        print(f"fabai: {where} cannot be read or written: {error.strerror or error}", file=sys.stderr)
        _drop_output()
        return 1


def _drop_output() -> None:
    """What is still waiting goes nowhere, so that it does not fail again when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fabai", description="Drafts long grant reports section by section with a local model, out to Word."
    )
    parser.add_argument("--version", action="version", version=f"fabai {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, (module, summary) in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == wanted:
            command = importlib.import_module(module)
            command.arguments(sub)
            sub.set_defaults(run=command.run)
    return parser
