"""Three adapters really trained on SmolLM2-135M: a healthy one passes, an over-trained one is caught by the forgetting
battery, one that learnt four texts by heart by the copy check.

    python -m benches.eval_adapters [--only NAME] [--each 225] [--sections 36] [--threads 2] [--out out/eval-adapters]

Short sections of the fictional dossiers: three dossiers teach, nine are held out. Made for two processor cores; a run
that is finished is taken as it is, so that it can be gone on with in parts. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from fabai.training.evaluate import job
from fabai.training.evaluate.settings import EvalSettings
from fabai.training.recipe import Recipe
from fabai.training.source import find

from benches.eval import TAUGHT, Clock
from benches.eval_dossiers import DOSSIERS
from fabai.cli import main as fabai
from fabai.formats.read import read

RECIPE = """model = "smollm2-135m"
quantisation = "none"
dtype = "float32"
engine = "plain"
attention = "sdpa"
optimiser = "adamw_torch"
checkpointing = false
offload = "device"
general = 0.0
evaluate_every = 5000
evaluate_most = 1
save_every = 5000
card_gb = 0
host_gb = 8
max_tokens = 512
accumulation = 1
warmup = 1
"""
WAYS = {
    "healthy": "rank = 8\nbatch = 2\nlearning_rate = 3e-4\nsteps = 16\n",
    "over": "rank = 8\nbatch = 2\nlearning_rate = 2e-2\nsteps = 16\n",
    "memory": 'rank = 16\nbatch = 2\nlearning_rate = 2e-3\nsteps = 60\nschedule = "constant"\n',
}
"""What of the recipe each states."""
WANTED = {"healthy": (), "over": ("forgotten:",), "memory": ("memorised:", "copied:")}
"""Beginnings of sentences of which one must be among the failures; none may be for the healthy one."""
MOST, FEW = 500, 4


def rows() -> Iterator[dict[str, Any]]:
    """The first paragraphs of every section of every dossier's report."""
    for folder in sorted(DOSSIERS.glob("??-*")):
        document = read(folder / "report.md")
        for number, section in enumerate(document.sections):
            text = ""
            for paragraph in section.text.strip().split("\n\n"):
                if len(text) + len(paragraph) > MOST:
                    break
                text += f"{paragraph}\n\n"
            if text.strip():
                wish = f"{document.title}. Write the section: {section.heading}"
                yield {
                    "id": f"{folder.name}:s{number}:0", "report": folder.name, "project": folder.name, "kind": "report",
                    "language": folder.name[:2], "target": text.strip(),
                    "messages": [{"role": "user", "content": wish}],
                }  # fmt: skip


def examples(folder: Path, few: bool) -> Path:
    """few: a handful of texts to learn from."""
    folder.mkdir(parents=True, exist_ok=True)
    every = list(rows())
    taught = [one for one in every if one["project"] in TAUGHT]
    for name, part in (
        ("train", taught[:: len(taught) // FEW][:FEW] if few else taught),
        ("test", [one for one in every if one["project"] not in TAUGHT]),
    ):
        lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in part]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def trained(name: str, place: Path) -> tuple[Path, Path]:
    """(the run, its examples), trained where it is not there yet."""
    data = examples(place / ("few" if name == "memory" else "all"), name == "memory")
    run = place / f"run-{name}"
    if not (run / "adapter" / "adapter_config.json").is_file():
        recipe = place / f"{name}.toml"
        recipe.write_text(RECIPE + WAYS[name], encoding="utf-8")
        if fabai(["train", str(recipe), "--examples", str(data), "-o", str(run), "--even-so"]):
            raise SystemExit(f"{name} was not trained")
    return run, data


def main() -> None:
    """Train and evaluate; exit 1 where one is not judged as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", choices=tuple(WAYS), action="append", help="repeatable")
    parser.add_argument("--each", type=int, default=EvalSettings().each, help="battery items of a task in a language")
    parser.add_argument("--sections", type=int, default=36)
    parser.add_argument("--threads", type=int, default=2, help="1 beside other work: two wait for each other")
    parser.add_argument("--out", type=Path, default=Path("out/eval-adapters"))
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    settings = EvalSettings(sections=args.sections, each=args.each)
    model = find(Recipe(model="smollm2-135m"))
    found = {}
    for name in args.only or WAYS:
        run, data = trained(name, args.out)
        said, folder = job.evaluate(job.Request(run, data, base=model, settings=settings), None, Clock())
        failures = said.verdict.failures
        print(f"\n{name}: {'passes' if said.verdict.passed else 'fails'}; {folder / 'report.html'}")
        for sentence in (*said.verdict.sentences, *(f"advice: {one}" for one in said.verdict.advice)):
            print(f"- {sentence}")
        wanted = WANTED[name]
        right = any(one.startswith(wanted) for one in failures) if wanted else not failures
        whole = said.groups["all"][0]
        found[name] = {
            "as_wanted": right, "bits_per_byte": [round(whole.bits_before, 3), round(whole.bits_after, 3)],
            "battery": [round(said.forgetting[0].accuracy_before, 3), round(said.forgetting[0].accuracy_after, 3)],
            "kl": {language: round(one.kl, 3) for language, one in said.distances.items()},
            "gap": None if said.memory is None else round(said.memory.gap, 3),
            "run": None if said.memory is None else [said.memory.before, said.memory.longest],
            "failures": [one.partition(":")[0] for one in failures],
        }  # fmt: skip
    print(json.dumps({"bench": "eval_adapters", "items": 12 * args.each, "adapters": found}, ensure_ascii=False))
    if not all(one["as_wanted"] for one in found.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
