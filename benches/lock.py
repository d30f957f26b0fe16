"""The figure lock on real models: what it lets through in 200 drafts, and what it costs.

    python -m benches.lock [--drafts 200] [--tokens 150] [--rounds 6] [--transformers FOLDER] [--out FOLDER]

Drafts: SmolLM2 under llama.cpp and, with --transformers, a model folder; temperature 1.2, six facts, a prompt that asks
for figures; the checker, which knows neither the automaton nor the grammar, counts figures that are no fact and facts
with another's noun. Speed: free and locked answers by turns, with 300 and 10,000 facts, in processor seconds per token,
which a busy machine does not change as it does the clock's. Drafts that are done are kept under --out, and a run that
was stopped goes on there. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from benches.lock_strings import ledger
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drafts", type=int, default=200, help="for each writer")
    parser.add_argument("--tokens", type=int, default=150, help="of a draft")
    parser.add_argument("--rounds", type=int, default=6, help="answers of each kind that are timed")
    parser.add_argument("--transformers", type=Path, metavar="FOLDER", help="a model for the transformers writer")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "fabai-bench-lock")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {"bench": "lock"}
    for name, writer in _writers(args.transformers):
        with closing(writer):
            found[name] = {**drafts(writer, args, args.out / f"{name}.jsonl"), **speed(writer, args)}
            print(name, found[name], flush=True)
    print(json.dumps(found))


def _writers(folder: Path | None) -> Iterator[tuple[str, Writer]]:
    settings = WriterSettings(context=2_048)
    yield "llamacpp", LlamaCpp(installed("smollm2-135m", "gguf"), settings)
    if folder is not None:
        yield "transformers", Transformers(folder, settings)


def drafts(writer: Writer, args: argparse.Namespace, path: Path) -> dict[str, Any]:
    """Texts under the lock of six facts, one a line in the file, and what the checker says of them all."""
    lock = Constraint(FACTS, "en")
    done = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    with path.open("a", encoding="utf-8") as file:
        for seed in range(len(done), args.drafts):
            text, _, _ = answer(writer, args.tokens, seed, lock, temperature=1.2)
            done.append(json.dumps(text))
            file.write(f"{done[-1]}\n")
            file.flush()
    texts = [json.loads(line) for line in done[: args.drafts]]
    faults = Counter(slip.fault for text in texts for slip in lock.slips(text))
    return {
        "drafts": len(texts),
        "figures": sum(map(lock.checker.figures, texts)),
        "outside": faults["figure"] + faults["sign"] + faults["place"],
        "wrong_noun": faults["noun"],
    }


def speed(writer: Writer, args: argparse.Namespace) -> dict[str, Any]:
    """Tokens per processor second with the lock, as a part of those without, for 300 and 10,000 facts."""
    locks = {"free": None} | {str(size): Constraint(ledger(size, "en"), "en") for size in (300, 10_000)}
    costs: dict[str, list[float]] = {name: [] for name in locks}
    for lock in locks.values():
        # grammar and masks are made once for a section, not for each token
        answer(writer, 8, 0, lock)
    for seed in range(args.rounds):
        for name, lock in locks.items():
            _, tokens, seconds = answer(writer, args.tokens // 2, seed, lock)
            costs[name].append(seconds / max(1, tokens))
    middle = {name: statistics.median(ones) for name, ones in costs.items()}
    return {
        "ms_per_token": round(1000 * middle["free"], 2),
        **{f"speed_{name}": round(middle["free"] / middle[name], 3) for name in locks if name != "free"},
    }


def answer(
    writer: Writer, tokens: int, seed: int, lock: Constraint | None, temperature: float = 0.8
) -> tuple[str, int, float]:
    """(text, tokens, processor seconds from the first piece on)."""
    sampling = SamplingSettings(max_tokens=tokens, temperature=temperature, seed=seed)
    text, begun, usage = "", 0.0, None
    for piece in writer.stream([Message("user", ASKED)], sampling, (), lock):
        if isinstance(piece, Usage):
            usage = piece
            break
        begun = begun or time.process_time()
        text += piece
    took = time.process_time() - begun if begun else 0.0
    assert usage is not None
    return text, usage.completion_tokens, took


if __name__ == "__main__":
    main()
