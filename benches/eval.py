"""`fabai eval` of SmolLM2-135M on two cores: 100 held-out sections, the whole battery, general text and memory.

    python -m benches.eval [--sections 100] [--each 225] [--once] [--set FOLDER]

The sections are those of nine of the fictional dossiers' reports and proposals behind the product's own prompts, at
most 1,280 tokens (at 1,024 half of them find no room); the other three are what the adapter learnt from. It has small
random weights: what it says does not matter for the time. Evaluated twice: the base is asked, then known; all figures
but the times must be the same (--once leaves the second out). Drafts are not written: their time is the Writer's
(`python -m benches.writers`). The machine's speed is measured beside it, by products of the model's own shapes. The
last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from fabai.training.evaluate import held, job
from fabai.training.evaluate.settings import EvalSettings
from fabai.training.recipe import Recipe, load
from fabai.training.source import find

from benches.eval_dossiers import FILE, made
from fabai.example import encoder

TAUGHT = ("es-taller", "ca-bosc", "en-orchard")


class Clock:
    """A Watch that notes the processor seconds of each part."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self._part, self._begun = "loading", time.process_time()

    def begin(self, what: str, _count: int) -> None:
        self.end()
        self._part, self._begun = what, time.process_time()

    def step(self, count: int = 1) -> None: ...

    def note(self, text: str) -> None: ...

    def end(self) -> None:
        """The part that runs is over."""
        spent = time.process_time() - self._begun
        self.parts[self._part] = round(self.parts.get(self._part, 0.0) + spent, 1)
        print(f"  {self._part}: {spent:.1f} s of processor time", flush=True)


def run_of(model: Path, recipe: Recipe, documents: list[str], folder: Path) -> Path:
    """A finished run whose LoRA of rank 16 on all projections has small random weights."""
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(0)
    base: Any = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    adapted = get_peft_model(
        base, LoraConfig(r=16, target_modules="all-linear", task_type="CAUSAL_LM", init_lora_weights=False)
    )
    with torch.no_grad():
        for name, one in adapted.named_parameters():
            if "lora_B" in name:
                one.mul_(0.05)
    adapted.save_pretrained(str(folder / "adapter"))
    table = {
        "settings": asdict(recipe) | {"rank_stabilised": False}, "documents": documents, "state": "finished",
        "model": {"base": str(model), "dtype": "float32"},
    }  # fmt: skip
    (folder / "run.json").write_text(json.dumps(table), encoding="utf-8")
    return folder


def split(every: list[dict[str, Any]], folder: Path) -> list[str]:
    """Write train.jsonl and test.jsonl; returns the documents of the former."""
    folder.mkdir()
    for name, wanted in (("train", True), ("test", False)):
        part = [json.dumps(row, ensure_ascii=False) for row in every if (row["project"] in TAUGHT) == wanted]
        (folder / f"{name}.jsonl").write_text("\n".join(part) + "\n", encoding="utf-8")
    return sorted({str(row["report"]) for row in every if row["project"] in TAUGHT})


def speed() -> float:
    """GFLOP of a processor second in products of 256 tokens by a matrix of the model, in fp32: the best of ten."""
    left, right = torch.randn(256, 576), torch.randn(576, 1_536)
    best, threads = 0.0, torch.get_num_threads()
    torch.set_num_threads(1)
    for _ in range(10):
        begun = time.process_time()
        for _ in range(100):
            torch.mm(left, right)
        best = max(best, 2e-7 * left.numel() * right.shape[1] / (time.process_time() - begun))
    torch.set_num_threads(threads)
    return best


def main() -> None:
    """Print what each part cost; the last line is JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sections", type=int, default=100)
    parser.add_argument("--each", type=int, default=EvalSettings().each, help="battery items of a task in a language")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--once", action="store_true", help="do not evaluate again with the base known")
    parser.add_argument("--set", type=Path, default=Path("out/eval-set"), help="where the prompts are kept")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    recipe = load("smollm2-cpu")
    model = find(recipe)
    if model is None:
        raise SystemExit("SmolLM2 is not here; run: fabai get smollm2-135m")
    if not (args.set / FILE).is_file():
        made(args.set, cap=1_280, reserve=256, kinds=("report", "proposal"))
    settings = EvalSettings(sections=args.sections, each=args.each)
    rows = [json.loads(line) for line in (args.set / FILE).read_text(encoding="utf-8").splitlines()]
    tables, runs = [], []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        data = folder / "examples"
        documents = split(rows, data)
        run = run_of(model, recipe, documents, folder / "run")
        # what the base says is kept here, so that the first evaluation does not know it
        os.environ["FABAI_MODELS"] = place
        for name in ("the base asked",) if args.once else ("the base asked", "the base known"):
            clock, begun, wall = Clock(), time.process_time(), time.perf_counter()
            found, _ = job.evaluate(
                job.Request(run, data, target=folder / "out", base=model, settings=settings), None, clock
            )
            clock.end()
            runs.append((time.perf_counter() - wall, time.process_time() - begun))
            print(f"{name}: {runs[-1][0]:.0f} s, {runs[-1][1]:.0f} s of processor time", flush=True)
            table = found.as_json()
            tables.append({key: value for key, value in table.items() if key not in ("times", "created")})
        tokens = encoder(model)
        wanted = held.chosen(held.read(data / "test.jsonl"), args.sections, settings.seed)
        size = [len(tokens.encode(one.messages, one.target, one.masked).ids) for one in wanted]
    print(
        json.dumps(
            {
                "bench": "eval", "python": platform.python_version(), "model": "smollm2-135m", "threads": args.threads,
                "sections": found.groups["all"][0].sections, "mean_tokens": round(sum(size) / len(size)),
                "items": found.forgetting[0].items, "memory_sections": found.memory.sections if found.memory else 0,
                "seconds": [round(one[0], 1) for one in runs], "cpu_seconds": [round(one[1], 1) for one in runs],
                "parts": clock.parts, "gflop_per_cpu_second": round(speed(), 1),
                "same_again": None if args.once else tables[0] == tables[1],
            }
        )
    )  # fmt: skip


if __name__ == "__main__":
    main()
