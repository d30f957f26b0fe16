"""Findings in untouched documents, each with itself as its source: right ones and false alarms.

Right is what a person found to be right (benches/checks_labels.tsv: rule, hash of the sentence, reason) and a sentence
that the document has twice word for word; all others are false.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from benches.checks_case import Sections, whole_text
from benches.checks_desk import at, desk, words
from benches.checks_documents import Sample
from fabai.checks.reading import read
from fabai.checks.report import check_report
from fabai.checks.violation import Violation
from fabai.report import LANGUAGES, Language

_PAGE = 400
"""Words of a page."""


@cache
def labels() -> frozenset[tuple[str, str]]:
    """Rule and hash of every finding in an untouched document that a person found to be right."""
    rows = Path(__file__).with_name("checks_labels.tsv").read_text(encoding="utf-8").splitlines()
    return frozenset((rule, digest) for rule, digest, _ in (row.split("\t") for row in rows if not row.startswith("#")))


def digest(one: Violation, sections: Sections, language: Language) -> str:
    """The hash by which a label knows the sentence of a finding."""
    text = at(one, sections)
    span = read(text, language).sentence(one.start or 0)
    return hashlib.sha256(" ".join(text[span.start : span.end].split()).encode()).hexdigest()[:16]


def twice(one: Violation, sections: Sections, whole: str) -> bool:
    """Whether a sentence that is said to be repeated stands in the document twice, word for word."""
    first = re.split(r"(?<=[.!?:;])\s", words(one, sections))[0]
    return one.rule.startswith("repeated-") and _plain(whole).count(_plain(first)) > 1


def _plain(text: str) -> str:
    said = re.findall(r"[^\W_]+", text.lower())
    return f" {' '.join(said)} "


def alarms(samples: Iterable[Sample]) -> list[dict[str, Any]]:
    """A row for each document (language, words) with its findings: rule, hash, whether it is right, and what it says."""
    rows = []
    for one in samples:
        whole = whole_text(one)
        findings = check_report(desk(one.language, one.sections, (), (("original", whole),)))
        # the document stands among its own sources
        found = [violation for violation in findings.violations if violation.rule != "copied"]
        said = [_finding(violation, one, whole) for violation in found]
        rows.append({"name": one.name, "language": one.language, "words": len(whole.split()), "findings": said})
    return rows


def _finding(one: Violation, sample: Sample, whole: str) -> dict[str, Any]:
    text, known = at(one, sample.sections), digest(one, sample.sections, sample.language)
    start, end = one.start or 0, one.end or 0
    return {
        "rule": one.rule,
        "digest": known,
        "right": twice(one, sample.sections, whole) or (one.rule, known) in labels(),
        "found": text[start:end],
        "around": text[max(0, start - 150) : end + 150],
        "evidence": one.evidence,
    }


def rates(rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """By language, findings and false alarms per ten pages."""
    told: dict[str, object] = {}
    for language in LANGUAGES:
        own = [row for row in rows if row["language"] == language]
        pages = sum(row["words"] for row in own) / _PAGE
        findings = [one for row in own for one in row["findings"]]
        false = [one for one in findings if not one["right"]]
        if own:
            told[language] = {
                "pages": round(pages),
                "findings_per_10_pages": round(10 * len(findings) / pages, 3),
                "false_per_10_pages": round(10 * len(false) / pages, 3),
                "by_rule": dict(Counter(one["rule"] for one in findings).most_common()),
                "false_by_rule": dict(Counter(one["rule"] for one in false).most_common()),
            }
    return told
