"""One step: the walk through the layers forward and back, and what is put away and fetched on the way.

Knows the order of layers, checkpoints and uploads. The last layer's MLP and the head run on labelled tokens only;
layers below are worked in segments of `spacing`, each from one kept input. Does not know the arithmetic inside a layer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

import torch
from torch import Tensor

from .frozen import LayerWeights
from .loss import Head
from .projection import Gradients
from .settings import IGNORED, Place
from .traffic import Shelf
from .work import Scene, Worker


@dataclass(frozen=True)
class Batch:
    """ids [T] (any device), targets [T] on the device (-100 for none), the scene, and the factor of the summed loss."""

    ids: Tensor
    targets: Tensor
    scene: Scene
    share: float


@dataclass
class _Top:
    """What the last layer leaves for backward: its input, the labelled rows, their residual and the loss's gradient."""

    x: Tensor
    rows: Tensor
    h: Tensor
    dy: Tensor


class Step:
    """A forward pass and, once, its backward pass."""

    def __init__(self, worker: Worker, weights: LayerWeights, shelf: Shelf, head: Head, batch: Batch) -> None:
        self._worker, self._weights, self._shelf, self._head, self.batch = worker, weights, shelf, head, batch
        self._settings = worker.settings
        self._last = len(worker.decoder.layers) - 1
        self._top: _Top | None = None
        self._open: int | None = None
        self._over = False

    def drop(self) -> None:
        """Forget everything; `backward` is no longer possible."""
        self._over = True
        self._top = None
        self._shelf.clear()
        self._weights.close_all()

    def reserve(self) -> None:
        """Make the host buffers that a step of this batch fills, so that no step waits for the system to lock pages."""
        settings, decoder, tokens = self._settings, self._worker.decoder, self.batch.targets.shape[0]
        item = self._worker.dtype.itemsize
        state = tokens * decoder.hidden * item
        q, kv = (heads * decoder.head_dim // settings.groups for heads in (decoder.heads, decoder.kv_heads))
        outs = {self._slot(number) for number in range(self._last)} if settings.keeps("attention") else set()
        if settings.kept_on == "host":
            for number in range(0, self._last, settings.spacing):
                self._shelf.reserve(("x", number), state)
            for number in range(self._last if settings.keeps("residual") else 0):
                self._shelf.reserve(("h", number), state)
            for slot in outs:
                for group in range(settings.groups):
                    self._shelf.reserve(("out", slot, group), tokens * q * item)
                    if settings.keeps("projections"):
                        self._shelf.reserve(("raw", slot, group), tokens * (q + 2 * kv) * item)

    def forward(self, wanted: bool) -> Tensor:
        """The loss; `wanted` says whether backward will follow."""
        settings, shelf, scene = self._settings, self._shelf, self.batch.scene
        self._weights.fetch(0)
        x = self._embed(wanted and settings.kept_on == "host" and self._last > 0)
        for number in range(self._last):
            self._enter(number, number + 1)
            if wanted and number % settings.spacing == 0 and ("x", number) not in shelf:
                shelf.put(("x", number), x, settings.kept_on)
            h = self._attend(number, x, wanted and settings.keeps("attention"), settings.kept_on)
            if wanted and settings.keeps("residual"):
                shelf.put(("h", number), h, settings.kept_on)
                h = h.clone()
            if settings.groups > 1:
                shelf.settle()
            del x
            x = self._worker.mlp_(number, h, scene)
            del h
            shelf.settle()
        return self._finish(x, wanted)

    def backward(self, grad: Tensor) -> None:
        """Add the gradients, scaled by `grad`, to the adapters' `.grad`."""
        if self._over or self._top is None:
            raise RuntimeError("backward runs once for each loss, and before the next one")
        top, self._top = self._top, None
        scene, gradients, segments = self.batch.scene, Gradients(), self._segments()
        dy = top.dy.mul_(grad.to(top.dy.device) * self.batch.share)
        self._enter(self._last, segments[0].start if segments else None)
        self._worker.mlp_backward_(self._last, top.h, dy, scene, gradients)
        total = torch.zeros_like(top.x)
        total[top.rows] = dy
        self._shelf.put(("x", self._last), top.x, "device")
        del top, dy
        if segments:
            self._fetch(segments[0].start)
        self._attend_backward(self._last, total, gradients)
        for segment, below in zip_longest(segments, segments[1:]):
            self._forward_again(segment)
            for number in reversed(segment):
                under = number - 1 if number > segment.start else None if below is None else below.start
                self._enter(number, under)
                if number == segment.start and below is not None:
                    self._fetch(below.start)
                self._mlp_backward(number, total, gradients)
                self._attend_backward(number, total, gradients)
        self.drop()

    def _finish(self, x: Tensor, wanted: bool) -> Tensor:
        settings, number = self._settings, self._last
        self._enter(number, None)
        whole = self._attend(number, x, wanted, settings.scratch_on)
        rows = (self.batch.targets != IGNORED).nonzero()[:, 0]
        h = whole[rows]
        del whole
        self._shelf.settle()
        y = self._worker.mlp_(number, h.clone() if wanted else h, self.batch.scene)
        total, dy = self._head.loss(y, self.batch.targets[rows], wanted)
        if dy is None:
            self.drop()
        else:
            self._top = _Top(x, rows, h, dy)
        return total * self.batch.share

    def _segments(self) -> list[range]:
        """The layers below the last in segments, topmost first."""
        spacing = self._settings.spacing
        return [range(start, min(start + spacing, self._last)) for start in range(0, self._last, spacing)][::-1]

    def _forward_again(self, segment: range) -> None:
        """From the segment's kept input to the residual of its last layer; puts away what its backward pass needs."""
        settings, shelf, last = self._settings, self._shelf, segment[-1]
        x = shelf.read(("x", segment.start))
        for number in segment:
            self._enter(number, number + 1 if number != last else None)
            if settings.keeps("residual"):
                h = shelf.take(("h", number))
            elif settings.keeps("attention"):
                h = self._attend_again(number, x)
            else:
                h = self._attend(number, x, True, settings.scratch_on)
                if settings.groups > 1:
                    shelf.settle()
            if number == last:
                shelf.put(("x", number), x, "device")
                shelf.put(("h", number), h, "device")
                return
            if number > segment.start:
                shelf.put(("x", number), x, settings.scratch_on, ("x again", number - segment.start))
            x = h
            del h
            self._worker.mlp_(number, x, self.batch.scene)
            shelf.settle()

    def _mlp_backward(self, number: int, total: Tensor, gradients: Gradients) -> None:
        shelf = self._shelf
        if ("h", number) in shelf:
            h = shelf.take(("h", number))
        else:
            x = shelf.read(("x", number))
            h = self._attend_again(number, x)
            shelf.put(("x", number), x, "device")
            del x
        self._worker.mlp_backward_(number, h, total, self.batch.scene, gradients)

    def _attend_backward(self, number: int, total: Tensor, gradients: Gradients) -> None:
        x = self._shelf.take(("x", number))
        self._worker.attend_backward_(number, x, total, self.batch.scene, gradients, self._kept(number))
        gradients.deliver()

    def _attend(self, number: int, x: Tensor, keep: bool, place: Place) -> Tensor:
        shelf, projections = self._shelf, self._settings.keeps("projections")
        slot = self._slot(number)

        def put(group: int, raw: Tensor, out: Tensor, logsumexp: Tensor) -> None:
            if keep:
                shelf.put(("out", number, group), out, place, ("out", slot, group))
                shelf.put(("logsumexp", number, group), logsumexp, place, ("logsumexp", slot, group))
            if keep and projections:
                shelf.put(("raw", number, group), raw, place)

        return self._worker.attend(number, x, self.batch.scene, put)

    def _slot(self, number: int) -> str | int:
        """Which host buffers a layer's attention outputs go to: its own where they are kept, else those of its place
        in a segment.
        """
        if self._settings.keeps("attention") and number < self._last:
            return number
        return "last" if number == self._last else f"again {number % self._settings.spacing}"

    def _attend_again(self, number: int, x: Tensor) -> Tensor:
        hold = self._settings.groups == 1

        def out(group: int) -> Tensor:
            self._fetch_group(number, group + 1)
            return self._shelf.read(("out", number, group), hold=hold)

        return self._worker.attend_again(number, x, self.batch.scene, out)

    def _kept(self, number: int) -> Callable[[int], tuple[Tensor | None, Tensor, Tensor]]:
        shelf = self._shelf

        def group_of(group: int) -> tuple[Tensor | None, Tensor, Tensor]:
            self._fetch_group(number, group + 1)
            raw = shelf.take(("raw", number, group)) if ("raw", number, group) in shelf else None
            return raw, shelf.take(("out", number, group)), shelf.take(("logsumexp", number, group))

        return group_of

    def _fetch(self, number: int) -> None:
        """Start bringing back what a layer's backward pass begins with."""
        if self._settings.prefetch:
            for key in (("x", number), ("h", number)):
                if key in self._shelf:
                    self._shelf.fetch(key)
            self._fetch_group(number, 0)

    def _fetch_group(self, number: int, group: int) -> None:
        if self._settings.prefetch:
            for name in ("out", "logsumexp", "raw"):
                if (name, number, group) in self._shelf:
                    self._shelf.fetch((name, number, group))

    def _enter(self, number: int, following: int | None) -> None:
        """The layer's weights are at hand, those of the one worked before leave, those of the following are on their
        way.
        """
        if self._open is not None and self._open != number:
            self._weights.close(self._open)
        self._open = number
        self._weights.open(number)
        if following is not None:
            self._weights.fetch(following)

    def _embed(self, stage: bool) -> Tensor:
        """The first layer's input; with `stage` its copy on the host is the kept one."""
        matrix, device, dtype = self._worker.decoder.embedding.detach(), self.batch.targets.device, self._worker.dtype
        if matrix.device == device:
            return matrix[self.batch.ids.to(device)].to(dtype)
        ids = self.batch.ids.cpu()
        if not stage or matrix.dtype != dtype:
            return matrix[ids].to(device, dtype)
        home = self._shelf.stage(("x", 0), torch.Size((ids.shape[0], matrix.shape[1])), dtype)
        torch.index_select(matrix, 0, ids, out=home)
        return self._shelf.read(("x", 0))
