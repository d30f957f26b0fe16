"""The engines that the bench compares, each as "load a checkpoint, then run a step": fabai's own, PEFT, PEFT with
Liger, Unsloth.

Knows how each is set up for QLoRA at its best (gradient checkpointing on, all seven projections, RS-LoRA). Unsloth
patches transformers when it is imported, so each engine wants a process of its own. Does not measure.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from fabai.errors import BadSetting
from fabai.strict import build

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
ENGINES = ("fabai", "peft", "liger", "unsloth")


class Trainee(Protocol):
    """A loaded model with adapters. `model` is the PEFT model."""

    model: Any

    def prepare(self, options: Mapping[str, Any]) -> None:
        """Take on a case's options, before its steps."""
        ...

    def loss(self, ids: Tensor, labels: Tensor) -> Tensor:
        """A loss to call backward on; ids and labels [1, T]."""
        ...


def load(engine: str, folder: Path, rank: int, longest: int) -> Trainee:
    """The engine with the checkpoint of `folder` on the current CUDA device."""
    if engine == "unsloth":
        return _Unsloth(folder, rank, longest)
    if engine not in ENGINES:
        raise BadSetting(f"unknown engine '{engine}'; known: {', '.join(ENGINES)}")
    return _Fabai(folder, rank) if engine == "fabai" else _Plain(folder, rank, liger=engine == "liger")


def _lora(model: Any, rank: int) -> Any:
    from peft import LoraConfig, get_peft_model

    return get_peft_model(
        model,
        LoraConfig(task_type="CAUSAL_LM", r=rank, lora_alpha=rank, use_rslora=True, target_modules=TARGETS),
    )


class _Fabai:
    def __init__(self, folder: Path, rank: int) -> None:
        from transformers import AutoModelForCausalLM

        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16, device_map={"": _device()})
        self.model = _lora(model, rank).train()
        self.engine: Any = None

    def prepare(self, options: Mapping[str, Any]) -> None:
        from .engine import EngineSettings, prepare

        if self.engine is not None:
            self.engine.close()
        self.engine = prepare(self.model, build(EngineSettings, options, "the case"))

    def loss(self, ids: Tensor, labels: Tensor) -> Tensor:
        loss: Tensor = self.engine.loss(ids, labels)
        return loss


class _Plain:
    def __init__(self, folder: Path, rank: int, liger: bool) -> None:
        from transformers import AutoModelForCausalLM

        kind: Any = AutoModelForCausalLM
        if liger:
            from liger_kernel.transformers import AutoLigerKernelForCausalLM

            kind = AutoLigerKernelForCausalLM
        model = kind.from_pretrained(
            folder, dtype=torch.bfloat16, device_map={"": _device()}, attn_implementation="sdpa"
        )
        model.config.use_cache = False
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
        model.enable_input_require_grads()
        self.model = _lora(model, rank).train()

    def prepare(self, options: Mapping[str, Any]) -> None:
        force(options.get("attention", "auto"))

    def loss(self, ids: Tensor, labels: Tensor) -> Tensor:
        loss: Tensor = self.model(input_ids=ids, labels=labels).loss
        return loss


class _Unsloth:
    def __init__(self, folder: Path, rank: int, longest: int) -> None:
        from unsloth import FastLanguageModel

        model, _ = FastLanguageModel.from_pretrained(
            str(folder), max_seq_length=longest, load_in_4bit=True, dtype=torch.bfloat16
        )
        self.model = FastLanguageModel.get_peft_model(
            model, r=rank, target_modules=TARGETS, lora_alpha=rank, lora_dropout=0, bias="none",
            use_gradient_checkpointing="unsloth", use_rslora=True, max_seq_length=longest,
        )  # fmt: skip
        self.model.train()

    def prepare(self, options: Mapping[str, Any]) -> None:
        force(options.get("attention", "auto"))

    def loss(self, ids: Tensor, labels: Tensor) -> Tensor:
        loss: Tensor = self.model(input_ids=ids, labels=labels).loss
        return loss


def force(attention: str) -> None:
    """Limit PyTorch's attention to "flash" or "cudnn" in this process, or leave the choice to it ("auto")."""
    if attention not in ("auto", "flash", "cudnn"):
        raise BadSetting(f"attention '{attention}' cannot be forced on a peer; use auto, flash or cudnn")
    cuda = torch.backends.cuda
    cuda.enable_flash_sdp(attention in ("auto", "flash"))
    cuda.enable_cudnn_sdp(attention in ("auto", "cudnn"))
    cuda.enable_mem_efficient_sdp(attention == "auto")
    cuda.enable_math_sdp(attention == "auto")


def _device() -> int | str:
    return torch.cuda.current_device() if torch.cuda.is_available() else "cpu"
