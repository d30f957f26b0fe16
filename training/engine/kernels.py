"""The functions of `fabai.training.engine.plain` as fused Triton kernels, each one pass over its tensors.

Knows the same functions with the same shapes; needs a CUDA device and Triton. Does not know when to be used: `choose`
in `fabai.training.engine.elementwise` does. Offsets are 64-bit: 143,360 tokens times 24,576 exceed 31 bits.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,untyped-decorator,no-any-unimported"

from __future__ import annotations

import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def _rms(x, weight, out, x_stride, out_stride, width, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    inside = column < width
    value = tl.load(x + row * x_stride + column, mask=inside, other=0.0).to(tl.float32)
    factor = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(value * value, axis=0) / width + eps)
    tl.store(out + row * out_stride + column, (value * scale * factor).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _add_rms_backward(total, x, weight, grad, total_stride, x_stride, grad_stride, width, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    inside = column < width
    value = tl.load(x + row * x_stride + column, mask=inside, other=0.0).to(tl.float32)
    factor = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    upper = tl.load(grad + row * grad_stride + column, mask=inside, other=0.0).to(tl.float32) * factor
    before = tl.load(total + row * total_stride + column, mask=inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(value * value, axis=0) / width + eps)
    unit = value * scale
    slope = scale * (upper - unit * (tl.sum(upper * unit, axis=0) / width))
    tl.store(total + row * total_stride + column, (before + slope).to(total.dtype.element_ty), mask=inside)


@triton.jit
def _rotate(
    raw, out, weight, cos, sin, raw_stride, raw_head, out_stride, out_head, heads, eps,
    HALF: tl.constexpr, HEADS: tl.constexpr, NORM: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    head = tl.arange(0, HEADS)[:, None]
    column = tl.arange(0, HALF)[None, :]
    inside = (head < heads) & (column < HALF)
    source = raw + row * raw_stride + head * raw_head + column
    first = tl.load(source, mask=inside, other=0.0).to(tl.float32)
    second = tl.load(source + HALF, mask=inside, other=0.0).to(tl.float32)
    if NORM:
        square = tl.sum(first * first, axis=1) + tl.sum(second * second, axis=1)
        scale = tl.rsqrt(square / (2 * HALF) + eps)[:, None]
        first = first * scale * tl.load(weight + column).to(tl.float32)
        second = second * scale * tl.load(weight + column + HALF).to(tl.float32)
    c = tl.load(cos + row * HALF + column)
    s = tl.load(sin + row * HALF + column)
    target = out + row * out_stride + head * out_head + column
    tl.store(target, (first * c - second * s).to(out.dtype.element_ty), mask=inside)
    tl.store(target + HALF, (second * c + first * s).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _rotate_backward(
    raw, grad, weight, cos, sin, raw_stride, raw_head, grad_stride, grad_head, heads, eps,
    HALF: tl.constexpr, HEADS: tl.constexpr, NORM: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    head = tl.arange(0, HEADS)[:, None]
    column = tl.arange(0, HALF)[None, :]
    inside = (head < heads) & (column < HALF)
    above = grad + row * grad_stride + head * grad_head + column
    upper = tl.load(above, mask=inside, other=0.0).to(tl.float32)
    lower = tl.load(above + HALF, mask=inside, other=0.0).to(tl.float32)
    c = tl.load(cos + row * HALF + column)
    s = tl.load(sin + row * HALF + column)
    first = upper * c + lower * s
    second = lower * c - upper * s
    target = raw + row * raw_stride + head * raw_head + column
    if NORM:
        one = tl.load(target, mask=inside, other=0.0).to(tl.float32)
        two = tl.load(target + HALF, mask=inside, other=0.0).to(tl.float32)
        square = tl.sum(one * one, axis=1) + tl.sum(two * two, axis=1)
        scale = tl.rsqrt(square / (2 * HALF) + eps)[:, None]
        one = one * scale
        two = two * scale
        first = first * tl.load(weight + column).to(tl.float32)
        second = second * tl.load(weight + column + HALF).to(tl.float32)
        mean = ((tl.sum(first * one, axis=1) + tl.sum(second * two, axis=1)) / (2 * HALF))[:, None]
        first = scale * (first - one * mean)
        second = scale * (second - two * mean)
    tl.store(target, first.to(raw.dtype.element_ty), mask=inside)
    tl.store(target + HALF, second.to(raw.dtype.element_ty), mask=inside)


@triton.jit
def _swiglu(gate_up, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < width
    gate = tl.load(gate_up + row * 2 * width + column, mask=inside, other=0.0).to(tl.float32)
    up = tl.load(gate_up + row * 2 * width + width + column, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + row * width + column, (gate * tl.sigmoid(gate) * up).to(out.dtype.element_ty), mask=inside)


@triton.jit
def _swiglu_backward(gate_up, grad, width, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < width
    source = gate_up + row * 2 * width + column
    gate = tl.load(source, mask=inside, other=0.0).to(tl.float32)
    up = tl.load(source + width, mask=inside, other=0.0).to(tl.float32)
    upper = tl.load(grad + row * width + column, mask=inside, other=0.0).to(tl.float32)
    sigmoid = tl.sigmoid(gate)
    tl.store(source, (upper * up * sigmoid * (1 + gate * (1 - sigmoid))).to(gate_up.dtype.element_ty), mask=inside)
    inner = gate * sigmoid
    tl.store(source + width, (upper * inner).to(gate_up.dtype.element_ty), mask=inside)
    tl.store(grad + row * width + column, (inner * up).to(grad.dtype.element_ty), mask=inside)


@triton.jit
def _four_bit(
    packed, absmax, nested, code, offset, table, out, first, half_columns, out_stride,
    PER_BLOCK: tl.constexpr, PER_NESTED: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    byte = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = byte < half_columns
    place = (first + row) * half_columns + byte
    pair = tl.load(packed + place, mask=inside, other=0)
    block = place // (PER_BLOCK // 2)
    level = tl.load(absmax + block, mask=inside, other=0).to(tl.int32)
    scale = tl.load(code + level) * tl.load(nested + block // PER_NESTED, mask=inside, other=0.0) + tl.load(offset)
    left = tl.load(table + (pair >> 4).to(tl.int32)) * scale
    right = tl.load(table + (pair & 15).to(tl.int32)) * scale
    column = tl.program_id(1) * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    value = tl.interleave(left, right).to(out.dtype.element_ty)
    tl.store(out + row * out_stride + column, value, mask=column < 2 * half_columns)


def four_bit(
    packed: Tensor,
    absmax: Tensor,
    nested: Tensor,
    code: Tensor,
    offset: Tensor,
    table: Tensor,
    out: Tensor,
    first: int,
    per_block: int,
    per_nested: int,
) -> None:
    """out [n, columns] = rows of a doubly quantised 4-bit matrix from row `first`: bitsandbytes' three kernels in one
    pass.

    packed: two numbers a byte, the first in the high half; absmax: a level per `per_block` numbers, worth code[level] *
    nested[block // per_nested] + offset; table: the 16 values. columns must be a multiple of per_block.
    """
    half = out.shape[1] // 2
    block = min(1024, triton.next_power_of_2(half))
    _four_bit[(out.shape[0], triton.cdiv(half, block))](
        packed, absmax, nested, code, offset, table, out, first, half, out.stride(0),
        PER_BLOCK=per_block, PER_NESTED=per_nested, BLOCK=block,
    )  # fmt: skip


def rms(x: Tensor, weight: Tensor, eps: float, out: Tensor) -> Tensor:
    """RMSNorm over the last axis: x [t, D], weight [D] -> out [t, D], which may be columns of something wider."""
    _rms[(x.shape[0],)](x, weight, out, x.stride(0), out.stride(0), x.shape[1], eps, **_wide_block(x.shape[1]))
    return out


def add_rms_backward_(total: Tensor, x: Tensor, weight: Tensor, eps: float, grad: Tensor) -> None:
    """total += d(rms(x))/dx applied to grad; all [t, D]."""
    strides = (total.stride(0), x.stride(0), grad.stride(0))
    _add_rms_backward[(x.shape[0],)](total, x, weight, grad, *strides, x.shape[1], eps, **_wide_block(x.shape[1]))


def rotate(raw: Tensor, out: Tensor, weight: Tensor | None, eps: float, cos: Tensor, sin: Tensor) -> None:
    """out = rotary(norm(raw)) per head; raw and out [t, H, d], cos and sin [t, d/2] fp32; no norm where weight is
    None.
    """
    _rotate[(raw.shape[0],)](
        raw, out, raw if weight is None else weight, cos, sin,
        raw.stride(0), raw.stride(1), out.stride(0), out.stride(1), raw.shape[1], eps,
        HALF=raw.shape[2] // 2, HEADS=triton.next_power_of_2(raw.shape[1]), NORM=weight is not None,
    )  # fmt: skip


def rotate_backward_(raw: Tensor, grad: Tensor, weight: Tensor | None, eps: float, cos: Tensor, sin: Tensor) -> None:
    """raw becomes the gradient with respect to raw, from the gradient of `rotate`'s output [t, H, d]."""
    _rotate_backward[(raw.shape[0],)](
        raw, grad, raw if weight is None else weight, cos, sin,
        raw.stride(0), raw.stride(1), grad.stride(0), grad.stride(1), raw.shape[1], eps,
        HALF=raw.shape[2] // 2, HEADS=triton.next_power_of_2(raw.shape[1]), NORM=weight is not None,
    )  # fmt: skip


def swiglu(gate_up: Tensor) -> Tensor:
    """silu(gate) * up for gate_up [t, 2I] -> [t, I]."""
    width = gate_up.shape[1] // 2
    out = gate_up.new_empty((gate_up.shape[0], width))
    _swiglu[(gate_up.shape[0], triton.cdiv(width, 2048))](gate_up, out, width, BLOCK=2048, num_warps=8)
    return out


def swiglu_backward_(gate_up: Tensor, grad: Tensor) -> None:
    """gate_up [t, 2I] becomes its own gradient, from the gradient [t, I] of `swiglu`'s output, which becomes that
    output.
    """
    width = gate_up.shape[1] // 2
    _swiglu_backward[(gate_up.shape[0], triton.cdiv(width, 2048))](gate_up, grad, width, BLOCK=2048, num_warps=8)


def _wide_block(width: int) -> dict[str, int]:
    block = triton.next_power_of_2(width)
    return {"BLOCK": block, "num_warps": max(4, min(16, block // 512))}
