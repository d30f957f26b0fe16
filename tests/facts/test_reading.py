"""What values say: the same in every format, and codes are no numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.facts import read_fact, read_value, same
from fabai.facts.writing import write_amount, write_number, write_percent
from fabai.ledger import Fact
from fabai.report import LANGUAGES, Language


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_amount_is_the_same_in_every_format(language: Language) -> None:
    ways = ["18.500,00 €", "18,500.00 EUR", "18 500 euros", "18\u202f500 €", "€18,500", "18.500 EUR"]
    assert {read_value(one, language).key for one in ways} == {"amount 18500 EUR"}


@pytest.mark.parametrize(
    ("value", "number"),
    [("-35,20 €", "-35.2"), ("−35,20 €", "-35.2"), ("(35,20 €)", "-35.2"), ("0 €", "0"), ("-€35.20", "-35.2")],
)
def test_negative_and_zero_amounts_keep_their_sign(value: str, number: str) -> None:
    assert read_value(value, "es").number == Decimal(number)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("126 personas", "count"),
        ("92,5 %", "percent"),
        ("14 de marzo de 2025", "date"),
        ("1.200 kWh", "indicator"),
        ("0,35 kg CO2/m2", "indicator"),
        ("120 m²", "indicator"),
        ("Ley 38/2003", "reference"),
        ("art. 75.2", "reference"),
        ("03.001.0051", "reference"),
        ("PID2023-123456NB-I00", "reference"),
        ("Expediente 2025/123", "reference"),
        ("600 000 012", "reference"),
        ("https://ejemplo.org/a?n=1200", "reference"),
        ("10.1000/182", "reference"),
        ("Asociación Río Claro", "name"),
        ("Ana Pérez de la Torre", "name"),
        ("AEI", "acronym"),
        ("XIV", "text"),
        ("1.º", "reference"),
        ("2a", "reference"),
        ("2a edición", "text"),
        ("3rd edition", "text"),
        ("+34 600 000 012", "reference"),
        ("2023", "date"),
        ("2025-03", "date"),
        ("2023 personas", "count"),
        ("1850 €", "amount"),
        ("2000 %", "percent"),
        ("2025 en curso", "text"),
        ("entre 16 y 24 años", "text"),
        ("no procede", "text"),
        ("€", "text"),
    ],
)
def test_a_value_is_of_one_kind(value: str, kind: str) -> None:
    assert read_value(value, "es").kind == kind


def test_a_count_knows_what_it_counts() -> None:
    reading = read_value("12 talleres de lectura", "es")
    assert (reading.number, reading.noun, reading.stem) == (Decimal(12), "talleres de lectura", "taller")


def test_what_a_person_said_of_a_fact_comes_before_what_its_value_says() -> None:
    assert read_fact(Fact("gasto", "900", "s", kind="amount", unit="EUR"), "es").key == "amount 900 EUR"
    assert read_fact(Fact("asistentes", "126", "s", noun="personas"), "es").key == read_value("126 personas", "es").key
    assert read_fact(Fact("luz", "900", "s", unit="kWh"), "es").kind == "indicator"
    assert read_fact(Fact("lema", "126 personas", "s", kind="text"), "es").number is None


def test_facts_that_are_prefixes_of_each_other_are_three() -> None:
    keys = {read_value(f"{number} personas", "es").key for number in ("1", "12", "120")}
    assert len(keys) == 3


def test_a_bare_number_says_the_same_as_that_number_with_a_unit() -> None:
    assert same(read_value("900", "es"), read_value("900 €", "es"))
    assert not same(read_value("900 USD", "es"), read_value("900 €", "es"))
    assert not same(read_value("901", "es"), read_value("900 €", "es"))


@given(st.decimals(-(10**9), 10**9, places=2), st.sampled_from(LANGUAGES), st.sampled_from(["EUR", "USD", "GBP"]))
def test_an_amount_that_is_written_is_read_back(number: Decimal, language: Language, currency: str) -> None:
    reading = read_value(write_amount(number, currency, 2, language), language)
    assert (reading.kind, reading.number, reading.unit) == ("amount", number + 0, currency)


@given(st.decimals(-999, 999, places=1), st.sampled_from(LANGUAGES))
def test_a_percentage_that_is_written_is_read_back(number: Decimal, language: Language) -> None:
    assert read_value(write_percent(number, 1, language), language).number == number + 0


def test_a_number_is_rounded_half_up() -> None:
    assert write_number(Decimal("2.345"), 2, "es") == "2,35"
    assert write_number(Decimal("-0.004"), 2, "es") == "0,00"


@given(st.text(max_size=40))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    assert read_value(text, "es").kind != ""
