"""Linear maps of a decoder layer: a frozen matrix, and a LoRA adapter worked in thin products beside it.

Knows: several maps of one input as one product (q, k, v; gate, up), row and column ranges of them, dropout masks that
can be drawn again, gradients of the adapters gathered in fp32. The input's gradient and the adapters' are formed by
hand; autograd is not involved. Does not know attention, norms, or when to run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import torch
from torch import Tensor, nn

from .frozen import Frozen

_ALIGN = 8  # numbers: rows of half type then begin at multiples of 16 bytes, which the fast matrix products ask for
_ALL = slice(None)


@dataclass(frozen=True)
class Adapter:
    """A PEFT LoRA pair: a [r, in], b [out, r]; the map adds scale * b a dropout(x)."""

    a: nn.Parameter
    b: nn.Parameter
    scale: float
    dropout: float


@dataclass(frozen=True, eq=False)
class Projection:
    """A linear map of a layer. `number` tells it from its siblings in dropout keys."""

    number: int
    frozen: Frozen
    bias: Tensor | None
    adapter: Adapter | None


class Masks:
    """Dropout masks drawn from a seed and a key, so that the backward pass draws the same ones again."""

    def __init__(self, seed: int, active: bool) -> None:
        self.seed, self.active = seed, active

    def factor(self, like: Tensor, rate: float, key: tuple[int, ...]) -> Tensor:
        """A tensor like `like` of zeros (with probability `rate`) and 1 / (1 - rate)."""
        generator = torch.Generator(like.device).manual_seed(hash((self.seed, *key)) & (2**63 - 1))
        kept = torch.empty_like(like, memory_format=torch.contiguous_format).bernoulli_(1 - rate, generator=generator)
        return kept.div_(1 - rate)


class Gradients:
    """The adapters' gradients of one layer, gathered in fp32 and then added to `.grad`."""

    def __init__(self) -> None:
        self._sums: dict[nn.Parameter, Tensor] = {}

    def of(self, parameter: nn.Parameter) -> Tensor:
        """The running sum of a parameter, fp32 (fp64 for fp64)."""
        found = self._sums.get(parameter)
        if found is None:
            dtype = torch.promote_types(parameter.dtype, torch.float32)
            found = self._sums[parameter] = torch.zeros(parameter.shape, dtype=dtype, device=parameter.device)
        return found

    def deliver(self) -> None:
        """Add the sums to the parameters' gradients."""
        for parameter, total in self._sums.items():
            if not parameter.requires_grad:
                continue
            if parameter.grad is None:
                parameter.grad = total.to(parameter.dtype)
            else:
                parameter.grad.add_(total)
        self._sums.clear()


@dataclass(frozen=True)
class _Part:
    projection: Projection
    adapter: Adapter
    rows: slice
    out: slice
    inner: slice
    a: Tensor
    b: Tensor


class _Product:
    """Row ranges of some maps of one input, stacked, with their adapters in the compute type (b holds the scale)."""

    def __init__(self, maps: Sequence[tuple[Projection, slice]], dtype: torch.dtype) -> None:
        self._maps = maps
        self._bounds = list(pairwise(accumulate((rows.stop - rows.start for _, rows in maps), initial=0)))
        self._parts: list[_Part] = []
        self._rank = 0
        for (projection, rows), (start, stop) in zip(maps, self._bounds, strict=True):
            adapter = projection.adapter
            if adapter is None:
                continue
            inner = slice(self._rank, self._rank + adapter.a.shape[0])
            b = (adapter.b.detach()[rows] * adapter.scale).to(dtype)
            a = adapter.a.detach().to(dtype)
            self._parts.append(_Part(projection, adapter, rows, slice(start, stop), inner, a, b))
            self._rank = inner.stop
        self._down = torch.cat([part.a for part in self._parts]) if self._parts else None

    def _bias(self, weight: Tensor) -> Tensor | None:
        if all(projection.bias is None for projection, _ in self._maps):
            return None
        bias = weight.new_zeros(weight.shape[0])
        for (projection, rows), (start, stop) in zip(self._maps, self._bounds, strict=True):
            if projection.bias is not None:
                bias[start:stop] = projection.bias[rows]
        return bias


