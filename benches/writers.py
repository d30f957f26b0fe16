"""The Writers: tokens per second beside the bare library, the cost of our layer, 32 people at once, prompts kept warm.

    python -m benches.writers [--model gemma3-270m] [--prompt 1000] [--answer 128] [--rounds 5] [--people 32]

1. The embedded Writer and bare xllamacpp ask the same loaded server in turn, ours through the layer and the other
   directly; the best round of each counts, because everything else that runs on the machine only ever slows a round.
2. `fabai serve` with llama.cpp (SmolLM2, 4 slots): 32 people at once, and the seconds until a slot that was left serves
   who waits.
The same on a real vLLM, and the reuse of its cache, are printed by `make test-vllm`. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import socket
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches.writers_crowd import crowd, freed, summary
from fabai.message import Message
from fabai.serving import embedded
from fabai.serving.served import served
from fabai.serving.supervisor import Supervisor
from fabai.settings import SamplingSettings, ServeSettings, WriterSettings
from fabai.writers.base import Usage
from fabai.writers.llamacpp import LlamaCpp
from fabai.writers.models import installed
from fabai.writers.openai import OpenAI

SENTENCE = "La asociación celebró talleres de lectura en la biblioteca del barrio y los cerró con una fiesta. "


@dataclass(frozen=True, slots=True)
class Round:
    """Seconds to the first piece and from there to the end, and the tokens of each part. layer: seconds of processor
    time that a token cost the thread that reads the stream.
    """

    first: float
    rest: float
    prompt: int
    answer: int
    layer: float = 0.0

    @property
    def prefill(self) -> float:
        return self.prompt / self.first

    @property
    def decode(self) -> float:
        return (self.answer - 1) / self.rest


def ours(writer: LlamaCpp, prompt: str, answer: int) -> Round:
    """One answer through our layer."""
    start, busy = time.perf_counter(), time.thread_time()
    first = None
    usage = None
    sampling = SamplingSettings(max_tokens=answer, temperature=0.0, repetition_penalty=1.0)
    for piece in writer.stream([Message("user", prompt)], sampling):
        if first is None:
            first = time.perf_counter()
        if isinstance(piece, Usage):
            usage = piece
    end = time.perf_counter()
    assert first is not None
    assert usage is not None
    layer = (time.thread_time() - busy) / usage.completion_tokens
    return Round(first - start, end - first, usage.prompt_tokens - (usage.cached or 0), usage.completion_tokens, layer)


def bare(writer: LlamaCpp, prompt: str, answer: int) -> Round:
    """The same answer from xllamacpp itself, asked as its own documentation does."""
    marks: list[float] = []
    told: dict[str, Any] = {}

    def heard(text: str) -> bool:
        event = json.loads(text)
        if any(choice.get("text") for choice in event.get("choices", ())):
            marks.append(time.perf_counter())
        told.update(event.get("usage") or {})
        return False

    request = {"prompt": f"{prompt.strip()}\n\n", "stream": True, "stream_options": {"include_usage": True},
               "max_tokens": answer, "temperature": 0.0, "repeat_penalty": 1.0, "cache_prompt": True}  # fmt: skip
    start = time.perf_counter()
    writer._server.handle_completions(json.dumps(request), heard)
    end = time.perf_counter()
    cached = told["prompt_tokens_details"]["cached_tokens"]
    return Round(marks[0] - start, end - marks[0], told["prompt_tokens"] - cached, told["completion_tokens"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default=WriterSettings().model)
    parser.add_argument("--prompt", type=int, default=1000, help="tokens, about")
    parser.add_argument("--answer", type=int, default=128, help="tokens")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--people", type=int, default=32)
    args = parser.parse_args()
    found = {"bench": "writers", **embedded_and_bare(args), **served_to_many(args.people)}
    found |= {
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "machine": platform.processor() or platform.machine(),
    }
    print(json.dumps(found))


def served_to_many(people: int) -> dict[str, Any]:
    """llama.cpp behind `fabai serve`."""
    path = installed("smollm2-135m", "gguf")
    with socket.create_server(("127.0.0.1", 0)) as free:
        settings = ServeSettings(port=free.getsockname()[1], context=2_048, slots=4)
    found: dict[str, Any] = {}

    def ready(url: str) -> None:
        def make() -> OpenAI:
            return OpenAI(url, key="bench")

        answers = crowd(make, people, tokens=32)
        found.update({f"people_{name}": value for name, value in summary(answers).items()})
        found["slot_freed_s"] = sorted(round(freed(make, settings.slots), 3) for _ in range(3))
        raise KeyboardInterrupt

    with tempfile.TemporaryDirectory() as folder:
        launch = embedded.launch(served(str(path)), settings, "bench")
        Supervisor(launch, settings, lambda _: None, log=Path(folder) / "serve.log", ready=ready).run()
    return found


def embedded_and_bare(args: argparse.Namespace) -> dict[str, Any]:
    """Both, and what our layer costs."""
    writer = LlamaCpp(installed(args.model, "gguf"), WriterSettings(context=4096))
    copies = max(1, args.prompt // writer.count(SENTENCE))
    rounds: dict[str, list[Round]] = {"ours": [], "bare": []}
    for turn in range(args.rounds):
        # another first word each time, so that nothing comes from the cache; who begins changes too
        for name in ("ours", "bare") if turn % 2 else ("bare", "ours"):
            prompt = f"{turn} {name} {SENTENCE * copies}"
            one = ours(writer, prompt, args.answer) if name == "ours" else bare(writer, prompt, args.answer)
            rounds[name].append(one)
            print(f"{turn} {name}: prefill {one.prefill:.0f}/s, decode {one.decode:.1f}/s", flush=True)
    writer.close()
    best = {name: (max(one.prefill for one in ones), max(one.decode for one in ones)) for name, ones in rounds.items()}
    return {
        "model": args.model,
        "prompt_tokens": rounds["ours"][0].prompt,
        "answer_tokens": rounds["ours"][0].answer,
        **{f"{name}_{what}_per_s": round(value, 1) for name, both in best.items()
           for what, value in zip(("prefill", "decode"), both, strict=True)},
        "decode_ratio": round(best["ours"][1] / best["bare"][1], 4),
        "overhead_ms_per_token": round(1000 * (1 / best["ours"][1] - 1 / best["bare"][1]), 4),
        "layer_cpu_ms_per_token": round(1000 * min(one.layer for one in rounds["ours"]), 4),
    }  # fmt: skip


if __name__ == "__main__":
    main()
