"""Is an adapter clearly better on the twelve fictional dossiers, which no training saw? One verdict line.

    python -m benches.eval_dossiers SET --make                  the set: their sections behind the product's own prompts
    python -m benches.eval_dossiers SET --beside MODEL          what another model makes of the same sections
    python -m benches.eval_dossiers SET RUN --taught EXAMPLES   the verdict on a run

The set is made for SmolLM2's tokens, mode warm, as the adapter is trained. Shipped is what is under 12 MB, surely
better than its base in every language (bootstrap over four projects each and their sections), forgets nothing, and is
surely better than the model that the demo has (--beside). A text that training saw ends it. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fabai.training import opened as opening
from fabai.training.evaluate import battery, bootstrap, general, held, measure, subject
from fabai.training.evaluate.held import Held
from fabai.training.evaluate.measure import Section
from fabai.training.evaluate.settings import EvalSettings
from fabai.training.evaluate.verdict import verdict
from fabai.training.recipe import Recipe
from fabai.training.source import find

from fabai.cli import main as fabai

DOSSIERS = Path(__file__).parents[1] / "tests" / "data" / "dossiers"
MOST_BYTES = 12_000_000
FILE, BESIDE = "test.jsonl", "beside.json"


def main() -> None:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("set", type=Path, help="folder of the set")
    parser.add_argument("run", type=Path, nargs="?", help="folder of a finished run")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--beside", metavar="MODEL", help="name of a model that is here")
    parser.add_argument("--each", type=int, default=0, help="sections of each dossier; default: all")
    parser.add_argument("--taught", type=Path, help="the examples that the run learnt from, to look for overlap")
    parser.add_argument("--base", type=Path, help="where the base lies")
    args = parser.parse_args()
    if args.make:
        made(args.set)
    every = few(held.read(args.set / FILE), args.each)
    if args.beside:
        beside(every, args.beside, args.set / BESIDE)
    if args.run is not None:
        judged(every, args)


def made(target: Path, cap: int = 2_048, reserve: int = 400, kinds: Sequence[str] = ("report",)) -> None:
    """Write the set: a corpus of the dossiers' reports and proposals, those of `kinds` replayed, all of it held out."""
    model = find(Recipe(model="smollm2-135m"))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        sources = folder / "SOURCES.toml"
        tables = [
            f'[[source]]\npath = "{one.name}/{kind}.md"\nlicence = "Apache-2.0"\nconsent = "fictional"\n'
            f'language = "{one.name[:2]}"\nproject = "{one.name}"\nkind = "{kind}"\n'
            for one in sorted(DOSSIERS.glob("??-*"))
            for kind in ("report", "proposal")
        ]
        sources.write_text("\n".join(tables), encoding="utf-8")
        corpus = str(folder / "corpus")
        done = fabai(["corpus", "build", str(sources), "--root", str(DOSSIERS), "-o", corpus, "--no-names"])
        done |= fabai(
            ["corpus", "examples", corpus, "--model", str(model), "--mode", "warm", "--cap", str(cap),
             "--reserve", str(reserve), "--jsonl", *(word for kind in kinds for word in ("--kind", kind))]
        )  # fmt: skip
        if done:
            raise SystemExit("the set could not be made")
        parts = [(folder / "corpus" / "examples" / f"{split}.jsonl") for split in ("train", "validation", "test")]
        target.mkdir(parents=True, exist_ok=True)
        (target / FILE).write_text("".join(one.read_text(encoding="utf-8") for one in parts), encoding="utf-8")


def few(every: Sequence[Held], each: int) -> list[Held]:
    """At most so many of each dossier, from all over it."""
    projects: dict[str, list[Held]] = defaultdict(list)
    for one in every:
        projects[one.project].append(one)
    found = []
    for part in projects.values():
        step = max(1.0, len(part) / each) if each else 1.0
        found += [part[int(place * step)] for place in range(min(len(part), each or len(part)))]
    return found


