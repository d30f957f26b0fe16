"""The derivatives written by hand are those of autograd."""

from __future__ import annotations

import pytest
import torch
from fabai.training.engine import plain


def _numbers(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_the_derivative_of_the_norm() -> None:
    x, weight, grad = _numbers(5, 12, seed=0).requires_grad_(), _numbers(12, seed=1), _numbers(5, 12, seed=2)
    (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight).backward(grad)
    total = torch.zeros_like(x)
    plain.add_rms_backward_(total, x.detach(), weight, 1e-6, grad)
    torch.testing.assert_close(total, x.grad)


@pytest.mark.parametrize("normed", [False, True])
def test_the_derivative_of_the_rotation(normed: bool) -> None:
    raw, grad = _numbers(5, 3, 8, seed=0).requires_grad_(), _numbers(5, 3, 8, seed=1)
    angle = _numbers(5, 4, seed=2)
    weight = _numbers(8, seed=3) if normed else None
    x = raw if weight is None else raw * torch.rsqrt(raw.pow(2).mean(-1, keepdim=True) + 1e-6) * weight
    one, two = x.chunk(2, -1)
    c, s = angle.cos()[:, None], angle.sin()[:, None]
    turned = torch.cat((one * c - two * s, two * c + one * s), -1)
    turned.backward(grad)
    out, slope = torch.empty_like(raw), raw.detach().clone()
    plain.rotate(slope, out, weight, 1e-6, angle.cos(), angle.sin())
    torch.testing.assert_close(out, turned.detach())
    plain.rotate_backward_(slope, grad, weight, 1e-6, angle.cos(), angle.sin())
    torch.testing.assert_close(slope, raw.grad)


def test_the_derivative_of_swiglu_and_its_output_again() -> None:
    wide, grad = _numbers(5, 14, seed=0).requires_grad_(), _numbers(5, 7, seed=1)
    gate, up = wide.chunk(2, -1)
    out = torch.nn.functional.silu(gate) * up
    out.backward(grad)
    slope, above = wide.detach().clone(), grad.clone()
    plain.swiglu_backward_(slope, above)
    torch.testing.assert_close(slope, wide.grad)
    torch.testing.assert_close(above, out.detach())
