"""What the engine may trade: memory of the card, memory of the host, and time. Frozen, checked on construction.

Knows the choices and their bounds. Does not know which are best for a card: `fabai.training.plan` picks them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fabai.errors import BadSetting

Place = Literal["host", "device"]
Keep = Literal["inputs", "attention", "residual", "projections"]
AttentionName = Literal["auto", "flash", "cudnn", "reference"]
IGNORED = -100  # the label of a token that is not learnt
KEEPS: tuple[Keep, ...] = ("inputs", "attention", "residual", "projections")


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How one step is worked off. Every combination gives the same gradients up to rounding.

    groups: attention runs over the KV heads in this many groups (must divide them); more groups, less memory.
    tile: tokens that go through norms, projections and the MLP at once.
    spacing: layers per checkpoint; 2 halves the host memory of the inputs and runs half the MLPs once more.
    keep: what stays from the forward pass, each word including those before it: layer inputs; attention outputs
        (attention is not run again); the residual before the MLP; the q, k, v products.
    kept_on: where these wait. scratch_on: where a recomputed segment's attention outputs wait.
    stream: frozen decoder weights live on the host and are uploaded layer by layer; stream_from "disk": in files that
        the system maps, for hosts whose memory is short too.
    embedding, head: where these two matrices live; a head on the host is uploaded `head_rows` rows at a time.
    loss_rows: labelled tokens that have logits at once. head_rows: vocabulary rows at once, 0 for all.
    prefetch: bring a layer's inputs back while the layer above it still works (one hidden state more on the card).
    pinned: page-locked host memory; without it, or where the system refuses, copies are pageable and slower.
    """

    groups: int = 1
    tile: int = 8192
    spacing: int = 1
    keep: Keep = "inputs"
    kept_on: Place = "host"
    scratch_on: Place = "device"
    stream: bool = False
    stream_from: Literal["memory", "disk"] = "memory"
    embedding: Place = "host"
    head: Place = "device"
    loss_rows: int = 1024
    head_rows: int = 0
    attention: AttentionName = "auto"
    prefetch: bool = True
    pinned: bool = True
    kernels: Literal["auto", "triton", "plain"] = "auto"

    def __post_init__(self) -> None:
        for name in ("groups", "tile", "spacing", "loss_rows"):
            if getattr(self, name) < 1:
                raise BadSetting(f"{name} is {getattr(self, name)}; it must be 1 or more")
        if self.head_rows < 0:
            raise BadSetting(f"head_rows is {self.head_rows}; it must be 0 (all rows) or more")
        if self.spacing > 1 and self.keeps("residual"):
            raise BadSetting(
                f"keep '{self.keep}' keeps every layer's tensors, so spacing must be 1, not {self.spacing}"
            )

    def keeps(self, what: Keep) -> bool:
        """Whether `what` stays from the forward pass."""
        return KEEPS.index(what) <= KEEPS.index(self.keep)
