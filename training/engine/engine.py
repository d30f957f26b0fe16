"""The engine: `prepare` rewrites a PEFT model's placement, `Engine.loss` gives a loss whose `backward` fills the
adapters' `.grad`.

Knows where the parts of a model live and what a batch looks like. Does not know optimisers, data or checkpoints of
training.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from fabai.errors import BadSetting, TrainingError

from . import attention, elementwise, plain
from .architecture import Decoder, read
from .frozen import LayerWeights
from .loss import Head
from .projection import Masks
from .settings import IGNORED, EngineSettings
from .step import Batch, Step
from .traffic import Shelf, Traffic
from .work import Scene, Worker


def prepare(
    model: nn.Module, settings: EngineSettings | None = None, device: torch.device | str | None = None, plan: str = ""
) -> Engine:
    """Place the parts of a PEFT model as `settings` say and return the engine that trains it.

    The model stays a PEFT model: its adapters are the same parameters (on `device`), and saving and loading work as
    ever. While layers are streamed, its own `forward` does not run; `engine.close()` brings everything back to the
    device. `plan` is one sentence with the plan's numbers, quoted when memory runs out. BadSetting where the model or
    a setting cannot be worked.
    """
    settings = EngineSettings() if settings is None else settings
    place = torch.device(device) if device is not None else _default_device()
    decoder = read(model)
    if decoder.kv_heads % settings.groups:
        raise BadSetting(f"groups is {settings.groups}; it must divide the model's {decoder.kv_heads} key-value heads")
    return Engine(model, decoder, settings, place, plan)


class Engine:
    """A prepared model. `loss` runs the forward pass; its `backward` the other. One step at a time."""

    def __init__(
        self, model: nn.Module, decoder: Decoder, settings: EngineSettings, device: torch.device, plan: str
    ) -> None:
        self.settings, self.device, self._plan = settings, device, plan
        self._model, self._decoder = model, decoder
        self.dtype = _compute_dtype(decoder)
        windowed = any(layer.window is not None for layer in decoder.layers)
        self._attention = attention.choose(settings.attention, device, self.dtype, windowed)
        chosen = elementwise.choose(settings.kernels, device, decoder.head_dim)
        traffic = Traffic(device)
        pinned = settings.pinned and device.type == "cuda"
        self._weights = LayerWeights([[one.frozen for one in layer.projections] for layer in decoder.layers], traffic)
        for layer in self._weights.layers:
            for frozen in layer:
                frozen.fused = chosen is not plain
        if settings.stream:
            on_disk = settings.stream_from == "disk"
            self._weights.to_host(pinned and not on_disk, _disk_folder() if on_disk else None)
        else:
            self._weights.to_device()
        self._place_small_parts()
        if decoder.head is not decoder.embedding:
            decoder.embedding.data = decoder.embedding.data.to("cpu" if settings.embedding == "host" else device)
        self._head = Head(decoder.head, decoder.norm, chosen, settings, traffic)
        self._shelf = Shelf(traffic, pinned, depth=4 if settings.groups == 1 else 1)
        self._worker = Worker(decoder, settings, self._attention, chosen, self.dtype)
        self._step: Step | None = None

    @property
    def attention(self) -> str:
        """The attention in use: flash, cudnn or reference."""
        return self._attention.name

    @property
    def host_bytes(self) -> int:
        """Host memory that the engine holds for kept tensors and streamed weights."""
        return self._shelf.host_bytes + self._weights.host_bytes + self._head.host_bytes

    @property
    def locked(self) -> bool:
        """Whether all of the kept tensors' host memory is page-locked, so that copies overlap."""
        return self._shelf.locked

    def loss(
        self,
        input_ids: Tensor,
        labels: Tensor,
        num_items: int | Tensor | None = None,
        attention_mask: Tensor | None = None,
        lengths: Sequence[int] | None = None,
    ) -> Tensor:
        """Cross entropy of the labelled tokens, each predicted from those before it: a scalar (fp32).

        input_ids, labels: [B, T] or [T], labels -100 where a token has none; each row is a sequence of its own,
        without the padding that `attention_mask` [B, T] marks with 0. lengths: the sequences packed into a single
        row, in order. The sum is divided by num_items: the labelled tokens of the whole accumulated batch over all
        devices; by this batch's own where None. `backward` adds to the `.grad` of the adapters; under `torch.no_grad`
        nothing is kept. TrainingError where memory runs out: parameters are untouched, gradients of this step may be
        partial.
        """
        ids, targets, spans = _pack(input_ids, labels, attention_mask, lengths)
        labelled = int((targets != IGNORED).sum())
        if num_items is None and labelled == 0:
            raise TrainingError("this example has no labelled token to learn from; leave it out of the data")
        share = 1.0 / float(labelled if num_items is None else num_items)
        wanted = torch.is_grad_enabled()
        step = self._stepped(ids, targets, spans, share)
        anchor = torch.zeros((), requires_grad=True)
        result: Tensor = _Run.apply(anchor, self, step, wanted)  # type: ignore[no-untyped-call]
        return result

    def reserve(self, tokens: int) -> None:
        """Take the host memory of the longest step ahead of training, where it is missing before any work is lost.

        Page-locking takes about half a second a GiB; without this call the first long step does it.
        """
        ids = torch.zeros(tokens, dtype=torch.int64)
        self._stepped(ids, torch.full_like(ids, IGNORED), [tokens], 1.0).reserve()

    def reduce_gradients(self) -> None:
        """Sum the adapters' gradients over all processes of torch.distributed, in one message."""
        gradients = [one.grad for one in self._decoder.parameters() if one.grad is not None]
        flat = torch.cat([one.flatten() for one in gradients])
        torch.distributed.all_reduce(flat)
        for gradient, part in zip(gradients, flat.split([one.numel() for one in gradients]), strict=True):  # type: ignore[no-untyped-call]
            gradient.copy_(part.view_as(gradient))

    def close(self) -> None:
        """Free host memory; every part of the model is on the device again and the model's own `forward` runs."""
        if self._step is not None:
            self._step.drop()
        self._shelf.close()
        self._weights.to_device()
        self._head.release()
        for matrix in (self._decoder.embedding, self._decoder.head):
            matrix.data = matrix.data.to(self.device)

    def _stepped(self, ids: Tensor, targets: Tensor, lengths: Sequence[int], share: float) -> Step:
        """A step over these tokens; one that was under way is forgotten."""
        masks = Masks(0, active=False)
        if self._model.training and any(
            one.adapter is not None and one.adapter.dropout
            for layer in self._decoder.layers
            for one in layer.projections
        ):
            masks = Masks(int(torch.randint(2**62, ())), active=True)
        positions = torch.cat([torch.arange(one, device=self.device) for one in lengths])
        cos, sin = self._decoder.angles(positions)
        scene = Scene(cos, sin, attention.Spans.of(lengths, self.device), masks)
        if self._step is not None:
            self._step.drop()
        batch = Batch(ids, targets.to(self.device), scene, share)
        self._step = Step(self._worker, self._weights, self._shelf, self._head, batch)
        return self._step

    def _place_small_parts(self) -> None:
        norms = [norm for layer in self._decoder.layers for norm in layer.norms]
        for norm in (*norms, self._decoder.norm):
            norm.module.to(self.device)
        self._decoder.rotary.to(self.device)
        for layer in self._decoder.layers:
            for projection in layer.projections:
                if projection.bias is not None:
                    projection.bias.data = projection.bias.data.to(self.device)
        for parameter in self._decoder.parameters():
            parameter.data = parameter.data.to(self.device)
            if parameter.grad is not None:
                parameter.grad = parameter.grad.to(self.device)

    def _guarded(self, step: Step, error: torch.OutOfMemoryError) -> TrainingError:
        tokens = step.batch.ids.shape[0]
        step.drop()
        plan = f" (planned: {self._plan})" if self._plan else ""
        return TrainingError(
            f"the card's memory ran out in a step of {tokens:,} tokens{plan}; nothing was updated: take more groups, "
            f"a smaller tile or streamed layers, or let `fabai plan` choose: {str(error).split('.')[0]}"
        )


