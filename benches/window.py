"""The replay benchmark of the window: sections are written in order, and each prompt is compared with the one before.

    python -m benches.window [--case NAME...] [--design NAME...] [--frontier]

One JSON line for each design and case. Means over the windows of a replay:
used      tokens of section text / room for it, over windows whose earlier text does not fit
fidelity  1 - sum |kept - share under fill| / (2 * room), over the same windows; fidelity_least is the worst of them
reuse     tokens of the prefix shared with the prompt before, in blocks of 16, / tokens of the new prompt, over all
          windows; reuse_median is their median
prefill   tokens that the server reads, a prompt
click     tokens left to read when a person asks for the section, where the prompt was read ahead up to the end of its
          sections when the section before was accepted (fabai.window.prefetch); the 95th of a hundred
cuts      texts that start or end inside a sentence, a window
headless  earlier sections of which not even the heading is shown, a window
seconds   of planning on one core, for the whole replay, first counts included and each prompt counted whole
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any, get_args

from benches.window_cases import Case, counter, prose, real, synthetic
from benches.window_designs import Answer, Design, Past, last_n, naive, steps, water
from benches.window_measures import BLOCK, Seen, Tally, inside_sentence
from fabai import prompt
from fabai.ledger import Fact, Ledger
from fabai.message import Message, TokenCounter
from fabai.report import Report
from fabai.settings import Mode, WarmSettings, WindowSettings
from fabai.window import fill, layout
from fabai.window.candidates import Candidate, candidates
from fabai.window.counts import Counts
from fabai.window.parts import Parts
from fabai.window.piece import Window
from fabai.window.plan import plan
from fabai.window.prefetch import opening
from fabai.window.state import WindowState

CAP, RESERVE = 20_000, 2_000
PEERS: dict[str, Design] = {"last-n": last_n, "naive": naive, "water": water, "tiers-3k": steps(3_000)}
MODES: tuple[Mode, ...] = get_args(Mode)


def written(report: Report) -> Iterator[tuple[Report, str]]:
    """For each section with text: the report as it stands when that section is to be written, and its id."""
    bare = [replace(section, text="") for section in report.sections]
    for index, section in enumerate(report.sections):
        if section.text.strip():
            yield replace(report, sections=(*report.sections[:index], *bare[index:])), section.id


def rewritten(report: Report) -> Iterator[tuple[Report, str]]:
    """The same where a past report was imported and is rewritten in order: what stands behind still has its old
    text.
    """
    old = [replace(section, status="imported") for section in report.sections]
    new = [replace(section, status="drafted") for section in report.sections]
    for index, section in enumerate(report.sections):
        if section.text.strip():
            yield replace(report, sections=(*new[:index], *old[index:])), section.id


def parts_of(case: Case, report: Report, section_id: str, step: int, filler: tuple[str, str]) -> Parts:
    """The fixed parts with a ledger of twenty facts, its edits up to this step, and filler in front and behind."""
    ledger = Ledger(tuple(Fact(f"dato {n}", f"{n}.{n:03d},00 €", "Resolución") for n in range(1, 21)))
    for edit in range(1, step // case.edits + 1 if case.edits else 0):
        ledger = ledger.with_fact(Fact(f"dato {edit % 20 + 1}", f"{edit}.500,00 €", "Acta"))
    parts = prompt.parts(report, section_id, ledger=ledger, instructions=filler[0])
    return replace(parts, guidance=filler[1]) if filler[1] else parts


def filler_of(case: Case, counts: Counts, settings: WindowSettings) -> tuple[str, str]:
    """Instructions that bring the fixed parts to `case.front` tokens, guidance that adds `case.tail` behind."""
    if not case.front:
        return "", ""
    report, section_id = next(iter(written(case.report)))
    bare = parts_of(case, report, section_id, 0, ("", ""))
    window, _ = plan(report, section_id, bare, counts, replace(settings, mode="warm"))
    tail = prose(random.Random(2), case.tail, counts) if case.tail else ""
    return prose(random.Random(1), case.front - window.tokens, counts), tail


def run(case: Case, design: str, tokens: TokenCounter, settings: WindowSettings) -> dict[str, Any]:
    """The measures of one design on one case."""
    counts = Counts(tokens)
    filler = filler_of(case, counts, settings)
    replay = _Replay(case, design, counts, _in_mode(settings, design), filler)
    tally = Tally()
    before: Seen | None = None
    walk = rewritten if case.past else written
    for step, (report, section_id) in enumerate(walk(case.report)):
        seen = replay.step(step, report, section_id)
        tally.add(before, seen, counts)
        before = seen
    return {"case": case.name, "design": design, **tally.result(), "seconds": round(replay.seconds, 2)}


def _in_mode(settings: WindowSettings, design: str) -> WindowSettings:
    return next((replace(settings, mode=mode) for mode in MODES if mode == design), settings)


class _Replay:
    def __init__(
        self, case: Case, design: str, counts: Counts, settings: WindowSettings, filler: tuple[str, str]
    ) -> None:
        self._case, self._design, self._counts, self._settings, self._filler = case, design, counts, settings, filler
        self._state: WindowState | None = None
        self._answer: Answer = []
        self.seconds = 0.0

    def step(self, step: int, report: Report, section_id: str) -> Seen:
        """The prompt of one section, and what stands in it."""
        parts = parts_of(self._case, report, section_id, step, self._filler)
        ahead = ""
        if self._design in MODES and self._case.edits and step and step % self._case.edits == 0:
            # read ahead with the ledger as it was; the fact changes before the person asks for the section
            early = parts_of(self._case, report, section_id, step - 1, self._filler)
            ahead = _text(opening(self._plan(report, section_id, early), early.labels))
        window = self._plan(report, section_id, parts)
        past = candidates(report, section_id, self._counts, parts)
        room = self._room(window, parts)
        tokens = fill.budgets(past, room, self._settings)
        shares = {one.section.id: share for one, share in zip(past, tokens, strict=True)}
        seen = Seen("", 0, {}, shares, room, sum(one.tokens for one in past) > room, 0, 0, "")
        if self._design in MODES:
            self._ours(seen, window, parts, report, ahead)
        else:
            self._theirs(seen, window, parts, report, past)
        return seen

    def _plan(self, report: Report, section_id: str, parts: Parts) -> Window:
        start = time.process_time()
        window, self._state = plan(report, section_id, parts, self._counts, self._settings, state=self._state)
        self.seconds += time.process_time() - start
        return window

    def _room(self, window: Window, parts: Parts) -> int:
        """What the cap leaves for sections beside the fixed parts, their labels and the chat template."""
        fixed = [piece for piece in window.pieces if piece.kind != "section"]
        label = self._counts.count(parts.labels.sections + layout.GAP)
        taken = self._counts.count_messages(layout.messages(fixed, parts.labels)) + label
        return window.cap - window.reserve - taken

    def _ours(self, seen: Seen, window: Window, parts: Parts, report: Report, ahead: str) -> None:
        texts = {section.id: section.text for section in report.sections}
        pieces = [(piece, piece.section) for piece in window.pieces if piece.kind == "section" and piece.section]
        seen.text, seen.tokens = _text(layout.messages(window.pieces, parts.labels)), window.tokens
        seen.kept = {section: piece.tokens for piece, section in pieces}
        cut = [(piece.text, texts[section]) for piece, section in pieces if piece.state == "cut"]
        seen.cuts = sum(inside_sentence(text, whole, report) for text, whole in cut)
        seen.headless = sum(piece.state == "dropped" for piece, _ in pieces)
        seen.ahead = ahead or _text(opening(window, parts.labels))

    def _theirs(self, seen: Seen, window: Window, parts: Parts, report: Report, past: Sequence[Candidate]) -> None:
        """The same fixed parts around the texts that the design kept; without the list of headings, which none has."""
        start = time.process_time()
        ones = [Past(one.head, one.text, one.tokens) for one in past]
        design = PEERS[self._design]
        self._answer = design(ones, seen.room, self._answer, self._counts, report.language)
        self.seconds += time.process_time() - start
        front = [piece for piece in window.pieces if piece.kind in layout.FRONT and piece.kind != "headings"]
        end = [piece for piece in window.pieces if piece.kind in layout.END]
        before, after = (_text(layout.messages(some, parts.labels)) for some in (front, end))
        body = layout.GAP.join((before, *(text for text in self._answer if text)))
        seen.text, seen.ahead = f"{body}{layout.GAP}{after}", body
        seen.tokens = self._counts.count(seen.text)
        for text, one, whole in zip(self._answer, ones, past, strict=True):
            seen.kept[whole.section.id] = self._counts.count(text + layout.GAP) if text else 0
            if text not in ("", one.block, one.head):
                seen.cuts += inside_sentence(text, one.text, report)
            seen.headless += not text.startswith(one.head)


def _text(messages: Sequence[Message]) -> str:
    return "\n".join(message.content for message in messages)


def frontier(base: WindowSettings) -> Iterator[tuple[str, WindowSettings]]:
    """Settings of `warm` and `tiers` from quick to faithful."""
    for used, fidelity, least in ((0.2, 0.4, 0.5), (0.4, 0.7, 0.6), (0.6, 1.0, 0.65), (1.0, 1.6, 0.7), (1.0, 3.0, 0.8)):
        warm = replace(base.warm, used=used, fidelity=fidelity, least=least)
        yield f"warm used={used} fidelity={fidelity} least={least}", replace(base, mode="warm", warm=warm)
    for slack in (0.06, 0.12, 0.18, 0.3):
        yield f"tiers slack={slack}", replace(base, mode="tiers", slack=slack)


def cases(tokens: TokenCounter) -> dict[str, Callable[[], Case]]:
    """By name; made when they are asked for."""
    return {
        "synthetic": lambda: Case("synthetic", synthetic(tokens), front=3_000),
        "synthetic-tail": lambda: Case("synthetic-tail", synthetic(tokens), front=3_000, tail=1_300, edits=5),
        "synthetic-1": lambda: Case("synthetic-1", synthetic(tokens, 1), front=3_000),
        "synthetic-2": lambda: Case("synthetic-2", synthetic(tokens, 2), front=3_000),
        "rewrite": lambda: Case("rewrite", synthetic(tokens), front=3_000, past=True),
        "rewrite-tail": lambda: Case("rewrite-tail", synthetic(tokens), front=3_000, tail=1_300, edits=5, past=True),
        "rewrite-es": lambda: Case("rewrite-es", real("es"), past=True),
        "es": lambda: Case("es", real("es")),
        "ca": lambda: Case("ca", real("ca")),
        "en": lambda: Case("en", real("en")),
    }


def main() -> None:
    """Replay and print."""
    tokens, name = counter()
    known = cases(tokens)
    parser = argparse.ArgumentParser(description="replay benchmark of the window")
    parser.add_argument("--case", nargs="*", choices=list(known))
    parser.add_argument("--design", nargs="*", choices=[*MODES, *PEERS], default=[*MODES, *PEERS])
    parser.add_argument("--frontier", action="store_true", help="several settings of warm and tiers, synthetic cases")
    args = parser.parse_args()
    print(json.dumps({"tokenizer": name, "cap": CAP, "block": BLOCK, "warm": asdict(WarmSettings())}), flush=True)
    base = WindowSettings(cap=CAP + RESERVE, reserve=RESERVE)
    default = [
        "synthetic",
        "synthetic-tail",
        *(
            ["synthetic-1", "synthetic-2"]
            if args.frontier
            else ["rewrite", "rewrite-tail", "rewrite-es", "es", "ca", "en"]
        ),
    ]
    for case in (known[one]() for one in args.case or default):
        # in the synthetic cases the tail is what the case says, and nothing else
        settings = replace(base, last=0) if case.front else base
        if args.frontier:
            for title, one in frontier(settings):
                print(json.dumps({**run(case, one.mode, tokens, one), "design": title}), flush=True)
        else:
            # the peers know no text behind the section being written
            for design in (one for one in args.design if one in MODES or not case.past):
                print(json.dumps(run(case, design, tokens, settings)), flush=True)


if __name__ == "__main__":
    main()
