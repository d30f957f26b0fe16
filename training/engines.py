"""The engines behind one call: a batch in, the loss out whose `backward` fills the adapters' gradients.

Knows how each engine is started on a loaded model and how it is handed a batch. Does not know where batches come from,
optimisers or checkpoints. No engine calls the model's own `forward` for its loss except Unsloth, whose work that is.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping
from typing import Any, Protocol

import torch
from torch import Tensor

from fabai.errors import BadSetting

from .engine import Engine, EngineSettings, prepare
from .loss import labelled, summed_loss
from .plan import wishes
from .recipe import Recipe

Batch = Mapping[str, Any]


class Runner(Protocol):
    """An engine at work on a model."""

    def loss(self, batch: Batch, items: int) -> Tensor:
        """The summed cross entropy of the batch's labelled tokens over `items`, a scalar in fp32; under
        `torch.no_grad` nothing is kept.
        """
        ...

    def reserve(self, tokens: int) -> None:
        """Take what the longest batch needs, so that what is missing shows before any work."""
        ...

    def close(self) -> None:
        """Give back what was taken; the model can be saved and used as any other."""
        ...


def start(
    recipe: Recipe, model: Any, device: torch.device, dtype: torch.dtype, settings: EngineSettings | None, plan: str
) -> Runner:
    """The recipe's engine on a PEFT model. settings and plan: what the planner chose for the fabai engine."""
    if recipe.engine == "fabai":
        return Fabai(prepare(model, settings, device, plan))
    if recipe.engine == "unsloth":
        return Unsloth(model)
    return Layers(model, dtype, recipe.checkpointing, recipe.offload == "host", liger=recipe.engine == "liger")


def settings_for(recipe: Recipe, chosen: EngineSettings | None) -> EngineSettings:
    """The planner's settings with the recipe's wishes in them."""
    return dataclasses.replace(EngineSettings() if chosen is None else chosen, **wishes(recipe))


class Fabai:
    """Our own engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def loss(self, batch: Batch, items: int) -> Tensor:
        return self._engine.loss(
            batch["input_ids"], batch["labels"], items, batch["attention_mask"], batch["lengths"]
        )  # fmt: skip

    def reserve(self, tokens: int) -> None:
        self._engine.reserve(tokens)

    def close(self) -> None:
        self._engine.close()


class Layers:
    """transformers' layers with PEFT, Liger's kernels in them or not; the loss is `fabai.training.loss`."""

    def __init__(self, model: Any, dtype: torch.dtype, checkpointing: bool, offload: bool, liger: bool) -> None:
        self._model, self._dtype = model, dtype
        causal = model.get_base_model()
        if liger:
            from liger_kernel.transformers import _apply_liger_kernel_to_instance

            _apply_liger_kernel_to_instance(causal, fused_linear_cross_entropy=False, cross_entropy=False)
        self._decoder = causal.base_model
        if self._decoder is causal:
            raise BadSetting(f"{type(causal).__name__} has no decoder apart from its head; take another model")
        self._head = causal.get_output_embeddings()
        self._softcap = getattr(causal.config.get_text_config(), "final_logit_softcapping", None)
        self._device = next(model.parameters()).device
        self._offload = offload and checkpointing
        if checkpointing:
            # renamed in transformers 5.24
            enable = getattr(causal, "activation_checkpointing_enable", None) or causal.gradient_checkpointing_enable
            enable({"use_reentrant": False})
        causal.config.use_cache = False

    def loss(self, batch: Batch, items: int) -> Tensor:
        lengths = batch["lengths"]
        positions = None
        if lengths is not None:
            positions = torch.cat([torch.arange(one, device=self._device) for one in lengths])[None]
        kept: contextlib.AbstractContextManager[Any] = contextlib.nullcontext()
        if self._offload and torch.is_grad_enabled() and self._device.type == "cuda":
            kept = torch.autograd.graph.save_on_cpu(pin_memory=True)
        half = self._dtype in (torch.bfloat16, torch.float16)
        with torch.autocast(self._device.type, self._dtype, enabled=half):
            with kept:
                hidden = self._decoder(
                    input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], position_ids=positions,
                    use_cache=False,
                ).last_hidden_state  # fmt: skip
            states, targets = labelled(hidden, batch["labels"])
            return summed_loss(states, targets, self._head, self._softcap) / items

    def reserve(self, tokens: int) -> None:
        """Nothing is taken ahead."""

    def close(self) -> None:
        """Nothing was taken."""


class Unsloth:
    """Unsloth's own forward and loss. It divides by the labelled tokens of the batch; here that is undone."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def loss(self, batch: Batch, items: int) -> Tensor:
        found = self._model(
            input_ids=batch["input_ids"], labels=batch["labels"], attention_mask=batch["attention_mask"]
        ).loss  # fmt: skip
        loss: Tensor = found * (batch["labelled"] / items)
        return loss

    def reserve(self, tokens: int) -> None:
        """Nothing is taken ahead."""

    def close(self) -> None:
        """Nothing was taken."""
