"""The planner: what a step needs on a card, per part, and the fastest engine settings that fit.

Knows how to search the engine's settings and how to say what to change when nothing fits. The formulas are in
`footprint`, the cards in `cards`. Does not run anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import product
from types import MappingProxyType
from typing import Any

from fabai.errors import TrainingError

from .cards import Card
from .engine.settings import AttentionName, EngineSettings, Keep, Place
from .footprint import Footprint, Work, footprint
from .recipe import Recipe
from .shape import ModelShape

_TILES = (2048, 4096, 8192)
_SPACINGS = (1, 2, 3, 4)
# of the host's memory, what the system and other programs leave us
_HOST_SHARE = 0.85
# positions that a family has learnt; beyond, rotary scaling (YaRN) is needed
_LEARNT = {"qwen3": 32_768, "qwen2": 32_768, "llama": 131_072, "mistral": 32_768}
_FREE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings for a step, with what they take on `card` and of `host` GiB."""

    shape: ModelShape
    work: Work
    card: Card
    host: float
    settings: EngineSettings
    footprint: Footprint

    @property
    def sentence(self) -> str:
        """The plan's numbers in one sentence; an engine quotes it when memory runs out."""
        taken = self.footprint
        return (
            f"{self.work.tokens:,} tokens take {taken.peak:.2f} of {self.card.usable:.2f} GiB on the card and "
            f"{taken.host_peak:.1f} of {self.host:.0f} GiB of host memory"
        )

    @property
    def notes(self) -> list[str]:
        """What a person should know beside the numbers, a sentence each."""
        rates = (
            f"{self.card.matrix:.0f} TFLOP/s in matrix products, {self.card.attention_backward:.0f} in attention "
            f"backward, {self.card.bus:.0f} GB/s to the host"
        )
        origin = "measured" if self.card.measured else "an estimate; --probe on the machine itself measures them"
        found = [f"Times assume a {self.card.name} with {rates} ({origin})."]
        learnt = _LEARNT.get(self.shape.family, self.work.tokens)
        if self.work.tokens > learnt:
            found.append(
                f"{self.work.tokens:,} tokens exceed the {learnt:,} positions that the model has learnt: set "
                f"rope_factor to {self.work.tokens / learnt:.1f} (YaRN), the same in training, evaluation and serving."
            )
        return found

    def as_json(self) -> dict[str, Any]:
        """Everything, for --json."""
        return {
            "model": asdict(self.shape),
            "tokens": self.work.tokens,
            "labelled": self.work.labelled,
            "rank": self.work.rank,
            "card": asdict(self.card),
            "ram_gib": self.host,
            "estimate": not self.card.measured,
            "settings": asdict(self.settings),
            "peak_gib": round(self.footprint.peak, 2),
            "card_gib": _rounded(self.footprint.card),
            "host_gib": _rounded(self.footprint.host),
            "seconds": _rounded(self.footprint.seconds),
            "step_s": round(self.footprint.step, 2),
            "tokens_per_s": round(self.work.tokens / self.footprint.step),
            "notes": self.notes,
        }


def choose(shape: ModelShape, work: Work, card: Card, host: float, fixed: Mapping[str, Any] = _FREE) -> Plan:
    """The fastest settings whose peak fits the card and whose host memory fits `host` GiB; fixed: settings that are
    not the planner's to choose.

    TrainingError says what to change, best first, where nothing fits.
    """
    best = _best(shape, work, card, host, fixed)
    if best is None:
        raise TrainingError(_advice(shape, work, card, host, fixed))
    return best


def wishes(recipe: Recipe) -> dict[str, Any]:
    """The engine settings that a recipe decides itself."""
    flash: dict[str, AttentionName] = {"flash_attention_2": "flash", "sdpa": "auto", "auto": "auto"}
    wanted: dict[str, Any] = {"attention": flash[recipe.attention]}
    if recipe.weights in ("host", "disk"):
        wanted["stream"] = True
        wanted["stream_from"] = "disk" if recipe.weights == "disk" else "memory"
    if recipe.weights == "device":
        wanted["stream"] = False
    if recipe.offload == "device":
        wanted["kept_on"] = "device"
    return wanted


