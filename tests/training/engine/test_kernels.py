"""The fused kernels equal the plain functions; on the CPU by Triton's interpreter, where Triton is installed."""

from __future__ import annotations

import importlib
import os

import pytest
import torch
from fabai.training.engine import plain
from torch import Tensor

T, HEADS, D = 7, 5, 16


@pytest.fixture(scope="module")
def kernels() -> object:
    pytest.importorskip("triton", reason="triton is not installed: it comes with PyTorch's CUDA builds")
    if not torch.cuda.is_available():
        os.environ["TRITON_INTERPRET"] = "1"
    return importlib.import_module("fabai.training.engine.kernels")


def _numbers(*shape: int, seed: int = 0) -> Tensor:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(device)


def test_rms_and_its_derivative(kernels: object) -> None:
    x, weight, grad = _numbers(T, 96), _numbers(96, seed=1), _numbers(T, 96, seed=2)
    found = [one.rms(x, weight, 1e-6, torch.empty(T, 100, device=x.device)[:, :96]) for one in (kernels, plain)]
    torch.testing.assert_close(*found)
    totals = [_numbers(T, 96, seed=3) for _ in range(2)]
    for one, total in zip((kernels, plain), totals, strict=True):
        one.add_rms_backward_(total, x, weight, 1e-6, grad)
    torch.testing.assert_close(*totals)


@pytest.mark.parametrize("normed", [False, True], ids=["plain heads", "normed heads"])
def test_rotary_with_and_without_a_norm(kernels: object, normed: bool) -> None:
    weight = _numbers(D, seed=1) if normed else None
    cos, sin, grad = _numbers(T, D // 2, seed=2), _numbers(T, D // 2, seed=3), _numbers(T, HEADS, D, seed=4)
    outs = [torch.empty(T, HEADS, D, device=cos.device) for _ in range(2)]
    raws = [_numbers(T, HEADS + 2, D) for _ in range(2)]
    for one, out, raw in zip((kernels, plain), outs, raws, strict=True):
        one.rotate(raw[:, :HEADS], out, weight, 1e-6, cos, sin)
        one.rotate_backward_(raw[:, :HEADS], grad, weight, 1e-6, cos, sin)
    torch.testing.assert_close(*outs)
    torch.testing.assert_close(*raws)


def test_swiglu_and_its_derivative(kernels: object) -> None:
    wide = [_numbers(T, 100) for _ in range(2)]
    torch.testing.assert_close(kernels.swiglu(wide[0]), plain.swiglu(wide[1]))
    grads = [_numbers(T, 50, seed=1) for _ in range(2)]
    for one, gate_up, grad in zip((kernels, plain), wide, grads, strict=True):
        one.swiglu_backward_(gate_up, grad)
    torch.testing.assert_close(*wide)
    torch.testing.assert_close(*grads)


def test_four_bit_rows_equal_bitsandbytes(kernels: object) -> None:
    functional = pytest.importorskip("bitsandbytes.functional")
    packed, state = functional.quantize_4bit(_numbers(24, 192), quant_type="nf4", compress_statistics=True)
    room = torch.zeros(10, 200, device=packed.device)
    kernels.four_bit(
        packed, state.absmax, state.state2.absmax, state.state2.code, state.offset, state.code, room[:, :192], 5, 64,
        state.state2.blocksize,
    )  # fmt: skip
    assert torch.equal(room[:, :192], functional.dequantize_4bit(packed, state)[5:15])
    assert not room[:, 192:].any()
