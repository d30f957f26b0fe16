"""What a step of the fabai engine takes: memory of card and host per part, and seconds. The engine's own allocations,
added up.

Knows the formulas; they follow the code of `fabai.training.engine` line by line and are held against recorded runs by
a test. Does not know which settings to choose.
Lengths are numbers of elements; a hidden state is tokens * hidden of 2 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from .cards import Card
from .engine.settings import EngineSettings
from .shape import ModelShape

GIB = 2**30
_HALF, _SINGLE = 2, 4
# NF4 with double quantisation: a nibble, a byte of scale per 64 numbers, four more per 64 * 256
NF4 = 0.5 + 1 / 64 + 4 / (64 * 256)
# what the allocator reserves beyond what is asked for
_FRAGMENTS, _SPARE = 0.025, 0.12
# bytes a second of copies from a file that the system maps: pages cannot be locked, and the host waits for each copy.
# From the one run at 20,480 tokens on an H200 whose layers lay on disk
_MAPPED = 7e9
# the process without the engine's buffers, GiB of host memory
_PROCESS = 1.9
# passes over (hidden + 3 * intermediate) numbers of a token that norms, rotary, SwiGLU, thin products and copies make
# in a layer
_PASSES = 21.0
_FIXED = 0.06
# seconds of one processor core that a launch costs, Python's share included; the card waits where these add up to more
# than its own work. From the smallest plan at 20,480 tokens on an H200
_LAUNCH = 36e-6
# launches in a layer's backward pass with one group and one tile, and more for each further tile, group, and tile of a
# further group: counted with torch's dispatch mode
_BACKWARD_LAUNCHES = {
    "inputs": (174, 65, 81, 35), "attention": (157, 61, 65, 31), "residual": (146, 57, 58, 29),
    "projections": (134, 53, 50, 27),
}  # fmt: skip
_FORWARD_LAUNCHES = (48, 15, 20, 4)
# clipping, updating and clearing a layer's fourteen adapter matrices, which the optimiser takes one by one
_UPDATE_LAUNCHES = 14 * 4


@dataclass(frozen=True, slots=True)
class Work:
    """What is trained: tokens in a step, share of them with a label, LoRA rank, bytes per frozen number (NF4 by
    default).
    """

    tokens: int
    labelled: float = 0.1
    rank: int = 16
    base: float = NF4


@dataclass(frozen=True, slots=True)
class Footprint:
    """GiB per part on the card (their sum is the peak that PyTorch reserves), GiB of host memory per part, seconds
    per part.
    """

    card: dict[str, float]
    host: dict[str, float]
    seconds: dict[str, float]

    @property
    def peak(self) -> float:
        """GiB on the card, CUDA context not counted."""
        return sum(self.card.values())

    @property
    def host_peak(self) -> float:
        """GiB of host memory."""
        return sum(self.host.values())

    @property
    def step(self) -> float:
        """Seconds a step."""
        return sum(self.seconds.values())


def footprint(shape: ModelShape, work: Work, settings: EngineSettings, card: Card) -> Footprint:
    """Memory and time of one step with these settings."""
    return Footprint(_card(shape, work, settings), _host(shape, work, settings), _seconds(shape, work, settings, card))


def adapter_numbers(shape: ModelShape, rank: int) -> int:
    """Trainable numbers of a LoRA on all seven projections."""
    return shape.layers * sum(rank * (out + into) for out, into in shape.projections)


def _card(shape: ModelShape, work: Work, settings: EngineSettings) -> dict[str, float]:
    layer = shape.layer_weights * work.base
    adapters = adapter_numbers(shape, work.rank) * _SINGLE
    matrix = shape.vocabulary * shape.hidden * _HALF
    head_on_card = settings.head == "device"
    embedding = settings.embedding == "device" and not (shape.tied and head_on_card)
    parts = {
        "frozen layers": layer * (2 if settings.stream else shape.layers),
        "head": matrix if head_on_card else 0.0,
        "embedding": matrix if embedding and not shape.tied else 0.0,
        "adapters": adapters,
        "gradients": adapters + adapters / shape.layers,
    }
    phases = {
        "forward": _forward(shape, work, settings),
        "loss": _loss(shape, work, settings),
        "attention again": _attention_again(shape, work, settings),
        "MLP backward": _mlp_backward(shape, work, settings),
        "attention backward": _attention_backward(shape, work, settings),
    }
    name, size = max(phases.items(), key=lambda phase: phase[1])
    parts[f"activations ({name})"] = size + work.tokens * shape.head_dim * _SINGLE
    parts["fragmentation"] = sum(parts.values()) * _FRAGMENTS + _SPARE * GIB
    return {name: size / GIB for name, size in parts.items() if size}


def _state(shape: ModelShape, work: Work) -> float:
    return work.tokens * shape.hidden * _HALF


def _widths(shape: ModelShape) -> tuple[int, int]:
    return shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim


def _mlp_weights(shape: ModelShape, rank: int) -> float:
    return (2 * shape.intermediate * (shape.hidden + 2 * rank) + shape.hidden * shape.intermediate) * _HALF


def _attention_weights(shape: ModelShape, groups: int) -> float:
    q, kv = _widths(shape)
    return (shape.hidden * q + (q + 2 * kv) / groups * shape.hidden) * _HALF


def _prefetched(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    """What of the layer below is already on the card."""
    if not settings.prefetch or settings.kept_on == "device":
        return 0.0
    q, kv = _widths(shape)
    state = _state(shape, work)
    size = state + (state if settings.keeps("residual") else 0.0)
    if settings.keeps("attention"):
        size += work.tokens * q * _HALF / settings.groups
    if settings.keeps("projections"):
        size += work.tokens * (q + 2 * kv) * _HALF / settings.groups
    return size


def _held(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    """Attention outputs on the card while the layer's MLP works backward."""
    q, _ = _widths(shape)
    out = work.tokens * q * _HALF
    if settings.keeps("residual") and settings.kept_on == "host":
        return 0.0 if not settings.prefetch else out / settings.groups
    on_card = settings.kept_on if settings.keeps("attention") else settings.scratch_on
    if on_card == "device":
        return out * (1 if settings.keeps("attention") else settings.spacing)
    return out if settings.groups == 1 else 0.0


