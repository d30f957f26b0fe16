"""All that is known of a run before anything heavy is loaded: model, examples, steps, memory. `--dry-run` shows it.

Knows how a recipe, a folder of examples and this machine come together. Does not train.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any

from fabai.errors import FabaiError, TrainingError, UsageError
from fabai.example import Encoder, encoder, fingerprint

from . import checkpoint, engines, machine, model, plan, source
from .batch import bins
from .cards import Card, known, typical
from .engine.settings import EngineSettings
from .examples import Chosen, Examples
from .footprint import NF4, Work
from .recipe import Recipe, differences, load
from .run import Run, versions
from .shape import ModelShape, shape_of

_HEADROOM = 1.0
_LABELLED = 0.1


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asked for. recipe: a shipped one's name or a TOML's path. parent: a release to go on from.
    even_so: train although the planner says that it does not fit.
    """

    recipe: str
    examples: Path | None = None
    output: Path | None = None
    parent: Path | None = None
    resume: bool = False
    gpus: int = 1
    even_so: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that can start. rows: places of the examples that share a row; lengths: their tokens; steps: in all."""

    request: Request
    recipe: Recipe
    folder: Path
    base: str
    encoder: Encoder
    examples: Examples
    chosen: Chosen
    rows: list[list[int]]
    lengths: list[int]
    steps: int
    dtype: machine.Dtype
    attention: str
    rope_factor: float
    plan: plan.Plan | None
    settings: EngineSettings
    parent: Path | None
    run: Run

    @property
    def manifest(self) -> dict[str, Any]:
        """What run.json says of the run from its start on."""
        chosen = self.chosen
        return {
            "recipe": self.request.recipe,
            "settings": asdict(self.recipe),
            "model": {
                "name": self.recipe.model, "base": self.base, "mark": mark(self.folder),
                "tokenizer": fingerprint(self.folder), "slice": _slice(self.folder), "rope_factor": self.rope_factor,
                "positions": model.learnt(self.folder),
                "dtype": self.dtype,
            },
            "examples": {
                "sha256": self.examples.sha256, "corpus": chosen.about.corpus, "mode": chosen.about.mode,
                "cap": chosen.about.cap, "decay": chosen.about.decay, "train": len(chosen.train),
                "validation": len(chosen.validation), "general": chosen.general, "refused": chosen.refused,
            },
            "documents": sorted({card.report for card in chosen.train if card.report}),
            "parent": None if self.parent is None else {
                "path": str(self.parent), "sha256": checkpoint.sha256(self.parent / "adapter_model.safetensors"),
            },
            "processes": self.request.gpus,
            "engine": asdict(self.settings) if self.recipe.engine == "fabai" else None,
            "versions": versions(),
        }  # fmt: skip


def prepare(request: Request, here: machine.Machine, tell: Callable[[str], None]) -> Prepared:
    """Everything checked; a FabaiError says what is in the way."""
    recipe = load(request.recipe)
    machine.check(recipe, request.recipe, here, request.gpus)
    if recipe.engine == "unsloth":
        os.environ.setdefault("UNSLOTH_DISABLE_STATISTICS", "1")
        import unsloth  # noqa: F401 - it must come before the libraries that it changes
    folder = source.find(recipe, tell=tell)
    assert folder is not None
    base = source.named(recipe, folder)
    parent = None
    if request.parent is not None:
        parent = model.adapter_folder(request.parent)
        model.check_parent(recipe, parent, base)
    data = request.examples if request.examples is not None else Path(recipe.data) if recipe.data else None
    if data is None:
        raise UsageError("name the examples to train on: --examples DIR (made by fabai corpus examples)")
    if not data.exists():
        raise TrainingError(f"there are no examples at {data}; make them with fabai corpus examples")
    found = encoder(folder)
    examples = Examples(data, found, fingerprint(folder))
    chosen = examples.choose(recipe.max_tokens, recipe.general, recipe.evaluate_most, recipe.seed)
    rows = bins(chosen.train, recipe.max_tokens, recipe.packing)
    tokens = {card.place: card.tokens for card in chosen.train}
    lengths = [sum(tokens[place] for place in row) for row in rows]
    planned = None
    if recipe.engine == "fabai" and recipe.card_gb > 0:
        work = _work(recipe, max(lengths), chosen.longest.labelled / chosen.longest.tokens)
        planned = _planned(recipe, shape_of(str(folder)), work, here, request)
    settings = engines.settings_for(recipe, planned.settings if planned is not None else _unplanned(recipe, folder))
    output = request.output if request.output is not None else Path("runs") / Path(request.recipe).stem
    return Prepared(
        request, recipe, folder, base, found, examples, chosen, rows, lengths,
        steps(recipe, len(rows), request.gpus), machine.dtype(recipe, here), machine.attention(recipe, here),
        model.rope_factor(recipe, folder, chosen.longest.tokens), planned, settings, parent, Run(output),
    )  # fmt: skip


def steps(recipe: Recipe, rows: int, processes: int) -> int:
    """Optimiser steps of the whole run: transformers' own sum."""
    batches = ceil(ceil(rows / recipe.batch) / processes)
    each = max(1, ceil(batches / recipe.accumulation))
    return recipe.steps if recipe.steps else ceil(recipe.epochs * each)


