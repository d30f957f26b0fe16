"""The files of the dossier en-riverlink. Rows are chosen by hand; sums are computed and must be those of its report."""

from __future__ import annotations

import datetime
from decimal import Decimal

from benches.dossier_files import ROOT, expense, faults, photo, plain, settle, table_book, workbook

HEADS = {
    "creditor": "Supplier",
    "nif": "VAT number",
    "number": "Invoice no",
    "concept": "Description",
    "heading": "Budget category",
    "issued": "Invoice date",
    "paid": "Payment date",
    "base": "Net amount",
    "vat": "VAT",
    "total": "Total amount",
    "percent": "% charged",
    "charged": "Amount charged",
    "partner": "Partner",
}
_ROWS = (
    ("NMU", "Personnel", "84000"),
    ("DHI", "Personnel", "90000"),
    ("FAC", "Personnel", "42000"),
    ("SSL", "Personnel", "60000"),
    ("ADV", "Personnel", "30000"),
    ("DHI", "Subcontracting", "18500"),
    ("NMU", "Travel", "6200"),
    ("DHI", "Travel", "8000"),
    ("FAC", "Travel", "5000"),
    ("SSL", "Travel", "3000"),
    ("ADV", "Travel", "4000"),
    ("SSL", "Equipment", "52000"),
    ("NMU", "Other goods and services", "9000"),
    ("FAC", "Other goods and services", "12500"),
    ("ADV", "Other goods and services", "7000"),
)
_NIFS = {"NMU": "", "DHI": "DE136695976", "FAC": "IT00743110157", "SSL": "", "ADV": "PT501442600"}


def write() -> None:
    folder = ROOT / "en-riverlink"
    rows = []
    for number, (partner, heading, total) in enumerate(_ROWS, start=1):
        day = datetime.date(2024, 4, 15) + datetime.timedelta(days=30 * number)
        rows.append(
            {
                **expense(
                    f"{partner} accounts",
                    _NIFS[partner],
                    f"{partner}-{number:03}",
                    f"{heading} of {partner}",
                    heading,
                    str(day),
                    str(day + datetime.timedelta(days=20)),
                    total,
                    0,
                ),
                "partner": partner,
                "quotes": 3,
            }
        )
    settle(
        rows,
        {
            "Personnel": "306000",
            "Subcontracting": "18500",
            "Travel": "26200",
            "Equipment": "52000",
            "Other goods and services": "28500",
        },
    )
    heads = {**HEADS, "quotes": "Quotes"}
    del heads["percent"]
    workbook(folder / "expenses.xlsx", "Costs", "Costs of the second period", heads, rows, "Total")
    bad = [dict(row) for row in rows]
    bad[1] |= {"issued": datetime.date(2023, 11, 2)}
    bad[7] |= {"heading": "Hospitality"}
    bad[8] |= {"nif": "IT00743110150"}
    bad.append(dict(rows[9]))
    bad[11] |= {
        "charged": bad[11]["charged"] + 14_000,
        "total": bad[11]["total"] + 14_000,
        "base": bad[11]["base"] + 14_000,
    }
    faults(
        folder / "faults.toml",
        4,
        [
            (1, "expense-outside-period", "of the first period"),
            (7, "expense-heading", "a category that was not granted"),
            (8, "expense-nif", "wrong check digit of an Italian number"),
            (15, "expense-duplicate", "an invoice entered twice"),
            (-1, "heading-over", "Equipment 66,000 where 64,800 are the most"),
            (-1, "sheet-total", "the sheet's own total is 250 too high"),
        ],
    )
    workbook(folder / "expenses-faulty.xlsx", "Costs", "Costs of the second period", heads, bad, "Total", Decimal(250))
    plain(
        folder / "indicators.csv",
        ["Indicator", "Target", "Achieved", "Means of verification"],
        [
            ["Towns linked", 36, 36, "network register"],
            ["Volunteers trained", 160, 148, "attendance.csv"],
            ["Hours of warning", 6, 7, "warning log"],
        ],
        "\t",
    )
    plain(
        folder / "attendance.csv",
        ["Session", "Date", "Attendees", "Venue"],
        [
            ["Course Northmoor", "2024-05-11", 40, "Northmoor"],
            ["Course Fiume", "2024-06-08", 44, "Fiume"],
            ["Course Delta", "2024-09-14", 36, "Delta"],
            ["Course Sensoria", "2025-02-15", 28, "online"],
        ],
        ",",
    )
    table_book(
        folder / "hours.xlsx",
        "Hours",
        ["Employee", "Month", "Hours charged", "Work package"],
        [
            [f"{partner} staff {person}", f"{month:02}/2025", 120, "WP2"]
            for partner in _NIFS
            for person in (1, 2)
            for month in range(1, 7)
        ],
    )
    photo(folder / "photos" / "gauge.jpg", (90, 110, 150))
