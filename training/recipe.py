"""A training configuration: one frozen dataclass holds every default; a TOML states only what differs, unknown keys
are refused.

Knows the settings and their bounds, the shipped recipes, and reading one. Does not know how training is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fabai.errors import BadSetting, UnknownName
from fabai.strict import build, read_toml

SHIPPED = Path(__file__).parent / "recipes"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How an adapter is trained.

    model: hub id or folder. slice: folder of the sliced model, "" for the full vocabulary. quantisation: of the
    frozen base. dtype "auto": bf16 where the card has it, else fp16. rank_stabilised: scale by alpha / sqrt(rank).
    targets: "all" linear projections, or a comma-separated list. engine: who runs the steps. attention "auto": the
    engine's choice for the card. offload: where checkpoints wait. accumulation: batches per optimiser step.
    max_tokens: longest example. schedule: of the learning rate. steps 0: as many as `epochs` need. general: share of
    general data mixed in. rope_factor: YaRN, 0 for none.
    """

    model: str
    slice: str = ""
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
    offload: Literal["host", "device", "disk"] = "host"
    batch: int = 1
    accumulation: int = 4
    weight_decay: float = 0.01
    max_tokens: int = 20_000
    packing: bool = False
    learning_rate: float = 2e-4
    schedule: Literal["cosine", "linear", "constant"] = "cosine"
    warmup: int = 10
    epochs: float = 2.0
    steps: int = 0
    general: float = 0.0
    seed: int = 3407
    evaluate_every: int = 50
    save_every: int = 50
    rope_factor: float = 0.0
    card_gb: int = 16
    host_gb: int = 32

    def __post_init__(self) -> None:
        least: dict[str, float] = {
            "rank": 1,
            "alpha": 1,
            "batch": 1,
            "accumulation": 1,
            "max_tokens": 16,
            "steps": 0,
            "warmup": 0,
            "epochs": 0,
            "evaluate_every": 1,
            "save_every": 1,
            "weight_decay": 0,
            "seed": 0,
            "rope_factor": 0,
            "card_gb": 0,
            "host_gb": 1,
        }
        for name, low in least.items():
            if getattr(self, name) < low:
                raise BadSetting(f"{name} is {getattr(self, name)}; it must be {low} or more")
        for name in ("dropout", "general"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise BadSetting(f"{name} is {getattr(self, name)}; it must lie between 0 and 1, 1 excluded")
        if not 0.0 < self.learning_rate < 1.0:
            raise BadSetting(f"learning_rate is {self.learning_rate}; it must lie between 0 and 1, both excluded")


def names() -> list[str]:
    """The shipped recipes."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load(recipe: str) -> Recipe:
    """A shipped recipe by name, or a TOML file by path."""
    path = Path(recipe)
    if path.suffix != ".toml":
        if recipe not in names():
            raise UnknownName.nearest("recipe", recipe, names())
        path = SHIPPED / f"{recipe}.toml"
    return build(Recipe, read_toml(path), path.name)
