"""Which implementation of the elementwise steps a device gets. Knows the choice, not the arithmetic."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, Protocol

import torch
from torch import Tensor

from fabai.errors import MissingPart


class Elementwise(Protocol):
    """The functions of `plain` and `kernels`."""

    def rms(self, x: Tensor, weight: Tensor, eps: float, out: Tensor) -> Tensor: ...
    def add_rms_backward_(self, total: Tensor, x: Tensor, weight: Tensor, eps: float, grad: Tensor) -> None: ...
    def rotate(self, raw: Tensor, out: Tensor, weight: Tensor | None, eps: float, cos: Tensor, sin: Tensor) -> None: ...
    def rotate_backward_(
        self, raw: Tensor, grad: Tensor, weight: Tensor | None, eps: float, cos: Tensor, sin: Tensor
    ) -> None: ...
    def swiglu(self, gate_up: Tensor) -> Tensor: ...
    def swiglu_backward_(self, gate_up: Tensor, grad: Tensor) -> None: ...


def choose(name: Literal["auto", "triton", "plain"], device: torch.device, head_dim: int) -> Elementwise:
    """The Triton kernels on a CUDA device that has Triton (head size a power of two), else plain PyTorch."""
    from . import plain

    possible = device.type == "cuda" and find_spec("triton") is not None and head_dim & (head_dim - 1) == 0
    if name == "plain" or (name == "auto" and not possible):
        return plain
    if not possible:
        raise MissingPart(
            "kernels 'triton' need a CUDA card, the package triton (pip install triton) and a head size that is "
            "a power of two; set kernels to 'plain' or 'auto'"
        )
    from . import kernels

    return kernels
