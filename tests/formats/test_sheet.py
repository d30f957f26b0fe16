"""Spreadsheets as rows of cells: every kind, and files that are damaged, hostile or not what they say."""

from __future__ import annotations

import datetime
import io
import subprocess
import zipfile
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from fabai.errors import UnreadableFile
from fabai.formats.libreoffice import executable
from fabai.formats.sheet import Cell, column_name, column_number, read_sheets
from fabai.settings import ReadingLimits


def book(path: Path, *rows: list[object]) -> Workbook:
    made = Workbook()
    for row in rows:
        made.active.append(row)
    made.save(path)
    return made


def values(path: Path) -> list[list[object]]:
    return [[cell.value for cell in row.cells] for row in read_sheets(path)[0].rows]


def test_cells_keep_their_place_kind_and_exact_value(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    book(path, ["a", 0.1 + 0.2, 3], [], [None, datetime.datetime(2025, 3, 1), True])
    sheet = read_sheets(path)[0]
    assert [row.number for row in sheet.rows] == [1, 3]
    assert sheet.rows[0].cells[1] == Cell("B1", Decimal("0.3"), "0.3")
    assert sheet.rows[1].cells[1] == Cell("B3", datetime.date(2025, 3, 1), "2025-03-01")
    assert sheet.rows[1].cells[2].value is True
    assert sheet.rows[0].cell(9) == Cell("J1", None, "")


def test_hidden_rows_columns_and_sheets_and_merged_cells_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    made = Workbook()
    page = made.active
    for number in range(1, 6):
        page.append([number, "x", "y"])
    page.row_dimensions[3].hidden = True
    page.column_dimensions["B"].hidden = True
    page.merge_cells("A1:B2")
    made.create_sheet("secret").append(["z"])
    made["secret"].sheet_state = "hidden"
    made.save(path)
    first, second = read_sheets(path)
    assert [row.number for row in first.rows if row.hidden] == [3]
    assert first.hidden_columns == {1}
    assert first.merged == ((1, 0, 2, 1),)
    assert (second.name, second.hidden) == ("secret", True)


def test_a_formula_without_a_saved_result_is_empty_and_told(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    book(path, [1, 2], [3, "=SUM(A1:B1)"], ["=A1"])
    sheet = read_sheets(path)[0]
    assert sheet.rows[1].cells[1] == Cell("B2", None, "", "=SUM(A1:B1)")
    assert sheet.rows[2].cells[0].formula == "=A1"
    assert "2 formulas without a saved result (B2, A3)" in sheet.notices[0]


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_list_of_text_tells_its_encoding_and_separator(tmp_path: Path, separator: str, encoding: str) -> None:
    path = tmp_path / "a.csv"
    lines = [
        ["Creditor", "Població", "Import"],
        ["Fusta i Ferro", "Vilanova", '"1.234,50 €"'],
        ["Ça, què", "L'Hospitalet", "3"],
    ]
    quoted = [
        [f'"{cell}"' if separator in cell and not cell.startswith('"') else cell for cell in line] for line in lines
    ]
    path.write_bytes("\r\n".join(separator.join(line) for line in quoted).encode(encoding))
    assert values(path)[1:] == [["Fusta i Ferro", "Vilanova", "1.234,50 €"], ["Ça, què", "L'Hospitalet", "3"]]


def test_the_separator_that_excel_names_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("sep=|\na;b|c\n", encoding="utf-8")
    sheet = read_sheets(path)[0]
    assert [cell.value for cell in sheet.rows[0].cells] == ["a;b", "c"]
    assert sheet.rows[0].number == 2


@pytest.mark.parametrize("ending", ["ods", "xls"])
def test_open_document_and_old_excel_give_the_same_cells(tmp_path: Path, ending: str) -> None:
    office = executable()
    if office is None:
        pytest.skip("LibreOffice is not installed")
    path = tmp_path / "a.xlsx"
    made = book(path, ["Creditor", "Import"], ["Fusta", 12.5], ["Ferro", 7])
    made.active["A4"] = datetime.date(2025, 3, 1)
    made.save(path)
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    subprocess.run(
        [office, profile, "--headless", "--convert-to", ending, "--outdir", tmp_path, path],
        check=True,
        capture_output=True,
    )
    assert values(tmp_path / f"a.{ending}") == values(path)


@given(st.integers(0, 16_383))
def test_columns_are_named_as_spreadsheets_do(column: int) -> None:
    assert column_number(column_name(column)) == column
    assert column_number(f"{column_name(column)}12") == column


def refused(path: Path, words: str, limits: ReadingLimits | None = None) -> None:
    with pytest.raises(UnreadableFile, match=words) as caught:
        read_sheets(path, *([] if limits is None else [limits]))
    assert "\n" not in str(caught.value)


def test_what_is_no_spreadsheet_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for name, data, words in (
        ("empty.xlsx", b"", "is empty"),
        ("cut.xlsx", b"PK\x03\x04broken", "damaged or was cut off"),
        ("a.pdf", b"%PDF-1.4", "is a PDF"),
        ("a.xls", b"<html><table><tr><td>1</td></tr></table></html>", "web page"),
        ("a.bin", bytes(range(256)) * 40, "not a spreadsheet"),
        ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "no spreadsheet"),
        ("locked.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password"),
        ("blank.csv", b";;;\n;;;\n", "no filled cells"),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        refused(path, words)
    refused(tmp_path / "nothing.xlsx", "does not exist")
    refused(tmp_path, "cannot be read")


def test_an_entity_in_a_package_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    book(path, ["a"])
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    name = "xl/worksheets/sheet1.xml"
    parts[name] = b'<!DOCTYPE x [<!ENTITY e "eeee">]>' + parts[name]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as new:
        for part, data in parts.items():
            new.writestr(part, data)
    path.write_bytes(out.getvalue())
    refused(path, "XML entities")


def test_a_lone_cell_in_the_farthest_corner_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    made = Workbook()
    made.active["A1"] = 1
    made.active["XFD1048576"] = 2
    made.save(path)
    refused(path, "reaches to row 1,048,576")


def test_more_cells_than_the_limit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a;b\n" * 50, encoding="utf-8")
    refused(path, "more than 40 cells", ReadingLimits(cells=40))


def test_macros_are_not_run_and_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsm"
    book(path, ["a"])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"not run")
    assert "holds macros" in read_sheets(path)[0].notices[0]


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Proveïdor;Factura;Import\n" + "Fusta SL;F-1;12,50\n" * 100_000, encoding="utf-8")
    assert len(read_sheets(path)[0].rows) == 100_001
