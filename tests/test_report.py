"""The Report: numbers, names, words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import UnknownName, UsageError
from fabai.report import Report, Section, count_words, fold

LEVELS = st.lists(st.integers(0, 9), max_size=60)


def _report(levels: list[int]) -> Report:
    return Report("T", "es", tuple(Section(f"s{index}", f"H{index}", level) for index, level in enumerate(levels)))


@given(LEVELS)
def test_every_number_is_unique_and_as_deep_as_its_level(levels: list[int]) -> None:
    numbers = _report(levels).numbers()
    numbered = [number for number in numbers if number]
    assert len(set(numbered)) == len(numbered)
    assert [number.count(".") + 1 if number else 0 for number in numbers] == levels


@given(LEVELS)
def test_numbers_stand_in_reading_order(levels: list[int]) -> None:
    numbered = [tuple(map(int, number.split("."))) for number in _report(levels).numbers() if number]
    assert numbered == sorted(numbered)


@given(LEVELS)
def test_the_number_of_a_section_begins_with_that_of_each_heading_above_it(levels: list[int]) -> None:
    report = _report(levels)
    numbers = dict(zip((section.id for section in report), report.numbers(), strict=True))
    for section in report:
        for ancestor in report.ancestors(section.id):
            assert ancestor.level < section.level
            assert numbers[section.id].startswith(f"{numbers[ancestor.id]}.")


@given(LEVELS)
def test_a_section_is_found_by_its_id_and_by_its_number(levels: list[int]) -> None:
    report = _report(levels)
    for section, number in zip(report, report.numbers(), strict=True):
        assert report.find(section.id) == section
        if number:
            assert report.find(number) == section


@given(LEVELS, st.integers(0, 100))
def test_the_numbers_in_front_do_not_depend_on_what_follows(levels: list[int], cut: int) -> None:
    assert _report(levels[:cut]).numbers() == _report(levels).numbers()[:cut]


def test_numbers_of_an_ordinary_outline() -> None:
    assert _report([0, 1, 2, 2, 3, 1, 2]).numbers() == ("", "1", "1.1", "1.2", "1.2.1", "2", "2.1")


def test_a_skipped_level_counts_as_one() -> None:
    assert _report([1, 3, 3, 2]).numbers() == ("1", "1.1.1", "1.1.2", "1.2")


def test_a_section_is_found_by_its_heading_whatever_its_case_accents_and_typed_number() -> None:
    report = Report("T", "ca", (Section("a", "2.1 Memòria econòmica", 1), Section("b", "Annex", 1)))
    assert report.find("memoria ECONOMICA").id == "a"
    assert report.find("memòria").id == "a"


def test_a_heading_that_fits_several_sections_asks_for_the_id() -> None:
    report = Report("T", "es", (Section("a", "Resultados", 1), Section("b", "Resultados", 1)))
    with pytest.raises(UsageError, match="a, b"):
        report.find("resultados")


def test_an_unknown_section_is_answered_with_the_nearest_heading() -> None:
    report = Report("T", "es", (Section("a", "Resultados", 1), Section("b", "Anexo", 1)))
    with pytest.raises(UnknownName, match="did you mean 'Resultados'"):
        report.find("Resultaos")
    with pytest.raises(UnknownName):
        report.find("")


def test_a_replaced_section_leaves_the_others_as_they_were() -> None:
    report = _report([1, 2, 2])
    changed = report.with_section(Section("s1", "Nuevo", 2, "texto"))
    assert [section.heading for section in changed] == ["H0", "Nuevo", "H2"]
    assert [section.heading for section in report] == ["H0", "H1", "H2"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("1.234,56 euros", 2),
        ("col·legi d'Olot", 2),
        ("2024-2025: dos, tres.", 3),
        ("18.500,00 €", 1),
        ("mañana\u00a0mismo", 2),
    ],
)
def test_words_are_counted_as_a_word_processor_does(text: str, words: int) -> None:
    assert count_words(text) == words


@given(st.text())
def test_folding_twice_is_folding_once_where_no_number_is_typed(text: str) -> None:
    folded = fold("x" + text)
    assert fold(folded) == folded
