"""The files of the dossier ca-hort. Rows are chosen by hand; sums are computed and must be those of its report."""

from __future__ import annotations

import datetime
from decimal import Decimal

from benches.dossier_files import (
    ROOT,
    company,
    expense,
    faults,
    later,
    of_total,
    photo,
    plain,
    proof,
    settle,
    table_book,
    workbook,
)

HEADS = {
    "creditor": "Proveïdor",
    "nif": "NIF",
    "number": "Núm. factura",
    "concept": "Concepte",
    "heading": "Partida",
    "issued": "Data factura",
    "paid": "Data pagament",
    "base": "Base imposable",
    "vat": "IVA",
    "total": "Total factura",
    "percent": "% imputat",
    "charged": "Import imputat",
    "proof": "Justificant",
}


def write() -> None:
    folder = ROOT / "ca-hort"
    own, seeds, iron, press, web, water, teach = (
        company(number, letter)
        for number, letter in (
            (1700101, "G"),
            (1700202, "B"),
            (1700303, "B"),
            (1700404, "B"),
            (1700505, "F"),
            (1700606, "B"),
            (1700707, "F"),
        )
    )
    rows = [
        expense(
            "Associació Veïnal de la Vall",
            own,
            f"N-2025-{month:02}",
            f"Nòmina de dinamització, mes {month}",
            "Personal",
            f"2025-{month:02}-28",
            f"2025-{month:02}-28",
            "600",
            0,
            proof=f"N-2025-{month:02}.pdf",
        )
        for month in range(3, 12)
    ]
    for index, (number, day, total) in enumerate(
        [
            ("A/114", "2025-02-10", "520"),
            ("A/190", "2025-03-03", "380"),
            ("A/233", "2025-04-14", "410"),
            ("A/301", "2025-06-02", "290"),
            ("A/377", "2025-09-08", "450"),
            ("A/402", "2025-10-06", "350"),
        ]
    ):
        who, nif = (("Planters del Ter SL", seeds), ("Ferreteria Roca Vella SL", iron))[index % 2]
        rows.append(
            expense(
                who,
                nif,
                number,
                "Plantes i eines",
                "Materials",
                day,
                later(day, 12),
                of_total(total),
                proof=f"{number.replace('/', '-')}.pdf",
            )
        )
    for number, day, total, who, nif in (
        ("25-031", "2025-02-20", "450", "Impremta Quatre Tintes SL", press),
        ("25-118", "2025-05-26", "300", "Impremta Quatre Tintes SL", press),
        ("W-77", "2025-03-17", "400", "Teixit Web SCCL", web),
    ):
        rows.append(
            expense(
                who,
                nif,
                number,
                "Cartells, fulls i web",
                "Comunicació",
                day,
                later(day, 20),
                of_total(total),
                proof=f"{number}.pdf",
            )
        )
    for number, day, total, who, nif in (
        ("2025/18", "2025-04-30", "1210", "Regs Muntanyans SL", water),
        ("2025/29", "2025-05-15", "605", "Regs Muntanyans SL", water),
        ("T-04", "2025-04-11", "300", "Escola de l'Hort SCCL", teach),
        ("T-09", "2025-06-27", "300", "Escola de l'Hort SCCL", teach),
        ("T-15", "2025-10-17", "300", "Escola de l'Hort SCCL", teach),
        ("T-19", "2025-11-21", "265", "Escola de l'Hort SCCL", teach),
    ):
        rows.append(
            expense(
                who,
                nif,
                number,
                "Instal·lació i formació",
                "Serveis externs",
                day,
                later(day, 25),
                of_total(total),
                proof=f"{number.replace('/', '-')}.pdf",
            )
        )
    settle(rows, {"Personal": "5400", "Materials": "2400", "Comunicació": "1150", "Serveis externs": "2980"})
    workbook(folder / "expenses.xlsx", "Despeses", "Relació de despeses 2025", HEADS, rows, "TOTAL")
    bad = [dict(row) for row in rows]
    bad[9] |= {"issued": datetime.date(2024, 12, 18)}
    bad[10] |= {"paid": datetime.date(2026, 3, 15)}
    bad[11] |= {"nif": "B17002029"}
    bad[13] |= {"heading": "Viatges"}
    bad[15] |= {"vat": bad[15]["vat"] + 10}
    bad[17] |= {"charged": bad[17]["total"] + 100}
    bad[18] |= {"percent": Decimal(50)}
    bad.append(dict(rows[18]))
    faults(
        folder / "faults.toml",
        4,
        [
            (9, "expense-outside-period", "issued in December 2024"),
            (10, "expense-paid-late", "paid on 15 March 2026"),
            (11, "expense-nif", "wrong check digit"),
            (13, "expense-heading", "a heading that was not granted"),
            (15, "expense-sum", "VAT ten euros too high"),
            (17, "expense-overcharged", "charged more than the invoice"),
            (18, "expense-share", "half charged by the percentage, all by the amount"),
            (24, "expense-duplicate", "an invoice entered twice"),
            (-1, "heading-over", "Serveis externs beyond the tolerance, through the invoice entered twice"),
            (-1, "sheet-total", "the sheet's own total of the amount charged is 1,000 euros too high"),
        ],
    )
    workbook(
        folder / "expenses-faulty.xlsx", "Despeses", "Relació de despeses 2025", HEADS, bad, "TOTAL", Decimal(1000)
    )
    days = [datetime.date(2025, 3, 8) + datetime.timedelta(days=14 * number) for number in range(18)]
    counts = [6, 5, 5, 6, 5, 5, 6, 5, 5, 5, 5, 5, 6, 5, 5, 5, 5, 5]
    plain(
        folder / "attendance.csv",
        ["Activitat", "Data", "Participants", "Dones", "Homes"],
        [
            [f"Taller {number}", day.strftime("%d/%m/%Y"), count, count // 2 + 1, count - count // 2 - 1]
            for number, (day, count) in enumerate(zip(days, counts, strict=True), start=1)
        ],
        encoding="cp1252",
    )
    assert sum(counts) == 94
    table_book(
        folder / "indicators.xlsx",
        "Indicadors",
        ["Indicador", "Unitat", "Valor previst", "Assolit", "Font de verificació"],
        [
            ["I1 Participants als tallers", "participants", 90, 94, "attendance.csv"],
            ["I2 Persones grans acompanyades", "persones", 25, 21, "fitxes de seguiment"],
            ["I3 Tallers realitzats", "tallers", 18, 18, "attendance.csv"],
            ["I4 Estalvi d'aigua", "%", 30, 34, "lectures del comptador"],
        ],
    )
    for name, colour in (
        ("placa-hort-1.jpg", (70, 120, 60)),
        ("placa-hort-2.jpg", (120, 90, 60)),
        ("cartell.jpg", (200, 180, 90)),
    ):
        photo(folder / "photos" / name, colour)
    for row in rows[:3] + rows[9:11]:
        proof(folder / "proofs" / row["proof"], f"{row['creditor']} - {row['number']} - {row['total']} EUR")
