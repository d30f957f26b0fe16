"""Limits: what is counted, where it is passed, which sections are empty."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabai.checks.limits import check_limits, measure
from fabai.checks.violation import Violation
from fabai.form import Form, Limit, SectionSpec
from fabai.report import Language, Report, Section


def _form(*limits: Limit, whole: tuple[Limit, ...] = (), required: bool = True) -> Form:
    spec = SectionSpec("a", {"es": "A", "ca": "A"}, limits=limits, required=required)
    other = SectionSpec("b", {"es": "B", "ca": "B"}, required=False)
    return Form("f", {"es": "F"}, ("es", "ca"), "s", "2026-01-02", sections=(spec, other), limits=whole)


def _report(text: str, other: str = "", language: Language = "es") -> Report:
    return Report("T", language, (Section("a", "A", 1, text, spec="a"), Section("b", "B", 1, other, spec="b")))


def _found(text: str, *limits: Limit) -> list[tuple[str, int | str, int | str]]:
    findings = check_limits(_report(text), _form(*limits))
    return [(one.rule, one.found, one.expected) for one in findings.violations]


@pytest.mark.parametrize(
    ("plain", "unit", "line_break", "count"),
    [
        ("", "words", 1, 0),
        ("dos palabras", "words", 1, 2),
        ("a b\nc", "characters", 1, 5),
        ("a b\nc", "characters", 2, 6),
        ("a b\nc\td\u00a0e", "characters_without_spaces", 2, 5),
        ("ñ€😀", "characters", 1, 3),
    ],
)
def test_each_unit_is_counted_on_plain_text(plain: str, unit: str, line_break: int, count: int) -> None:
    assert measure(plain, unit, line_break) == count  # type: ignore[arg-type]


def test_a_text_at_the_limit_is_within_it() -> None:
    limits = (Limit("words", 3, 3), Limit("characters", 11, 11), Limit("characters_without_spaces", 9, 9))
    assert _found("uno dos tre", *limits) == []


def test_a_text_over_and_under_a_limit_is_found_with_both_numbers() -> None:
    assert _found("uno dos tres cuatro", Limit("words", 3)) == [("limit-words-maximum", 4, 3)]
    assert _found("uno", Limit("words", minimum=2)) == [("limit-words-minimum", 1, 2)]
    assert _found("abc", Limit("characters", 2)) == [("limit-characters-maximum", 3, 2)]
    assert _found("a b c", Limit("characters_without_spaces", 2)) == [("limit-characters-without-spaces-maximum", 3, 2)]


def test_the_quote_begins_where_the_maximum_is_passed() -> None:
    (violation,) = check_limits(_report("**uno** dos [tres](http://x.y) cuatro"), _form(Limit("words", 2))).violations
    assert violation.quote == "tres cuatro"
    (violation,) = check_limits(_report("abcdef"), _form(Limit("characters", 4))).violations
    assert violation.quote == "ef"


def test_marks_of_markdown_and_addresses_do_not_count() -> None:
    text = "**uno** [dos](https://example.org/una-direccion-muy-larga)\n\n| a | b |\n|---|---|\n| c | d |"
    assert _found(text, Limit("words", 6, 6), Limit("characters_without_spaces", 10, 10)) == []


def test_line_breaks_count_as_the_form_says() -> None:
    assert _found("uno\n\ndos", Limit("characters", 7)) == []
    assert _found("uno\n\ndos", Limit("characters", 7, line_break=2)) == [("limit-characters-maximum", 8, 7)]


def test_a_required_section_without_text_is_one_finding_and_an_optional_one_is_none() -> None:
    limit = Limit("words", minimum=5)
    assert check_limits(_report(" \n"), _form(limit)).violations == (Violation("section-empty", "a", "error", 0, 1),)
    assert check_limits(_report(""), _form(limit, required=False)).ok


def test_the_whole_document_is_counted_without_the_excluded_sections() -> None:
    report = _report("uno dos", "tres cuatro")
    assert [one.found for one in check_limits(report, _form(whole=(Limit("words", 1),))).violations] == [4]
    assert [
        one.found for one in check_limits(report, _form(whole=(Limit("words", 1, excludes=("b",)),))).violations
    ] == [2]


def test_a_section_is_excluded_by_the_spec_that_it_answers_and_not_by_its_id() -> None:
    report = Report("T", "es", (Section("b", "A", 1, "uno", spec="a"), Section("s9", "B", 1, "dos tres", spec="b")))
    form = _form(whole=(Limit("words", 0, excludes=("b",)),))
    assert [one.found for one in check_limits(report, form).violations] == [1]


def test_sections_without_a_spec_count_in_the_whole() -> None:
    report = Report("T", "es", (Section("x", "X", 0, "uno"), Section("a", "A", 1, "dos", spec="a")))
    assert [one.found for one in check_limits(report, _form(whole=(Limit("words", 1),))).violations] == [2]


def test_a_limit_of_one_language_holds_in_that_language_only() -> None:
    form = _form(Limit("words", 1, languages=("ca",)))
    assert check_limits(_report("uno dos"), form).ok
    assert not check_limits(_report("u dos", language="ca"), form).ok


def test_a_form_without_limits_finds_nothing() -> None:
    form = Form("g", {"es": "G"}, ("es",), "s", "2026-01-02", own_sections=False)
    assert check_limits(Report("T", "es", (Section("s1", "A", 1, ""),)), form).violations == ()


@settings(max_examples=25)
@given(st.text(st.sampled_from("ab \n.,"), max_size=60), st.integers(0, 30))
def test_a_maximum_is_reported_exactly_when_it_is_passed(text: str, maximum: int) -> None:
    for unit in ("words", "characters", "characters_without_spaces"):
        found = _found(text, Limit(unit, maximum))
        if not text.strip():
            assert [one[0] for one in found] == ["section-empty"]
        elif found:
            ((_, count, _),) = found
            assert isinstance(count, int)
            assert count > maximum
