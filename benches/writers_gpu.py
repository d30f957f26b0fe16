"""What the transformers Writer takes of a card for a long prompt and a long answer. One JSON line last.

    mkdir -p /tmp/t/fabai && ln -s $PWD/fabai/* /tmp/t/fabai/ && ln -s $PWD/training /tmp/t/fabai/training
    PYTHONPATH=/tmp/t python benches/writers_gpu.py --model FOLDER [--cache auto|kept|fresh|static|quantised] [--cap 9]

FOLDER is a model with its tokenizer (`fabai.training.random_model` makes one of Qwen3-8B's shape in NF4). A random
adapter is put on it, the prompt is filled up to --prompt tokens with words, and --output tokens are asked for; the
allocator may take --cap GiB. Random weights write nonsense at the speed of any others. Runs on the processor too.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import torch
from fabai.training.measured import card, commit, gib, host_peak, versions
from fabai.training.shape import shape_of
from safetensors.torch import save_file

from fabai.errors import FabaiError
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.writers.base import Usage
from fabai.writers.transformers import Transformers

_NAMES = (
    "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj",
    "mlp.down_proj",
)  # fmt: skip
_WORDS = "La entidad justifica cada gasto con su factura y explica qué ha cambiado frente al proyecto aprobado. "


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--cache", default="auto")
    parser.add_argument("--prompt", type=int, default=20_000)
    parser.add_argument("--output", type=int, default=2_000)
    parser.add_argument("--stop", type=int, default=0, help="break off after so many pieces of text, 0 for the end")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--cap", type=float, default=0.0, help="GiB that the allocator may take, 0 for all")
    args = parser.parse_args()
    cuda = torch.cuda.is_available()
    if cuda and args.cap:
        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(args.cap * 2**30 / total)
    with tempfile.TemporaryDirectory() as folder:
        adapter = write_adapter(args.model, Path(folder) / "adapter", args.rank)
        start = time.perf_counter()
        writer = Transformers(adapter, WriterSettings(cache=args.cache))
        found = {
            "writer": "transformers", "cache": args.cache, "cap_gib": args.cap, "rank": args.rank,
            "vocab_rows": shape_of(str(args.model)).vocabulary, "load_s": round(time.perf_counter() - start, 1),
            "static_gib": gib(torch.cuda.memory_allocated()) if cuda else None, "card": card(), "commit": commit(),
            "versions": versions("writer"), "command": "python benches/writers_gpu.py --model MODEL "
            f"--cache {args.cache} --prompt {args.prompt} --output {args.output} --cap {args.cap:g}",
        }  # fmt: skip
        print(json.dumps(found | measured(writer, args.prompt, args.output, args.stop, cuda)))


def write_adapter(base: Path, target: Path, rank: int) -> Path:
    """An adapter on all projections with random numbers, in PEFT's layout."""
    shape = shape_of(str(base))
    torch.manual_seed(0)
    tensors = {}
    for layer in range(shape.layers):
        for name, (out, into) in zip(_NAMES, shape.projections, strict=True):
            key = f"base_model.model.model.layers.{layer}.{name}"
            tensors[f"{key}.lora_A.weight"] = torch.randn(rank, into) * 0.01
            tensors[f"{key}.lora_B.weight"] = torch.randn(out, rank) * 0.01
    target.mkdir(parents=True)
    save_file(tensors, target / "adapter_model.safetensors")
    settings = {
        "peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": str(base.resolve()), "r": rank,
        "lora_alpha": rank, "use_rslora": True, "target_modules": [name.rpartition(".")[2] for name in _NAMES],
    }  # fmt: skip
    (target / "adapter_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return target


def measured(writer: Transformers, prompt: int, output: int, stop: int, cuda: bool) -> dict[str, object]:
    """One answer: tokens, seconds, peak."""
    words = _WORDS
    while writer.count_messages([Message("user", words)]) < prompt:
        words += words
    messages = [Message("user", longest(writer, words, prompt))]
    if cuda:
        torch.cuda.reset_peak_memory_stats()
    start = time.perf_counter()
    first, usage, error, pieces = 0.0, None, "", 0
    answer = writer.stream(messages, SamplingSettings(max_tokens=output, temperature=0.0))
    try:
        for pieces, part in enumerate(answer, start=1):
            first = first or time.perf_counter() - start
            usage = part if isinstance(part, Usage) else usage
            if stop and pieces >= stop:
                break
    except FabaiError as failed:
        error = str(failed)
    answer.close()
    seconds = time.perf_counter() - start
    found: dict[str, object] = {
        "prompt_asked": prompt, "output_asked": output, "pieces": pieces, "first_s": round(first, 2),
        "seconds": round(seconds, 2), "host_gib": host_peak(),
    }  # fmt: skip
    if usage is not None:
        found |= {"prompt_tokens": usage.prompt_tokens, "tokens": usage.completion_tokens}
        found["tokens_per_s"] = round(usage.completion_tokens / max(1e-9, seconds - first), 1)
    if cuda:
        found["peak_gib"] = gib(torch.cuda.max_memory_reserved())
        found["peak_allocated_gib"] = gib(torch.cuda.max_memory_allocated())
    return found | ({"error": error} if error else {})


def longest(writer: Transformers, words: str, prompt: int) -> str:
    """The longest beginning of `words` whose message has at most that many tokens."""
    low, high = 1, len(words)
    while low + 1 < high:
        middle = (low + high) // 2
        fits = writer.count_messages([Message("user", words[:middle])]) <= prompt
        low, high = (middle, high) if fits else (low, middle)
    return words[:low]


if __name__ == "__main__":
    main()
