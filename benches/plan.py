"""How long planning takes: every window of the joined Spanish memorias (159,000 tokens), in processor seconds.

    python -m benches.plan [MODE...]

The sections are written in order, each in sight of those before. One JSON line for each mode. first: from a text never
counted before; again: with its counts remembered; both with sums of blocks. sent: with each prompt counted whole after
the chat template too, as whoever sends it must, counts remembered.
"""

from __future__ import annotations

import json
import sys
import time
from typing import get_args

from benches.window import MODES, written
from benches.window_cases import SHARED, counter
from fabai import prompt
from fabai.formats.read import read
from fabai.message import TokenCounter
from fabai.report import Report, Section
from fabai.settings import Mode, WindowSettings
from fabai.window.counts import Counts
from fabai.window.plan import plan
from fabai.window.state import WindowState


def seconds(report: Report, counts: Counts, mode: Mode, whole: bool) -> tuple[float, int]:
    """Processor seconds for all windows, and how many they are."""
    settings = WindowSettings(mode=mode)
    state: WindowState | None = None
    windows = 0
    start = time.process_time()
    for of, section_id in written(report):
        parts = prompt.parts(of, section_id)
        _, state = plan(of, section_id, parts, counts, settings, state=state, whole=whole)
        windows += 1
    return time.process_time() - start, windows


def main() -> None:
    """Measure and print."""
    tokens, name = counter()
    found = read(SHARED / "long-es" / "memorias-cc0-unidas.md")
    sections = [Section(f"s{n}", one.heading, one.level, one.text) for n, one in enumerate(found.sections, 1)]
    report = Report("Memorias", "es", tuple(sections))
    size = sum(tokens.count(section.text) for section in sections)
    for mode in [one for one in MODES if one in sys.argv[1:]] or get_args(Mode):
        # a memory of its own for each mode: the counts die with the counter
        counts = Counts(_Apart(tokens))
        first, windows = seconds(report, counts, mode, whole=False)
        again, _ = seconds(report, counts, mode, whole=False)
        sent, _ = seconds(report, counts, mode, whole=True)
        times = {"first": round(first, 2), "again": round(again, 2), "sent": round(sent, 2)}
        line = {"bench": "plan", "mode": mode, "tokenizer": name, "tokens": size, "windows": windows, **times}
        print(json.dumps(line), flush=True)


class _Apart:
    """The same counter as another one, so that its texts are not known yet."""

    def __init__(self, counter: TokenCounter) -> None:
        self.name = counter.name
        self.count = counter.count
        self.count_messages = counter.count_messages


if __name__ == "__main__":
    main()
