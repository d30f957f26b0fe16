"""Every rule of the house: its id, how grave it is, and which stand together; those of the text, of the dossier, of a
finished document, and of what is presented.

Knows names only. Does not know how a rule works (here, fabai.dossier, fabai.submission) or what it says (es.toml,
ca.toml and en.toml beside each).
"""

from __future__ import annotations

from dataclasses import dataclass

from fabai.checks.violation import Severity
from fabai.errors import UnknownName, UsageError


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
    Rule("planted", "warning", "sources"),
    Rule("planted-source", "warning", "sources"),
    Rule("citation-unknown", "error", "sources"),
    Rule("expense-incomplete", "warning", "expenses"),
    Rule("expense-nif", "error", "expenses"),
    Rule("expense-outside-period", "error", "expenses"),
    Rule("expense-paid-late", "error", "expenses"),
    Rule("expense-unpaid", "warning", "expenses"),
    Rule("expense-heading", "error", "expenses"),
    Rule("expense-quotes", "error", "expenses"),
    Rule("expense-sum", "error", "expenses"),
    Rule("expense-overcharged", "error", "expenses"),
    Rule("expense-share", "error", "expenses"),
    Rule("expense-duplicate", "error", "expenses"),
    Rule("expense-alike", "warning", "expenses"),
    Rule("heading-over", "error", "expenses"),
    Rule("funding-over-cost", "error", "expenses"),
    Rule("sheet-total", "error", "expenses"),
    Rule("hours-outside-period", "error", "hours"),
    Rule("hours-impossible", "error", "hours"),
    Rule("hours-over-agreement", "error", "hours"),
    Rule("hours-over-year", "error", "hours"),
    Rule("publication-outside-period", "error", "publications"),
    Rule("publication-no-doi", "warning", "publications"),
    Rule("publication-no-grant", "warning", "publications"),
    Rule("publication-duplicate", "warning", "publications"),
    Rule("proof-missing", "error", "proofs"),
    Rule("payment-proof-missing", "error", "proofs"),
    Rule("annex-missing", "warning", "proofs"),
    Rule("commitment-open", "error", "commitments"),
    Rule("commitment-unexplained", "error", "commitments"),
    Rule("commitment-unproven", "warning", "commitments"),
    Rule("document-section-missing", "error", "document"),
    Rule("document-section-order", "error", "document"),
    Rule("document-table-missing", "error", "document"),
    Rule("document-table-empty", "error", "document"),
    Rule("document-table-total-missing", "error", "document"),
    Rule("document-table-sum", "error", "document"),
    Rule("document-page-size", "error", "document"),
    Rule("document-margin-top", "error", "document"),
    Rule("document-margin-right", "error", "document"),
    Rule("document-margin-bottom", "error", "document"),
    Rule("document-margin-left", "error", "document"),
    Rule("document-header", "error", "document"),
    Rule("document-footer", "error", "document"),
    Rule("document-spacing", "error", "document"),
    Rule("document-font", "error", "document"),
    Rule("document-font-size", "error", "document"),
    Rule("document-font-size-table", "warning", "document"),
    Rule("document-guidance", "error", "document"),
    Rule("document-hole", "error", "document"),
    Rule("document-placeholder", "error", "document"),
    Rule("document-field-broken", "error", "document"),
    Rule("document-revisions", "error", "document"),
    Rule("document-comments", "error", "document"),
    Rule("document-hidden", "error", "document"),
    Rule("document-person", "warning", "document"),
    Rule("document-size", "error", "document"),
    Rule("document-active", "error", "document"),
    Rule("document-fault", "warning", "document"),
    Rule("document-alt", "warning", "document"),
    Rule("document-language", "warning", "document"),
    Rule("document-empty", "error", "document"),
    Rule("blocked-hole", "error", "presenting"),
    Rule("blocked-unreviewed-ai", "error", "presenting"),
    Rule("blocked-unreviewed-inherited", "error", "presenting"),
    Rule("blocked-picture", "error", "presenting"),
    Rule("blocked-web-line", "error", "presenting"),
    Rule("blocked-deadline", "warning", "presenting"),
)
BY_ID = {rule.id: rule for rule in RULES}
_HELD = "presenting"
"""The group whose rules nobody switches off: holes, unreviewed drafts and missing pictures are never handed in."""


def switchable(rule: str) -> Rule:
    """The rule that a person wants off or on again. UnknownName where there is none, UsageError where it must hold."""
    if rule not in BY_ID:
        raise UnknownName.nearest("rule", rule, BY_ID)
    if BY_ID[rule].group == _HELD:
        raise UsageError(f"'{rule}' holds for whatever is presented and cannot be switched off: mend what it finds")
    return BY_ID[rule]