def beside(every: Sequence[Held], name: str, target: Path) -> None:
    """Bits of each section by another model with its own tokens."""
    recipe = Recipe(model=name, quantisation="none", max_tokens=2_048)
    model = find(recipe)
    if model is None:
        raise SystemExit(f"{name} is not here; run: fabai get {name}")
    settings = {"model": str(model), "quantisation": "none", "max_tokens": 2_048}
    asked = subject.load(settings, model, None, "bfloat16")
    found = measure.answers(every, asked, lambda: print(".", end="", flush=True))
    table = {"model": name, "bits": {one.id: said.loss / math.log(2) for one, said in zip(every, found, strict=True)}}
    target.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print()


def judged(every: Sequence[Held], args: argparse.Namespace) -> None:
    """Print the figures and the verdict."""
    found = opening.opened(args.run, args.base)
    trained = held.trained_on(args.taught) if args.taught is not None else []
    apart, pairs = held.apart(every, found.run, trained)
    print(f"{len(apart)} sections of {len({one.project for one in apart})} dossiers; {len(pairs)} repeat training text")
    tuned = subject.load(found.settings | {"slice": ""}, found.base, found.adapter.folder, found.dtype)
    settings = EvalSettings()
    sections = measure.sections(apart, tuned, None, lambda: None)
    groups = measure.groups(sections, settings.seed)
    items = battery.items(settings.each)
    after = battery.margins(tuned, items, lambda _: None)
    with tuned.base():
        before = battery.margins(tuned, items, lambda _: None)
    scores = battery.scores(items, before, after, settings.seed)
    said = verdict(
        settings, found.run, groups["all"][0], groups["language"], scores, general.distance(tuned), None, None, None
    )  # fmt: skip
    for sentence in (*said.sentences, *said.advice):
        print(f"- {sentence}")
    size = sum(one.stat().st_size for one in found.adapter.folder.glob("*.safetensors"))
    over_base = {one.name: one.difference is not None and one.difference.below for one in groups["language"]}
    over_demo = against(sections, args.set / BESIDE, settings.seed)
    sure = {language: high < 0 for language, (_, _, high) in over_demo.items()}
    ship = size < MOST_BYTES and all(over_base.values()) and said.passed and bool(sure) and all(sure.values())
    row: dict[str, Any] = {
        "bench": "eval_dossiers", "run": args.run.name, "sections": len(sections), "adapter_mb": round(size / 1e6, 2),
        "bits_per_byte": {
            one.name: [round(one.bits_before, 4), round(one.bits_after, 4)] for one in groups["language"]
        },
        "difference": {
            one.name: [round(value, 4) for value in (one.difference.mean, one.difference.low, one.difference.high)]
            for one in groups["language"] if one.difference is not None
        },
        "battery": {
            one.name: [
                round(value, 3)
                for value in (one.accuracy_before, one.accuracy_after, one.change.low, one.change.high)
            ]
            for one in scores
        },
        "failures": said.failures, "looked_for_overlap": bool(trained), "better_than_base": over_base,
        "beside_demo": {key: [round(value, 4) for value in values] for key, values in over_demo.items()},
        "better_than_demo": sure, "ship": ship,
    }  # fmt: skip
    print(f"verdict: {'ship it' if ship else 'do not ship it'}")
    print(json.dumps(row, ensure_ascii=False))


def against(sections: Sequence[Section], known: Path, seed: int) -> dict[str, tuple[float, float, float]]:
    """Bits per byte of the tuned model less those of the one beside it, (mean, low, high) by language."""
    if not known.is_file():
        return {}
    bits = json.loads(known.read_text(encoding="utf-8"))["bits"]
    found = {}
    for language in sorted({one.language for one in sections}):
        projects: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for one in sections:
            if one.language == language and one.id in bits:
                projects[one.project].append((one.loss / math.log(2) - bits[one.id], one.size))
        if len(projects) >= measure.LEAST:
            interval = bootstrap.of_groups(projects, seed)
            found[language] = (interval.mean, interval.low, interval.high)
    return found


if __name__ == "__main__":
    main()
