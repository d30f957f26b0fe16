"""The expenses on the page: rows with their findings, sums against what was granted, the funder's sheet filled."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from fabai.errors import BadSetting

from .conftest import HORT, Desk


def keep(desk: Desk, name: str) -> None:
    desk.ask("save-list", "hort", token=desk.bring("expenses", HORT / name, "hort")["token"])


def test_rows_carry_their_findings_and_headings_their_sums(hort: Desk) -> None:
    keep(hort, "expenses-faulty.xlsx")
    shown = hort.ask("expenses", "hort")
    assert [row["number"] for row in shown["rows"]] == list(range(1, len(shown["rows"]) + 1))
    assert {row["place"] for row in shown["rows"] if row["findings"]} == {13, 14, 15, 17, 19, 21, 22, 28}
    sums = {one["heading"]: one for one in shown["sums"]}
    assert sums["Serveis externs"]["over"]
    assert not sums["Personal"]["over"]
    assert sums["Viatges"]["granted"] == ""
    assert len(shown["findings"]) == 2
    assert not shown["files"][0]["sums"]


def test_the_review_tells_what_is_wrong_with_the_expenses_too(hort: Desk) -> None:
    keep(hort, "expenses-faulty.xlsx")
    found = {one["rule"]: one for one in hort.ask("findings", "hort", now=True)["findings"]}
    assert {"expense-paid-late", "heading-over", "sheet-total", "commitment-open"} <= set(found)
    assert found["expense-paid-late"]["sentence"].startswith("Se pagó el 15/03/2026")
    hort.ask("put-aside", "hort", rule="commitment-open", reason="Se cuenta en otro informe.")
    rules = {one["rule"] for one in hort.ask("findings", "hort", now=True)["findings"]}
    assert "commitment-open" not in rules


def test_clean_expenses_have_no_finding(hort: Desk) -> None:
    keep(hort, "expenses.xlsx")
    shown = hort.ask("expenses", "hort")
    assert not any(row["findings"] for row in shown["rows"])
    assert shown["findings"] == []
    assert shown["files"][0]["sums"]
    assert shown["cost"] == "11\u00a0930,00"


def test_a_rule_without_its_term_is_named_so_that_somebody_sets_it(desk: Desk) -> None:
    desk.ask("save-list", token=desk.bring("expenses", HORT / "expenses.xlsx")["token"])
    assert desk.ask("expenses")["unset"] == ["start", "pay_by", "heading", "grant"]


def test_the_funders_sheet_is_filled_with_its_formulas(hort: Desk, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Proveïdor", "NIF", "Núm. factura", "Data factura", "Import imputat"])
    sheet["A40"], sheet["E40"] = "Total", "=SUM(E2:E39)"
    book.save(tmp_path / "model.xlsx")
    with pytest.raises(BadSetting, match="no expenses"):
        hort.bring("funder", tmp_path / "model.xlsx", "hort")
    keep(hort, "expenses.xlsx")
    made = hort.bring("funder", tmp_path / "model.xlsx", "hort")
    assert made["filename"] == "model.xlsx"
    (path,) = (hort.space.folder / ".fabai" / "exports" / "hort").glob("*.xlsx")
    filled = openpyxl.load_workbook(path).active
    assert filled is not None
    assert made["rows"] == len(hort.ask("expenses", "hort")["rows"])
    assert filled["A2"].value == hort.ask("expenses", "hort")["rows"][0]["creditor"]
    assert str(filled["E40"].value).startswith("=SUM")