class _Run(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, anchor: Tensor, engine: Engine, step: Step, wanted: bool) -> Tensor:  # noqa: ARG004
        ctx.engine, ctx.step = engine, step
        try:
            return step.forward(wanted)
        except torch.OutOfMemoryError as error:
            raise engine._guarded(step, error) from None

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[None, None, None, None]:
        try:
            ctx.step.backward(grad)
        except torch.OutOfMemoryError as error:
            raise ctx.engine._guarded(ctx.step, error) from None
        return None, None, None, None


def _default_device() -> torch.device:
    return torch.device("cuda", torch.cuda.current_device()) if torch.cuda.is_available() else torch.device("cpu")


def _disk_folder() -> str:
    """Where a large file of no name may lie: /tmp is memory on many systems, /var/tmp is not."""
    return os.environ.get("TMPDIR") or next((one for one in ("/var/tmp",) if os.path.isdir(one)), tempfile.gettempdir())  # noqa: S108


def _compute_dtype(decoder: Decoder) -> torch.dtype:
    return decoder.layers[0].q.frozen.dtype


def _pack(
    input_ids: Tensor, labels: Tensor, attention_mask: Tensor | None, lengths: Sequence[int] | None
) -> tuple[Tensor, Tensor, list[int]]:
    """ids [T], the target of each position [T], and the lengths of the sequences in the row."""
    ids, marks = (one[None] if one.dim() == 1 else one for one in (input_ids, labels))
    if ids.shape != marks.shape or ids.numel() == 0:
        raise BadSetting(
            f"input_ids {list(input_ids.shape)} and labels {list(labels.shape)} must be alike and not empty"
        )
    if lengths is not None:
        if ids.shape[0] != 1 or sum(lengths) != ids.shape[1] or min(lengths) < 1:
            raise BadSetting(
                f"lengths {list(lengths)} must be positive and add up to the {ids.shape[1]} tokens of one row"
            )
        rows = list(zip(ids[0].split(list(lengths)), marks[0].split(list(lengths)), strict=True))  # type: ignore[no-untyped-call]
    elif attention_mask is not None:
        kept = attention_mask.bool()
        pairs = ((ids[row][kept[row]], marks[row][kept[row]]) for row in range(ids.shape[0]))
        rows = [pair for pair in pairs if pair[0].numel()]
    else:
        rows = list(zip(ids, marks, strict=True))
    targets = [torch.cat((mark[1:], mark.new_full((1,), IGNORED))) for _, mark in rows]
    return torch.cat([row for row, _ in rows]), torch.cat(targets), [row.numel() for row, _ in rows]
