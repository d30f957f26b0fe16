"""The figure lock on a server with many drafts at once: what it lets through, and what it costs.

    fabai serve FOLDER --lock --port 8200         # in another window
    python -m benches.lock_server --url http://127.0.0.1:8200 --model NAME [--drafts 200] [--side 32] [--out FOLDER]

The drafts and the checker are those of benches.lock. Cost: the same crowd free and locked by turns, medians of the
ratios within a round: "speed" of an answer from its first piece on, median of the crowd; "whole" as tokens a second of
all together, with the canary before each answer and what the server does with the lock before it begins. Drafts that
are done are kept under --out, and a run that was stopped goes on there. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches.lock import ASKED, FACTS
from benches.lock_strings import ledger
from fabai.lock import Constraint
from fabai.message import Message
from fabai.settings import SamplingSettings
from fabai.writers.base import Usage
from fabai.writers.openai import OpenAI


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="of the server")
    parser.add_argument("--model", required=True)
    parser.add_argument("--drafts", type=int, default=200)
    parser.add_argument("--tokens", type=int, default=150, help="of a draft")
    parser.add_argument("--side", type=int, default=32, help="drafts at once")
    parser.add_argument("--rounds", type=int, default=3, help="crowds of each kind that are timed")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "fabai-bench-lock")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)

    def writer() -> OpenAI:
        return OpenAI(args.url, args.model)

    found = {"bench": "lock_server", "side": args.side, **drafts(writer, args), **speed(writer, args)}
    print(json.dumps(found))


def drafts(writer: Callable[[], OpenAI], args: argparse.Namespace) -> dict[str, Any]:
    """Texts under the lock of six facts, one a line in the file, and what the checker says of them all."""
    lock = Constraint(FACTS, "en")
    path = args.out / "server.jsonl"
    done = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    one_at_a_time = threading.Lock()

    def one(seed: int) -> None:
        text = answer(writer, args.tokens, seed, lock, 1.2).text
        with one_at_a_time, path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(text)}\n")

    with ThreadPoolExecutor(args.side) as pool:
        list(pool.map(one, range(len(done), args.drafts)))
    texts = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[: args.drafts]]
    faults = Counter(slip.fault for text in texts for slip in lock.slips(text))
    return {
        "drafts": len(texts),
        "figures": sum(map(lock.checker.figures, texts)),
        "outside": faults["figure"] + faults["sign"] + faults["place"],
        "wrong_noun": faults["noun"],
    }


def speed(writer: Callable[[], OpenAI], args: argparse.Namespace) -> dict[str, Any]:
    """Seconds a token, and tokens a second of all, without the lock against those with it, for 300 and 10,000 facts."""
    locks = {"free": None} | {str(size): Constraint(ledger(size, "en"), "en") for size in (300, 10_000)}
    rounds: list[dict[str, tuple[float, float]]] = []
    for lock in locks.values():
        # the server makes an automaton and its masks once for a section, not for each answer
        answer(writer, 8, 0, lock, 0.8)
    for turn in range(args.rounds):
        rounds.append({})
        for name, lock in locks.items():
            start = time.monotonic()
            with ThreadPoolExecutor(args.side) as pool:
                asked = [pool.submit(answer, writer, args.tokens, 100 * turn + n, lock, 0.8) for n in range(args.side)]
                said = [one.result() for one in asked]
            whole = (time.monotonic() - start) / sum(one.tokens for one in said)
            rounds[-1][name] = statistics.median(one.seconds / max(1, one.tokens - 1) for one in said), whole
    free = statistics.median(one["free"][1] for one in rounds)
    return {
        "tokens_per_second": round(1 / free, 1),
        "ms_per_token": round(1000 * statistics.median(one["free"][0] for one in rounds), 2),
        **{
            f"{how}_{name}": round(statistics.median(one["free"][place] / one[name][place] for one in rounds), 3)
            for place, how in enumerate(("speed", "whole"))
            for name in locks
            if name != "free"
        },
    }


@dataclass(frozen=True, slots=True)
class Answered:
    """seconds: from the first piece to the end."""

    text: str
    tokens: int
    seconds: float


def answer(
    writer: Callable[[], OpenAI], tokens: int, seed: int, lock: Constraint | None, temperature: float
) -> Answered:
    """One answer over a connection of its own."""
    sampling = SamplingSettings(max_tokens=tokens, temperature=temperature, seed=seed)
    text, begun = "", 0.0
    with closing(writer()) as mine:
        for piece in mine.stream([Message("user", ASKED)], sampling, (), lock):
            if isinstance(piece, Usage):
                return Answered(text, piece.completion_tokens, time.monotonic() - begun)
            begun = begun or time.monotonic()
            text += piece
    raise AssertionError("a stream ends with its usage")


if __name__ == "__main__":
    main()
