"""A trained LoRA adapter on disk, as PEFT writes it: its ranks, its scaling, the base model that it belongs to.

Knows adapter_config.json and where a base may lie. Does not load weights. Layout:
https://huggingface.co/docs/peft/package_reference/lora (LoraConfig)
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabai.errors import WriterError
from fabai.writers.models import MODELS, Kind, place

CONFIG = "adapter_config.json"
WEIGHTS = "adapter_model.safetensors"
RUN = "run.json"
_INSIDE = ("adapter", "final", "best")
"""Sub-folders of a training run in which its adapter may lie."""
_UNUSUAL = ("use_dora", "modules_to_save", "trainable_token_indices", "lora_bias")


@dataclass(frozen=True, slots=True)
class Trained:
    """What the run.json of a training run tells of it; nothing where there is none.

    rope_factor: positions were stretched so many times (YaRN), from `positions` that the base had learnt. mode, cap: of
    the windows that it was shown.
    """

    base: str = ""
    rope_factor: float = 1.0
    positions: int = 0
    mode: str = ""
    cap: int = 0

    def rope(self, config: Mapping[str, Any]) -> dict[str, Any] | None:
        """The rope_parameters that the base's config.json must have for the adapter, None for its own."""
        if self.rope_factor <= 1:
            return None
        own = config.get("rope_parameters") or {}
        return {
            "rope_type": "yarn",
            "rope_theta": own.get("rope_theta", config.get("rope_theta", 10_000.0)),
            "factor": self.rope_factor,
            "original_max_position_embeddings": self.positions or config.get("max_position_embeddings"),
        }


@dataclass(frozen=True, slots=True)
class Adapter:
    """folder: holds adapter_config.json. base: as the adapter names it, "" where it names none. ranks, alphas: by
    pattern of module names, for modules that differ.
    """

    folder: Path
    base: str
    rank: int
    alpha: float
    rank_stabilised: bool
    ranks: Mapping[str, int] = field(default_factory=dict)
    alphas: Mapping[str, float] = field(default_factory=dict)
    unusual: tuple[str, ...] = ()
    """What it holds beyond low-rank updates of linear layers; servers do not load that."""

    @property
    def largest(self) -> int:
        """The highest rank of any module."""
        return max((self.rank, *self.ranks.values()))

    @property
    def name(self) -> str:
        """What a server calls it: the folder's name, in letters that need no quotes."""
        folder = self.folder.resolve()
        named = folder.parent.name if folder.name in _INSIDE else folder.name
        return re.sub(r"[^\w.-]+", "-", named).strip("-") or "adapter"

    def scaling(self, module: str) -> float:
        """What B·A of a module is multiplied by. module: its dotted name in the model."""
        rank, alpha = float(_of(self.ranks, module, self.rank)), float(_of(self.alphas, module, self.alpha))
        return alpha / math.sqrt(rank) if self.rank_stabilised else alpha / rank

    @property
    def trained(self) -> Trained:
        """Of the run that it came from."""
        for where in (self.folder, self.folder.parent):
            if (where / RUN).is_file():
                table = json_object(where / RUN)
                model, shown = (one if isinstance(one := table.get(key), dict) else {} for key in ("model", "examples"))
                return Trained(
                    str(model.get("base") or ""),
                    _number(model.get("rope_factor"), 1.0),
                    int(_number(model.get("positions"), 0)),
                    str(shown.get("mode") or ""),
                    int(_number(shown.get("cap"), 0)),
                )
        return Trained()

    def base_folder(self) -> Path | None:
        """The base model's folder on this machine, None where it is none here (it may be a name of the hub)."""
        if not self.base:
            return None
        for named in (self.base, self.trained.base):
            for path in (self.folder / named, Path(named).expanduser()) if named else ():
                if path.is_dir():
                    return path
        return _fetched(self.base, "folder")

    def base_gguf(self) -> Path | None:
        """A GGUF file of the base model on this machine: beside the adapter, in the base's folder, or fetched by name.

        An adapter of a sliced model goes with the full one too, for it changes no row of the vocabulary.
        """
        folder = self.base_folder()
        for where in [self.folder] if folder is None else [self.folder, folder]:
            found = sorted(path for path in where.glob("*.gguf") if not path.name.startswith("adapter"))
            if len(found) == 1:
                return found[0]
        return _fetched(self.base, "gguf") or (None if folder is None else _fetched(_original(folder), "gguf"))


