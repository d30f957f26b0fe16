"""A training configuration: one frozen dataclass holds every default; a TOML states only what differs, unknown keys
are refused.

Knows the settings and their bounds, the shipped recipes, and reading one. Does not know how training is done.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fabai.errors import BadSetting, UnknownName
from fabai.strict import build, read_toml

SHIPPED = Path(__file__).parent / "recipes"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How an adapter is trained.

    model: hub id, folder, or name of a model that `fabai get` fetched. slice: folder of the sliced model, "" for the
    full vocabulary. data: folder of examples or a .jsonl file; the command's --examples goes before it.
    quantisation: of the frozen base. dtype "auto": bf16 where the card has it, else fp16; fp32 on the processor.
    rank_stabilised: scale by alpha / sqrt(rank). targets: "all" linear projections, or a comma-separated list.
    engine: who runs the steps. attention "auto": the engine's choice for the card. checkpointing: layer inputs are
    kept and layers run again in the backward pass; offload: where these wait. weights: where the frozen layers wait,
    "auto" as the planner finds it fastest. batch: sequences at once; accumulation: batches per optimiser step on each
    card. clip: largest gradient norm. max_tokens: longest example. packing: short examples share a row, each blind to
    the others. warmup: steps. steps 0: as many as `epochs` need. general: share of general examples among those
    trained on, where the data have any. evaluate_every, save_every: steps; evaluate_most: held-out examples looked at,
    0 for all. keep: checkpoints. rope_factor: YaRN, 0 for as much as max_tokens needs. card_gb 0: the processor.
    """

    model: str
    slice: str = ""
    data: str = ""
    quantisation: Literal["nf4", "none"] = "nf4"
    double_quantisation: bool = True
    dtype: Literal["auto", "bfloat16", "float16", "float32"] = "auto"
    rank: int = 16
    alpha: int = 16
    dropout: float = 0.0
    rank_stabilised: bool = True
    targets: str = "all"
    optimiser: Literal["paged_adamw_8bit", "adamw_8bit", "adamw_torch"] = "paged_adamw_8bit"
    engine: Literal["plain", "liger", "unsloth", "fabai"] = "fabai"
    attention: Literal["auto", "flash_attention_2", "sdpa"] = "auto"
    checkpointing: bool = True
    offload: Literal["host", "device"] = "host"
    weights: Literal["auto", "device", "host", "disk"] = "auto"
    batch: int = 1
    accumulation: int = 4
    weight_decay: float = 0.01
    clip: float = 1.0
    max_tokens: int = 20_000
    packing: bool = False
    learning_rate: float = 2e-4
    schedule: Literal["cosine", "linear", "constant"] = "cosine"
    warmup: int = 10
    epochs: float = 2.0
    steps: int = 0
    general: float = 0.05
    seed: int = 3407
    evaluate_every: int = 50
    evaluate_most: int = 100
    save_every: int = 50
    keep: int = 2
    rope_factor: float = 0.0
    card_gb: int = 16
    host_gb: int = 32

    def __post_init__(self) -> None:
        least: dict[str, float] = {
            "rank": 1, "alpha": 1, "batch": 1, "accumulation": 1, "max_tokens": 16, "steps": 0, "warmup": 0,
            "epochs": 0, "evaluate_every": 1, "evaluate_most": 0, "save_every": 1, "keep": 1, "weight_decay": 0,
            "seed": 0, "rope_factor": 0, "card_gb": 0, "host_gb": 1,
        }  # fmt: skip
        for name, low in least.items():
            if getattr(self, name) < low:
                raise BadSetting(f"{name} is {getattr(self, name)}; it must be {low} or more")
        for name in ("dropout", "general"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise BadSetting(f"{name} is {getattr(self, name)}; it must lie between 0 and 1, 1 excluded")
        if not 0.0 < self.learning_rate < 1.0:
            raise BadSetting(f"learning_rate is {self.learning_rate}; it must lie between 0 and 1, both excluded")
        if self.clip <= 0:
            raise BadSetting(f"clip is {self.clip}; it must be above 0")
        if self.steps == 0 and self.epochs == 0:
            raise BadSetting("steps and epochs are both 0, so there is nothing to train; set one of them")
        self._check_engine()

    def _check_engine(self) -> None:
        """What the engines cannot do, before anything is loaded."""
        if self.weights in ("host", "disk") and self.engine != "fabai":
            raise BadSetting(
                f"weights = '{self.weights}' needs engine = 'fabai', which streams the frozen layers; with engine "
                f"'{self.engine}' transformers refuses 4-bit weights outside the card"
            )
        if self.packing and self.engine == "unsloth":
            raise BadSetting("engine 'unsloth' trains one example a row: set packing = false, or take another engine")
        if self.packing and self.batch > 1:
            raise BadSetting(f"packing fills one row, so batch must be 1, not {self.batch}; raise max_tokens instead")
        if self.engine == "unsloth" and not self.checkpointing:
            raise BadSetting("engine 'unsloth' is worth its while only with checkpointing = true; set that")

    @property
    def modules(self) -> str | list[str]:
        """PEFT's target_modules."""
        return "all-linear" if self.targets == "all" else [name.strip() for name in self.targets.split(",")]


def names() -> list[str]:
    """The shipped recipes."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load(recipe: str) -> Recipe:
    """A shipped recipe by name, or a TOML file by path; paths in the file are taken from where it lies."""
    path = Path(recipe)
    if path.suffix != ".toml":
        if recipe not in names():
            raise UnknownName.nearest("recipe", recipe, names())
        path = SHIPPED / f"{recipe}.toml"
    table = read_toml(path)
    engine = str(table.get("engine", ""))
    if "liger" in engine and "unsloth" in engine:
        raise BadSetting(
            f"{path.name}: Liger and Unsloth exclude each other, because both replace the same layers; set engine to "
            "'liger' or to 'unsloth'"
        )
    found = build(Recipe, table, path.name)
    moved: dict[str, Any] = {
        name: str(path.parent / getattr(found, name))
        for name in ("model", "slice", "data")
        if getattr(found, name) and (path.parent / getattr(found, name)).exists()
    }
    return dataclasses.replace(found, **moved) if moved and path.parent != SHIPPED else found


def differences(recipe: Recipe, other: Recipe) -> dict[str, tuple[object, object]]:
    """The settings in which two recipes differ, in order: name -> (of the first, of the second)."""
    pairs = {
        field.name: (getattr(recipe, field.name), getattr(other, field.name)) for field in dataclasses.fields(Recipe)
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
