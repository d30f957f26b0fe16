"""The shape of a decoder model: the numbers that memory and time follow from.

Knows: shapes of some models by name, and how to read one from a model folder's config.json. Does not know weights or
PyTorch.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.errors import BadSetting, UnknownName, UnreadableFile
from fabai.strict import build


@dataclass(frozen=True, slots=True)
class ModelShape:
    """family: transformers' model_type. vocabulary: rows of the embedding. tied: the head is the embedding."""

    family: str
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocabulary: int
    tied: bool = False
    q_norm: bool = False

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.type == "int" and value < 1:
                raise BadSetting(f"{field.name} of the model's shape is {value}; it must be 1 or more")
        if self.heads % self.kv_heads:
            raise BadSetting(f"the model's {self.heads} heads cannot share {self.kv_heads} key-value heads evenly")

    @property
    def projections(self) -> tuple[tuple[int, int], ...]:
        """(out, in) of q, k, v, o, gate, up, down."""
        q, kv = self.heads * self.head_dim, self.kv_heads * self.head_dim
        attention = ((q, self.hidden), (kv, self.hidden), (kv, self.hidden), (self.hidden, q))
        wide = (self.intermediate, self.hidden)
        return (*attention, wide, wide, (self.hidden, self.intermediate))

    @property
    def layer_weights(self) -> int:
        """Frozen numbers in a layer's projections."""
        return sum(out * into for out, into in self.projections)

    def sliced(self, vocabulary: int) -> ModelShape:
        """The same model with another vocabulary."""
        return dataclasses.replace(self, vocabulary=vocabulary)


SHAPES: dict[str, ModelShape] = {
    "qwen3-8b": ModelShape("qwen3", 4096, 36, 32, 8, 128, 12288, 151936, q_norm=True),
    "qwen3-4b": ModelShape("qwen3", 2560, 36, 32, 8, 128, 9728, 151936, tied=True, q_norm=True),
    "qwen3-1.7b": ModelShape("qwen3", 2048, 28, 16, 8, 128, 6144, 151936, tied=True, q_norm=True),
    "qwen3-0.6b": ModelShape("qwen3", 1024, 28, 16, 8, 128, 3072, 151936, tied=True, q_norm=True),
    "llama-3-8b": ModelShape("llama", 4096, 32, 32, 8, 128, 14336, 128256),
    "llama-3.1-8b": ModelShape("llama", 4096, 32, 32, 8, 128, 14336, 128256),
    "mistral-7b": ModelShape("mistral", 4096, 32, 32, 8, 128, 14336, 32768),
    "smollm2-135m": ModelShape("llama", 576, 30, 9, 3, 64, 1536, 49152, tied=True),
}


def shape_of(model: str) -> ModelShape:
    """The shape of a model: a folder with a config.json, a hub id or name of a known model, or
    "hidden=4096,layers=36,...".
    """
    folder = Path(model)
    if (folder / "config.json").is_file():
        return _from_config(folder / "config.json")
    if "=" in model:
        return build(ModelShape, _table(model), "the model shape")
    name = re.sub(r"^(meta-)?|(-base|-instruct)?(-v0\.\d)?$", "", model.rsplit("/", 1)[-1].lower())
    if name not in SHAPES:
        raise UnknownName.nearest("model", model, SHAPES)
    return SHAPES[name]


def _table(text: str) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for pair in text.split(","):
        key, _, value = pair.strip().partition("=")
        table[key] = int(value) if value.isdecimal() else {"true": True, "false": False}.get(value, value)
    return table


def _from_config(path: Path) -> ModelShape:
    try:
        config: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return ModelShape(
            family=config["model_type"],
            hidden=config["hidden_size"],
            layers=config["num_hidden_layers"],
            heads=config["num_attention_heads"],
            kv_heads=config.get("num_key_value_heads") or config["num_attention_heads"],
            head_dim=config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"],
            intermediate=config["intermediate_size"],
            vocabulary=config["vocab_size"],
            tied=bool(config.get("tie_word_embeddings", False)),
            q_norm=config["model_type"] == "qwen3",
        )
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise UnreadableFile(f"{path} is not the configuration of a decoder model ({error})") from None
