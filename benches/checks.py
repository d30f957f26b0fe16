"""How well the checks find what was planted, and how often they cry over nothing: python -m benches.checks [--count N]

Errors planted in real documents (benches/checks_planted.py), in Spanish, Catalan and English, on the documents that the
rules were tuned on and on documents that nobody looked at meanwhile. Recall: planted places with a finding of the rule.
Precision: of all findings of the rule in planted documents and controls, those at a planted place; what the untouched
document already had is left out of both (it is counted below). Then findings in untouched documents: right ones (what
a person found to be right stands in benches/checks_labels.tsv: rule, hash of the sentence, reason; a sentence that the
document has twice word for word is repeated indeed) and false alarms, which are all others. Then the time of a report
of 160,000 tokens, whole and after one edit. The last line is JSON.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benches.checks_documents import Sample, tuned, unseen
from benches.checks_planted import FAMILIES, Case, Sections, cases
from fabai.checks.reading import read
from fabai.checks.report import check_report
from fabai.checks.violation import Violation
from fabai.form import Form, find_form
from fabai.ledger import Fact, Ledger
from fabai.report import LANGUAGES, Language, Report, Section
from fabai.store.record import Source

_WORDS = 400
"""Words of a page."""
_TOKENS = 160_000
_CHARACTERS = 3.6
"""Characters of a token of Qwen3 in these languages, roughly."""


@dataclass(frozen=True, slots=True)
class Desk:
    """A report in memory."""

    form: Form
    language: Language
    instructions: str
    held: Report
    facts: Ledger
    papers: tuple[Source, ...]

    def report(self) -> Report:
        return self.held

    def ledger(self) -> Ledger:
        return self.facts

    def sources(self) -> Sequence[Source]:
        return self.papers


def desk(
    language: Language, sections: Sections, facts: Sequence[Fact] = (), sources: Sequence[tuple[str, str]] = ()
) -> Desk:
    made = tuple(Section(f"s{at}", heading, level, text) for at, (heading, level, text) in enumerate(sections))
    papers = tuple(Source(name, text, "", "source") for name, text in sources)
    return Desk(find_form("generic"), language, "", Report("", language, made), Ledger(tuple(facts)), papers)


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if of == 0:
        return 0.0, 1.0
    z, share = 1.959964, hits / of
    middle = share + z * z / (2 * of)
    width = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - width) / (1 + z * z / of), (middle + width) / (1 + z * z / of)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--kept", type=Path, default=Path("out/bench-checks"))
    parser.add_argument("--count", type=int, default=220)
    parser.add_argument("--part", choices=("tuned", "unseen", "both"), default="unseen")
    parser.add_argument("--rule", choices=tuple(FAMILIES), action="append")
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    parser.add_argument("--show", type=int, default=0, help="misses and false findings to print for each rule")
    parser.add_argument("--only-planted", action="store_true")
    args = parser.parse_args()
    seen = tuned(args.data, args.kept)
    parts = {} if args.part == "unseen" else {"tuned": seen}
    if args.part != "tuned":
        parts["unseen"] = unseen(args.data, args.kept, seen)
    result: dict[str, object] = {}
    for part, samples in parts.items():
        table = {}
        for rule in args.rule or FAMILIES:
            for language in args.language or LANGUAGES:
                table[f"{rule} {language}"] = planted(rule, language, samples, args.count, args.show)
                print(part, rule, language, json.dumps(table[f"{rule} {language}"]), flush=True)
        result[part] = {"planted": table}
        if not args.only_planted:
            result[part] |= {"alarms": alarms(samples, args.show)}  # type: ignore[operator]
            print(part, json.dumps(result[part]["alarms"]), flush=True)  # type: ignore[index]
    if not args.only_planted:
        result["speed"] = speed(seen)
    print(json.dumps(result))


def planted(rule: str, language: Language, samples: Sequence[Sample], count: int, show: int) -> dict[str, object]:
    found = hits = wanted = wrong = 0
    made = cases(rule, language, samples, count, "checks")
    for sample, case in made:
        mine, stray = _look(rule, language, case.sections, case)
        wanted += len(case.spots)
        caught = [spot for spot in case.spots if any(_at(one, spot) for one in mine)]
        hits += len(caught)
        false = [one for one in stray if not any(_at(one, spot) for spot in case.spots)]
        # where the document already had the sentence twice, another of its copies is now the later one
        false = [one for one in false if rule != "duplicates" or one.quote[:40] != case.note[:40]]
        _, calm = _look(rule, language, case.clean, case)
        # what the document itself has stands in both
        own = [_words(case.base, one) for one in _look(rule, language, case.base, case)[1]] if case.base else []
        own += [_words(case.clean, one) for one in calm if not case.base]
        mine_too = [_words(case.sections, one) for one in stray] if not case.base else own
        false = [one for one in false if not _among(_words(case.sections, one), own)]
        calm = [one for one in calm if not _among(_words(case.clean, one), mine_too)]
        wrong += len(false) + len(calm)
        found += len(caught) + len(false) + len(calm)
        if show > 0 and (len(caught) < len(case.spots) or false or calm):
            show -= 1
            what = "missed" if len(caught) < len(case.spots) else "false"
            print(f"  {what}: {case.note} | {[one.quote for one in (*false, *calm)][:4]} | {sample.name}")
    low, high = wilson(hits, wanted)
    sure, surest = wilson(found - wrong, found)
    return {
        "cases": len(made),
        "recall": round(hits / wanted, 3) if wanted else None,
        "recall_95": [round(low, 3), round(high, 3)],
        "precision": round((found - wrong) / found, 3) if found else None,
        "precision_95": [round(sure, 3), round(surest, 3)],
    }


def _look(rule: str, language: Language, sections: Sections, case: Case) -> tuple[list[Violation], list[Violation]]:
    findings = check_report(desk(language, sections, case.facts, case.sources))
    mine = [one for one in findings.violations if one.rule in FAMILIES[rule]]
    return mine, mine


def _words(sections: Sections, one: Violation) -> str:
    """What a finding stands at."""
    return sections[int((one.section or "s0")[1:])][2][one.start : one.end]


def _among(text: str, others: Sequence[str]) -> bool:
    """A run of findings may begin earlier or end later in the other version."""
    return any(text[:40] in other or other[:40] in text for other in others)


def _at(one: Violation, spot: tuple[int, int, int]) -> bool:
    number, start, end = spot
    return one.section == f"s{number}" and one.start is not None and (one.end or 0) > start and one.start < end


def labels() -> frozenset[tuple[str, str]]:
    """Rule and hash of every finding in an untouched document that a person found to be right."""
    rows = Path(__file__).with_name("checks_labels.tsv").read_text(encoding="utf-8").splitlines()
    return frozenset((rule, digest) for rule, digest, _ in (row.split("\t") for row in rows if not row.startswith("#")))


def digest(one: Violation, sections: Sections, language: Language) -> str:
    """The hash by which a label knows the sentence of a finding."""
    text = sections[int((one.section or "s0")[1:])][2]
    span = read(text, language).sentence(one.start or 0)
    return hashlib.sha256(" ".join(text[span.start : span.end].split()).encode()).hexdigest()[:16]


def twice(one: Violation, sections: Sections, whole: str) -> bool:
    """Whether a sentence that is said to be repeated stands in the document twice, word for word."""
    first = re.split(r"(?<=[.!?:;])\s", _words(sections, one))[0]
    return one.rule.startswith("repeated-") and _plain(whole).count(_plain(first)) > 1


def _plain(text: str) -> str:
    words = re.findall(r"[^\W_]+", text.lower())
    return f" {' '.join(words)} "


def alarms(samples: Sequence[Sample], show: int) -> dict[str, object]:
    """Findings in untouched documents, each with itself as its source, per ten pages: right ones and false alarms."""
    right = labels()
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    false: dict[str, Counter[str]] = defaultdict(Counter)
    words: Counter[str] = Counter()
    for one in samples:
        whole = "\n\n".join(f"{heading}\n\n{text}" for heading, _, text in one.sections)
        findings = check_report(desk(one.language, one.sections, (), (("original", whole),)))
        words[one.language] += len(whole.split())
        for violation in findings.violations:
            # the document stands among its own sources
            if violation.rule != "copied":
                counted[one.language][violation.rule] += 1
                if twice(violation, one.sections, whole):
                    continue
                if (violation.rule, digest(violation, one.sections, one.language)) in right:
                    continue
                false[one.language][violation.rule] += 1
                if show > 0:
                    show -= 1
                    print(f"  {one.name}: {violation.rule}: {violation.quote}")
    return {
        language: {
            "pages": round(words[language] / _WORDS),
            "findings_per_10_pages": round(sum(counted[language].values()) * 10 * _WORDS / words[language], 3),
            "false_per_10_pages": round(sum(false[language].values()) * 10 * _WORDS / words[language], 3),
            "by_rule": dict(counted[language].most_common()),
            "false_by_rule": dict(false[language].most_common()),
        }
        for language in words
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
