"""The figure lock on real models: what it lets through in 200 drafts, and what it costs.

    python -m benches.lock [--gguf FILE] [--transformers FOLDER] [--drafts 200] [--jobs 8] [--threads 2]
    python -m benches.lock --only speed [--facts 300 10000] [--rounds 6]

Drafts: SmolLM2 under llama.cpp and, with --transformers, a model folder; temperature 1.2, six facts, a prompt that asks
for figures; the checker, which knows neither the automaton nor the grammar, counts figures that are no fact and facts
with another's noun. They are made in several processes, each with a model of its own, and kept under --out, so a run
that was stopped goes on there. Speed, in one process and with nothing else running: free and locked answers by turns,
seconds per token from the first piece on, by the clock and of the processor, which a busy machine changes less; medians
of the ratios within a round. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import fabai.lock
from benches.lock_strings import ledger
from benches.shards import folder, run
from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.writers.base import Usage, Writer
from fabai.writers.llamacpp import LlamaCpp
from fabai.writers.models import installed
from fabai.writers.transformers import Transformers

FACTS = tuple(
    Fact(name, value, "s")
    for name, value in (
        ("grant", "€18,500.00"), ("people", "180 people"), ("workshops", "12 workshops"), ("satisfaction", "92.5 %"),
        ("year", "2025"), ("opening", "2025-03-14"),
    )
)  # fmt: skip
ASKED = (
    "Write a report about a reading project in a library: its costs, how many people came to how many workshops, when "
    "it opened and how satisfied they were. Give figures in every sentence."
)


_BATCH = 5
"""Drafts of a part."""


@dataclass(frozen=True, slots=True)
class Part:
    """Drafts of one writer, one for each seed; threads: that llama.cpp takes, None: all."""

    writer: str
    model: Path
    threads: int | None
    tokens: int
    seeds: tuple[int, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--gguf", type=Path, metavar="FILE", help="a model for llama.cpp (default: SmolLM2, as fetched)"
    )
    parser.add_argument("--transformers", type=Path, metavar="FOLDER", help="a model for the transformers writer")
    parser.add_argument("--skip", choices=("llamacpp", "transformers"), help="leave a writer out")
    parser.add_argument("--only", choices=("drafts", "speed"))
    parser.add_argument("--drafts", type=int, default=200, help="for each writer")
    parser.add_argument("--tokens", type=int, default=150, help="of a draft")
    parser.add_argument("--facts", type=int, nargs="+", default=[300, 10_000], help="of the locks that are timed")
    parser.add_argument("--rounds", type=int, default=6, help="answers of each kind that are timed")
    parser.add_argument("--jobs", type=int, default=1, help="processes that draft at a time")
    parser.add_argument("--threads", type=int, help="of each process under llama.cpp (default: all)")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "fabai-bench-lock")
    args = parser.parse_args()
    models = {
        "llamacpp": args.gguf
        if args.gguf is not None or args.skip == "llamacpp"
        else installed("smollm2-135m", "gguf"),
        "transformers": args.transformers,
    }
    models = {name: model for name, model in models.items() if model is not None and name != args.skip}
    found: dict[str, Any] = {name: {} for name in models}
    if args.only in (None, "drafts"):
        for name, said in _drafts(models, args).items():
            found[name] |= said
            print(name, said, flush=True)
    for name, model in models.items():
        if args.only in (None, "speed"):
            with closing(_writer(name, model, None)) as writer:
                found[name] |= speed(writer, args)
            print(name, found[name], flush=True)
    print(json.dumps({"bench": "lock", **found}))


def _writer(name: str, model: Path, threads: int | None) -> Writer:
    settings = WriterSettings(context=2_048, threads=threads)
    return LlamaCpp(model, settings) if name == "llamacpp" else Transformers(model, settings)


@cache
def _shared(name: str, model: Path, threads: int | None) -> Writer:
    """The writer of this process, which ends with it."""
    return _writer(name, model, threads)


def _drafts(models: dict[str, Path], args: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Texts under the lock of six facts, and what the checker says of them all."""
    todo = {
        f"{name} {start}": Part(
            name, model, args.threads, args.tokens, tuple(range(start, min(args.drafts, start + _BATCH)))
        )
        for name, model in models.items()
        for start in range(0, args.drafts, _BATCH)
    }
    kept = folder(args.out, [args.tokens, *models.items()], [Path(__file__), Path(fabai.lock.__file__).parent])
    lock, texts = Constraint(FACTS, "en"), dict[str, list[str]]()
    for name, said in run(draft, todo, kept, args.jobs).items():
        texts.setdefault(todo[name].writer, []).extend(said["texts"])
    faults = {name: Counter(slip.fault for text in ones for slip in lock.slips(text)) for name, ones in texts.items()}
    return {
        name: {
            "drafts": len(ones),
            "figures": sum(map(lock.checker.figures, ones)),
            "outside": faults[name]["figure"] + faults[name]["sign"] + faults[name]["place"],
            "wrong_noun": faults[name]["noun"],
        }
        for name, ones in texts.items()
    }


def draft(part: Part) -> dict[str, Any]:
    """The texts of one part."""
    writer, lock = _shared(part.writer, part.model, part.threads), Constraint(FACTS, "en")
    return {"texts": [answer(writer, part.tokens, seed, lock, temperature=1.2)[0] for seed in part.seeds]}


def speed(writer: Writer, args: argparse.Namespace) -> dict[str, Any]:
    """Tokens per second with the lock, as a part of those without, by the number of its facts."""
    locks = {"free": None} | {str(size): Constraint(ledger(size, "en"), "en") for size in args.facts}
    for lock in locks.values():
        # grammar and masks are made once for a section, not for each token
        answer(writer, 8, 0, lock)
    rounds = []
    for seed in range(args.rounds):
        said = {name: answer(writer, args.tokens // 2, seed, lock) for name, lock in locks.items()}
        rounds.append(
            {name: (clock / max(1, tokens), own / max(1, tokens)) for name, (_, tokens, clock, own) in said.items()}
        )
    told: dict[str, Any] = {"ms_per_token": round(1000 * statistics.median(one["free"][0] for one in rounds), 2)}
    for name in locks:
        if name != "free":
            for place, how in enumerate(("speed", "processor")):
                told[f"{how}_{name}"] = round(
                    statistics.median(one["free"][place] / one[name][place] for one in rounds), 3
                )
    return told


def answer(
    writer: Writer, tokens: int, seed: int, lock: Constraint | None, temperature: float = 0.8
) -> tuple[str, int, float, float]:
    """(text, tokens, seconds from the first piece on by the clock, and of the processor)."""
    sampling = SamplingSettings(max_tokens=tokens, temperature=temperature, seed=seed)
    text, begun, own, usage = "", 0.0, 0.0, None
    for piece in writer.stream([Message("user", ASKED)], sampling, (), lock):
        if isinstance(piece, Usage):
            usage = piece
            break
        if not begun:
            begun, own = time.perf_counter(), time.process_time()
        text += piece
    assert usage is not None
    return text, usage.completion_tokens, time.perf_counter() - begun, time.process_time() - own


if __name__ == "__main__":
    main()