class WideProduct(_Product):
    """Several maps of one input: y = [x, thin] [W, B]', where thin = a x; the adapters ride in the wide product's
    inner axis.

    Adding the adapters' part to y afterwards would read and write y once more, a fifth of the product's time at rank
    16, and round it twice. pieces: the input lies in this many equal ranges of columns, each with dropout of its own
    (its place in the key is the third).
    """

    def __init__(self, maps: Sequence[tuple[Projection, slice]], dtype: torch.dtype, pieces: int = 1) -> None:
        super().__init__(maps, dtype)
        self._pieces = pieces
        first = maps[0][0].frozen
        self.columns = first.columns
        self._width = -(-(self.columns + self._rank) // _ALIGN) * _ALIGN
        self._weight = torch.empty(self._bounds[-1][1], self._width, dtype=dtype, device=_device(first))
        for (projection, rows), (start, stop) in zip(maps, self._bounds, strict=True):
            projection.frozen.write(self._weight[start:stop, : self.columns], rows)
        self._weight[:, self.columns :] = 0
        for part in self._parts:
            self._weight[part.out, self._thin(part)] = part.b
        self._bias_row = self._bias(self._weight)

    def room(self, x: Tensor) -> Tensor:
        """[t, columns + some]: the caller writes the product's input into its first `columns`."""
        room = x.new_empty(x.shape[0], self._width)
        if self._width > self.columns + self._rank:
            room[:, self.columns + self._rank :] = 0
        return room

    def forward(self, room: Tensor, masks: Masks, key: tuple[int, ...], out: Tensor | None = None) -> Tensor:
        """y [t, out] (written to `out` where given); afterwards `room` also holds the thin products."""
        self.fill(room, masks, key)
        y = torch.mm(room, self._weight.t(), out=out)
        return y if self._bias_row is None else y.add_(self._bias_row)

    def add_(self, total: Tensor, room: Tensor, masks: Masks, key: tuple[int, ...]) -> None:
        """total [t, out] += y, rounded once."""
        self.fill(room, masks, key)
        total.addmm_(room, self._weight.t())
        if self._bias_row is not None:
            total.add_(self._bias_row)

    def fill(self, room: Tensor, masks: Masks, key: tuple[int, ...]) -> None:
        """Write the thin products into `room`, beside the input."""
        x = room[:, : self.columns]
        found = [self._masked(x, masks, part, key) for part in self._parts]
        if self._down is not None and all(mask is None for mask in found):
            torch.mm(x, self._down.t(), out=room[:, self.columns : self.columns + self._rank])
        else:
            for part, mask in zip(self._parts, found, strict=True):
                torch.mm(x if mask is None else x * mask, part.a.t(), out=room[:, self._thin(part)])

    def backward(
        self,
        room: Tensor,
        grad: Tensor,
        masks: Masks,
        key: tuple[int, ...],
        gradients: Gradients,
        into: Tensor,
        add: bool,
    ) -> None:
        """into [t, columns] becomes the input's gradient, or gets it added; the adapters' gradients go to `gradients`.

        room: as `forward` or `fill` left it.
        """
        x = room[:, : self.columns]
        inward = x.new_empty(x.shape[0], self._rank)
        for part in self._parts:
            above = grad[:, part.out]
            torch.mm(above, part.b, out=inward[:, part.inner])
            gradients.of(part.adapter.b)[part.rows].add_(
                _outer(above, room[:, self._thin(part)]), alpha=part.adapter.scale
            )
        dropped: list[Tensor] = []
        sums: Tensor | None = None
        for part in self._parts:
            mask, thin = _mask(x, masks, part, key), inward[:, part.inner]
            if mask is not None:
                gradients.of(part.adapter.a).add_(_outer(thin, x * mask))
                dropped.append((thin @ part.a).mul_(mask))
                continue
            sums = _outer(inward, x) if sums is None else sums
            gradients.of(part.adapter.a).add_(sums[part.inner])
        if self._down is not None and not dropped:
            into.addmm_(inward, self._down) if add else torch.mm(inward, self._down, out=into)
            add = True
        weight = self._weight[:, : self.columns]
        into.addmm_(grad, weight) if add else torch.mm(grad, weight, out=into)
        for one in dropped:
            into.add_(one)

    def _masked(self, x: Tensor, masks: Masks, part: _Part, key: tuple[int, ...]) -> Tensor | None:
        if self._pieces == 1:
            return _mask(x, masks, part, key)
        found = [
            _mask(piece, masks, part, (*key[:2], number, *key[3:]))
            for number, piece in enumerate(x.chunk(self._pieces, dim=1))
        ]
        kept = [mask for mask in found if mask is not None]
        return torch.cat(kept, dim=1) if kept else None

    def _thin(self, part: _Part) -> slice:
        return slice(self.columns + part.inner.start, self.columns + part.inner.stop)


class NarrowProduct(_Product):
    """One map that adds to a residual, whole or by column ranges of its input: o and down."""

    def __init__(self, projection: Projection, dtype: torch.dtype) -> None:
        super().__init__([(projection, slice(0, projection.frozen.rows))], dtype)
        self._weight = projection.frozen.dense(dtype)
        self._bias_row = self._bias(self._weight)

    def add_(self, total: Tensor, x: Tensor, masks: Masks, key: tuple[int, ...]) -> None:
        """total [t, out] += the map of x."""
        for part in self._parts:
            total.addmm_(self._inner(part, x, masks, key, _ALL), part.b.t())
        total.addmm_(x, self._weight.t())
        if self._bias_row is not None:
            total.add_(self._bias_row)

    def backward(
        self,
        grad: Tensor,
        like: Tensor,
        masks: Masks,
        key: tuple[int, ...],
        columns: slice = _ALL,
        out: Tensor | None = None,
    ) -> Tensor:
        """The gradient of the input's `columns` [t, columns]; `like` is that input or any tensor of its shape."""
        dx = torch.mm(grad, self._weight[:, columns], out=out)
        for part in self._parts:
            inward, mask = grad @ part.b, _mask(like, masks, part, key)
            if mask is None:
                dx.addmm_(inward, part.a[:, columns])
            else:
                dx.add_((inward @ part.a[:, columns]).mul_(mask))
        return dx

    def gather(
        self, x: Tensor, grad: Tensor, masks: Masks, key: tuple[int, ...], gradients: Gradients, columns: slice = _ALL
    ) -> None:
        """The adapter's gradients from the input's `columns` and the output's gradient."""
        for part in self._parts:
            inward, mask = grad @ part.b, _mask(x, masks, part, key)
            thin = self._inner(part, x, masks, key, columns)
            gradients.of(part.adapter.b).add_(_outer(grad, thin), alpha=part.adapter.scale)
            gradients.of(part.adapter.a)[:, columns].add_(_outer(inward, x if mask is None else x * mask))

    @staticmethod
    def _inner(part: _Part, x: Tensor, masks: Masks, key: tuple[int, ...], columns: slice) -> Tensor:
        mask = _mask(x, masks, part, key)
        return (x if mask is None else x * mask) @ part.a[:, columns].t()


def _mask(x: Tensor, masks: Masks, part: _Part, key: tuple[int, ...]) -> Tensor | None:
    if part.adapter.dropout == 0.0 or not masks.active:
        return None
    return masks.factor(x, part.adapter.dropout, (*key, part.projection.number))


def _device(frozen: Frozen) -> torch.device:
    assert frozen.live is not None
    return next(iter(frozen.live.values())).device


def _outer(left: Tensor, right: Tensor) -> Tensor:
    """left' right in fp32 where the device can sum halves into fp32, else rounded to their type first."""
    if left.is_cuda and left.dtype in (torch.bfloat16, torch.float16):
        return torch.mm(left.t(), right, out_dtype=torch.float32)
    return left.t() @ right
