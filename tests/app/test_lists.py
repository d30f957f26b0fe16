"""Spreadsheets on the way in: columns proposed, corrected and remembered; rows with what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.errors import UnreadableFile, UsageError

from .conftest import DOSSIERS, HORT, Desk


def test_columns_are_proposed_with_their_heads_and_what_stands_below(desk: Desk) -> None:
    shown = desk.bring("expenses", HORT / "expenses.xlsx")
    assert shown["read"]
    assert not shown["remembered"]
    assert shown["count"] == len(shown["rows"]) > 20
    by_letter = {one["letter"]: one for one in shown["columns"]}
    letter = next(one["letter"] for one in shown["columns"] if one["index"] == shown["mapping"]["creditor"])
    assert by_letter[letter]["head"]
    assert by_letter[letter]["samples"][0] == shown["rows"][0]["cells"]["creditor"]
    assert desk.ask("expenses")["rows"] == []


def test_columns_that_a_person_corrects_are_remembered_for_the_layout(desk: Desk, tmp_path: Path) -> None:
    sheet = tmp_path / "gastos.csv"
    sheet.write_text("Quien;Papel;Cuando;Cuanto\nImprenta Sol;F-1;03/02/2025;120,50\nBar Luna;F-2;04/02/2025;30,00\n")
    first = desk.bring("expenses", sheet)
    assert not first["read"]
    assert [one["head"] for one in first["columns"]] == ["Quien", "Papel", "Cuando", "Cuanto"]
    columns = {"creditor": 0, "number": 1, "issued": 2, "total": 3}
    second = desk.ask("list-again", token=first["token"], columns=columns)
    assert [row["cells"]["creditor"] for row in second["rows"]] == ["Imprenta Sol", "Bar Luna"]
    assert desk.ask("save-list", token=second["token"]) == {"kind": "expenses", "rows": 2, "replaced": False}
    sheet.write_text(sheet.read_text() + "Taller Mar;F-3;05/02/2025;10,00\n")
    third = desk.bring("expenses", sheet)
    assert third["remembered"]
    assert third["mapping"] == columns
    assert desk.ask("save-list", token=third["token"]) == {"kind": "expenses", "rows": 3, "replaced": True}
    assert len(desk.ask("expenses")["rows"]) == 3


def test_faults_stand_at_their_rows_before_anything_is_saved(hort: Desk) -> None:
    shown = hort.bring("expenses", HORT / "expenses-faulty.xlsx", "hort")
    by_row = {row["row"]: [one["sentence"] for one in row["findings"]] for row in shown["rows"] if row["findings"]}
    assert set(by_row) == {13, 14, 15, 17, 19, 21, 22, 28}
    assert "fuera del periodo" in by_row[13][0]
    assert "fila" in by_row[28][0]
    assert any("total de la hoja" in one["sentence"] for one in shown["findings"])
    assert shown["faulty"] == 8
    assert hort.ask("expenses", "hort")["rows"] == []


@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("hours", "es-aguasens/hours.xlsx"),
        ("people", "es-aguasens/people.csv"),
        ("indicators", "en-riverlink/indicators.csv"),
        ("attendance", "ca-hort/attendance.csv"),
    ],
)
def test_other_lists_are_kept_with_their_rows(desk: Desk, kind: str, file: str) -> None:
    read = desk.bring(kind, DOSSIERS / file)
    done = desk.ask("save-list", token=read["token"])
    (shown,) = desk.ask("lists")["lists"]
    assert shown["kind"] == kind
    assert len(shown["rows"]) == done["rows"] == read["count"]
    assert shown["fields"]


def test_a_sheet_with_nothing_in_it_is_one_sentence(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "vacio.csv").write_text("\n")
    with pytest.raises(UnreadableFile):
        desk.bring("expenses", tmp_path / "vacio.csv")


def test_without_a_column_nothing_is_read_again(desk: Desk) -> None:
    token = desk.bring("expenses", HORT / "expenses.xlsx")["token"]
    with pytest.raises(UsageError, match="column"):
        desk.ask("list-again", token=token, columns={})
    with pytest.raises(UsageError, match="waited too long"):
        desk.ask("save-list", token=token[::-1])
