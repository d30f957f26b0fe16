"""Host buffers of exact size and copies between host and device that overlap with the computation.

Knows: page-locked memory (mapped by us and registered, because PyTorch's pinned allocator rounds each buffer up to a
power of two), side streams, and the order that makes reuse of buffers safe. Does not know what is stored.
On a CPU "device" the same calls copy at once.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Hashable
from dataclasses import dataclass, field
from math import prod

import torch
from torch import Tensor

from .settings import Place


class HostBuffer:
    """`size` bytes of host memory, page-locked where `pinned` and where the system allows (see `locked`).

    folder: the bytes lie in a nameless file there instead, so that the system can put them away when memory is short.
    """

    def __init__(self, size: int, pinned: bool, folder: str | None = None) -> None:
        self.size = size
        if folder is None:
            self._map = mmap.mmap(-1, max(size, 1))
            if hasattr(mmap, "MADV_HUGEPAGE"):
                self._map.madvise(mmap.MADV_HUGEPAGE)
        else:
            with tempfile.TemporaryFile(dir=folder) as file:
                os.posix_fallocate(file.fileno(), 0, max(size, 1))  # a full disk shows here, not as a crash later
                self._map = mmap.mmap(file.fileno(), max(size, 1))
        self.bytes = torch.frombuffer(self._map, dtype=torch.uint8)
        self.locked = pinned and int(torch.cuda.cudart().cudaHostRegister(self.bytes.data_ptr(), max(size, 1), 0)) == 0  # type: ignore[no-untyped-call]

    def view(self, shape: torch.Size, dtype: torch.dtype, offset: int = 0) -> Tensor:
        """A tensor over the buffer's bytes from `offset` (a multiple of the item size)."""
        return self.bytes[offset : offset + prod(shape) * dtype.itemsize].view(dtype).view(shape)

    def close(self) -> None:
        """Unlocks the pages; the memory goes when the last view goes."""
        if self.locked:
            torch.cuda.cudart().cudaHostUnregister(self.bytes.data_ptr())  # type: ignore[no-untyped-call]
            self.locked = False


@dataclass(frozen=True)
class Ticket:
    """A copy under way; `wait` makes the current stream wait for it."""

    event: torch.cuda.Event | None

    def wait(self) -> None:
        """Later work on the current stream sees the copy done."""
        if self.event is not None:
            torch.cuda.current_stream().wait_event(self.event)


