"""Which planted places the checks find, and what they find beside them.

Recall: planted places with a finding of the rule. Precision: of all findings of the rule in planted documents and
controls, those at a planted place; what the untouched document already had is left out of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from benches.checks_case import Case, Sections
from benches.checks_desk import desk, wilson, words
from benches.checks_documents import Sample
from benches.checks_planted import FAMILIES
from fabai.checks.report import check_report
from fabai.checks.violation import Violation
from fabai.report import Language

Counts = Counter[str]


def judge(rule: str, language: Language, made: Iterable[tuple[Sample, Case]], notes: list[str]) -> Counts:
    """cases, wanted places, hits, findings and wrong ones among these. notes: is told of misses and wrong ones."""
    counted = Counter(cases=0, wanted=0, hits=0, found=0, wrong=0)
    for sample, case in made:
        mine = _look(rule, language, case.sections, case)
        caught = [spot for spot in case.spots if any(_at(one, spot) for one in mine)]
        false = [one for one in mine if not any(_at(one, spot) for spot in case.spots)]
        # where the document already had the sentence twice, another of its copies is now the later one
        false = [one for one in false if rule != "duplicates" or one.quote[:40] != case.note[:40]]
        calm = _look(rule, language, case.clean, case)
        # what the document itself has stands in both
        base, own_of = (case.base, _look(rule, language, case.base, case)) if case.base else (case.clean, calm)
        own = [words(one, base) for one in own_of]
        too = own if case.base else [words(one, case.sections) for one in false]
        false = [one for one in false if not _among(words(one, case.sections), own)]
        calm = [one for one in calm if not _among(words(one, case.clean), too)]
        counted["cases"] += 1
        counted["wanted"] += len(case.spots)
        counted["hits"] += len(caught)
        counted["found"] += len(caught) + len(false) + len(calm)
        counted["wrong"] += len(false) + len(calm)
        if len(caught) < len(case.spots) or false or calm:
            what = "missed" if len(caught) < len(case.spots) else "false"
            said = [one.quote for one in (*false, *calm)][:4]
            notes.append(f"{rule} {language} {what}: {case.note} | {said} | {sample.name}")
    return counted


def rates(counted: Counts) -> dict[str, object]:
    """Recall and precision with their intervals."""
    right = counted["found"] - counted["wrong"]
    return {
        "cases": counted["cases"],
        "recall": _share(counted["hits"], counted["wanted"]),
        "recall_95": [round(bound, 3) for bound in wilson(counted["hits"], counted["wanted"])],
        "precision": _share(right, counted["found"]),
        "precision_95": [round(bound, 3) for bound in wilson(right, counted["found"])],
    }


def _share(hits: int, of: int) -> float | None:
    return round(hits / of, 3) if of else None


def _look(rule: str, language: Language, sections: Sections, case: Case) -> list[Violation]:
    findings = check_report(desk(language, sections, case.facts, case.sources))
    return [one for one in findings.violations if one.rule in FAMILIES[rule]]


def _among(text: str, others: Sequence[str]) -> bool:
    """A run of findings may begin earlier or end later in the other version."""
    return any(text[:40] in other or other[:40] in text for other in others)


def _at(one: Violation, spot: tuple[int, int, int]) -> bool:
    number, start, end = spot
    return one.section == f"s{number}" and one.start is not None and (one.end or 0) > start and one.start < end
