"""Facts in tables: the row names them, the column says what they are."""

from __future__ import annotations

import datetime
from decimal import Decimal

from fabai.proposals.grid import GridCell, of_grid
from fabai.report import Language


def facts(rows: list[list[str]], heads: int | None = None, language: Language = "es") -> dict[str, str]:
    grid = [
        [GridCell(text, where=f"{chr(65 + n)}{row}") for n, text in enumerate(line)] for row, line in enumerate(rows, 1)
    ]
    return {one.fact.name: one.fact.value for one, _ in of_grid(grid, heads, language)}


def test_a_column_of_money_gives_its_currency_to_bare_numbers() -> None:
    rows = [["Concepto", "Importe"], ["Personal", "12.400,50 €"], ["Material", "900"], ["Devolución", "(35,20)"]]
    assert facts(rows) == {"Personal": "12.400,50 €", "Material": "900 €", "Devolución": "-35,20 €"}


def test_several_columns_are_told_apart_by_their_heads() -> None:
    rows = [
        ["Partida", "Concedido (€)", "Ejecutado (€)", "%"],
        ["Personal", "4.200,00", "4.150,00", "98,8"],
        ["Viajes", "100", "90", "90"],
    ]
    assert facts(rows) == {
        "Personal, concedido (€)": "4.200,00 €",
        "Personal, ejecutado (€)": "4.150,00 €",
        "Personal, %": "98,8 %",
        "Viajes, concedido (€)": "100 €",
        "Viajes, ejecutado (€)": "90 €",
        "Viajes, %": "90 %",
    }


def test_a_head_that_names_what_is_counted_gives_the_noun() -> None:
    rows = [["Actividad", "Participantes"], ["Taller de lectura", "126"], ["Jornada", "40"]]
    assert facts(rows) == {"Taller de lectura": "126 participantes", "Jornada": "40 participantes"}


def test_two_columns_without_head_are_names_and_values() -> None:
    rows = [
        ["Entidad", "Asociación Río Claro"],
        ["Importe concedido", "18.500,00 €"],
        ["Código", "03.001.0051"],
        ["Nota", "ya veremos"],
    ]
    assert facts(rows) == {
        "Entidad": "Asociación Río Claro",
        "Importe concedido": "18.500,00 €",
        "Código": "03.001.0051",
    }


def test_a_long_list_proposes_its_totals_only() -> None:
    rows = [["Proveedor", "Importe"], *([f"Papelería {n}", f"{n},00 €"] for n in range(60)), ["Total", "1.770,00 €"]]
    assert facts(rows) == {"Total": "1.770,00 €"}


def test_numbers_and_dates_of_a_spreadsheet_are_written_as_the_language_does() -> None:
    rows = [
        [GridCell("Partida"), GridCell("Importe (€)"), GridCell("Fecha")],
        [
            GridCell("Personal"),
            GridCell("12400.5", Decimal("12400.5"), "B2"),
            GridCell("2025-03-14", datetime.date(2025, 3, 14), "C2"),
        ],
        [
            GridCell("Viajes"),
            GridCell("900", Decimal(900), "B3"),
            GridCell("2025-04-01", datetime.date(2025, 4, 1), "C3"),
        ],
    ]
    found = [(one.fact.name, one.fact.value, where) for one, where in of_grid(rows, None, "ca")]
    assert found[:2] == [("Personal, importe (€)", "12.400,50 €", "B2"), ("Personal, fecha", "2025-03-14", "C2")]
    assert found[2][1:] == ("900 €", "B3")


def test_a_table_of_words_holds_no_fact() -> None:
    assert (
        facts(
            [
                ["Riesgo", "Medida"],
                ["Retraso en la obra", "revisar el plan cada mes"],
                ["Falta de quórum", "convocar otra vez"],
            ]
        )
        == {}
    )
    assert facts([]) == {}
