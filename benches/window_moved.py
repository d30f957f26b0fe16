"""What a real server reads of each prompt, with and without llama.cpp's reuse of text that has moved (n_cache_reuse).

    python -m benches.window_moved [SECTIONS] [CAP]

The embedded SmolLM2 writes one token for each section of a small replay (`fabai get smollm2-135m` first). One JSON
line for each mode and setting: cached = tokens that the server did not read again / tokens of the prompt, mean from
the second prompt on; reuse = the same as benches.window works it out from the prompts alone, without blocks.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from typing import get_args

from benches.window import written
from benches.window_cases import prose
from benches.window_measures import shared
from fabai import prompt
from fabai.message import TokenCounter
from fabai.report import Report, Section
from fabai.settings import Mode, SamplingSettings, WindowSettings, WriterSettings
from fabai.window.counts import Counts
from fabai.window.plan import plan
from fabai.window.state import WindowState
from fabai.writers.base import Usage
from fabai.writers.llamacpp import LlamaCpp
from fabai.writers.models import installed

ONE = SamplingSettings(max_tokens=1, temperature=0.0)


def report(sections: int, tokens: TokenCounter, cap: int) -> Report:
    """Sections of which about seven fill the window."""
    chance = random.Random(3)
    ones = [
        Section(f"s{n}", f"Actuación {n}", 1, prose(chance, int(cap / 7 * chance.uniform(0.5, 1.5)), tokens))
        for n in range(1, sections + 1)
    ]
    return Report("Memoria", "es", tuple(ones))


def replay(mode: Mode, moved: int, sections: int, cap: int) -> dict[str, object]:
    """Shares of the prompts that came from the server's cache."""
    writer = LlamaCpp(installed("smollm2-135m", "gguf"), WriterSettings(context=cap, moved=moved))
    try:
        counts = Counts(writer)
        settings = WindowSettings(mode=mode, cap=cap, reserve=16, last=0)
        state: WindowState | None = None
        cached: list[float] = []
        reuse: list[float] = []
        before, start = "", time.monotonic()
        for of, section_id in written(report(sections, writer, cap)):
            parts = prompt.parts(of, section_id)
            window, state = plan(of, section_id, parts, counts, settings, state=state)
            messages = prompt.messages(window, of.language)
            usage = next(one for one in writer.stream(messages, ONE) if isinstance(one, Usage))
            text = "\n".join(one.content for one in messages)
            if before:
                cached.append((usage.cached or 0) / usage.prompt_tokens)
                reuse.append(shared(before, text, counts) / usage.prompt_tokens)
            before = text
        seconds = time.monotonic() - start
    finally:
        writer.close()
    return {
        "mode": mode,
        "moved": moved,
        "cached": round(statistics.fmean(cached), 3),
        "reuse": round(statistics.fmean(reuse), 3),
        "seconds": round(seconds, 1),
    }


def main() -> None:
    """Replay and print."""
    given = [int(word) for word in sys.argv[1:3]]
    sections, cap = [*given, *(18, 1_600)[len(given) :]]
    for mode in get_args(Mode):
        for moved in (0, 32):
            print(json.dumps(replay(mode, moved, sections, cap)), flush=True)


if __name__ == "__main__":
    main()
