"""What a finding says has its amounts and days as the reader's language writes them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from fabai.checks.violation import Violation
from fabai.checks.wording import dressed
from fabai.dossier.rules import money
from fabai.dossier.wording import sentence
from fabai.dossier.written import typed_amount
from fabai.report import LANGUAGES, Language


@pytest.mark.parametrize(
    ("language", "amount", "day"),
    [("es", "12\u00a0345,60", "31/12/2026"), ("ca", "12\u00a0345,60", "31/12/2026"), ("en", "12,345.60", "31/12/2026")],
)
def test_amounts_and_days_are_written_as_the_reader_writes_them(language: Language, amount: str, day: str) -> None:
    spent, most = money(Decimal("12345.6")), money(Decimal("1000"))
    assert money(Decimal("12345.6"), language) == amount
    over = sentence(Violation("heading-over", None, "error", spent, most, "Personal"), language)
    assert amount in over
    late = sentence(
        Violation("expense-paid-late", None, "error", "2027-01-03", "2026-12-31", "Imprenta · F-1"), language
    )
    assert day in late
    assert "2026-12-31" not in late
    outside = Violation("date-outside", "s1", "error", "2027", "2026-01-01 – 2026-12-31", "2027")
    assert f"01/01/2026 – {day}" in sentence(outside, language)


@pytest.mark.parametrize("number", ["F-2026-12-31", "2026-12-31-7", "A1-2026-12-31"])
def test_the_number_of_an_invoice_is_no_day(number: str) -> None:
    assert {dressed(number, language) for language in LANGUAGES} == {number}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_amount_that_is_shown_can_be_typed_again(language: Language) -> None:
    for value in (Decimal("0.05"), Decimal("999.99"), Decimal("1200.00"), Decimal("1234567.89")):
        assert typed_amount(money(value, language)) == value
