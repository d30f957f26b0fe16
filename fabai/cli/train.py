"""`fabai train`: a recipe and examples in, an adapter out; interrupted runs go on where they were."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from fabai.errors import MissingPart, UsageError

_LINES = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("recipe", metavar="RECIPE", help="a shipped recipe's name or a TOML file")
    parser.add_argument("--examples", type=Path, metavar="DIR", help="what fabai corpus examples wrote")
    parser.add_argument("-o", "--output", type=Path, metavar="RUN", help="the run's folder (runs/RECIPE)")
    parser.add_argument("--resume", action="store_true", help="go on with the run in that folder")
    parser.add_argument(
        "--from", dest="parent", type=Path, metavar="RELEASE", help="start from a released adapter, with new examples"
    )
    parser.add_argument("--gpus", type=int, default=1, metavar="N", help="cards to train on (1)")
    parser.add_argument("--even-so", action="store_true", help="train although the planner says that it does not fit")
    parser.add_argument("--dry-run", action="store_true", help="say what would happen, and do nothing")
    parser.add_argument("--json", action="store_true", help="the result, or the dry run, as JSON")


def run(args: argparse.Namespace) -> int:
    """Train, or say what would happen."""
    if args.gpus < 1:
        raise UsageError(f"--gpus is {args.gpus}; it must be 1 or more")
    # read when PyTorch first touches the card: rows of many lengths would leave gaps that nothing fits
    os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
    try:
        from fabai.training import launch
        from fabai.training.machine import Machine
        from fabai.training.prepare import Request, dry_run, prepare
    except ImportError as error:
        raise MissingPart(f"training needs the package {error.name}; run: pip install 'fabai[train]'") from None
    request = Request(
        recipe=args.recipe,
        examples=args.examples,
        output=args.output,
        parent=args.parent,
        resume=args.resume,
        gpus=args.gpus,
        even_so=args.even_so,
    )
    if args.dry_run:
        found = dry_run(request, Machine.here())
        if args.json:
            print(json.dumps(found, ensure_ascii=False))
        else:
            _show(found)
        return 0
    with Watching() as watch:
        prepared = prepare(request, Machine.here(), watch.note)
        if args.gpus > 1 and not launch.inside():
            return launch.launch(_words(args), args.gpus)
        for name, why in list(prepared.chosen.refused.items())[:_LINES]:
            watch.note(f"left out: {name} ({why})")
        if len(prepared.chosen.refused) > _LINES:
            watch.note(f"left out: {len(prepared.chosen.refused) - _LINES} more, all listed in run.json")
        if prepared.plan is not None:
            watch.note(f"plan: {prepared.plan.sentence}")
        try:
            from fabai.training.train import train
        except ImportError as error:
            raise MissingPart(f"training needs the package {error.name}; run: pip install 'fabai[train]'") from None
        result = train(prepared, watch)
    if result is None:
        return 0
    if args.json:
        table = {"run": str(result.folder), "adapter": str(result.adapter), "steps": result.steps}
        losses = {"first_loss": result.first_loss, "last_loss": result.last_loss}
        print(json.dumps(table | losses | {"before": result.before, "after": result.after}))
        return 0
    print(f"{result.adapter}: trained for {result.steps} steps; loss {result.first_loss:.3f} -> {result.last_loss:.3f}")
    if result.after:
        print(
            f"held-out loss {result.before['eval_loss']:.3f} -> {result.after['eval_loss']:.3f} "
            f"(perplexity {result.before['eval_perplexity']:.2f} -> {result.after['eval_perplexity']:.2f})"
        )
    print(f"draft with it: fabai draft PROJECT --writer transformers:{result.adapter}")
    return 0


class Watching:
    """A run on stderr: a bar on a terminal, plain lines elsewhere."""

    def __enter__(self) -> Watching:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._terminal = sys.stderr.isatty()
        columns = (
            TextColumn("step"),
            MofNCompleteColumn(),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[told]}"),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=Console(stderr=True), disable=not self._terminal)
        self._task: Any = None
        self._steps = self._told = 0
        self._progress.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._progress.stop()

    def note(self, text: str) -> None:
        """A sentence."""
        if self._terminal:
            self._progress.console.print(text, highlight=False, markup=False)
        else:
            print(text, file=sys.stderr, flush=True)

    def begin(self, steps: int, done: int) -> None:
        """Training starts."""
        self._steps = steps
        self._task = self._progress.add_task("train", total=steps, completed=done, told="")
        self.note(f"training: {steps} steps" + (f", going on after step {done}" if done else ""))

    def step(self, record: dict[str, Any]) -> None:
        """A step is done."""
        told = (
            f"loss {record['loss']:.3f}  {record['tokens_per_s']:,.0f} tokens/s  {record['memory_gib']:.2f} GiB  "
            f"rate {record['learning_rate']:.1e}"
        )
        self._progress.update(self._task, completed=record["step"], told=told)
        self._told += 1
        few = max(1, self._steps // _LINES)
        if not self._terminal and (self._told == 1 or record["step"] % few == 0):
            left = (self._steps - record["step"]) * record["seconds"]
            self.note(f"step {record['step']} of {self._steps}  {told}  about {left / 60:.0f} min left")

    def evaluated(self, record: dict[str, Any]) -> None:
        """The held-out examples were looked at."""
        languages = [
            f"{name.removeprefix('eval_').removesuffix('_perplexity')} {value:.2f}"
            for name, value in record.items()
            if name.endswith("_perplexity") and name != "eval_perplexity"
        ]
        more = f" ({', '.join(languages)})" if languages else ""
        self.note(
            f"step {record['step']}: held-out loss {record['eval_loss']:.4f}, perplexity "
            f"{record['eval_perplexity']:.2f}{more}"
        )


def _words(args: argparse.Namespace) -> list[str]:
    """The command line that the processes run."""
    words = ["train", args.recipe, "--gpus", str(args.gpus)]
    for name in ("examples", "output"):
        if getattr(args, name) is not None:
            words += [f"--{name}", str(getattr(args, name))]
    if args.parent is not None:
        words += ["--from", str(args.parent)]
    return words + [f"--{name.replace('_', '-')}" for name in ("resume", "even_so", "json") if getattr(args, name)]


def _show(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"what fabai train {found['recipe']} would do", title_justify="left", show_header=False)
    table.add_column("what", style="bold")
    table.add_column("how", overflow="fold")
    settings = found["settings"]
    differs = {name: value for name, value in found["differs"].items() if name not in ("model", "slice", "data")}
    table.add_row("model", found.get("model", settings["slice"] or settings["model"]))
    table.add_row("settings", ", ".join(f"{name} = {value}" for name, value in differs.items()) or "all as by default")
    table.add_row("engine", f"{settings['engine']}, computing in {found['dtype']}")
    if "examples" in found:
        table.add_row(
            "examples",
            f"{found['examples']:,} to train on ({found['general']:,} general), {found['held_out']:,} held out, "
            f"{len(found['refused']):,} left out",
        )
        table.add_row(
            "tokens", f"{found['tokens']:,}, {found['labelled']:,} of them learnt; longest {found['longest']:,}"
        )
        rows = settings["batch"] * settings["accumulation"]
        table.add_row("steps", f"{found['steps']:,} of {rows} rows on each card")
    if found.get("rope_factor", 1.0) > 1:
        table.add_row("YaRN", f"factor {found['rope_factor']}; serve the adapter with the same")
    if "plan" in found:
        plan = found["plan"]
        table.add_row(
            "memory", f"{plan['peak_gib']} GiB on the card, {sum(plan['host_gib'].values()):.1f} GiB of host memory"
        )
        chosen = ", ".join(f"{name} = {plan['settings'][name]}" for name in ("keep", "groups", "tile", "stream"))
        table.add_row("engine settings", chosen)
        table.add_row("time", f"about {plan['step_s']} s for the longest example")
        if "seconds" in found:
            table.add_row("in all", f"at most {found['seconds'] / 3600:.1f} hours, every example taken for the longest")
    console = Console()
    console.print(table)
    for name, why in list(found.get("refused", {}).items())[:_LINES]:
        console.print(f"left out: {name} ({why})", highlight=False, markup=False)
    for note in found["notes"]:
        console.print(note, highlight=False, markup=False)
    for reason in found["in_the_way"]:
        console.print(f"in the way: {reason}", highlight=False, markup=False, style="red")
