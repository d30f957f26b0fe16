"""Tables and lists that do not add up are found at the cell that is wrong, and nowhere else."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.checks.money import amount
from fabai.checks.reading import read
from tests.checks.desk import desk, found

SUMS = ("table-total", "table-row", "table-percent", "table-deviation", "list-total")


def _table(*rows: str) -> str:
    head, *body = rows
    return "\n".join([f"| {head} |", "|" + "---|" * (head.count("|") + 1), *(f"| {row} |" for row in body)])


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("(50,00)", "-50"), ("−50,00", "-50"), ("-50,00", "-50"), (",50", "0.5"), ("1.234,56 €", "1234.56"),
        ("€ 1.234,56", "1234.56"), ("18 500", "18500"), ("12,5 %", "12.5"), ("–", "0"),
    ],
)  # fmt: skip
def test_numbers_of_cells_are_read_with_brackets_and_minus_signs(written: str, value: str) -> None:
    read_amount = amount(written, "es")
    assert read_amount is not None
    assert read_amount.value == Decimal(value)


@pytest.mark.parametrize("written", ["", "Total", "12 de mayo", "2 a 3", "A-12", "1.2.3", "12/05/2024", "(50,00"])
def test_what_is_no_number_is_none(written: str) -> None:
    assert amount(written, "es") is None


def test_a_wrong_total_is_found_with_the_right_one() -> None:
    table = _table("Partida | Importe", "Personal | 4.200,00 €", "Viajes | 315,50 €", "**Total** | **4.525,50 €**")
    made = desk(f"Antes.\n\n{table}\n\nDespués.")
    (one,) = found(made, *SUMS)
    assert (one.rule, one.quote, one.suggestion, one.evidence) == (
        "table-total", "4.525,50 €", "4.515,50 €", "Total, Importe",
    )  # fmt: skip
    assert made.held.sections[0].text[one.start : one.end] == "4.525,50 €"


def test_subtotals_and_groups_are_sums_too() -> None:
    table = _table(
        "Partida | Euros", "A | 10", "B | 20", "Subtotal | 30", "C | 5", "D | 7", "Subtotal | 12", "Total | 42"
    )
    assert found(desk(table), *SUMS) == []


def test_rows_under_the_row_that_sums_them_count_once_and_thresholds_do_not_sum() -> None:
    rows = (
        "Criterio | Puntos | Umbral",
        "Capacidad | 70 | 35",
        "A | 32 | 16",
        "B | 38 | 19",
        "Impacto | 30 | 10",
        "C | 18 | -",
        "D | 12 | -",
    )
    assert found(desk(_table(*rows, "Total | 100 | 50")), *SUMS) == []
    assert [one.quote for one in found(desk(_table(*rows, "Total | 110 | 50")), *SUMS)] == ["110"]


def test_a_total_that_only_follows_from_another_error_is_not_a_second_finding() -> None:
    table = _table(
        "Partida | Concedido | Ejecutado | Desviación",
        "A | 1.000,00 | 900,00 | -100,00",
        "B | 2.000,00 | 2.050,00 | 60,00",
        "C | 500,00 | 450,00 | -50,00",
        "Total | 3.500,00 | 3.400,00 | -100,00",
    )
    assert [(one.rule, one.quote, one.suggestion) for one in found(desk(table), *SUMS)] == [
        ("table-deviation", "60,00", "50,00")
    ]


def test_rows_shares_and_products_are_computed() -> None:
    rows = _table("Partida | Primer año | Segundo año | Total", "A | 10 | 20 | 30", "B | 5 | 5 | 11", "C | 1 | 2 | 3")
    assert [one.suggestion for one in found(desk(rows), *SUMS)] == ["10"]
    shares = _table(
        "Partida | Importe | %",
        "A | 50,00 | 50,0 %",
        "B | 30,00 | 33,0 %",
        "C | 20,00 | 20,0 %",
        "Total | 100,00 | 100,0 %",
    )
    assert [one.suggestion for one in found(desk(shares), *SUMS)] == ["30,0 %"]
    hours = _table(
        "Persona | Horas | Precio unitario | Coste",
        "A | 10 | 20,00 | 200,00",
        "B | 8 | 20,00 | 180,00",
        "C | 2 | 15,00 | 30,00",
    )
    assert [one.suggestion for one in found(desk(hours), *SUMS)] == ["160,00"]


@pytest.mark.parametrize(
    "table",
    [
        _table("Año | Valor", "2021 | 10", "2022 | 20", "Total | 30"),
        _table("Curso | Nota media", "A | 7,5", "B | 8,5", "Total | 8,0"),
        _table("Partida | Precio", "A | 10,00", "B | 20,00", "Total | 95,00"),
        _table("Reparto | %", "A | 33,3 %", "B | 33,3 %", "C | 33,3 %", "Total | 100 %"),
    ],
)
def test_columns_that_nobody_sums_are_left_alone(table: str) -> None:
    assert found(desk(table), *SUMS) == []


def test_a_grid_table_is_read_as_a_pipe_table_is() -> None:
    grid = (
        "+---------+--------+\n| Partida | Euros  |\n+=========+========+\n| Una     | 10,00  |\n| larga   |        |\n"
        "+---------+--------+\n| Otra    | 5,00   |\n+---------+--------+\n| Total   | 16,00  |\n+---------+--------+"
    )
    (table,) = read(grid, "es").tables
    assert [[cell.plain for cell in row] for row in table.rows] == [
        ["Partida", "Euros"], ["Una larga", "10,00"], ["Otra", "5,00"], ["Total", "16,00"],
    ]  # fmt: skip
    assert [one.suggestion for one in found(desk(grid), *SUMS)] == ["15,00"]


def test_the_total_of_a_list_of_costs_is_the_sum_of_its_parts_in_each_currency() -> None:
    first = "- **Total Costs:** £300 (450.10 USD)\n"
    second = "- **Costs:** £100 (150.00 USD)\n- **Cost per day:** £20"
    made = desk(first, second, second.replace("£100 (150.00", "£200 (300.00"), language="en")
    assert [(one.quote, one.suggestion) for one in found(made, "list-total")] == [("450.10 USD", "450.00 USD")]


@given(st.lists(st.integers(1, 10**7), min_size=2, max_size=8), st.integers(0, 10**4))
def test_whatever_the_rows_a_right_total_is_calm_and_a_wrong_one_is_found(cents: list[int], off: int) -> None:
    def written(number: int) -> str:
        return f"{number // 100:,}".replace(",", ".") + f",{number % 100:02d} €"

    rows = [f"Partida {chr(97 + at)} | {written(number)}" for at, number in enumerate(cents)]
    table = _table("Partida | Importe", *rows, f"Total | {written(sum(cents) + off)}")
    assert len(found(desk(table), *SUMS)) == (1 if off else 0)
