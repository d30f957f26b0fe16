"""Figures in running text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.figures import accepted, decimal, figures, marks
from fabai.report import LANGUAGES, Language


def read(text: str, language: Language = "es") -> list[tuple[str, str, str]]:
    return [(one.kind, one.value, one.noun) for one in figures(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "value", "currency"),
    [
        ("18.500,00 €", "es", "18500", "EUR"), ("18 500 euros", "es", "18500", "EUR"),
        ("18\u202f500,5 euros", "es", "18500.5", "EUR"), ("18.500 EUR", "en", "18500", "EUR"),
        ("€18,500.00", "en", "18500", "EUR"), ("3.000 USD", "en", "3000", "USD"),
        ("$26,896.72", "en", "26896.72", "USD"),
        ("1.250,50 €", "ca", "1250.5", "EUR"), ("3,5 millones de euros", "es", "3500000", "EUR"),
        ("12 mil euros", "es", "12000", "EUR"), ("2,3 milions d'euros", "ca", "2300000", "EUR"),
        ("2.5 million euros", "en", "2500000", "EUR"), ("1'250'000 €", "es", "1250000", "EUR"),
        ("1850 €", "es", "1850", "EUR"), ("2025 euros", "ca", "2025", "EUR"), ("2000 GBP", "en", "2000", "GBP"),
    ],
)  # fmt: skip
def test_an_amount_has_one_value_however_it_is_written(
    text: str, language: Language, value: str, currency: str
) -> None:
    assert read(f"El total: {text}.", language) == [("amount", value, currency)]


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("14 de marzo de 2025", "es", "2025-03-14"), ("1.º de mayo de 2024", "es", "2024-05-01"),
        ("30 d'abril de 2024", "ca", "2024-04-30"), ("març de 2024", "ca", "2024-03"), ("14 març", "ca", "--03-14"),
        ("March 14, 2025", "en", "2025-03-14"), ("14th March 2025", "en", "2025-03-14"),
        ("14/03/2025", "es", "2025-03-14"), ("2025-03-14", "en", "2025-03-14"), ("2024", "es", "2024"),
        ("2023-24", "es", "2023/24"), ("2023/2024", "ca", "2023/24"), ("2010-12", "es", "2010/12"),
        ("2025-03", "en", "2025-03"),
    ],
)  # fmt: skip
def test_a_date_is_read_in_the_languages_own_way(text: str, language: Language, value: str) -> None:
    assert read(f"en {text}, dijo", language) == [("date", value, "")]


def test_percentages_counts_and_laws_are_told_apart() -> None:
    text = "El 92,5 % de 1.312 personas, 24 talleres, el 5 por ciento, según la Ley 38/2003 y el artículo 75.2."
    assert read(text) == [
        ("percent", "92.5", ""), ("count", "1312", "person"), ("count", "24", "taller"), ("percent", "5", ""),
        ("law", "38/2003", "ley"), ("law", "75.2", "artículo"),
    ]  # fmt: skip


def test_a_year_in_front_of_a_count_is_not_part_of_it() -> None:
    assert read("En 2024 500 personas.") == [("date", "2024", ""), ("count", "500", "person")]


def test_the_number_of_a_figure_or_a_chapter_is_a_label() -> None:
    assert [kind for kind, _, _ in read("Véase la figura 3.2, las tablas 4 y 5 y el apartado 2.")] == ["label"] * 4


@pytest.mark.parametrize(
    "text",
    [
        "1. Primero", "2.3) Segundo", "## 4.1 Título", "`x = 12`", "[12]", "[^3]", "https://a.example/12/2024",
        "$x_{12}$", "```\n12 euros\n```", "{{persona_12}}", "[@perez2020]", "![Figura 3](media/image3.png)",
        "sin cifras",
    ],
)  # fmt: skip
def test_list_marks_code_notes_links_and_references_hold_no_figure(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", ["32 de enero de 2025", "30/13/2024"])
def test_an_impossible_date_is_none(text: str) -> None:
    assert not any(kind == "date" and "-" in value for kind, value, _ in read(text))


def test_a_date_supports_its_month_and_year_and_not_the_other_way_round() -> None:
    (day,), (month,) = figures("14 de marzo de 2025", "es"), figures("marzo de 2025", "es")
    assert set(accepted(month)) & set(marks(day))
    assert not set(accepted(day)) & set(marks(month))


def test_a_count_is_supported_by_the_same_noun_or_a_bare_number_only() -> None:
    (people,) = figures("12 personas", "es")
    for text, fits in (("12 personas", True), ("asistentes: 12", True), ("12 talleres", False), ("13 personas", False)):
        (known,) = figures(text, "es")
        assert bool(set(accepted(people)) & set(marks(known))) == fits, text


@given(st.integers(0, 10**9), st.integers(0, 99), st.sampled_from(LANGUAGES))
def test_any_amount_survives_its_own_way_of_writing(whole: int, cents: int, language: Language) -> None:
    grouped = f"{whole:,}.{cents:02d}"
    written = grouped if language == "en" else grouped.translate(str.maketrans(",.", ".,"))
    assert decimal(written, language, money=True) * 100 == whole * 100 + cents
    assert read(f"total {written} €", language) == [("amount", f"{decimal(written, language).normalize():f}", "EUR")]


@given(st.text(), st.sampled_from(LANGUAGES))
def test_any_text_is_read_in_order_without_overlap(text: str, language: Language) -> None:
    found = figures(text, language)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
