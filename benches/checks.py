"""How well the checks find what was planted, and how often they cry over nothing.

    python -m benches.checks [--count 220] [--part unseen|tuned|both] [--only planted|alarms|speed] [--jobs 16]
    python -m benches.checks --pack out/bench-checks.json.xz       the documents, read, in one file
    python -m benches.checks --packed out/bench-checks.json.xz     with those, so that no file needs to be read again

Errors planted in real documents (benches/checks_planted.py), in Spanish, Catalan and English, on the documents that the
rules were tuned on and on documents that nobody looked at meanwhile: recall and precision (benches/checks_found.py).
Findings in untouched documents: right ones and false alarms (benches/checks_alarms.py). Then the time of a report of
160,000 tokens, whole and after one edit. Parts run in several processes and are kept under --out, so a run that was
stopped goes on; what was missed or false stands in notes.txt and alarms.jsonl there. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import fabai.checks
from benches import checks_alarms, checks_found
from benches.checks_desk import Desk, desk
from benches.checks_documents import Sample, pack, packed, tuned, unseen
from benches.checks_planted import FAMILIES, cases
from benches.shards import CORES, folder, run
from fabai.checks.report import check_report
from fabai.ledger import Fact
from fabai.report import LANGUAGES, Language

_PIECES = {"planted": 4, "alarms": 64}
"""Parts that the cases of a rule in a language, and the untouched documents, are done in."""
_TOKENS = 160_000
_CHARACTERS = 3.6
"""Characters of a token of Qwen3 in these languages, roughly."""


@dataclass(frozen=True, slots=True)
class Part:
    """Every `of`-th case of a rule in a language, from number `piece` on; rule "alarms": so of the documents."""

    asked: Asked
    documents: str
    rule: str
    language: Language
    piece: int
    of: int


@dataclass(frozen=True, slots=True)
class Asked:
    """packed: None where the documents are read from data, and kept."""

    packed: Path | None
    data: Path
    kept: Path
    count: int


@cache
def documents(asked: Asked) -> dict[str, list[Sample]]:
    """Those that the rules were tuned on, and those that were not seen."""
    if asked.packed is not None:
        return packed(asked.packed)
    seen = tuned(asked.data, asked.kept)
    return {"tuned": seen, "unseen": unseen(asked.data, asked.kept, seen)}


def look(part: Part) -> dict[str, Any]:
    """The counts of one part."""
    samples = documents(part.asked)[part.documents]
    if part.rule == "alarms":
        return {"rows": checks_alarms.alarms(samples[part.piece :: part.of])}
    made, notes = cases(part.rule, part.language, samples, part.asked.count, "checks"), list[str]()
    counted = checks_found.judge(part.rule, part.language, made[part.piece :: part.of], notes)
    return {"counted": counted, "notes": notes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--kept", type=Path, default=Path("out/bench-checks"), help="documents that were read")
    parser.add_argument("--pack", type=Path, metavar="FILE", help="write the documents, read, to a file and end")
    parser.add_argument("--packed", type=Path, metavar="FILE", help="such a file, instead of --data")
    parser.add_argument("--count", type=int, default=220)
    parser.add_argument("--part", choices=("tuned", "unseen", "both"), default="unseen")
    parser.add_argument("--only", choices=("planted", "alarms", "speed"))
    parser.add_argument("--rule", choices=tuple(FAMILIES), action="append")
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="of the alarms' parts, every N-th only")
    parser.add_argument("--jobs", type=int, default=CORES, help="processes at a time")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "fabai-bench-checks")
    args = parser.parse_args()
    asked = Asked(args.packed, args.data, args.kept, args.count)
    if args.pack is not None:
        pack(documents(asked), args.pack)
        return
    documents(asked)
    which = ("tuned", "unseen") if args.part == "both" else (args.part,)
    todo = parts(asked, which, args)
    own = [Path(__file__), *Path(__file__).parent.glob("checks_*"), Path(fabai.checks.__file__).parent]
    kept = folder(args.out, [asked.count], own)
    said = run(look, todo, kept, args.jobs)
    result: dict[str, Any] = {one: _summary(one, todo, said, kept) for one in which}
    if args.only in (None, "speed"):
        result["speed"] = speed(documents(asked)["tuned"])
    print(json.dumps({"bench": "checks", **result}))


def parts(asked: Asked, which: Sequence[str], args: argparse.Namespace) -> dict[str, Part]:
    """All that is to be done."""
    found: dict[str, Part] = {}
    for one in which:
        if args.only in (None, "alarms"):
            of = _PIECES["alarms"]
            for piece in range(0, of, args.sample):
                found[f"{one} alarms {piece} {of}"] = Part(asked, one, "alarms", "es", piece, of)
        if args.only in (None, "planted"):
            of = _PIECES["planted"]
            for rule in args.rule or FAMILIES:
                for language in args.language or LANGUAGES:
                    for piece in range(of):
                        found[f"{one} {rule} {language} {piece}"] = Part(asked, one, rule, language, piece, of)
    return found


def _summary(documents_: str, todo: Mapping[str, Part], said: Mapping[str, Any], kept: Path) -> dict[str, Any]:
    """Recall and precision by rule and language, and the alarms; what was wrong goes into two files."""
    own = {name: part for name, part in todo.items() if part.documents == documents_}
    table: dict[str, Counter[str]] = {}
    for name, part in own.items():
        if part.rule != "alarms":
            table.setdefault(f"{part.rule} {part.language}", Counter()).update(said[name]["counted"])
    notes = [note for name in own for note in said[name].get("notes", ())]
    (kept / f"{documents_}-notes.txt").write_text("".join(f"{note}\n" for note in notes), encoding="utf-8")
    rows = [row for name, part in own.items() if part.rule == "alarms" for row in said[name]["rows"]]
    with (kept / f"{documents_}-alarms.jsonl").open("w", encoding="utf-8") as file:
        for row in rows:
            for one in row["findings"]:
                told = {"name": row["name"], "language": row["language"], **one}
                file.write(f"{json.dumps(told, ensure_ascii=False)}\n")
    print(f"what was missed, and every finding in untouched documents: {kept}/{documents_}-*")
    return {
        **({"planted": {name: checks_found.rates(counted) for name, counted in table.items()}} if table else {}),
        **({"alarms": checks_alarms.rates(rows)} if rows else {}),
    }


def speed(samples: Sequence[Sample]) -> dict[str, float]:
    """Seconds for a report of 160,000 tokens with its own text as source, and again after one edit."""
    sections: list[tuple[str, int, str]] = []
    length = 0
    for one in (sample for sample in samples if sample.language == "es" and "memorias" in sample.name):
        for heading, level, text in one.sections:
            if length < _TOKENS * _CHARACTERS:
                sections.append((heading, level, text + "\n"))
                length += len(text)
    facts = [Fact(f"dato {at}", f"{at * 37 + 11} unidades", "Registro") for at in range(300)]
    made = desk("es", tuple(sections), facts, (("original", "\n\n".join(text for _, _, text in sections)),))
    begun = time.perf_counter()
    check_report(made)
    whole = time.perf_counter() - begun
    again = []
    for at in range(5):
        number = (at * 7 + 3) % len(sections)
        heading, level, text = sections[number]
        sections[number] = (heading, level, f"{text}\nSe añadieron {at + 50} frases nuevas al apartado.\n")
        edited = Desk(made.form, "es", "", desk("es", tuple(sections)).held, made.facts, made.papers)
        begun = time.perf_counter()
        check_report(edited)
        again.append(time.perf_counter() - begun)
    return {
        "tokens": round(length / _CHARACTERS),
        "sections": len(sections),
        "whole_s": round(whole, 2),
        "after_one_edit_ms": round(sorted(again)[len(again) // 2] * 1000),
    }


if __name__ == "__main__":
    main()
