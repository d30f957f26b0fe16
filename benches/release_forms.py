"""Every form of one adapter beside the adapter: the likeliest token at 2,000 positions, KL, loss, where they differ.

    python -m benches.release_forms RUN [--set FOLDER] [--positions 2000] [--only FORM] [--out out/release-forms]

Forms in 16 bits and GGUF files against the merged model in 16 bits; the adapter in llama.cpp beside a base in F16 and
in Q8_0, and the merged Q8_0 file against the latter, which is like with like: the same rounding on both sides. Prompts
are of SET (out/dogfood/dossiers: `python -m benches.eval_dossiers SET --make`). A form that was measured is not
measured again: its row stands in OUT/rows.jsonl. The last line is JSON.
"""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import torch
from fabai.training import opened as opening
from fabai.training.evaluate import held, subject
from fabai.training.opened import Opened
from fabai.training.release import compare, gguf
from fabai.training.release.compare import Prompt, Seen
from fabai.training.release.merging import merge

from benches.eval_dossiers import FILE
from fabai.example import encoder
from fabai.writers.gguf import read_gguf
from fabai.writers.lora import write_lora
from fabai.writers.probe import Probe

FORMS = ("F16", "Q8_0", "Q5_1", "Q4_0")
EACH = 100


def main() -> None:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--set", type=Path, default=Path("out/dogfood/dossiers"))
    parser.add_argument("--positions", type=int, default=2_000)
    parser.add_argument("--only", action="append", help="the name of a form as its row has it; repeatable")
    parser.add_argument("--out", type=Path, default=Path("out/release-forms"))
    parser.add_argument("--base", type=Path)
    args = parser.parse_args()
    torch.set_num_threads(2)
    found = opening.opened(args.run, args.base)
    asked = prompts(found, args.set, args.positions)
    args.out.mkdir(parents=True, exist_ok=True)
    rows = args.out / "rows.jsonl"
    done = [json.loads(line) for line in rows.read_text().splitlines()] if rows.is_file() else []
    ways = Ways(found, asked, args.out)
    for name, measure in ways.all():
        if any(one["form"] == name for one in done) or (args.only and name not in args.only):
            continue
        row = {"form": name, **measure()}
        done.append(row)
        with rows.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{name}: {row}", flush=True)
    print(json.dumps({"bench": "release_forms", "positions": compare.positions(asked), "forms": done}))


def prompts(found: Opened, folder: Path, most: int) -> list[Prompt]:
    """Texts of the set with so many positions in all, of every dossier in turn."""
    tokens = encoder(found.base)
    every = held.read(folder / FILE)
    made: list[Prompt] = []
    for one in held.chosen(every, len(every), 0):
        room = min(EACH, most - compare.positions(made))
        if room <= 0:
            break
        whole = tokens.encode(one.messages, one.target)
        made.append(Prompt(tuple(whole.ids[max(0, whole.prompt - 256) : whole.prompt + room]), min(256, whole.prompt)))
    return made


class Ways:
    """What is compared with what; a model leaves memory before the next is loaded."""

    def __init__(self, found: Opened, asked: Sequence[Prompt], place: Path) -> None:
        self._found, self._asked, self._place = found, asked, place
        self._settings = found.settings | {"slice": "", "model": str(found.base)}
        self._kept: dict[str, Seen] = {}

    def all(self) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
        """(name, how it is measured), cheap references first."""
        yield "merged 16 bits beside the adapter", self._merged
        for numbers in FORMS:
            yield f"merged {numbers} in llama.cpp beside merged 16 bits", lambda numbers=numbers: self._file(numbers)
        for numbers in ("F16", "Q8_0"):
            yield (
                f"adapter on {numbers} base in llama.cpp beside the adapter",
                lambda numbers=numbers: self._adapter(numbers),
            )
        yield "merged Q8_0 beside adapter on Q8_0 base, both in llama.cpp", self._alike

    def _look(self, folder: Path, adapter: Path | None) -> Seen:
        name = str(adapter or folder)
        if name not in self._kept:
            # in fp32, so that what differs is the form
            settings = self._settings | {"model": str(folder), "quantisation": "none"}
            loaded = subject.load(settings, folder, adapter, "bfloat16", widened=True)
            self._kept[name] = compare.look(loaded, self._asked)
            del loaded
            gc.collect()
        return self._kept[name]

    def _trained(self) -> Seen:
        return self._look(self._found.base, self._found.adapter.folder)

    def _folder(self) -> Path:
        target = self._place / "merged"
        if not (target / "config.json").is_file():
            merge(self._found.base, self._found.adapter, target, rounded=False, rope=None)
        return target

    def _gguf(self, folder: Path, numbers: str) -> Path:
        target = self._place / f"{'merged' if folder.name == 'merged' else 'base'}-{numbers}.gguf"
        if not target.is_file():
            gguf.write(folder, target, numbers, "bench")  # type: ignore[arg-type]
        return target

    def _merged(self) -> dict[str, Any]:
        return told(compare.in_torch(self._trained(), self._look(self._folder(), None), self._asked))

    def _file(self, numbers: str) -> dict[str, Any]:
        file = self._gguf(self._folder(), numbers)
        with closing(Probe(file, self._context())) as probe:
            said = compare.in_llamacpp(self._look(self._folder(), None), probe, self._asked)
        return told(said) | {"mib": round(file.stat().st_size / 2**20, 1)}

    def _lora(self, numbers: str) -> tuple[Path, Path]:
        base, target = self._gguf(self._found.base, numbers), self._place / "adapter.gguf"
        if not target.is_file():
            write_lora(self._found.adapter, read_gguf(base), target)
        return base, target

    def _adapter(self, numbers: str) -> dict[str, Any]:
        base, adapter = self._lora(numbers)
        with closing(Probe(base, self._context(), adapter)) as probe:
            return told(compare.in_llamacpp(self._trained(), probe, self._asked))

    def _alike(self) -> dict[str, Any]:
        base, adapter = self._lora("Q8_0")
        with closing(Probe(base, self._context(), adapter)) as probe:
            ours = first(probe, self._asked)
        with closing(Probe(self._gguf(self._folder(), "Q8_0"), self._context())) as probe:
            theirs = first(probe, self._asked)
        alike = [one == other for one, other in zip(ours, theirs, strict=True)]
        return {"positions": len(alike), "top1": round(sum(alike) / len(alike), 4)}

    def _context(self) -> int:
        return max(len(one.ids) for one in self._asked) + 16


def first(probe: Probe, asked: Sequence[Prompt]) -> list[int | None]:
    """The likeliest token at every position."""
    return [
        max(said, key=said.__getitem__) if said else None
        for one in asked
        for said in probe.following(one.ids, one.start, 5)
    ]


def told(found: compare.Likeness) -> dict[str, Any]:
    """A row."""
    return {
        "positions": found.positions, "top1": round(found.top1, 4), "kl": round(found.kl, 5),
        "loss": round(found.loss, 4), "reference_loss": round(found.reference_loss, 4), "clear": found.clear,
        "clear_top1": round(found.clear_top1, 4),
    }  # fmt: skip


if __name__ == "__main__":
    main()
