"""The elementwise steps of a decoder layer and their derivatives in plain PyTorch: any device, any float type.

Knows: RMSNorm, per-head RMSNorm with rotary embedding, SwiGLU. Arithmetic is fp32 inside (fp64 stays fp64), rounded
once. `fabai.training.engine.kernels` has the same functions as fused Triton kernels; tests hold the two equal.
Shapes: t tokens, D hidden, I intermediate, H heads of size d. Functions that end in an underscore write into their
first argument.
"""

from __future__ import annotations

import torch
from torch import Tensor


def _wide(x: Tensor) -> Tensor:
    return x if x.dtype == torch.float64 else x.float()


def rms(x: Tensor, weight: Tensor, eps: float, out: Tensor) -> Tensor:
    """RMSNorm over the last axis: x [t, D], weight [D] -> out [t, D], which may be columns of something wider."""
    wide = _wide(x)
    return out.copy_(wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps) * _wide(weight))


def _rms_backward(wide: Tensor, weight: Tensor, eps: float, grad: Tensor) -> Tensor:
    scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
    unit = wide * scale
    weighted = _wide(grad) * _wide(weight)
    return scale * (weighted - unit * (weighted * unit).mean(-1, keepdim=True))


def add_rms_backward_(total: Tensor, x: Tensor, weight: Tensor, eps: float, grad: Tensor) -> None:
    """total += d(rms(x))/dx applied to grad; all [t, D]."""
    total.copy_(_wide(total) + _rms_backward(_wide(x), weight, eps, grad))


def rotate(raw: Tensor, out: Tensor, weight: Tensor | None, eps: float, cos: Tensor, sin: Tensor) -> None:
    """out = rotary(norm(raw)) per head; raw and out [t, H, d], cos and sin [t, d/2]; no norm where weight is None."""
    wide = _wide(raw)
    if weight is not None:
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps) * _wide(weight)
    first, second = wide.chunk(2, dim=-1)
    c, s = cos[:, None], sin[:, None]
    out.copy_(torch.cat((first * c - second * s, second * c + first * s), dim=-1))


def rotate_backward_(raw: Tensor, grad: Tensor, weight: Tensor | None, eps: float, cos: Tensor, sin: Tensor) -> None:
    """raw becomes the gradient with respect to raw, from the gradient of `rotate`'s output [t, H, d]."""
    first, second = _wide(grad).chunk(2, dim=-1)
    c, s = cos[:, None], sin[:, None]
    turned = torch.cat((first * c + second * s, second * c - first * s), dim=-1)
    raw.copy_(turned if weight is None else _rms_backward(_wide(raw), weight, eps, turned))


def swiglu(gate_up: Tensor) -> Tensor:
    """silu(gate) * up for gate_up [t, 2I] -> [t, I]."""
    gate, up = _wide(gate_up).chunk(2, dim=-1)
    return (torch.nn.functional.silu(gate) * up).to(gate_up.dtype)


def swiglu_backward_(gate_up: Tensor, grad: Tensor) -> None:
    """gate_up [t, 2I] becomes its own gradient, from the gradient [t, I] of `swiglu`'s output, which becomes that
    output.
    """
    gate, up = _wide(gate_up).chunk(2, dim=-1)
    wide = _wide(grad)
    sigmoid = torch.sigmoid(gate)
    slope = sigmoid * (1 + gate * (1 - sigmoid))
    inner = gate * sigmoid
    output, slopes = inner * up, torch.cat((wide * up * slope, wide * inner), dim=-1)
    gate_up.copy_(slopes)  # only now: in fp32, gate and up are views of it
    grad.copy_(output)