def adapter_in(folder: Path) -> Path | None:
    """The folder with the adapter: the one named, or where a training run keeps it; None where there is none."""
    return next((one for one in (folder, *(folder / name for name in _INSIDE)) if (one / CONFIG).is_file()), None)


def read_adapter(folder: Path) -> Adapter:
    """The adapter in a folder; WriterError with one sentence where it is none that can be used."""
    where = adapter_in(folder)
    if where is None:
        raise WriterError(f"{folder} holds no adapter: it has no {CONFIG}")
    table = json_object(where / CONFIG)
    if str(table.get("peft_type", "LORA")).upper() != "LORA":
        raise WriterError(f"the adapter in {where} is of the kind {table['peft_type']}, and fabai uses LoRA only")
    try:
        rank, alpha = int(table["r"]), float(table["lora_alpha"])
        ranks = {str(name): int(one) for name, one in (table.get("rank_pattern") or {}).items()}
        alphas = {str(name): float(one) for name, one in (table.get("alpha_pattern") or {}).items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        raise WriterError(
            f"{where / CONFIG} lacks the adapter's rank (r) or lora_alpha; train or copy it again"
        ) from None
    if min((rank, *ranks.values())) < 1:
        raise WriterError(f"{where / CONFIG} gives a rank below 1; train or copy it again")
    return Adapter(
        where,
        str(table.get("base_model_name_or_path") or ""),
        rank,
        alpha,
        bool(table.get("use_rslora")),
        ranks,
        alphas,
        tuple(name for name in _UNUSUAL if table.get(name)),
    )


def base_of(adapter: Adapter) -> Path | str:
    """The base's folder here, else the name by which the hub's cache may have it; WriterError where it is neither."""
    found = adapter.base_folder()
    if found is not None:
        return found
    if not adapter.base:
        raise WriterError(f"{adapter.folder / CONFIG} does not name the model that the adapter was trained on")
    if adapter.base.startswith((".", "/", "~")) or adapter.base.count("/") > 1:
        raise WriterError(
            f"the adapter in {adapter.folder} was trained on {adapter.base}, which is not on this machine; "
            "copy that folder here too"
        )
    return adapter.base


def _of(patterns: Mapping[str, Any], module: str, usual: Any) -> Any:
    """PEFT's rule: a pattern is the end of a module's name, from a dot on; the first that fits counts."""
    return next((value for key, value in patterns.items() if re.match(rf"(.*\.)?({key})$", module)), usual)


def _original(folder: Path) -> str:
    """What a sliced model was cut from, "" for a model that is no slice."""
    manifest = folder / "slice" / "manifest.json"
    return str(json_object(manifest).get("original", "")) if manifest.is_file() else ""


def _fetched(name: str, kind: Kind) -> Path | None:
    """A model of the catalogue that is here: by its name, by the hub repository that it comes from, or by the folder
    that training made of its GGUF file.
    """
    last = name.rstrip("/").rpartition("/")[2].lower().removesuffix("-folder")
    for model in MODELS:
        hub = "" if model.hub is None else model.hub.repository.rpartition("/")[2].lower().removesuffix("-gguf")
        known = {model.name, model.name.removesuffix("-gguf"), hub} - {""}
        if last and model.kind == kind and last in known and place(model).exists():
            return place(model)
    return None


def _number(value: Any, usual: float) -> float:
    return float(value) if isinstance(value, int | float) else usual


def json_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file of a model or an adapter; WriterError where the file holds none."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        table = None
    if not isinstance(table, dict):
        raise WriterError(f"{path} cannot be read: it should hold a JSON object")
    return table
