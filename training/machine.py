"""The machine at hand, and whether a recipe can run on it: refused here, in one sentence, before anything is loaded.

Knows cards, packages and what each setting asks of them. Does not know models or memory (`plan` does).
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Literal

from fabai.errors import BadSetting, MissingPart, TrainingError

from .recipe import Recipe, load, names

Dtype = Literal["bfloat16", "float16", "float32"]
UNSLOTH = (
    "python3 -m venv .venv-unsloth && .venv-unsloth/bin/pip install -c constraints-unsloth.txt -e '.[unsloth]', then "
    ".venv-unsloth/bin/fabai train"
)
_AMPERE = (8, 0)
_PACKAGES = ("bitsandbytes", "flash_attn", "liger_kernel", "unsloth")


@dataclass(frozen=True, slots=True)
class Gpu:
    """A graphics card: its name, memory in GiB, CUDA compute capability."""

    name: str
    gib: float
    capability: tuple[int, int]

    @property
    def modern(self) -> bool:
        """Ampere or newer: bf16 and FlashAttention-2."""
        return self.capability >= _AMPERE


@dataclass(frozen=True, slots=True)
class Machine:
    """gpus: the cards that PyTorch sees. packages: which of the optional packages are installed."""

    gpus: tuple[Gpu, ...]
    packages: frozenset[str]

    @classmethod
    def here(cls) -> Machine:
        """This one."""
        import torch

        gpus = []
        for number in range(torch.cuda.device_count() if torch.cuda.is_available() else 0):
            found = torch.cuda.get_device_properties(number)
            gpus.append(Gpu(found.name, found.total_memory / 2**30, (found.major, found.minor)))
        return cls(tuple(gpus), frozenset(name for name in _PACKAGES if importlib.util.find_spec(name) is not None))


def check(recipe: Recipe, name: str, machine: Machine, gpus: int = 1) -> None:
    """Refuse what cannot run here; `name` is how the person called the recipe, gpus the cards asked for."""
    if recipe.card_gb > 0 and not machine.gpus:
        raise TrainingError(
            f"{name} needs a graphics card of {recipe.card_gb} GB and PyTorch sees none here; what trains on this "
            f"machine: {', '.join(_without_card())}; what the recipe takes: fabai plan {name}"
        )
    if recipe.card_gb > 0 and gpus > len(machine.gpus):
        raise TrainingError(f"--gpus is {gpus} and PyTorch sees {len(machine.gpus)} here; ask for as many as there are")
    _check_engine(recipe, name, machine)
    _check_numbers(recipe, machine)
    _check_attention(recipe, machine)


def dtype(recipe: Recipe, machine: Machine) -> Dtype:
    """What is computed in."""
    if recipe.dtype != "auto":
        return recipe.dtype
    if recipe.card_gb == 0:
        return "float32"
    return "bfloat16" if all(gpu.modern for gpu in machine.gpus) else "float16"


def attention(recipe: Recipe, machine: Machine) -> str:
    """transformers' attn_implementation for the engines that run its layers; the fabai engine has its own kernels."""
    if recipe.engine == "fabai":
        return "sdpa"
    if recipe.attention != "auto":
        return recipe.attention
    able = recipe.card_gb > 0 and "flash_attn" in machine.packages and all(gpu.modern for gpu in machine.gpus)
    return "flash_attention_2" if able and recipe.engine != "unsloth" else "sdpa"


def _without_card() -> list[str]:
    return [name for name in names() if load(name).card_gb == 0]


def _check_engine(recipe: Recipe, name: str, machine: Machine) -> None:
    if recipe.engine == "liger" and recipe.card_gb == 0:
        raise BadSetting("engine 'liger' runs on NVIDIA cards only; set engine = 'fabai' or 'plain'")
    if recipe.engine == "unsloth" and "unsloth" not in machine.packages:
        raise MissingPart(f"engine 'unsloth' needs an environment of its own: {UNSLOTH} {name}")
    if recipe.engine == "liger" and "liger_kernel" not in machine.packages:
        raise MissingPart("engine 'liger' needs Liger's kernels: pip install liger-kernel")
    small = recipe.quantisation == "nf4" or recipe.optimiser != "adamw_torch"
    if small and "bitsandbytes" not in machine.packages:
        what = "quantisation 'nf4'" if recipe.quantisation == "nf4" else f"optimiser '{recipe.optimiser}'"
        raise MissingPart(f"{what} needs the package bitsandbytes: pip install 'fabai[train]'")


def _check_numbers(recipe: Recipe, machine: Machine) -> None:
    old = [gpu for gpu in machine.gpus if not gpu.modern]
    if recipe.dtype == "bfloat16" and recipe.card_gb > 0 and old:
        raise BadSetting(f"{old[0].name} has no bf16; set dtype = 'auto' or 'float16'")
    if recipe.dtype == "float16" and recipe.card_gb == 0:
        raise BadSetting("the processor does not train in float16; set dtype = 'auto', 'float32' or 'bfloat16'")


def _check_attention(recipe: Recipe, machine: Machine) -> None:
    if recipe.attention != "flash_attention_2":
        return
    if recipe.card_gb == 0:
        raise BadSetting("FlashAttention-2 runs on NVIDIA cards only; set attention = 'auto'")
    old = [gpu for gpu in machine.gpus if not gpu.modern]
    if old:
        raise BadSetting(
            f"FlashAttention-2 needs an Ampere card or newer and {old[0].name} is older (compute capability "
            f"{old[0].capability[0]}.{old[0].capability[1]}); set attention = 'sdpa'"
        )
    if recipe.engine != "fabai" and "flash_attn" not in machine.packages:
        raise MissingPart(
            "attention 'flash_attention_2' needs the package flash-attn (pip install flash-attn --no-build-isolation, "
            "which wants CUDA's compiler); or set attention = 'sdpa', whose kernels PyTorch brings along"
        )
