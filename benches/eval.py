"""`fabai eval` of SmolLM2-135M on two cores: processor seconds of each part, and the same figures again.

The held-out sections are those of the fictional reports in tests/data/dossiers, each behind a prompt of at most --cap
tokens with the text before it, as a window in mode fill has it. The adapter has small random weights: what it says does
not matter for the time. Drafts are not written: their time is the Writer's (`python -m benches.writers`).

    python -m benches.eval [--sections 100] [--each 225] [--cap 1024] [--twice]
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from fabai.training.evaluate import job
from fabai.training.evaluate.settings import EvalSettings
from fabai.training.recipe import load
from fabai.training.source import find

from fabai.example import Encoder, encoder
from fabai.formats.read import read
from fabai.message import Message

DOSSIERS = Path(__file__).parents[1] / "tests" / "data" / "dossiers"


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


def examples(tokens: Encoder, cap: int) -> Iterator[dict[str, Any]]:
    """Every section of every report, behind as much of the text before it as `cap` leaves room for."""
    for folder in sorted(DOSSIERS.glob("??-*")):
        document = read(folder / "report.md")
        before = ""
        for number, section in enumerate(document.sections):
            if section.text.strip():
                room = cap - len(tokens.tokenizer(section.text, verbose=False)["input_ids"]) - 64
                ids = tokens.tokenizer(before, verbose=False)["input_ids"]
                shown = tokens.tokenizer.decode(ids[: max(0, room)])
                prompt = f"{document.title}\n\n{shown}\n\nWrite the section: {section.heading}"
                yield {
                    "id": f"{folder.name}:s{number}:0", "report": folder.name, "project": folder.name, "kind": "report",
                    "language": folder.name[:2], "messages": [{"role": "user", "content": prompt}],
                    "target": section.text,
                }  # fmt: skip
            before += f"## {section.heading}\n\n{section.text}\n\n"


def adapter(model: Path, folder: Path) -> Path:
    """LoRA of rank 16 on all projections, with small random weights."""
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(0)
    base: Any = AutoModelForCausalLM.from_pretrained(model, dtype=torch.bfloat16)
    made = get_peft_model(
        base, LoraConfig(r=16, target_modules="all-linear", task_type="CAUSAL_LM", init_lora_weights=False)
    )
    with torch.no_grad():
        for name, one in made.named_parameters():
            if "lora_B" in name:
                one.mul_(0.05)
    made.save_pretrained(str(folder))
    return folder


def main() -> None:
    """Print what each part cost; the last line is JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sections", type=int, default=100)
    parser.add_argument("--each", type=int, default=EvalSettings().each, help="battery items of a task in a language")
    parser.add_argument("--cap", type=int, default=1_024, help="most tokens of prompt and section")
    parser.add_argument("--twice", action="store_true", help="evaluate again and compare every figure")
    args = parser.parse_args()
    torch.set_num_threads(2)
    model = find(load("smollm2-cpu"))
    if model is None:
        raise SystemExit("SmolLM2 is not here; run: fabai get smollm2-135m")
    tokens = encoder(model)
    settings = EvalSettings(sections=args.sections, each=args.each)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        rows = list(examples(tokens, args.cap))
        data = folder / "examples"
        data.mkdir()
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        # nothing is learnt here, but a folder of examples has such a file
        (data / "train.jsonl").write_text(lines[0].replace(":s", ":t", 1), encoding="utf-8")
        (data / "test.jsonl").write_text("".join(lines), encoding="utf-8")
        run = adapter(model, folder / "adapter")
        tables = []
        for _ in range(2 if args.twice else 1):
            clock, begun, wall = Clock(), time.process_time(), time.perf_counter()
            found, _ = job.evaluate(job.Request(run, data, target=folder / "out", settings=settings), None, clock)
            clock.end()
            spent, wall = time.process_time() - begun, time.perf_counter() - wall
            table = found.as_json()
            tables.append({key: value for key, value in table.items() if key not in ("times", "created")})
    size = [
        len(tokens.encode([Message(one["role"], one["content"]) for one in row["messages"]], row["target"]).ids)
        for row in rows
    ]
    for part, seconds in clock.parts.items():
        print(f"{part}: {seconds} s of processor time")
    print(
        json.dumps(
            {
                "bench": "eval", "python": platform.python_version(), "model": "smollm2-135m",
                "sections": found.groups["all"][0].sections, "mean_tokens": round(sum(size) / len(size)),
                "items": found.forgetting[0].items, "cpu_seconds": round(spent, 1), "seconds": round(wall, 1),
                "parts": clock.parts, "same_again": tables[0] == tables[1] if args.twice else None,
            }
        )
    )  # fmt: skip


if __name__ == "__main__":
    main()
