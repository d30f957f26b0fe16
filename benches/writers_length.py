"""The share of sections that keep the form's limit when a real small model drafts them.

    python -m benches.writers_length [--model smollm2-135m] [--limits 60 120 250] [--rounds 4]

Sections with a limit of so many words are drafted by `fabai.draft`. For comparison the same stream is cut by its token
budget alone, as it would be without looking at the limit. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from fabai.answer import land, mend
from fabai.checks.limits import measure
from fabai.checks.plain import plain
from fabai.draft import draft, note, prepare, used
from fabai.form import Form, Limit, SectionSpec
from fabai.settings import SamplingSettings, WindowSettings, WriterSettings
from fabai.store.project import Project
from fabai.store.record import Version
from fabai.writers.base import Usage, Writer
from fabai.writers.llamacpp import LlamaCpp
from fabai.writers.models import installed

HEADINGS = ("Objectives", "Activities", "Beneficiaries", "Results", "Evaluation", "Communication")
WINDOW = WindowSettings(cap=2_000, reserve=600)
BRIEF = "The Open Hearth library trust ran a reading workshop for families in three villages. Write full paragraphs."


def form(words: int) -> Form:
    """Six sections with the same limit."""
    limits = (Limit("words", maximum=words),)
    specs = tuple(SectionSpec(f"s{n}", {"en": heading}, limits=limits) for n, heading in enumerate(HEADINGS))
    return Form("bench", {"en": "Bench"}, ("en",), "benches", "2026-11-30", sections=specs)


def by_budget(project: Project, section: str, writer: Writer, sampling: SamplingSettings) -> str:
    """The same prompt, ended by its token budget and landed on a sentence, without a look at the limit."""
    ready = prepare(project, section, writer, WINDOW)
    text = ""
    cut = SamplingSettings(
        ready.window.reserve, sampling.temperature, sampling.top_p, sampling.top_k, sampling.repetition_penalty,
        seed=sampling.seed,
    )  # fmt: skip
    finish = "stop"
    for piece in writer.stream(ready.messages, cut):
        if isinstance(piece, Usage):
            finish = piece.finish
        else:
            text += piece
    return mend(land(text, "en")[0] if finish == "length" else text)


def measures(version: Version, words: int) -> dict[str, Any]:
    """Of one section."""
    found = measure(plain(version.text), "words")
    return {
        "within": found <= words and not version.partial,
        "filled": found / words,
        "whole": version.text.rstrip().endswith((".", "!", "?", '"', "”", "|")),
        "landed": "limit" in note(version),
        "tokens": used(version).get("completion_tokens", 0),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--limits", nargs="+", type=int, default=[60, 120, 250])
    parser.add_argument("--rounds", type=int, default=4)
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    settings = WriterSettings(context=2_048)
    with closing(LlamaCpp(installed(args.model, "gguf"), settings)) as writer, tempfile.TemporaryDirectory() as folder:
        for words in args.limits:
            for seed in range(args.rounds):
                path = Path(folder) / f"{words}-{seed}.fabai"
                sampling = SamplingSettings(temperature=0.7, seed=seed)
                with Project.create(path, form(words), "en", "Memoir", BRIEF) as project:
                    for number in range(len(HEADINGS)):
                        section = f"s{number}"
                        free = measure(plain(by_budget(project, section, writer, sampling)), "words") <= words
                        version = draft(project, section, writer, window=WINDOW, sampling=sampling)
                        rows.append({"words": words, "free": free, **measures(version, words)})
            ours = [row for row in rows if row["words"] == words]
            print(json.dumps({"limit": words, **_share(ours)}), flush=True)
    print(json.dumps({"bench": "writers_length", "model": args.model, "sections": len(rows), **_share(rows)}))


def _share(rows: list[dict[str, Any]]) -> dict[str, float]:
    count = len(rows)
    return {
        "within": round(sum(row["within"] for row in rows) / count, 3),
        "within_by_budget_alone": round(sum(row["free"] for row in rows) / count, 3),
        "ends_whole": round(sum(row["whole"] for row in rows) / count, 3),
        "landed_on_the_limit": round(sum(row["landed"] for row in rows) / count, 3),
        "filled_median": round(sorted(row["filled"] for row in rows)[count // 2], 3),
    }


if __name__ == "__main__":
    main()