def positions(family: str, declared: int) -> int:
    """Positions that a model has learnt: what its configuration declares, but no more than is known of its family."""
    return min(declared, _LEARNT.get(family, declared))


def longest(shape: ModelShape, work: Work, card: Card, host: float, fixed: Mapping[str, Any] = _FREE) -> int:
    """The most tokens in one step that any settings fit, a multiple of 1,024; 0 where not even 1,024 do."""
    low, high = 0, 1024
    while low + 1 < high:
        middle = (low + high) // 2
        trial = Work(middle * 1024, work.labelled, work.rank, work.base)
        low, high = (middle, high) if _best(shape, trial, card, host, fixed, quick=True) else (low, middle)
    return low * 1024


def _best(
    shape: ModelShape, work: Work, card: Card, host: float, fixed: Mapping[str, Any], quick: bool = False
) -> Plan | None:
    """The smallest of the plans that are within a hundredth of the fastest; with `quick` any that fits."""
    fitting: list[Plan] = []
    for settings in _candidates(shape, fixed):
        taken = footprint(shape, work, settings, card)
        if taken.peak <= card.usable and taken.host_peak <= host * _HOST_SHARE:
            fitting.append(Plan(shape, work, card, host, settings, taken))
            if quick:
                break
    fastest = min((plan.footprint.step for plan in fitting), default=0.0)
    equal = [plan for plan in fitting if plan.footprint.step <= 1.01 * fastest]
    return min(equal, key=lambda plan: (plan.footprint.peak, plan.footprint.host_peak), default=None)


def _candidates(shape: ModelShape, fixed: Mapping[str, Any]) -> Iterator[EngineSettings]:
    return iter(dict.fromkeys(replace(settings, **fixed) for settings in _all(shape))) if fixed else _all(shape)


def _all(shape: ModelShape) -> Iterator[EngineSettings]:
    divisors = [groups for groups in range(1, shape.kv_heads + 1) if shape.kv_heads % groups == 0]
    keeps: tuple[Keep, ...] = ("inputs", "attention", "residual", "projections")
    places: tuple[tuple[Place, Place], ...] = (("device", "device"), ("host", "device"), ("host", "host"))
    for keep, spacing, groups, tile, stream, ends in product(keeps, _SPACINGS, divisors, _TILES, (False, True), places):
        if spacing > 1 and keep in ("residual", "projections"):
            continue
        lean: tuple[tuple[Place, bool], ...] = (("device", True), ("host", True), ("host", False))
        for scratch, prefetch in lean if keep == "inputs" else lean[:1]:
            yield EngineSettings(
                groups=groups, tile=tile, spacing=spacing, keep=keep, stream=stream, embedding=ends[0], head=ends[1],
                head_rows=16_384 if ends[1] == "host" else 0, scratch_on=scratch, prefetch=prefetch,
            )  # fmt: skip


def _advice(shape: ModelShape, work: Work, card: Card, host: float, fixed: Mapping[str, Any]) -> str:
    def needed(of_card: bool) -> float:
        fitting = (footprint(shape, work, settings, card) for settings in _candidates(shape, fixed))
        if of_card:
            return min((one.peak for one in fitting if one.host_peak <= host * _HOST_SHARE), default=0.0)
        return min((one.host_peak for one in fitting if one.peak <= card.usable), default=0.0)

    ways = []
    most = longest(shape, work, card, host, fixed)
    if most:
        ways.append(f"take at most {most:,} tokens")
    if more := needed(of_card=False):
        ways.append(f"give the machine {more / _HOST_SHARE:.0f} GB of memory")
    if larger := needed(of_card=True):
        ways.append(f"use a card that leaves {larger:.1f} GiB")
    if shape.vocabulary > 110_000:
        ways.append("slice the vocabulary (fabai slice)")
    what = ", or ".join(ways) or "take a smaller model"
    where = f"{card.usable:.1f} GiB on the card and {host:.0f} GB of host memory"
    return f"no settings fit {work.tokens:,} tokens into {where}: {what}"


def _rounded(parts: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in parts.items()}
