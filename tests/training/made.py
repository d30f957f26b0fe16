"""Small made things to train with: examples, recipes, and a run in this process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fabai.training import checkpoint
from fabai.training.machine import Machine
from fabai.training.prepare import Request, prepare
from fabai.training.train import Result, train

TEXTS = (
    "La sala abrió.",
    "La sala abrió cinco tardes por semana.",
    "Les famílies van valorar l'activitat.",
    "The room opened.",
    "Las familias valoraron la actividad y pidieron ampliarla.",
    "Fin.",
)
CPU = Machine((), frozenset({"bitsandbytes"}))


class Silent:
    """A Watch that keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.steps: list[dict[str, Any]] = []
        self.evaluations: list[dict[str, Any]] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def begin(self, steps: int, done: int) -> None:
        self.notes.append(f"{steps} steps, {done} done")

    def step(self, record: dict[str, Any]) -> None:
        self.steps.append(record)

    def evaluated(self, record: dict[str, Any]) -> None:
        self.evaluations.append(record)


def example(name: str, target: str, **more: Any) -> dict[str, Any]:
    """A row as `fabai corpus examples` writes it."""
    messages = [{"role": "user", "content": f"Redacta {name}."}]
    return {"id": name, "messages": messages, "target": target, "language": "es", "report": "memoria-1"} | more


def write_examples(folder: Path, train: Sequence[dict[str, Any]], held: Sequence[dict[str, Any]] = ()) -> Path:
    """A folder of examples in JSON lines."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("train", train), ("validation", held)):
        if rows:
            lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return folder


def examples(folder: Path, count: int = 6) -> Path:
    """A folder of `count` examples, two of them held out as well."""
    rows = [example(f"e{number}", TEXTS[number % len(TEXTS)] * (1 + number // len(TEXTS))) for number in range(count)]
    return write_examples(folder, rows, rows[:2])


def write_recipe(path: Path, model: Path, **settings: Any) -> Path:
    """A recipe for the processor that takes no time."""
    usual: dict[str, Any] = {
        "model": str(model), "quantisation": "none", "optimiser": "adamw_torch", "engine": "fabai", "rank": 4,
        "max_tokens": 256, "steps": 4, "accumulation": 2, "warmup": 2, "learning_rate": 5e-3, "evaluate_every": 50,
        "save_every": 50, "card_gb": 0,
    }  # fmt: skip
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in (usual | settings).items())
    path.write_text("".join(lines), encoding="utf-8")
    return path


def with_unsloth() -> Machine:
    """A machine without a card that has Unsloth."""
    return Machine((), CPU.packages | {"unsloth"})


def run(
    recipe: Path, data: Path, output: Path, watch: Silent | None = None, machine: Machine = CPU, **request: Any
) -> Result:
    """Train in this process."""
    seen = Silent() if watch is None else watch
    found = train(prepare(Request(str(recipe), data, output, **request), machine, seen.note), seen)
    assert found is not None
    return found


def lines(output: Path) -> list[dict[str, Any]]:
    """The steps of a run's metrics."""
    found = map(json.loads, (output / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
    return [line for line in found if "loss" in line]


def gradient(output: Path) -> dict[str, Any]:
    """The gradient of a run's only step, by parameter: Adam's first mean after one step is a tenth of it."""
    saved = checkpoint.Reading(checkpoint.whole(output / "checkpoints")[-1])
    state = saved.get("optimiser")["state"]
    return {str(number): one["exp_avg"] / 0.1 for number, one in state.items()}


def adapters(output: Path) -> dict[str, Any]:
    """The weights of a run's last checkpoint."""
    found: dict[str, Any] = checkpoint.Reading(checkpoint.whole(output / "checkpoints")[-1]).get("adapters")
    return found
