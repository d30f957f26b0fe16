"""How much of its prompts a server takes from its cache while sections are drafted in order, against what their shared
beginnings promise at its block size.

Knows windows and prompts. Does not know which server answers; benches.writers and tests/with_vllm call it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from typing import Any

from benches.window import written
from benches.window_designs import Past, last_n
from fabai import prompt
from fabai.message import Message, TokenCounter
from fabai.report import Report
from fabai.settings import SamplingSettings, WindowSettings
from fabai.window import layout
from fabai.window.candidates import candidates
from fabai.window.counts import Counts
from fabai.window.plan import plan
from fabai.writers.base import Usage, Writer

Ids = Callable[[Sequence[Message]], list[int]]


def warm(report: Report, tokens: TokenCounter, settings: WindowSettings) -> list[list[Message]]:
    """The prompts of a report's sections in order, as drafting in mode `warm` sends them."""
    counts, state, out = Counts(tokens), None, []
    for so_far, section in written(report):
        parts = prompt.parts(so_far, section)
        window, state = plan(so_far, section, parts, counts, replace(settings, mode="warm"), state=state)
        out.append(list(prompt.messages(window, report.language)))
    return out


def last(report: Report, tokens: TokenCounter, settings: WindowSettings) -> list[list[Message]]:
    """The same with the last N tokens of everything so far, N as many as the cap leaves."""
    counts, out = Counts(tokens), []
    for so_far, section in written(report):
        parts = prompt.parts(so_far, section)
        window, _ = plan(so_far, section, parts, counts, replace(settings, mode="fill"))
        fixed = [piece for piece in window.pieces if piece.kind not in ("section", "headings")]
        around = layout.messages(fixed, parts.labels)
        room = window.cap - window.reserve - counts.count_messages(around)
        past = [Past(one.head, one.text, one.tokens) for one in candidates(so_far, section, counts, parts)]
        body = layout.GAP.join(text for text in last_n(past, room, [], counts, report.language) if text)
        front = layout.messages([piece for piece in fixed if piece.kind in layout.FRONT], parts.labels)
        end = layout.messages([piece for piece in fixed if piece.kind in layout.END], parts.labels)
        before, after = ("\n".join(one.content for one in some) for some in (front, end))
        out.append([Message("system", before), Message("user", f"{body}{layout.GAP}{after}")])
    return out


def promised(prompts: Sequence[Sequence[Message]], ids: Ids, block: int) -> float:
    """Share of all prompts' tokens that begins like the prompt before, in whole blocks."""
    found = [ids(one) for one in prompts]
    shared = sum(_common(one, two) // block * block for one, two in pairwise(found))
    return shared / sum(map(len, found))


def measured(writer: Writer, prompts: Sequence[Sequence[Message]], answer: int) -> dict[str, Any]:
    """Ask for each in order. reuse: share of the prompts' tokens that the server says it had; ttft: seconds, median."""
    usages, waits = [], []
    sampling = SamplingSettings(max_tokens=answer, temperature=0.0, repetition_penalty=1.0)
    for one in prompts:
        start = time.monotonic()
        first = None
        with closing(writer.stream(one, sampling)) as stream:
            for piece in stream:
                first = first if first is not None else time.monotonic() - start
                if isinstance(piece, Usage):
                    usages.append(piece)
        waits.append(first or 0.0)
    total = sum(one.prompt_tokens for one in usages)
    return {
        "prompts": len(usages),
        "prompt_tokens": total,
        "reuse": round(sum(one.cached or 0 for one in usages) / total, 4),
        "ttft_median": round(statistics.median(waits), 3),
    }


def _common(one: Sequence[int], two: Sequence[int]) -> int:
    most = min(len(one), len(two))
    return next((at for at in range(most) if one[at] != two[at]), most)
