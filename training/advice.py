"""What to change when memory ran out, best first, with the planner's numbers. Knows recipes and plans."""

from __future__ import annotations

import dataclasses

from fabai.errors import FabaiError

from . import plan
from .cards import typical
from .footprint import NF4, Work
from .prepare import Prepared
from .shape import shape_of

_LARGE = 110_000


def out_of_memory(prepared: Prepared) -> str:
    """One sentence."""
    recipe = prepared.recipe
    longest = prepared.chosen.longest
    where = "the card's memory" if recipe.card_gb else "this machine's memory"
    ways = ", or ".join(ways_out(prepared)) or "take a smaller model"
    return f"{where} ran out; the longest example has {longest.tokens:,} tokens: {ways}; then go on with --resume"


def ways_out(prepared: Prepared) -> list[str]:
    """The changes, best first: those that cost nothing come before those that cost speed, these before those that cost
    text.
    """
    recipe, longest = prepared.recipe, prepared.chosen.longest
    shape = shape_of(str(prepared.folder))
    found = []
    if recipe.card_gb and recipe.engine != "fabai":
        work = Work(recipe.batch * longest.tokens, longest.labelled / longest.tokens, recipe.rank, _base(recipe))
        try:
            taken = plan.choose(shape, work, typical(recipe.card_gb), recipe.host_gb, plan.wishes(recipe))
            found.append(f"set engine = 'fabai' (planned: {taken.sentence})")
        except FabaiError:
            found.append("set engine = 'fabai', whose memory can be planned")
    if recipe.quantisation == "none" and recipe.card_gb:
        found.append("set quantisation = 'nf4'")
    if not recipe.checkpointing:
        found.append("set checkpointing = true")
    if recipe.checkpointing and recipe.offload == "device" and recipe.card_gb:
        found.append("set offload = 'host'")
    if recipe.batch > 1:
        found.append(f"set batch = 1 and accumulation = {recipe.accumulation * recipe.batch} (the same step)")
    if shape.vocabulary > _LARGE and not recipe.slice:
        found.append("slice the vocabulary (fabai slice) and name it in slice")
    if recipe.card_gb and recipe.engine == "fabai":
        work = Work(1, longest.labelled / longest.tokens, recipe.rank, _base(recipe))
        smaller = dataclasses.replace(typical(recipe.card_gb), usable=0.9 * typical(recipe.card_gb).usable)
        most = plan.longest(shape, work, smaller, recipe.host_gb, plan.wishes(recipe))
        if most and most < longest.tokens:
            found.append(f"set max_tokens = {most} (planned with a tenth to spare)")
        else:
            found.append(f"set card_gb below {recipe.card_gb}, so that the planner leaves more room")
    else:
        found.append(f"set max_tokens to {max(512, longest.tokens // 2)} (longer examples are then left out)")
    return found


def _base(recipe: object) -> float:
    return NF4 if getattr(recipe, "quantisation", "nf4") == "nf4" else 2.0
