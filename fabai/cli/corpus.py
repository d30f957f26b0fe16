"""`fabai corpus`: past reports made into a corpus, and a corpus into examples.

Each action is a module of its own. Only arguments; the work is in corpus/.
"""

from __future__ import annotations

import argparse
import importlib

ACTIONS = {
    "build": ("fabai.cli.corpus_build", "read the files of SOURCES.toml, clean them and write the corpus"),
    "examples": ("fabai.cli.corpus_examples", "training examples for a model, by replaying how each report is drafted"),
    "check": (
        "fabai.cli.corpus_check",
        "leaks, personal data, missing licences, unsupported text; exit 3 where any is found",
    ),
    "stats": ("fabai.cli.corpus_stats", "what a corpus is made of, in numbers, pictures and a datasheet"),
    "remove": ("fabai.cli.corpus_remove", "take a report out, and name the Releases that were trained on it"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions, each with its own arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, (module, summary) in ACTIONS.items():
        action = actions.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        command = importlib.import_module(module)
        command.arguments(action)
        action.set_defaults(act=command.run)


def run(args: argparse.Namespace) -> int:
    """Run the action."""
    return int(args.act(args))
