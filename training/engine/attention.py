"""Causal attention over packed sequences, with an output and logsumexp that can be kept and replayed in the backward
pass.

Knows: PyTorch's FlashAttention-2 (varlen, grouped heads not expanded), cuDNN's attention, and a reference in plain
PyTorch that runs anywhere in blocks of rows. Does not know layers, projections or where tensors are kept.
Shapes: q [T, H, d], k and v [T, K, d] with H a multiple of K; out [T, H, d]; logsumexp [H, T] fp32.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Protocol

import torch
from torch import Tensor

from fabai.errors import BadSetting, MissingPart

from .settings import AttentionName

_BLOCK = 512
_aten = torch.ops.aten


@dataclass(frozen=True)
class Spans:
    """The sequences packed into one row of tokens: their bounds (0, n1, n1+n2, ..., T), on the host and on the
    device.
    """

    bounds: tuple[int, ...]
    cumulative: Tensor

    @classmethod
    def of(cls, lengths: Sequence[int], device: torch.device) -> Spans:
        """Spans of sequences with these lengths, in order."""
        bounds = (0, *accumulate(lengths))
        return cls(bounds, torch.tensor(bounds, dtype=torch.int32, device=device))

    @property
    def longest(self) -> int:
        """Tokens in the longest sequence."""
        return max(stop - start for start, stop in pairwise(self.bounds))

    def __iter__(self) -> Iterator[slice]:
        return (slice(start, stop) for start, stop in pairwise(self.bounds))


class Attention(Protocol):
    """One way of computing it. `window` is the number of keys a query sees (itself included), None for all before
    it.
    """

    name: str

    def forward(self, q: Tensor, k: Tensor, v: Tensor, spans: Spans, scale: float, window: int | None) -> list[Tensor]:
        """[out, logsumexp]."""
        ...

    def backward(
        self, grad: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, logsumexp: Tensor,
        spans: Spans, scale: float, window: int | None,
    ) -> list[Tensor]:  # fmt: skip
        """[dq, dk, dv]."""
        ...


class Flash:
    """FlashAttention-2 as PyTorch ships it: fp16 or bf16, compute capability 8.0 and above."""

    name = "flash"

    def __init__(self) -> None:
        self._unused: tuple[Tensor, Tensor] | None = None

    def forward(self, q: Tensor, k: Tensor, v: Tensor, spans: Spans, scale: float, window: int | None) -> list[Tensor]:
        """[out, logsumexp] of all sequences in one launch."""
        bounds, longest = spans.cumulative, spans.longest
        out, logsumexp, seed, offset, _ = _aten._flash_attention_forward(
            q, k, v, bounds, bounds, longest, longest, 0.0, True, False, scale=scale, window_size_left=_left(window),
            window_size_right=0 if window is not None else None,
        )  # fmt: skip
        self._unused = (seed, offset)  # dropout state, read by the backward op only when dropout is on
        return [out, logsumexp]

    def backward(
        self, grad: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, logsumexp: Tensor,
        spans: Spans, scale: float, window: int | None,
    ) -> list[Tensor]:  # fmt: skip
        """[dq, dk, dv] from the kept output and logsumexp."""
        bounds, longest = spans.cumulative, spans.longest
        seed, offset = self._unused or (q.new_zeros(2, dtype=torch.int64), q.new_zeros((), dtype=torch.int64))
        return list(
            _aten._flash_attention_backward(
                grad, q, k, v, out, logsumexp, bounds, bounds, longest, longest, 0.0, True, seed, offset, scale=scale,
                window_size_left=_left(window), window_size_right=0 if window is not None else None,
            )
        )  # fmt: skip


class Cudnn:
    """cuDNN's attention, the fastest on Hopper; one launch a sequence, no sliding window."""

    name = "cudnn"

    def forward(self, q: Tensor, k: Tensor, v: Tensor, spans: Spans, scale: float, window: int | None) -> list[Tensor]:
        """[out, logsumexp]; the heads of k and v are not expanded."""
        _refuse_window(window, spans)
        outs, sums = [], []
        for span in spans:
            if span.stop - span.start == 1:  # cuDNN refuses single tokens
                one = Reference().forward(q[span], k[span], v[span], _single(q), scale, None)
                outs.append(one[0])
                sums.append(one[1])
                continue
            out, logsumexp, *_ = _aten._scaled_dot_product_cudnn_attention(
                _heads(q[span]), _heads(k[span]), _heads(v[span]), None, True, 0.0, True, False, scale=scale
            )
            outs.append(out[0].transpose(0, 1))
            sums.append(logsumexp.reshape(q.shape[1], -1))
        return [_joined(outs, 0), _joined(sums, 1)]

    def backward(
        self, grad: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, logsumexp: Tensor,
        spans: Spans, scale: float, window: int | None,
    ) -> list[Tensor]:  # fmt: skip
        """[dq, dk, dv] from the kept output and logsumexp."""
        _refuse_window(window, spans)
        seed = torch.zeros((), dtype=torch.int64, device=q.device)  # dropout state, not read: dropout is off
        grads: tuple[list[Tensor], ...] = ([], [], [])
        for span in spans:
            length = span.stop - span.start
            if length == 1:
                one = Reference().backward(
                    grad[span], q[span], k[span], v[span], out[span], logsumexp[:, span], _single(q), scale, None
                )
                for into, part in zip(grads, one, strict=True):
                    into.append(part)
                continue
            # PyTorch reuses cuDNN's plan for the same lengths and strides of q, k, v, and with it the stride of these
            # sums, which in a slice would be the whole row's length: a row of another length would read wrong sums
            sums = logsumexp[None, :, span, None].contiguous()
            found = _aten._scaled_dot_product_cudnn_attention_backward(
                _heads(grad[span]), _heads(q[span]), _heads(k[span]), _heads(v[span]), _heads(out[span]),
                sums, seed, seed, None, None, None, length, length, 0.0, True, scale=scale,
            )  # fmt: skip
            for into, part in zip(grads, found, strict=True):
                into.append(part[0].transpose(0, 1))
        return [_joined(parts, 0) for parts in grads]


