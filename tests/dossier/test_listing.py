"""Lists read from spreadsheets as people really make them."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from fabai.dossier.columns import propose, read_wish
from fabai.dossier.expense import Expense
from fabai.dossier.filling import fill
from fabai.dossier.listing import read_list
from fabai.dossier.place import Place
from fabai.dossier.written import amount_of, date_of, hours_of, month_first
from fabai.errors import ExportError, UnknownName, UnreadableFile, UsageError
from fabai.formats.sheet import Cell, read_sheets
from fabai.formats.sheet_fill import shifted

HEAD = ["Proveïdor", "NIF", "Núm. factura", "Data factura", "Import total"]


def saved(path: Path, rows: list[list[object]], **sheets: list[list[object]]) -> Path:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    for name, more in sheets.items():
        page = book.create_sheet(name)
        for row in more:
            page.append(row)
    book.save(path)
    return path


def row(name: str, number: str, amount: object, date: object = datetime.date(2025, 3, 1)) -> list[object]:
    return [name, "B12345674", number, date, amount]


def amounts(path: Path) -> list[Decimal | None]:
    return [one.amount for one in read_list(path, "expenses").entries if isinstance(one, Expense)]


def test_dates_as_text_in_three_formats_and_amounts_with_euros_and_dots(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "a.xlsx",
        [
            HEAD,
            row("A", "1", "1.234,50 €", "03/04/2025"),
            row("B", "2", "€ 2 000", "2025-04-03"),
            row("C", "3", "(12,00)", "3 d'abril de 2025"),
            row("D", "4", "1,234.50", "3.4.25"),
        ],
    )
    found = read_list(path, "expenses").entries
    assert {one.issued for one in found if isinstance(one, Expense)} == {datetime.date(2025, 4, 3)}
    assert amounts(path) == [Decimal("1234.50"), Decimal(2000), Decimal("-12.00"), Decimal("1234.50")]


def test_a_column_of_american_dates_is_read_month_first() -> None:
    assert month_first(["03/04/2025", "03/25/2025"])
    assert not month_first(["03/04/2025", "25/03/2025"])
    assert date_of(Cell("A1", "03/04/2025", ""), american=True) == datetime.date(2025, 3, 4)


@given(st.dates(datetime.date(1990, 1, 1), datetime.date(2090, 12, 31)))
def test_a_date_reads_back_as_spain_and_iso_write_it(day: datetime.date) -> None:
    for pattern in ("%d/%m/%Y", "%Y-%m-%d", "%d.%m.%Y"):
        text = day.strftime(pattern)
        assert date_of(Cell("A1", text, text)) == day


@given(st.decimals(0, 9_999_999, places=2))
def test_an_amount_reads_back_as_spain_and_england_write_it(value: Decimal) -> None:
    english = f"{value:,.2f}"
    spanish = english.replace(",", "_").replace(".", ",").replace("_", ".")
    for text in (english, f"{spanish} €", f"EUR {english}"):
        assert amount_of(Cell("A1", text, text)) == value


def test_hours_are_read_as_clocks_and_as_numbers() -> None:
    assert [hours_of(Cell("A1", text, text)) for text in ("7:30", "7,5 h", "8 hores")] == [
        Decimal("7.5"),
        Decimal("7.5"),
        8,
    ]


def test_totals_in_the_middle_titles_and_repeated_heads_are_no_expenses(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "a.xlsx",
        [
            ["Relació de despeses"],
            [],
            HEAD,
            ["A. Personal"],
            row("A", "1", 100),
            row("B", "2", 50),
            ["Subtotal", None, None, None, 150],
            HEAD,
            ["B. Materials"],
            row("Total Energies SA", "3", 30),
            ["Subtotal", None, None, None, 30],
            ["TOTAL", None, None, None, 180],
            [],
            ["Ingressos"],
            ["Font", "Import"],
            ["Ajuntament", 1000],
            [],
            ["Signatura del tresorer"],
        ],
    )
    listing = read_list(path, "expenses")
    assert amounts(path) == [100, 50, 30]
    assert [one.heading for one in listing.entries if isinstance(one, Expense)] == [
        "A. Personal",
        "A. Personal",
        "B. Materials",
    ]
    assert [(one.stated, one.ok) for one in listing.sums] == [(150, True), (30, True), (180, True)]
    assert "is no list of expenses and was not read" in " ".join(listing.notices)


def test_a_total_that_the_rows_do_not_give_is_told_with_its_cell(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", [HEAD, row("A", "1", 100), ["Total", None, None, None, 101]])
    (check,) = read_list(path, "expenses").sums
    assert (str(check.place), check.ok, check.summed) == ("a.xlsx, Sheet, E3", False, 100)


def test_merged_heads_of_two_rows_are_one_head(tmp_path: Path) -> None:
    book = Workbook()
    page = book.active
    page.append(["Proveïdor", None, "Factura", None, "Import", None])
    page.append(["Nom", "NIF", "Número", "Data factura", "Base", "Total"])
    page.append(["A", "B12345674", "1", "01/02/2025", 100, 121])
    for cells in ("A1:B1", "C1:D1", "E1:F1"):
        page.merge_cells(cells)
    book.save(tmp_path / "a.xlsx")
    (one,) = read_list(tmp_path / "a.xlsx", "expenses").entries
    assert isinstance(one, Expense)
    assert (one.creditor, one.nif, one.number, one.base, one.total) == ("A", "B12345674", "1", 100, 121)


def test_two_tables_below_and_beside_each_other_are_both_read(tmp_path: Path) -> None:
    below = saved(
        tmp_path / "a.xlsx",
        [
            HEAD,
            row("A", "1", 1),
            [],
            ["Segon trimestre"],
            ["Data factura", "Proveïdor", "Núm. factura", "Import total"],
            [datetime.date(2025, 5, 1), "B", "2", 2],
        ],
    )
    assert amounts(below) == [1, 2]
    beside = saved(tmp_path / "b.xlsx", [[*HEAD, None, *HEAD], [*row("A", "1", 1), None, *row("B", "2", 2)]])
    assert sorted(filter(None, amounts(beside))) == [1, 2]


def test_hidden_rows_are_read_and_told_hidden_sheets_are_not_read_and_told(tmp_path: Path) -> None:
    book = Workbook()
    for line in (HEAD, row("A", "1", 1), row("B", "2", 2)):
        book.active.append(line)
    book.active.row_dimensions[3].hidden = True
    old = book.create_sheet("old")
    for line in (HEAD, row("C", "3", 3)):
        old.append(line)
    old.sheet_state = "hidden"
    book.save(tmp_path / "a.xlsx")
    listing = read_list(tmp_path / "a.xlsx", "expenses")
    assert amounts(tmp_path / "a.xlsx") == [1, 2]
    said = " ".join(listing.notices)
    assert "1 hidden rows" in said
    assert "hidden sheets of a.xlsx were not read: 'old'" in said


def test_unread_cells_are_told_and_left_empty(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", [HEAD, row("A", "1", "pending"), row("B", "2", 5, "someday")])
    assert amounts(path) == [None, 5]
    said = " ".join(read_list(path, "expenses").notices)
    assert "hold no number and were left empty (E2)" in said
    assert "hold no date and were left empty (D3)" in said


def test_columns_can_be_named_and_are_remembered_by_layout(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", [["Qui", "Quant", "Quan"], ["A", 5, "01/02/2025"]])
    with pytest.raises(UnreadableFile, match=r"seen: Qui, Quant, Quan\); name them with --columns"):
        read_list(path, "expenses")
    wish = read_wish("expenses", "creditor=A, total=B, issued=C")
    listing = read_list(path, "expenses", wish=wish)
    known = {one.layout: one.fields for one in listing.columns}
    again = saved(tmp_path / "b.xlsx", [["Qui", "Quant", "Quan"], ["B", 7, "02/02/2025"]])
    (one,) = read_list(again, "expenses", known).entries
    assert isinstance(one, Expense)
    assert (one.creditor, one.total, one.issued) == ("B", 7, datetime.date(2025, 2, 2))


def test_a_wrong_wish_names_the_nearest_column() -> None:
    with pytest.raises(UnknownName, match="did you mean 'creditor'"):
        read_wish("expenses", "creditr=A")
    with pytest.raises(UsageError, match="write it like total=B"):
        read_wish("expenses", "total=7")


@pytest.mark.parametrize(
    ("heads", "fields"),
    [
        (
            [
                "Acreedor",
                "NIF",
                "Nº factura",
                "Concepto",
                "Fecha emisión",
                "Fecha pago",
                "Base imponible",
                "IVA",
                "Importe total",
            ],
            ["creditor", "nif", "number", "concept", "issued", "paid", "base", "vat", "total"],
        ),
        (
            ["Proveïdor", "CIF", "Núm. factura", "Data factura", "Data pagament", "% imputat", "Import imputat"],
            ["creditor", "nif", "number", "issued", "paid", "percent", "charged"],
        ),
        (
            [
                "Supplier",
                "VAT number",
                "Invoice no.",
                "Invoice date",
                "Payment date",
                "Net amount",
                "VAT",
                "Total amount",
            ],
            ["creditor", "nif", "number", "issued", "paid", "base", "vat", "total"],
        ),
    ],
)
def test_columns_are_proposed_in_three_languages(heads: list[str], fields: list[str]) -> None:
    columns = propose("expenses", heads)
    assert columns is not None
    assert [field for field, _ in sorted(columns.fields.items(), key=lambda pair: pair[1])] == fields


def test_the_funders_sheet_is_filled_and_its_formulas_still_add_up_every_row(tmp_path: Path) -> None:
    template = tmp_path / "funder.xlsx"
    book = Workbook()
    page = book.active
    page.title = "Relació"
    page.append(["Núm. ordre", "Proveïdor", "Núm. factura", "Base imposable", "IVA", "Total factura"])
    for number in range(2, 5):
        page.append([None, None, None, None, None, f"=D{number}+E{number}"])
    page.append(["TOTAL", None, None, "=SUM(D2:D4)", "=SUM(E2:E4)", "=SUM(F2:F4)"])
    page.append(["Signatura"])
    resum = book.create_sheet("Resum")
    resum["A1"], resum["B1"] = "Total", "=Relació!F5"
    book.save(template)
    rows = [Expense(Place("x"), f"C{n}", number=f"F{n}", base=Decimal(n), vat=Decimal(1)) for n in range(1, 8)]
    done = fill(template, tmp_path / "out.xlsx", rows)
    assert (done.first, done.rows) == (2, 7)
    page = load_workbook(tmp_path / "out.xlsx")["Relació"]
    assert [page[f"D{n}"].value for n in range(2, 9)] == [1, 2, 3, 4, 5, 6, 7]
    assert [page[f"F{n}"].value for n in range(2, 9)] == [f"=D{n}+E{n}" for n in range(2, 9)]
    assert [page[f"{c}9"].value for c in "ADEF"] == ["TOTAL", "=SUM(D2:D8)", "=SUM(E2:E8)", "=SUM(F2:F8)"]
    assert page["A10"].value == "Signatura"
    assert [page[f"A{n}"].value for n in (2, 8)] == [1, 7]
    assert load_workbook(tmp_path / "out.xlsx")["Resum"]["B1"].value == "=Relació!F9"
    assert load_workbook(template)["Relació"]["D2"].value is None


def test_what_a_supplier_wrote_is_never_a_formula(tmp_path: Path) -> None:
    template = saved(tmp_path / "f.xlsx", [["Proveïdor", "Núm. factura", "Concepte", "Import total"]])
    fill(
        template,
        tmp_path / "o.xlsx",
        [Expense(Place("x"), "=HYPERLINK(1)", number="1", concept="+1+1", total=Decimal(3))],
    )
    cells = load_workbook(tmp_path / "o.xlsx").active[2]
    assert [(cell.data_type, cell.value) for cell in cells] == [
        ("s", "=HYPERLINK(1)"),
        ("s", "1"),
        ("s", "+1+1"),
        ("n", 3),
    ]


def test_a_filled_or_foreign_sheet_is_not_filled(tmp_path: Path) -> None:
    rows = [Expense(Place("x"), "A", total=Decimal(1))]
    full = saved(tmp_path / "a.xlsx", [HEAD, row("A", "1", 1)])
    with pytest.raises(ExportError, match="is filled already"):
        fill(full, tmp_path / "o.xlsx", rows)
    with pytest.raises(ExportError, match="no table whose columns are known"):
        fill(saved(tmp_path / "b.xlsx", [["x", "y"]]), tmp_path / "o.xlsx", rows)
    assert not (tmp_path / "o.xlsx").exists()


@pytest.mark.parametrize(
    ("formula", "own", "moved"),
    [
        ("=SUM(A1:A9)", True, "=SUM(A1:A12)"),
        ("=A4+$B$5*C10", True, "=A4+$B$8*C13"),
        ("='My sheet'!A9", False, "='My sheet'!A12"),
        ("=Other!A9", False, "=Other!A9"),
        ("=A9", False, "=A9"),
        ('=IF(A9>0,"A9",0)', True, '=IF(A12>0,"A9",0)'),
    ],
)
def test_references_follow_the_rows_that_are_put_in(formula: str, own: bool, moved: str) -> None:
    assert shifted(formula, "My sheet", own, 5, 3) == moved


@pytest.mark.slow
def test_two_thousand_rows_read_the_same_however_they_are_saved(tmp_path: Path) -> None:
    lines: list[list[object]] = [HEAD, *(row(f"C{n % 40}", f"F-{n}", n + 0.25) for n in range(2_000))]
    path = saved(tmp_path / "a.xlsx", [*lines, ["Total", None, None, None, sum(n + 0.25 for n in range(2_000))]])
    listing = read_list(path, "expenses")
    assert len(listing.entries) == 2_000
    assert all(check.ok for check in listing.sums)
    assert {one.place.row for one in listing.entries} == set(range(2, 2_002))
    assert read_sheets(path)[0].rows[-1].number == 2_002
