"""The rules of the checks: their ids, how grave they are, and which stand together.

Knows names only. Does not know how a rule works or what it says (es.toml, ca.toml, en.toml).
"""

from __future__ import annotations

from dataclasses import dataclass

from fabai.checks.violation import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """severity: as a rule; one finding may weigh less. group: what the rule is about."""

    id: str
    severity: Severity
    group: str


RULES: tuple[Rule, ...] = (
    Rule("figure-unknown", "error", "figures"),
    Rule("figure-varies", "error", "figures"),
    Rule("figure-swapped", "error", "figures"),
    Rule("figure-role", "warning", "figures"),
    Rule("figure-differs", "warning", "figures"),
    Rule("fact-missing", "warning", "figures"),
    Rule("fact-conflict", "error", "figures"),
    Rule("table-total", "error", "sums"),
    Rule("table-row", "error", "sums"),
    Rule("table-percent", "error", "sums"),
    Rule("table-deviation", "error", "sums"),
    Rule("list-total", "error", "sums"),
    Rule("name-varies", "error", "names"),
    Rule("acronym-twice", "warning", "names"),
    Rule("acronym-unexplained", "warning", "names"),
    Rule("people-count", "warning", "names"),
    Rule("people-unlisted", "warning", "names"),
    Rule("date-impossible", "error", "dates"),
    Rule("date-outside", "error", "dates"),
    Rule("date-order", "error", "dates"),
    Rule("earlier-period", "warning", "dates"),
    Rule("earlier-phrase", "warning", "dates"),
    Rule("claim-contradicted", "error", "statements"),
    Rule("superlative", "warning", "statements"),
    Rule("repeated-sentence", "warning", "repetition"),
    Rule("repeated-across", "warning", "repetition"),
    Rule("loop", "error", "repetition"),
    Rule("copied", "warning", "repetition"),
    Rule("section-empty", "error", "coverage"),
    Rule("guidance-uncovered", "warning", "coverage"),
    Rule("criterion-uncovered", "warning", "coverage"),
    Rule("language-paragraph", "error", "language"),
    Rule("language-term", "warning", "language"),
    Rule("hole", "error", "leftovers"),
    Rule("reference-left", "error", "leftovers"),
    Rule("placeholder", "error", "leftovers"),
    Rule("model-talk", "error", "leftovers"),
    Rule("markdown-left", "warning", "leftovers"),
    Rule("limit-words-maximum", "error", "limits"),
    Rule("limit-words-minimum", "error", "limits"),
    Rule("limit-characters-maximum", "error", "limits"),
    Rule("limit-characters-minimum", "error", "limits"),
    Rule("limit-characters-without-spaces-maximum", "error", "limits"),
    Rule("limit-characters-without-spaces-minimum", "error", "limits"),
    Rule("limit-pages-maximum", "error", "limits"),
    Rule("limit-pages-minimum", "error", "limits"),
    Rule("font-missing", "warning", "limits"),
)
BY_ID = {rule.id: rule for rule in RULES}
