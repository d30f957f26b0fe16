"""The command line: a table of commands, each in a module of its own that is imported only when it is called.

A command module has `arguments(parser)` and `run(args) -> exit code`. Errors are printed here and nowhere else.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from fabai import __version__
from fabai.errors import FabaiError

_LINE_END = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("fabai.cli.demo", "the whole road on the shipped sample: read a past report, draft, write a Word file"),
    "new": ("fabai.cli.new", "start a project from a form"),
    "forms": ("fabai.cli.forms", "the built-in forms, each rule with its source and date"),
    "import": ("fabai.cli.import_", "read a past report, a source or a part of the dossier into a project"),
    "commitments": ("fabai.cli.commitments", "what was promised against what was done, with evidence and reasons"),
    "expenses": ("fabai.cli.expenses", "the list of expenses: sums, checks, the funder's own sheet filled"),
    "terms": ("fabai.cli.terms", "the terms of the grant: period, headings, tolerance, hours, funding"),
    "partners": ("fabai.cli.partners", "ask partners for their sections, and put what they send back into its place"),
    "annexes": ("fabai.cli.annexes", "proofs numbered and linked to expenses, and what is missing"),
    "publications": ("fabai.cli.publications", "the publications of the period: table, citations, checks"),
    "references": ("fabai.cli.references", "the references that the text can cite, by key"),
    "deadlines": ("fabai.cli.deadlines", "what is due when, and the days left"),
    "outline": ("fabai.cli.outline", "the section tree with limits and status"),
    "facts": ("fabai.cli.facts", "the ledger: facts that must agree everywhere"),
    "context": ("fabai.cli.context", "what the model is shown for a section, and why"),
    "draft": ("fabai.cli.draft", "write sections with a model; every version is kept"),
    "shorten": ("fabai.cli.shorten", "sections over their limit written shorter by a model; no fact is lost"),
    "check": ("fabai.cli.check", "limits of the form against the text"),
    "export": ("fabai.cli.export", "a Word file for submission"),
    "backup": ("fabai.cli.backup", "a consistent copy of a project file"),
    "app": ("fabai.cli.app", "the browser application, in which a report is written section by section"),
    "corpus": ("fabai.cli.corpus", "past reports made into a clean corpus, and a corpus into training examples"),
    "get": ("fabai.cli.get", "fetch a model"),
    "slice": ("fabai.cli.slice", "cut a model's vocabulary to the tokens that some languages use"),
    "unslice": ("fabai.cli.unslice", "the full vocabulary back"),
    "plan": ("fabai.cli.plan", "what a training recipe needs on a card, and the fastest settings that fit"),
    "serve": ("fabai.cli.serve", "a model or a trained adapter for a whole organisation, on a card or without"),
    "train": ("fabai.cli.train", "train an adapter on past reports; interrupted runs go on where they were"),
    "eval": ("fabai.cli.eval", "is a trained adapter better, did it forget, does it copy: one report"),
    "release": ("fabai.cli.release", "a finished run as a folder to hand out, in every form that people load"),
    "releases": ("fabai.cli.releases", "the releases of this machine: list, compare, promote, roll back"),
    "doctor": ("fabai.cli.doctor", "what can run on this machine, and how to get the rest"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 FabaiError, 2 bad usage, 3 checks found violations)."""
    _open_streams()
    words = list(sys.argv[1:] if argv is None else argv)
    with _ending_in_order():
        return _answer(words)


def _answer(words: Sequence[str]) -> int:
    try:
        parser = _parser(words)
        args = parser.parse_args(words)
        if args.command is None:
            parser.print_help()
            return 2
        code = int(args.run(args))
        sys.stdout.flush()
        return code
    except FabaiError as error:
        print(f"fabai: {_LINE_END.sub(' ', str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt as stop:
        print("fabai: stopped; what was saved before stays saved", file=sys.stderr)
        return int(stop.args[0]) if stop.args else 128 + signal.SIGINT
    except BrokenPipeError:
        # the reader of our output has gone (`fabai outline P | head`): no news, no traceback at exit
        _drop_output()
        return 0
    except RecursionError:
        print("fabai: what was read is nested too deeply: save it anew in its own program", file=sys.stderr)
        return 1
    except MemoryError:
        print("fabai: the memory of this machine is too small for this; close other programs", file=sys.stderr)
        return 1
    except OSError as error:
        where = "the output" if error.filename is None else repr(error.filename)
        print(f"fabai: {where} cannot be read or written: {error.strerror or error}", file=sys.stderr)
        _drop_output()
        return 1


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """A request to end, or a terminal that closes, stops a command as Ctrl-C does: the text so far is saved, programs
    that it started end, temporary files go.
    """
    requests = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    # only what nobody handles: nohup has the terminal's closing ignored, and a thread may not ask for signals
    ours = [one for one in requests if signal.getsignal(one) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        ours = []
    for one in ours:
        signal.signal(one, _stop)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


def _stop(number: int, _: FrameType | None) -> None:
    raise KeyboardInterrupt(128 + number)


def _open_streams() -> None:
    """A stream that the shell closed (`>&-`) goes nowhere; else the first file that is opened would take its place."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it lives as long as the program
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


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