def _kept_on_card(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    if settings.kept_on == "host":
        return 0.0
    return _kept_bytes(shape, work, settings)


def _attend(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    """From a layer's input, which is held, to its residual after attention."""
    q, kv = _widths(shape)
    state, outs = _state(shape, work), work.tokens * q * _HALF
    # raw, and q and k turned
    group = work.tokens * (q + 2 * kv + q + kv) * _HALF / settings.groups
    return state + outs + max(_attention_weights(shape, settings.groups) + group, _joined(shape, work, settings))


def _joined(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    """The residual, and what the product of the outputs of all groups works with."""
    q, _ = _widths(shape)
    tile = min(settings.tile, work.tokens)
    return _state(shape, work) + (shape.hidden + tile) * (q + work.rank) * _HALF


def _attention_again(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    """A layer's residual formed again in the backward pass."""
    if settings.keeps("residual"):
        return 0.0
    q, _ = _widths(shape)
    state, outs = _state(shape, work), work.tokens * q * _HALF
    place = settings.kept_on if settings.keeps("attention") else settings.scratch_on
    waiting = _inputs_of_a_segment(shape, work, settings) + _kept_on_card(shape, work, settings)
    if place == "device":
        waiting += max(0.0, _held(shape, work, settings) - outs)
    again = 2 * state + outs + _joined(shape, work, settings) + _prefetched(shape, work, settings)
    return waiting + max(again, state if settings.keeps("attention") else state + _attend(shape, work, settings))


def _inputs_of_a_segment(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    """Inputs formed again for the layers between a segment's first and last, where they wait on the card."""
    return 0.0 if settings.scratch_on == "host" else max(0, settings.spacing - 2) * _state(shape, work)


def _forward(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    q, kv = _widths(shape)
    groups, tile, state = settings.groups, min(settings.tile, work.tokens), _state(shape, work)
    attend = _attend(shape, work, settings)
    leaving = 0.0
    if groups == 1 and settings.kept_on == "host":
        leaving = state
        leaving += work.tokens * q * _HALF if settings.keeps("attention") else 0.0
        leaving += state if settings.keeps("residual") else 0.0
        leaving += work.tokens * (q + 2 * kv) * _HALF if settings.keeps("projections") else 0.0
    mlp = state + leaving + _mlp_weights(shape, work.rank) + tile * 3 * shape.intermediate * _HALF
    return max(attend, mlp) + _kept_on_card(shape, work, settings)


def _loss(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    labelled = work.tokens * work.labelled
    rows = min(settings.loss_rows, labelled)
    block = settings.head_rows or shape.vocabulary
    uploads = 2 * block * shape.hidden * _HALF if settings.head == "host" else 0.0
    held = _state(shape, work) + 3 * labelled * shape.hidden * _HALF + _held(shape, work, settings)
    return held + rows * block * 2 * _SINGLE + uploads + _kept_on_card(shape, work, settings)


def _mlp_backward(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    tile = min(settings.tile, work.tokens)
    inner = tile * (3 * shape.intermediate + shape.hidden + 2 * work.rank) * _HALF
    size = 3 * _state(shape, work) + _held(shape, work, settings) + _mlp_weights(shape, work.rank) + inner
    size += _inputs_of_a_segment(shape, work, settings)
    return size + _prefetched(shape, work, settings) + _kept_on_card(shape, work, settings)


def _attention_backward(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    q, kv = _widths(shape)
    part = work.tokens / settings.groups
    states = 2 if settings.groups == 1 else 3
    # grad, raw, q and k, out, dq, dk and dv; FlashAttention's and cuDNN's workspace: dq in fp32, dk and dv for every
    # query head
    group = part * (q + (q + 2 * kv) + (q + kv) + q + (q + 2 * kv)) * _HALF + part * q * (_SINGLE + 2 * _HALF)
    size = states * _state(shape, work) + _attention_weights(shape, settings.groups) + group
    if settings.prefetch and settings.groups > 1:
        size += part * q * _HALF
    held = _held(shape, work, settings)
    size += max(0.0, held - part * q * _HALF) + _inputs_of_a_segment(shape, work, settings)
    return size + _prefetched(shape, work, settings) + _kept_on_card(shape, work, settings)


def _kept_bytes(shape: ModelShape, work: Work, settings: EngineSettings) -> float:
    """What stays from the forward pass, in all."""
    q, kv = _widths(shape)
    below = shape.layers - 1
    state = _state(shape, work)
    size = ceil(below / settings.spacing) * state
    if settings.keeps("attention"):
        size += below * work.tokens * (q * _HALF + shape.heads * _SINGLE)
    if settings.keeps("residual"):
        size += below * state
    if settings.keeps("projections"):
        size += below * work.tokens * (q + 2 * kv) * _HALF
    return size


def _host(shape: ModelShape, work: Work, settings: EngineSettings) -> dict[str, float]:
    q, _ = _widths(shape)
    matrix = shape.vocabulary * shape.hidden * _HALF
    kept = _kept_bytes(shape, work, settings) if settings.kept_on == "host" else 0.0
    scratch = 0.0
    if settings.scratch_on == "host":
        outs = 1 if settings.keeps("attention") else settings.spacing + 1
        scratch = outs * work.tokens * q * _HALF + max(0, settings.spacing - 2) * _state(shape, work)
    parts = {
        "process": _PROCESS * GIB,
        "kept tensors": kept,
        "scratch": scratch,
        "frozen layers": shape.layers * shape.layer_weights * work.base if settings.stream else 0.0,
        "embedding": matrix if settings.embedding == "host" and not (shape.tied and settings.head == "device") else 0.0,
        "head": matrix if settings.head == "host" and not shape.tied else 0.0,
    }
    return {name: size / GIB for name, size in parts.items() if size}


def _seconds(shape: ModelShape, work: Work, settings: EngineSettings, card: Card) -> dict[str, float]:
    q, kv = _widths(shape)
    tokens, layers = work.tokens, shape.layers
    numbers = {
        "qkv": (q + 2 * kv) * shape.hidden, "o": q * shape.hidden, "wide": 2 * shape.intermediate * shape.hidden,
        "down": shape.hidden * shape.intermediate,
    }  # fmt: skip
    whole = sum(numbers.values())
    again = numbers["wide"]
    again += 0 if settings.keeps("projections") else numbers["qkv"]
    again += 0 if settings.keeps("residual") else numbers["o"]
    extra = 1 - 1 / settings.spacing
    forward_flops = 2 * tokens * layers * whole
    backward_flops = 2 * tokens * layers * (whole + again + extra * (numbers["wide"] + numbers["down"] + numbers["o"]))
    if not settings.keeps("attention"):
        backward_flops += 2 * tokens * layers * numbers["qkv"]
    # the last layer's MLP works on labelled tokens only
    saved = (1 - work.labelled) * 2 * tokens * (numbers["wide"] + numbers["down"])
    attention = 2 * tokens**2 * q * layers
    attention_again = 0 if settings.keeps("attention") else attention * (layers - 1) / layers
    light = _PASSES * tokens * layers * (shape.hidden + 3 * shape.intermediate) * _HALF / (card.memory * 1e9)
    head = 3 * 2 * tokens * work.labelled * shape.vocabulary * shape.hidden * (1 if settings.head_rows == 0 else 4 / 3)
    matrix = card.matrix * 1e12
    forward = (forward_flops - saved) / matrix + attention / (card.attention_forward * 1e12) + light * 0.35
    backward = (backward_flops - saved * 1.9) / matrix + 2.5 * attention / (card.attention_backward * 1e12)
    backward += attention_again / (card.attention_forward * 1e12) + light * 0.65
    bus = card.bus * 1e9
    kept = _kept_bytes(shape, work, settings) if settings.kept_on == "host" else 0.0
    streamed = layers * shape.layer_weights * work.base if settings.stream else 0.0
    out, back = (kept + streamed) / bus, (kept + streamed * (1 + extra)) / bus
    waited = 0.0 if settings.prefetch else kept / bus
    if settings.stream and settings.stream_from == "disk":
        waited += streamed * (2 + extra) / _MAPPED
    if settings.scratch_on == "host" and not settings.keeps("attention"):
        back += 2 * layers * tokens * q * _HALF / bus
    matrix_bytes = shape.vocabulary * shape.hidden * _HALF
    uploads = (
        ceil(tokens * work.labelled / settings.loss_rows) * 2 * matrix_bytes / bus if settings.head == "host" else 0.0
    )
    gather = tokens * shape.hidden * _HALF / 8e9 if settings.embedding == "host" else 0.0
    busy = forward + backward + head / matrix
    launching = layers * (_launches(work, settings) + _UPDATE_LAUNCHES) * _LAUNCH
    waiting = (busy**4 + launching**4) ** 0.25 - busy
    return {
        "forward": forward,
        "backward": backward,
        "copies not hidden": max(0.0, out - forward) + max(0.0, back - backward) + waited + uploads + gather,
        "loss": head / matrix,
        "waiting for launches": waiting,
        "optimiser": _FIXED * min(1.0, 500.0 / card.memory)
        + adapter_numbers(shape, work.rank) * 40 / (card.memory * 1e9),
    }


def _launches(work: Work, settings: EngineSettings) -> float:
    """Kernel launches and copies of one layer, forward and backward."""
    tiles, groups = ceil(work.tokens / settings.tile) - 1, settings.groups - 1
    found = 0.0
    for one, tile, group, both in (_FORWARD_LAUNCHES, _BACKWARD_LAUNCHES[settings.keep]):
        found += one + tile * tiles + group * groups + both * tiles * groups
    return found + (1 - 1 / settings.spacing) * (28 + 11 * tiles)
