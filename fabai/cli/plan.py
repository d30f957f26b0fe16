"""`fabai plan`: what a recipe needs on a card, part by part, and the fastest settings that fit."""

from __future__ import annotations

import argparse
import importlib
import json
from typing import Any

from fabai.errors import BadSetting, UsageError


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("recipe", nargs="?", metavar="RECIPE", help="a shipped recipe's name or a TOML file")
    parser.add_argument(
        "--model-shape",
        metavar="MODEL",
        help='instead of a recipe: "qwen3-8b", a model folder, or "hidden=4096,layers=36,..."',
    )
    parser.add_argument("--gpu", type=int, metavar="GB", help="memory the card is sold with (4, 6, 8, 12, 16, 24 ...)")
    parser.add_argument("--ram", type=float, metavar="GB", help="memory of the machine")
    parser.add_argument("--tokens", type=int, help="tokens in a step; the recipe's max_tokens by default")
    parser.add_argument("--vocabulary", type=int, metavar="ROWS", help="rows after slicing, e.g. 100352")
    parser.add_argument("--rank", type=int, help="LoRA rank; the recipe's by default")
    parser.add_argument(
        "--labelled", type=float, default=0.1, metavar="SHARE", help="share of tokens with a label (0.1)"
    )
    parser.add_argument("--probe", action="store_true", help="measure this machine's card first, in some 20 seconds")
    parser.add_argument("--json", action="store_true", help="everything as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the plan; TrainingError says what to change where nothing fits."""
    if (args.recipe is None) == (args.model_shape is None):
        raise UsageError("name a recipe or a --model-shape, one of the two")
    if not 0.0 < args.labelled <= 1.0:
        raise BadSetting(f"--labelled is {args.labelled}; it must lie above 0 and be at most 1")
    recipes, shapes, cards, footprints, planner = (
        importlib.import_module(f"fabai.training.{name}") for name in ("recipe", "shape", "cards", "footprint", "plan")
    )
    recipe = recipes.load(args.recipe) if args.recipe else recipes.Recipe(model=args.model_shape)
    gpu = recipe.card_gb if args.gpu is None else args.gpu
    if gpu == 0 and not args.probe:
        raise BadSetting(
            f"{args.recipe} trains on the processor and needs no plan; name a card with --gpu to plan for one"
        )
    shape = shapes.shape_of(recipe.slice or recipe.model)
    if args.vocabulary is not None:
        shape = shape.sliced(args.vocabulary)
    tokens = recipe.max_tokens if args.tokens is None else args.tokens
    if tokens < 1:
        raise BadSetting(f"--tokens is {tokens}; it must be 1 or more")
    base = footprints.NF4 if recipe.quantisation == "nf4" else 2.0
    work = footprints.Work(tokens, args.labelled, recipe.rank if args.rank is None else args.rank, base)
    card = cards.probe(gpu or None) if args.probe else cards.typical(gpu)
    host = recipe.host_gb if args.ram is None else args.ram
    plan = planner.choose(shape, work, card, host, planner.wishes(recipe))
    if args.json:
        print(json.dumps(plan.as_json()))
    else:
        _show(plan)
    return 0


def _show(plan: Any) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{plan.work.tokens:,} tokens in a step on {plan.card.usable:.2f} GiB", title_justify="left")
    table.add_column("part")
    for name in ("card, GiB", "host, GiB"):
        table.add_column(name, justify="right")
    parts = plan.footprint
    for name in dict.fromkeys((*parts.card, *parts.host)):
        table.add_row(name, _number(parts.card.get(name)), _number(parts.host.get(name)))
    table.add_section()
    table.add_row("all", f"{parts.peak:.2f}", f"{parts.host_peak:.2f}", style="bold")
    console = Console()
    console.print(table)
    chosen = plan.settings
    console.print(
        f"Settings: keep={chosen.keep} spacing={chosen.spacing} groups={chosen.groups} tile={chosen.tile} "
        f"stream={str(chosen.stream).lower()} embedding={chosen.embedding} head={chosen.head} "
        f"scratch_on={chosen.scratch_on}",
        highlight=False,
    )
    console.print(
        f"Time: about {parts.step:.1f} s a step, {plan.work.tokens / parts.step:,.0f} tokens/s.", highlight=False
    )
    for note in plan.notes:
        console.print(note, highlight=False)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