class Reference:
    """Attention by its definition, 512 query rows at a time: any device and float type; half types are computed in
    fp32.
    """

    name = "reference"

    def forward(self, q: Tensor, k: Tensor, v: Tensor, spans: Spans, scale: float, window: int | None) -> list[Tensor]:
        """[out, logsumexp]."""
        out = q.new_empty(q.shape)
        logsumexp = q.new_empty(q.shape[1], q.shape[0], dtype=_wide(q).dtype)
        for rows, keys in _blocks(spans, window):
            scores = _scores(q, k, rows, keys, scale, window)
            logsumexp[:, rows] = scores.logsumexp(-1)
            weights = (scores - logsumexp[:, rows, None]).exp()
            out[rows] = (weights @ _grouped(v[keys], q.shape[1])).transpose(0, 1).to(q.dtype)
        return [out, logsumexp]

    def backward(
        self, grad: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, logsumexp: Tensor,
        spans: Spans, scale: float, window: int | None,
    ) -> list[Tensor]:  # fmt: skip
        """[dq, dk, dv] from the kept output and logsumexp."""
        dq = torch.empty_like(q)
        dk, dv = (torch.zeros(one.shape, dtype=_wide(one).dtype, device=one.device) for one in (k, v))
        heads, kv_heads = q.shape[1], k.shape[1]
        for rows, keys in _blocks(spans, window):
            weights = (_scores(q, k, rows, keys, scale, window) - logsumexp[:, rows, None]).exp()
            upper = _wide(grad[rows]).transpose(0, 1)
            inner = upper @ _grouped(v[keys], heads).transpose(1, 2)
            centre = (upper * _wide(out[rows]).transpose(0, 1)).sum(-1, keepdim=True)
            slope = weights * (inner - centre) * scale
            dq[rows] = (slope @ _grouped(k[keys], heads)).transpose(0, 1).to(q.dtype)
            of_keys = (slope.transpose(1, 2) @ _wide(q[rows]).transpose(0, 1), weights.transpose(1, 2) @ upper)
            for into, found in zip((dk, dv), of_keys, strict=True):
                into[keys] += found.unflatten(0, (kv_heads, -1)).sum(1).transpose(0, 1)  # type: ignore[no-untyped-call]
        return [dq, dk.to(k.dtype), dv.to(v.dtype)]


def choose(name: AttentionName, device: torch.device, dtype: torch.dtype, windowed: bool) -> Attention:
    """The attention for a device and float type; BadSetting or MissingPart names what the wanted one lacks."""
    half = dtype in (torch.bfloat16, torch.float16)
    capability = torch.cuda.get_device_capability(device) if device.type == "cuda" else (0, 0)
    if name == "auto":
        if capability[0] == 9 and half and not windowed:
            return Cudnn()
        return Flash() if capability >= (8, 0) and half else Reference()
    if name == "reference":
        return Reference()
    if device.type != "cuda":
        raise MissingPart(f"attention '{name}' needs a CUDA card; set attention to 'auto' or 'reference'")
    if capability < (8, 0):
        raise MissingPart(
            f"attention '{name}' needs a card of the Ampere generation or later (this one has compute capability "
            f"{capability[0]}.{capability[1]}); set attention to 'auto'"
        )
    if not half:
        raise BadSetting(f"attention '{name}' computes in bf16 or fp16, not {dtype}; set attention to 'auto'")
    return Flash() if name == "flash" else Cudnn()


def _left(window: int | None) -> int | None:
    return None if window is None else window - 1


def _refuse_window(window: int | None, spans: Spans) -> None:
    if window is not None and window < spans.longest:
        raise BadSetting("cuDNN's attention has no sliding window; set attention to 'flash'")


def _single(like: Tensor) -> Spans:
    return Spans.of((1,), like.device)


def _heads(x: Tensor) -> Tensor:
    return x.transpose(0, 1)[None]


def _joined(parts: list[Tensor], axis: int) -> Tensor:
    return parts[0].contiguous() if len(parts) == 1 else torch.cat(parts, axis)


def _wide(x: Tensor) -> Tensor:
    return x if x.dtype == torch.float64 else x.float()


def _grouped(x: Tensor, heads: int) -> Tensor:
    """[n, K, d] -> [heads, n, d], each KV head repeated for its query heads."""
    return _wide(x).transpose(0, 1).repeat_interleave(heads // x.shape[1], 0)


def _blocks(spans: Spans, window: int | None) -> Iterator[tuple[slice, slice]]:
    """Query rows with the keys that any of them may see."""
    for span in spans:
        for start in range(span.start, span.stop, _BLOCK):
            stop = min(start + _BLOCK, span.stop)
            first = span.start if window is None else max(span.start, start - window + 1)
            yield slice(start, stop), slice(first, stop)


def _scores(q: Tensor, k: Tensor, rows: slice, keys: slice, scale: float, window: int | None) -> Tensor:
    scores = _wide(q[rows]).transpose(0, 1) @ _grouped(k[keys], q.shape[1]).transpose(1, 2) * scale
    query = torch.arange(rows.start, rows.stop, device=q.device)[:, None]
    key = torch.arange(keys.start, keys.stop, device=q.device)[None]
    hidden = key > query
    if window is not None:
        hidden |= key <= query - window
    return scores.masked_fill_(hidden, float("-inf"))
