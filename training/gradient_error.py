"""How far gradients in half precision are from exact ones: python -m fabai.training.gradient_error --tokens 4096

The same QLoRA model (random weights, NF4, bf16) worked by the engine and by PEFT under autograd, each against PEFT in
fp32 without tiles on the same dequantised weights, and against each other. Beyond `--untiled` tokens the reference is
the engine in fp32, whose own distance from the untiled one is in the rows of shorter lengths. One JSON line a length.
Knows how to compare; does not know how any of them works.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from fabai.errors import FabaiError
from fabai.strict import build

from . import measured, peers
from .case import pairs
from .engine import EngineSettings, prepare
from .random_model import write
from .shape import shape_of

Gradients = dict[str, Tensor]
FP32 = EngineSettings(attention="reference", kernels="plain", embedding="device", kept_on="device", tile=4096)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; exit code 1 where a setting is refused."""
    parser = argparse.ArgumentParser(
        prog="python -m fabai.training.gradient_error", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--shape", default="qwen3-8b", help="a known model or hidden=...,layers=...")
    parser.add_argument("--layers", type=int, default=4, help="decoder layers (4)")
    parser.add_argument("--rows", type=int, default=100_352, help="vocabulary rows")
    parser.add_argument("--rank", type=int, default=16, help="LoRA rank")
    parser.add_argument("--labelled", type=float, default=0.1, help="share of tokens with a label")
    parser.add_argument("--tokens", type=int, nargs="+", default=[4096, 8192, 16384], help="lengths")
    parser.add_argument("--untiled", type=int, default=8192, help="longest length of the untiled fp32 reference")
    parser.add_argument("--settings", action="append", default=[], help='the engine\'s, e.g. "groups=4 tile=2048"')
    parser.add_argument("--out", type=Path, help="append the rows to this file")
    args = parser.parse_args(argv)
    try:
        texts = args.settings or ["", "groups=8 tile=2048 keep=attention"]
        trades = {text or "whole": build(EngineSettings, pairs(text.split()), text) for text in texts}
        shape = replace(shape_of(args.shape), layers=args.layers, vocabulary=args.rows)
        with tempfile.TemporaryDirectory() as folder:
            write(shape, {Path(folder): args.rows})
            rows = _rows(Path(folder), trades, args)
    except FabaiError as error:
        print(f"gradient_error: {error}", file=sys.stderr)
        return error.exit_code
    for row in rows:
        print(json.dumps(row), flush=True)
        if args.out is not None:
            with args.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
    return 0


def _rows(folder: Path, trades: dict[str, EngineSettings], args: argparse.Namespace) -> list[dict[str, Any]]:
    torch.backends.cuda.matmul.allow_tf32 = False
    model = peers.load("fabai", folder, args.rank, max(args.tokens)).model
    for name, parameter in model.named_parameters():
        if "lora_B" in name:
            nn.init.normal_(parameter, 0.0, 0.01)
    device = next(model.parameters()).device
    batches = {tokens: _batch(tokens, args.rows, args.labelled, device) for tokens in args.tokens}
    half: dict[int, dict[str, Gradients | str]] = {}
    for tokens, batch in batches.items():
        half[tokens] = {name: _tried(_engine, model, batch, trade) for name, trade in trades.items()}
        for name, attention in (("plain", "auto"), ("plain, FlashAttention-2", "flash")):
            half[tokens][name] = _tried(_plain, model, batch, attention)
    widen_(model)
    found = []
    for tokens, batch in batches.items():
        tiled = _tried(_engine, model, batch, FP32)
        untiled = _tried(_plain, model, batch, "auto") if tokens <= args.untiled else "not asked for"
        reference = tiled if isinstance(untiled, str) else untiled
        plain = half[tokens].pop("plain")
        row: dict[str, Any] = {
            "tokens": tokens, "layers": args.layers, "hidden": model.config.hidden_size, "vocab_rows": args.rows,
            "rank": args.rank, "labelled": args.labelled, "card": measured.card(), "commit": measured.commit(),
            "versions": measured.versions("fabai"), "reference": "tiled" if reference is tiled else "untiled",
            "errors": {name: error(one, reference) for name, one in (*half[tokens].items(), ("plain", plain))},
            "from_plain": {name: error(one, plain) for name, one in half[tokens].items()},
            "command": f"python -m fabai.training.gradient_error {' '.join(sys.argv[1:])}",
        }  # fmt: skip
        if reference is untiled:
            row["errors"]["engine in fp32"] = error(tiled, reference)
        found.append(row)
    return found


def _tried(work: Callable[..., Gradients], *inputs: Any) -> Gradients | str:
    """Gradients, or why there are none."""
    try:
        return work(*inputs)
    except (FabaiError, torch.OutOfMemoryError, RuntimeError) as why:
        return f"{type(why).__name__}: {str(why)[:200]}"


def error(one: Gradients | str, truth: Gradients | str) -> dict[str, float] | str:
    """Relative error ||one - truth|| / ||truth|| over parameters: mean and largest, and of all as one vector.

    Where one of the two is a sentence instead of gradients, that sentence.
    """
    if isinstance(one, str) or isinstance(truth, str):
        return one if isinstance(one, str) else str(truth)
    parts = {name: (one[name] - right, right) for name, right in truth.items()}
    each = [float(apart.norm() / right.norm()) for apart, right in parts.values()]
    apart, right = (torch.stack([pair[place].norm() for pair in parts.values()]).norm() for place in (0, 1))
    figures = {"mean": sum(each) / len(each), "largest": max(each), "whole": float(apart / right)}
    return {name: float(f"{value:.3g}") for name, value in figures.items()}


def widen_(model: Any) -> None:
    """The model in fp32: quantised matrices become dense ones that hold the same numbers."""
    from bitsandbytes import functional
    from bitsandbytes import nn as four_bit

    quantised: Any = four_bit
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, quantised.Linear4bit):
                weight: Any = child.weight
                numbers = functional.dequantize_4bit(weight.data, weight.quant_state).float()
                dense = nn.Linear(numbers.shape[1], numbers.shape[0], bias=False, device="meta")
                dense.weight = nn.Parameter(numbers, requires_grad=False)
                setattr(module, name, dense)
    model.float()


def _batch(tokens: int, vocabulary: int, labelled: float, device: torch.device) -> tuple[Tensor, Tensor]:
    torch.manual_seed(tokens)
    ids = torch.randint(0, vocabulary, (1, tokens), device=device)
    labels = torch.full_like(ids, -100)
    count = max(2, int(tokens * labelled))
    labels[:, -count:] = ids[:, -count:]
    return ids, labels


def _engine(model: Any, batch: tuple[Tensor, Tensor], settings: EngineSettings) -> Gradients:
    engine = prepare(model, settings)
    loss: Any = engine.loss(*batch)
    loss.backward()
    engine.close()
    return _taken(model)


def _plain(model: Any, batch: tuple[Tensor, Tensor], attention: str) -> Gradients:
    peers.force(attention)
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model(input_ids=batch[0], labels=batch[1]).loss.backward()
    peers.force("auto")
    return _taken(model)


def _taken(model: nn.Module) -> Gradients:
    found = {name: one.grad.float().cpu() for name, one in model.named_parameters() if one.grad is not None}
    model.zero_grad(set_to_none=True)
    gc.collect()
    return found


if __name__ == "__main__":
    raise SystemExit(main())
