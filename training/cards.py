"""Graphics cards as the planner sees them: usable memory and sustained rates, measured where we had the card, else
estimates.

Knows numbers with their origin, and how to measure them on the card at hand. Does not know models.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from fabai.errors import BadSetting, MissingPart


@dataclass(frozen=True, slots=True)
class Card:
    """usable: GiB left for us after the CUDA context and a display. Rates are sustained: dense half-precision matrix
    products and attention forward and backward (TFLOP/s), memory (GB/s), one direction of the bus to the host
    (GB/s).
    """

    name: str
    usable: float
    matrix: float
    attention_forward: float
    attention_backward: float
    memory: float
    bus: float
    measured: bool = False


# sustained shares of the datasheet's rate, from the H200 with FlashAttention-2 and from what Ada cards reach in
# published runs
_MATRIX, _FORWARD, _BACKWARD = 0.80, 0.65, 0.55

# GB -> (a card of that size, dense bf16 TFLOP/s with fp32 sums, memory GB/s): datasheets
_TYPICAL = {
    4: ("RTX 3050 Ti Laptop", 21.0, 192.0),
    6: ("RTX 3060 Laptop", 26.0, 336.0),
    8: ("RTX 4060", 30.0, 272.0),
    10: ("RTX 3080", 59.5, 760.0),
    12: ("RTX 4070", 58.0, 504.0),
    16: ("RTX 4080", 97.5, 717.0),
    24: ("RTX 4090", 165.0, 1008.0),
    32: ("RTX 5090", 209.0, 1792.0),
    48: ("RTX 6000 Ada", 182.0, 960.0),
    80: ("A100 80GB", 312.0, 2039.0),
}

# one NVIDIA H200 whose allocator was capped: training/results/engine.jsonl, training/LOG.md
H200 = Card("NVIDIA H200", 14.5, 705.0, 590.0, 525.0, 4200.0, 50.0, measured=True)
H200_FLASH = Card("NVIDIA H200, FlashAttention-2", 14.5, 705.0, 340.0, 318.0, 4200.0, 50.0, measured=True)


def known(name: str, gigabytes: int) -> Card:
    """The card of that name where we have measured it, else a common one; memory as on a card of that size."""
    measured = H200 if name.startswith(H200.name) else None
    return typical(gigabytes) if measured is None else replace(measured, usable=usable(gigabytes))


def usable(gigabytes: float) -> float:
    """GiB that training may take on a card sold with that many GB: 14.5 of 16, 7.0 of 8."""
    return round(gigabytes * 0.9375 - 0.5, 2)


def typical(gigabytes: int) -> Card:
    """A common card of that size, its rates estimated from the datasheet; the bus is taken as PCIe 4.0 x16 at 22
    GB/s.
    """
    if gigabytes < 4:
        raise BadSetting(f"a card of {gigabytes} GB is too small to train on; 4 GB is the least")
    size = max(one for one in _TYPICAL if one <= gigabytes)
    name, rate, memory = _TYPICAL[size]
    return Card(name, usable(gigabytes), rate * _MATRIX, rate * _FORWARD, rate * _BACKWARD, memory * 0.85, 22.0)


def probe(gigabytes: float | None = None) -> Card:
    """The rates of the card at hand, measured in some 20 seconds; `gigabytes` limits the memory to plan for."""
    import torch

    if not torch.cuda.is_available():
        raise MissingPart("--probe measures the graphics card of this machine, and PyTorch sees none here")
    from .engine import attention
    from .engine.traffic import HostBuffer

    device = torch.device("cuda", torch.cuda.current_device())
    half = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    x, w = (torch.randn(4096, 4096, device=device, dtype=half) for _ in range(2))
    matrix = 2 * 4096**3 / _seconds(lambda: x @ w) / 1e12
    kernel = attention.choose("auto", device, half, windowed=False)
    tokens, heads = 8192, 8
    spans = attention.Spans.of([tokens], device)
    q = torch.randn(tokens, heads, 128, device=device, dtype=half)
    k, v = (torch.randn(tokens, heads // 4, 128, device=device, dtype=half) for _ in range(2))
    out, sums = kernel.forward(q, k, v, spans, 0.09, None)
    work = 2 * tokens**2 * heads * 128 / 1e12
    forward = work / _seconds(lambda: kernel.forward(q, k, v, spans, 0.09, None))
    backward = 2.5 * work / _seconds(lambda: kernel.backward(out, q, k, v, out, sums, spans, 0.09, None))
    big = torch.empty(2**27, dtype=torch.uint8, device=device)
    memory = 2 * 2**27 / _seconds(lambda: big.clone()) / 1e9
    buffer = HostBuffer(2**27, pinned=True)
    bus = 2**27 / _seconds(lambda: big.copy_(buffer.bytes, non_blocking=True)) / 1e9
    buffer.close()
    total = torch.cuda.get_device_properties(device).total_memory / 2**30
    limit = total - 1.0 if gigabytes is None else min(total - 0.5, usable(gigabytes))
    return Card(
        torch.cuda.get_device_name(device), round(limit, 2), matrix, forward, backward, memory, bus, measured=True
    )


def _seconds(work: Callable[[], object], budget: float = 3.0) -> float:
    """Median seconds of one call."""
    import torch

    work()
    torch.cuda.synchronize()
    found: list[float] = []
    end = time.perf_counter() + budget
    while time.perf_counter() < end and len(found) < 50:
        start = time.perf_counter()
        work()
        torch.cuda.synchronize()
        found.append(time.perf_counter() - start)
    return sorted(found)[len(found) // 2]
