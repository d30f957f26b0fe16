"""The sentences of findings, in three languages."""

from __future__ import annotations

import string

import pytest

from fabai.checks.violation import Findings, Violation
from fabai.checks.wording import sentence, words
from fabai.report import LANGUAGES, Language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_there_in_each_language_with_the_same_places(language: Language) -> None:
    assert words(language).keys() == words("es").keys()
    for rule, text in words(language).items():
        places = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        assert places == {name for _, name, _, _ in string.Formatter().parse(words("es")[rule]) if name}, rule


def test_numbers_are_written_as_the_language_does() -> None:
    violation = Violation("limit-words-maximum", "a", "error", 1250, 1200)
    assert sentence(violation, "es") == "Hay 1.250 palabras y el máximo es 1.200: quite 50."
    assert sentence(violation, "ca") == "Hi ha 1.250 paraules i el màxim és 1.200: traieu-ne 50."
    assert sentence(violation, "en") == "There are 1,250 words and the maximum is 1,200: take 50 out."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_has_a_sentence(language: Language) -> None:
    for unit in ("words", "characters", "characters-without-spaces", "pages"):
        for end in ("maximum", "minimum"):
            text = sentence(Violation(f"limit-{unit}-{end}", None, "error", 3, 2), language)
            assert "{" not in text
    assert "Arial" in sentence(Violation("font-missing", None, "warning", "DejaVu Sans", "Arial"), language)
    assert sentence(Violation("section-empty", "a", "error", 0, 1), language)


def test_warnings_alone_are_no_reason_to_refuse() -> None:
    warning = Violation("font-missing", None, "warning", "DejaVu Sans", "Arial")
    error = Violation("section-empty", "a", "error", 0, 1)
    assert Findings((warning,)).ok
    assert not (Findings((warning,)) + Findings((error,), ("note",))).ok
    assert (Findings((warning,)) + Findings((error,), ("note",))).notices == ("note",)


def test_the_layout_for_scripts_keeps_its_first_keys_in_order() -> None:
    violation = Violation("limit-words-maximum", "a", "error", 1250, 1200, "de aquí")
    assert list(violation.as_dict()) == [
        *("rule", "section", "severity", "found", "expected", "quote"),
        *("start", "end", "evidence", "suggestion"),
    ]
