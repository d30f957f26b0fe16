"""Rules on expenses: what each finds, what it lets pass, and what is said where a term is not known."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest

from fabai.dossier.expense import Expense
from fabai.dossier.nif import is_nif
from fabai.dossier.place import Place
from fabai.dossier.rules import check_expenses
from fabai.dossier.terms import Terms
from fabai.errors import BadSetting, UnknownName

DAY = datetime.date(2025, 3, 1)
TERMS = Terms(
    start=datetime.date(2025, 1, 1),
    end=datetime.date(2025, 12, 31),
    pay_by=datetime.date(2026, 1, 31),
    tolerance=Decimal(10),
    heading={"Personal": Decimal(1_000), "Material fungible": Decimal(500)},
    grant=Decimal(900),
    income={"Own": Decimal(100)},
)


def expense(row: int = 1, **values: Any) -> Expense:
    usual: dict[str, Any] = {
        "creditor": "Fusta SL",
        "nif": "B12345674",
        "number": f"F-{row}",
        "heading": "Personal",
        "issued": DAY,
        "paid": DAY,
        "total": Decimal(500 + row),
    }
    return Expense(Place("a.xlsx", "", "S", row), **{**usual, **values})


def rules(*expenses: Expense, terms: Terms = TERMS) -> list[str]:
    return [one.rule for one in check_expenses(expenses, terms).violations]


def test_a_right_list_passes() -> None:
    assert rules(expense(1), expense(2)) == []


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({"issued": datetime.date(2024, 12, 31)}, "expense-outside-period"),
        ({"issued": datetime.date(2026, 1, 1)}, "expense-outside-period"),
        ({"paid": datetime.date(2026, 2, 1)}, "expense-paid-late"),
        ({"paid": None}, "expense-unpaid"),
        ({"heading": "Viajes"}, "expense-heading"),
        ({"heading": ""}, "expense-heading"),
        ({"nif": "B12345678"}, "expense-nif"),
        ({"creditor": ""}, "expense-incomplete"),
        ({"base": Decimal(400), "vat": Decimal(84), "total": Decimal(500)}, "expense-sum"),
        ({"total": Decimal(500), "charged": Decimal(501)}, "expense-overcharged"),
        ({"total": Decimal(500), "charged": Decimal(300), "percent": Decimal(50)}, "expense-share"),
    ],
)
def test_each_fault_of_a_row_is_found_alone(values: dict[str, Any], rule: str) -> None:
    assert rules(expense(1, **values), expense(2)) == [rule]


def test_a_withholding_is_no_wrong_sum_and_a_share_of_the_net_amount_no_wrong_share() -> None:
    invoice = expense(
        1, base=Decimal(1000), vat=Decimal(210), total=Decimal(1060), charged=Decimal(1000), percent=Decimal(100)
    )
    assert "expense-sum" not in rules(invoice)
    assert "expense-share" not in rules(invoice)


def test_three_quotes_are_asked_from_the_threshold_without_vat_and_for_works_from_theirs() -> None:
    terms = Terms()
    assert rules(expense(1, base=Decimal("14999.99")), terms=terms) == []
    found = check_expenses([expense(1, base=Decimal(15_000), quotes=2)], terms).violations
    assert [(one.rule, one.severity) for one in found] == [("expense-quotes", "error")]
    assert check_expenses([expense(1, base=Decimal(15_000))], terms).violations[0].severity == "warning"
    assert rules(expense(1, base=Decimal(15_000), quotes=3), terms=terms) == []
    assert rules(expense(1, base=Decimal(39_000), concept="Obra de reforma", quotes=0), terms=terms) == []


def test_the_same_invoice_twice_is_found_shared_out_over_headings_it_is_not() -> None:
    assert rules(expense(1), expense(2, number="F-1", total=Decimal(501))) == ["expense-duplicate"]
    assert rules(expense(1, number="F 1 "), expense(2, number="f-1")) == ["expense-duplicate"]
    half = {"number": "F-9", "total": Decimal(500), "charged": Decimal(250)}
    assert rules(expense(1, **half), expense(2, **half, heading="Material fungible")) == []
    part = {"number": "F-9", "total": Decimal(500), "percent": Decimal(50)}
    assert "expense-duplicate" not in rules(expense(1, **part), expense(2, **part))


def test_a_heading_may_be_exceeded_by_the_tolerance_and_no_cent_more() -> None:
    assert "heading-over" not in rules(expense(1, total=Decimal(1_100)))
    assert "heading-over" in rules(expense(1, total=Decimal("1100.02")))


def test_headings_are_known_with_their_number_or_a_word_less() -> None:
    assert TERMS.heading_of("1.1 Personal") == "Personal"
    assert TERMS.heading_of("material FUNGIBLE") == "Material fungible"
    assert TERMS.heading_of("Fungible") == "Material fungible"
    assert TERMS.heading_of("Viajes") is None


def test_funding_above_the_cost_is_found() -> None:
    assert "funding-over-cost" in rules(expense(1, total=Decimal(999)))
    assert "funding-over-cost" not in rules(expense(1, total=Decimal(1_000)))


def test_what_nobody_said_is_not_checked_and_that_is_told() -> None:
    findings = check_expenses([expense(1)], Terms())
    assert findings.violations == ()
    assert len(findings.notices) == 4
    assert all(one.startswith("not checked, because nobody said") for one in findings.notices)


def test_a_rule_can_be_left_out() -> None:
    assert check_expenses([expense(1, nif="X")], TERMS, off=["expense-nif", "funding-over-cost"]).violations == ()


@pytest.mark.parametrize(
    ("number", "right"),
    [
        ("12345678Z", True),
        ("12345678A", False),
        ("X1234567L", True),
        ("B12345674", True),
        ("B12345675", False),
        ("5123456F", None),
        ("ES B12345674", True),
        ("DE136695976", True),
        ("DE136695975", False),
        ("F-123456-Z", True),
        ("B-1234", False),
        ("", False),
    ],
)
def test_tax_numbers_are_proven_by_their_check_digit(number: str, right: bool | None) -> None:
    if right is not None:
        assert is_nif(number) is right


def test_terms_are_set_as_people_write_them_and_kept() -> None:
    terms = Terms().with_term("start", "1 de gener de 2025").with_term("heading:Personal", "6.000,00 €", "Resolució")
    assert (terms.start, terms.heading["Personal"]) == (datetime.date(2025, 1, 1), 6_000)
    assert Terms.from_json(terms.as_json()) == terms
    with pytest.raises(UnknownName, match="did you mean 'start'"):
        terms.with_term("strat", "2025-01-01")
    with pytest.raises(BadSetting, match="is no date"):
        terms.with_term("end", "soon")
    with pytest.raises(BadSetting, match="before it starts"):
        terms.with_term("end", "2024-12-31")
    with pytest.raises(BadSetting, match="is no amount"):
        terms.with_term("grant", "-5")