class Traffic:
    """Copies on side streams: one out to the host, one back, one for weights."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._streams: tuple[torch.cuda.Stream, ...] | None = (
            tuple(torch.cuda.Stream(device) for _ in range(3)) if device.type == "cuda" else None  # type: ignore[no-untyped-call]
        )

    def out(self, source: Tensor, target: Tensor) -> Ticket:
        """Device to host. The caller waits for the ticket before it changes or drops `source`."""
        return self._copy(source, target, 0, after=())

    def back(self, source: Tensor, target: Tensor) -> Ticket:
        """Host to device, after every copy out. The caller waits for the ticket before it reads or drops `target`."""
        return self._copy(source, target, 1, after=(0,))

    def weights(self, source: Tensor, target: Tensor) -> Ticket:
        """Host to device for data that never changes, so it need not wait for copies out."""
        return self._copy(source, target, 2, after=())

    def finish(self) -> None:
        """Every copy is done when this returns."""
        for stream in self._streams or ():
            stream.synchronize()

    def _copy(self, source: Tensor, target: Tensor, lane: int, after: tuple[int, ...]) -> Ticket:
        if self._streams is None:
            target.copy_(source)
            return Ticket(None)
        stream = self._streams[lane]
        stream.wait_stream(torch.cuda.current_stream())
        for other in after:
            stream.wait_stream(self._streams[other])
        with torch.cuda.stream(stream):
            target.copy_(source, non_blocking=True)
            event = torch.cuda.Event()  # type: ignore[no-untyped-call]
            event.record(stream)
        return Ticket(event)


@dataclass
class _Kept:
    shape: torch.Size
    dtype: torch.dtype
    tensor: Tensor | None
    slot: Hashable = None
    ticket: Ticket | None = None


@dataclass
class Shelf:
    """Tensors of a step put away under a key until they are wanted: on the device as they are, or on the host.

    A host buffer belongs to a slot (the key, if no other is named), is kept from step to step and grows with the
    longest sequence. At most `depth` copies out are under
    way at once; their sources stay alive until `settle`.
    """

    traffic: Traffic
    pinned: bool
    depth: int = 4
    _kept: dict[Hashable, _Kept] = field(default_factory=dict)
    _buffers: dict[Hashable, HostBuffer] = field(default_factory=dict)
    _leaving: list[tuple[Ticket, Tensor]] = field(default_factory=list)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._kept

    def put(self, key: Hashable, tensor: Tensor, place: Place, slot: Hashable = None) -> None:
        """Put `tensor` away under `key`; the caller must not write to it before `settle`."""
        if place == "device":
            self._kept[key] = _Kept(tensor.shape, tensor.dtype, tensor)
            return
        self._leaving.append((self.traffic.out(tensor, self._home(key, tensor.shape, tensor.dtype, slot)), tensor))
        while len(self._leaving) > self.depth:
            self._leaving.pop(0)[0].wait()

    def stage(self, key: Hashable, shape: torch.Size, dtype: torch.dtype) -> Tensor:
        """The host tensor under `key`, to be filled by the caller at once: no copy is reading it any more."""
        self.traffic.finish()
        return self._home(key, shape, dtype, None)

    def _home(self, key: Hashable, shape: torch.Size, dtype: torch.dtype, slot: Hashable) -> Tensor:
        slot = key if slot is None else slot
        self._kept[key] = _Kept(shape, dtype, None, slot)
        return self.reserve(slot, prod(shape) * dtype.itemsize).view(shape, dtype)

    def reserve(self, slot: Hashable, size: int) -> HostBuffer:
        """The slot's host buffer, of `size` bytes or more."""
        buffer = self._buffers.get(slot)
        if buffer is None or buffer.size < size:
            if buffer is not None:
                self.traffic.finish()
                buffer.close()
            buffer = self._buffers[slot] = HostBuffer(size, self.pinned)
        return buffer

    def settle(self) -> None:
        """Later work on the current stream may overwrite whatever was put on the host before."""
        for ticket, _ in self._leaving:
            ticket.wait()
        self._leaving.clear()

    def fetch(self, key: Hashable) -> None:
        """Start bringing `key` back to the device."""
        kept = self._kept[key]
        if kept.tensor is None:
            kept.tensor = torch.empty(kept.shape, dtype=kept.dtype, device=self.traffic.device)
            kept.ticket = self.traffic.back(self._buffers[kept.slot].view(kept.shape, kept.dtype), kept.tensor)

    def read(self, key: Hashable, hold: bool = False) -> Tensor:
        """The tensor of `key` on the device; it stays on the shelf: with `hold` as this very tensor, else where it
        was put.
        """
        self.fetch(key)
        kept = self._kept[key]
        tensor = kept.tensor
        assert tensor is not None
        if kept.ticket is not None:
            kept.ticket.wait()
            if hold:
                kept.ticket = None
            else:
                kept.tensor = kept.ticket = None
        return tensor

    def take(self, key: Hashable) -> Tensor:
        """As `read`, and the key is gone."""
        tensor = self.read(key)
        del self._kept[key]
        return tensor

    def clear(self) -> None:
        """Forget every tensor, keep the host buffers: after a step, or after one that failed."""
        self.settle()
        for kept in self._kept.values():
            if kept.ticket is not None:
                kept.ticket.wait()
        self._kept.clear()

    @property
    def host_bytes(self) -> int:
        """Bytes of host memory held."""
        return sum(buffer.size for buffer in self._buffers.values())

    @property
    def locked(self) -> bool:
        """Whether every host buffer is page-locked."""
        return all(buffer.locked for buffer in self._buffers.values())

    def close(self) -> None:
        """Free the host buffers."""
        self.clear()
        self.traffic.finish()
        for buffer in self._buffers.values():
            buffer.close()
        self._buffers.clear()