def dry_run(request: Request, here: machine.Machine) -> dict[str, Any]:
    """What would happen, as far as it is known: also where the model or a card is missing."""
    recipe = load(request.recipe)
    found: dict[str, Any] = {
        "recipe": request.recipe,
        "differs": {name: pair[0] for name, pair in differences(recipe, Recipe(model="")).items()},
        "settings": asdict(recipe),
        "in_the_way": [],
        "notes": [],
    }
    try:
        machine.check(recipe, request.recipe, here, request.gpus)
    except FabaiError as error:
        found["in_the_way"].append(str(error))
    found["dtype"] = machine.dtype(recipe, here)
    folder = source.find(recipe, fetch=False)
    if folder is None:
        found["in_the_way"].append(f"the model {recipe.model} is not on this machine yet")
    else:
        found["model"] = str(folder)
        found["rope_factor"] = model.rope_factor(recipe, folder)
    data = request.examples if request.examples is not None else Path(recipe.data) if recipe.data else None
    row, labelled = recipe.max_tokens, _LABELLED
    if data is None:
        found["in_the_way"].append("no examples are named: --examples DIR")
    elif folder is not None:
        try:
            chosen = Examples(data, encoder(folder), fingerprint(folder)).choose(
                recipe.max_tokens, recipe.general, recipe.evaluate_most, recipe.seed
            )
            rows = bins(chosen.train, recipe.max_tokens, recipe.packing)
            tokens = {card.place: card.tokens for card in chosen.train}
            row = max(sum(tokens[place] for place in places) for places in rows)
            longest, labelled = chosen.longest.tokens, chosen.longest.labelled / chosen.longest.tokens
            found["rope_factor"] = model.rope_factor(recipe, folder, longest)
            found |= {
                "examples": len(chosen.train), "general": chosen.general, "held_out": len(chosen.validation),
                "refused": chosen.refused, "longest": longest, "rows": len(rows),
                "tokens": sum(tokens.values()),
                "labelled": sum(card.labelled for card in chosen.train),
                "steps": steps(recipe, len(rows), request.gpus),
            }  # fmt: skip
        except FabaiError as error:
            found["in_the_way"].append(str(error))
    if recipe.engine == "fabai" and recipe.card_gb > 0:
        try:
            shape = shape_of(str(folder) if folder is not None else recipe.model)
            planned = _planned(recipe, shape, _work(recipe, row, labelled), here, replace(request, even_so=False))
            if planned is not None:
                found["plan"] = planned.as_json()
                found["notes"] += planned.notes
                if "steps" in found:
                    found["seconds"] = round(planned.footprint.step * recipe.accumulation * found["steps"])
        except FabaiError as error:
            found["in_the_way"].append(str(error))
    return found


def mark(folder: Path) -> str:
    """A digest of a model's configuration and of its weights' names, sizes and headers: equal for an equal model."""
    import hashlib

    digest = hashlib.sha256((folder / "config.json").read_bytes())
    for path in sorted(folder.glob("*.safetensors")):
        digest.update(f"{path.name}:{path.stat().st_size}:".encode())
        with path.open("rb") as stream:
            digest.update(stream.read(2**20))
    return digest.hexdigest()


def _work(recipe: Recipe, longest: int, labelled: float) -> Work:
    base = NF4 if recipe.quantisation == "nf4" else 2.0
    return Work(recipe.batch * longest, min(1.0, max(0.01, labelled)), recipe.rank, base)


def card_of(recipe: Recipe, here: machine.Machine) -> Card:
    """The card to plan for: the recipe's, but no larger than the one that is here."""
    if not here.gpus:
        return typical(recipe.card_gb)
    smallest = min(here.gpus, key=lambda gpu: gpu.gib)
    card = known(smallest.name, recipe.card_gb)
    return replace(card, usable=min(card.usable, round(smallest.gib - _HEADROOM, 2)))


def _planned(
    recipe: Recipe, shape: ModelShape, work: Work, here: machine.Machine, request: Request
) -> plan.Plan | None:
    """The processes of several cards share the machine's memory."""
    try:
        host = recipe.host_gb / request.gpus
        return plan.choose(shape, work, card_of(recipe, here), host, plan.wishes(recipe))
    except TrainingError as error:
        if request.even_so:
            return None
        raise TrainingError(f"{error}; to try it all the same: --even-so") from None


def _unplanned(recipe: Recipe, folder: Path) -> EngineSettings:
    """On the processor the plain settings; on a card, where nothing fits by the plan, the leanest."""
    if recipe.card_gb == 0:
        return EngineSettings()
    groups = shape_of(str(folder)).kv_heads
    return EngineSettings(
        groups=groups, tile=2048, spacing=2, stream=True, head="host", head_rows=16_384, scratch_on="host"
    )  # fmt: skip


def _slice(folder: Path) -> dict[str, Any] | None:
    from .slice.manifest import FOLDER, read_manifest

    if not (folder / FOLDER / "manifest.json").is_file():
        return None
    about, _ = read_manifest(folder)
    return {"original": about.original, "rows": about.rows, "rows_before": about.rows_before, "tokens": about.tokens}
