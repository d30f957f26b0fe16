"""A frozen weight matrix, dense or NF4, and the upload of a layer's frozen bits from the host while another layer
computes.

Knows: bitsandbytes' 4-bit layout (packed nibbles, block maxima, optionally quantised themselves), slabs of exact size.
Does not know adapters or what the matrix multiplies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from .traffic import HostBuffer, Ticket, Traffic

_ALIGN = 256


class Frozen:
    """One frozen matrix [rows, columns] of a linear module. `bits` are its tensors where they live, `live` those in
    use.

    The module keeps owning the weight: when its bits move, the module's own tensors are pointed at the new place.
    """

    def __init__(self, module: nn.Module) -> None:
        weight: Any = module.weight
        self._weight = weight
        self._state: Any = getattr(weight, "quant_state", None)
        if self._state is None:
            self.rows, self.columns = weight.shape
            self.bits = {"weight": weight.data}
        else:
            self.rows, self.columns = self._state.shape
            self.bits = {"packed": weight.data, "absmax": self._state.absmax}
            if self._state.nested:
                self.bits["nested"] = self._state.state2.absmax
        self.live: dict[str, Tensor] | None = self.bits
        self.fused = False  # set by the engine where Triton's kernels are in use
        self._constants: tuple[Tensor, Tensor, Tensor] | None = None

    @property
    def dtype(self) -> torch.dtype:
        """The float type that the matrix stands for."""
        dtype: torch.dtype = self._weight.dtype if self._state is None else self._state.dtype
        return dtype

    def move(self, bits: dict[str, Tensor], device: torch.device) -> None:
        """From now on the bits live in `bits` (same names, same contents); they are in use where that is on
        `device`.
        """
        self.bits = bits
        self.live = bits if next(iter(bits.values())).device == device else None
        if self._state is None:
            self._weight.data = bits["weight"]
            return
        self._weight.data = bits["packed"]
        self._state.absmax = bits["absmax"]
        if self._state.nested:
            self._state.state2.absmax = bits["nested"]
            state = self._state
            self._constants = (state.state2.code.to(device), state.offset.to(device), state.code.to(device))

    def dense(self, dtype: torch.dtype) -> Tensor:
        """The whole matrix in `dtype`; for a dense weight of that type no copy is made."""
        live = self._in_use()
        if self._state is None:
            return live["weight"].to(dtype)
        out = torch.empty(self.rows, self.columns, dtype=dtype, device=live["packed"].device)
        self.write(out, slice(0, self.rows))
        return out

    def write(self, out: Tensor, rows: slice) -> None:
        """Write rows of the matrix into `out` [n, columns]."""
        live = self._in_use()
        if self._state is None:
            out.copy_(live["weight"][rows])
            return
        if self.fused and self._constants is not None and self.columns % self._state.blocksize == 0:
            from . import kernels

            kernels.four_bit(
                live["packed"], live["absmax"], live["nested"], *self._constants, out, rows.start,
                self._state.blocksize, self._state.state2.blocksize,
            )  # fmt: skip
            return
        block: int = self._state.blocksize
        first, last = rows.start * self.columns, rows.stop * self.columns
        if first % block or (last % (2 * block) and rows.stop != self.rows):
            out.copy_(self.dense(out.dtype)[rows])
            return
        packed, absmax = live["packed"].view(-1)[first // 2 : (last + 1) // 2], self._absmax(live)
        values = (
            packed[:, None], absmax[first // block : -(-last // block)], block, self._state.quant_type, list(out.shape),
            out.dtype,
        )  # fmt: skip
        if out.is_cuda and out.is_contiguous():
            torch.ops.bitsandbytes.dequantize_4bit.out(*values, out=out)
        else:  # bitsandbytes writes into contiguous CUDA tensors only
            out.copy_(torch.ops.bitsandbytes.dequantize_4bit(*values))

    def _absmax(self, live: dict[str, Tensor]) -> Tensor:
        if not self._state.nested:
            return live["absmax"]
        assert self._constants is not None
        code, offset, _ = self._constants
        absmax: Tensor = torch.ops.bitsandbytes.dequantize_blockwise(
            live["absmax"], live["nested"], code, self._state.state2.blocksize, torch.float32
        )
        return absmax.add_(offset)

    def _in_use(self) -> dict[str, Tensor]:
        assert self.live is not None, "the layer's weights were not opened"
        return self.live


@dataclass
class _Slab:
    buffer: HostBuffer
    layout: list[dict[str, tuple[int, torch.Size, torch.dtype]]]
    device: Tensor | None = None
    ticket: Ticket | None = None


@dataclass
class LayerWeights:
    """The frozen matrices of every layer: resident on the device, or in host slabs that are uploaded one layer
    ahead.
    """

    layers: Sequence[Sequence[Frozen]]
    traffic: Traffic
    _slabs: dict[int, _Slab] = field(default_factory=dict)

    def to_device(self) -> None:
        """Every layer resident."""
        for layer in self.layers:
            for frozen in layer:
                frozen.move(
                    {name: one.to(self.traffic.device) for name, one in frozen.bits.items()}, self.traffic.device
                )
        self.release()

    def to_host(self, pinned: bool, folder: str | None = None) -> None:
        """Every layer in one host buffer of exact size; in a file in `folder` where one is named."""
        for number, layer in enumerate(self.layers):
            if number in self._slabs:
                continue
            layout: list[dict[str, tuple[int, torch.Size, torch.dtype]]] = []
            size = 0
            for frozen in layer:
                layout.append({})
                for name, one in frozen.bits.items():
                    layout[-1][name] = (size, one.shape, one.dtype)
                    size += -(-one.nbytes // _ALIGN) * _ALIGN
            slab = _Slab(HostBuffer(size, pinned, folder), layout)
            for frozen, places in zip(layer, layout, strict=True):
                bits = {name: slab.buffer.view(shape, dtype, offset) for name, (offset, shape, dtype) in places.items()}
                for name, one in bits.items():
                    one.copy_(frozen.bits[name])
                frozen.move(bits, self.traffic.device)
                if self.traffic.device.type == "cpu":
                    frozen.live = None
            self._slabs[number] = slab

    def fetch(self, number: int) -> None:
        """Start the upload of a layer, unless it is resident or on its way."""
        slab = self._slabs.get(number)
        if slab is not None and slab.device is None:
            slab.device = torch.empty(slab.buffer.size, dtype=torch.uint8, device=self.traffic.device)
            slab.ticket = self.traffic.weights(slab.buffer.bytes, slab.device)

    def open(self, number: int) -> None:
        """The layer's weights are on the device and in use until `close`."""
        self.fetch(number)
        slab = self._slabs.get(number)
        if slab is None or slab.device is None or slab.ticket is None:
            return
        slab.ticket.wait()
        for frozen, places in zip(self.layers[number], slab.layout, strict=True):
            frozen.live = {
                name: slab.device[offset : offset + shape.numel() * dtype.itemsize].view(dtype).view(shape)
                for name, (offset, shape, dtype) in places.items()
            }

    def close(self, number: int) -> None:
        """A streamed layer leaves the device."""
        slab = self._slabs.get(number)
        if slab is not None:
            if slab.ticket is not None:
                slab.ticket.wait()
            slab.device = slab.ticket = None
            for frozen in self.layers[number]:
                frozen.live = None

    def close_all(self) -> None:
        """As `close` for every layer: after a step that failed midway."""
        for number in self._slabs:
            self.close(number)

    @property
    def host_bytes(self) -> int:
        """Bytes of host memory held."""
        return sum(slab.buffer.size for slab in self._slabs.values())

    def release(self) -> None:
        """Free the host buffers; the weights must live elsewhere by now."""
        for slab in self._slabs.values():
            slab.buffer.close()
        self._slabs.clear()
