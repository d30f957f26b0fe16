"""The files of the dossier es-aguasens. Rows are chosen by hand; sums are computed and must be those of its report."""

from __future__ import annotations

import datetime
from decimal import Decimal

from benches.dossier_files import ROOT, company, expense, faults, of_total, photo, plain, settle, table_book, workbook

HEADS = {
    "creditor": "Acreedor",
    "nif": "NIF",
    "number": "Nº factura",
    "concept": "Concepto",
    "heading": "Partida",
    "issued": "Fecha emisión",
    "paid": "Fecha pago",
    "base": "Base imponible",
    "vat": "IVA",
    "total": "Importe total",
    "percent": "% imputación",
    "charged": "Importe imputado",
    "quotes": "Nº ofertas",
}


def write() -> None:
    folder = ROOT / "es-aguasens"
    own, glass, chips, boat, travel, press = (
        company(number, letter)
        for number, letter in (
            (9100101, "Q"),
            (9100202, "B"),
            (9100303, "A"),
            (9100404, "B"),
            (9100505, "B"),
            (9100606, "B"),
        )
    )
    rows = [
        expense(
            "Universidad de Valdemora",
            own,
            f"NOM-{index + 1:02}",
            f"Contrato predoctoral, mes {index + 1}",
            "Personal",
            str(datetime.date(2022 + (8 + index) // 12, (8 + index) % 12 + 1, 28)),
            str(datetime.date(2022 + (8 + index) // 12, (8 + index) % 12 + 1, 28)),
            "2000",
            0,
        )
        for index in range(24)
    ]
    for index in range(12):
        total = "1200" if index else "0"
        rows.append(
            expense(
                "Vidrio y Reactivo SL",
                glass,
                f"VR-{1100 + index}",
                "Reactivos y patrones",
                "Material fungible",
                str(datetime.date(2023 + index // 8, index % 8 + 2, 9)),
                str(datetime.date(2023 + index // 8, index % 8 + 3, 9)),
                of_total(total if index else "0"),
            )
        )
    rows = [row for row in rows if row["base"]]
    rows.append(
        expense(
            "Circuitos del Ebro SA",
            chips,
            "2023-0457",
            "Treinta sondas: electrónica y carcasas",
            "Material inventariable",
            "2023-06-19",
            "2023-07-20",
            of_total("19650"),
            quotes=3,
        )
    )
    for index, total in enumerate(("900", "760", "640", "980", "1020")):
        rows.append(
            expense(
                "Viajes Cierzo SL",
                travel,
                f"F23/{88 + index * 31}",
                "Campañas en embalses y congreso",
                "Viajes y dietas",
                str(datetime.date(2023 + index // 3, 5 + index % 3, 15)),
                str(datetime.date(2023 + index // 3, 6 + index % 3, 1)),
                of_total(total),
            )
        )
    for number, who, nif, total in (
        ("E-31", "Barcas del Pantano SL", boat, "2300"),
        ("P-900", "Papel y Dato SL", press, "1500"),
    ):
        rows.append(expense(who, nif, number, "Servicios", "Otros gastos", "2024-09-10", "2024-10-10", of_total(total)))
    settle(
        rows,
        {
            "Personal": "48000",
            "Material fungible": "13200",
            "Material inventariable": "19650",
            "Viajes y dietas": "4300",
            "Otros gastos": "3800",
        },
    )
    workbook(folder / "expenses.xlsx", "Gastos", "Relación clasificada de gastos", HEADS, rows, "TOTAL")
    bad = [dict(row) for row in rows]
    bad[0] |= {"issued": datetime.date(2022, 8, 28)}
    bad[24] |= {"paid": datetime.date(2025, 12, 20)}
    bad[26] |= {"nif": "B91002020"}
    bad[30] |= {"heading": "Publicidad"}
    bad[35] |= {"quotes": 1}
    bad[37] |= {"total": bad[37]["total"] + 100, "charged": bad[37]["charged"] + 100}
    bad.append(dict(rows[28]))
    faults(
        folder / "faults.toml",
        4,
        [
            (0, "expense-outside-period", "issued three days before the project"),
            (24, "expense-paid-late", "paid in December 2025"),
            (26, "expense-nif", "wrong check digit"),
            (30, "expense-heading", "a heading that was not granted"),
            (35, "expense-quotes", "16,239.67 euros without VAT and one quote"),
            (37, "expense-sum", "total a hundred euros above base and VAT"),
            (len(rows), "expense-duplicate", "an invoice entered twice"),
            (-1, "sheet-total", "the sheet's own total of the amount charged is 500 euros too low"),
        ],
    )
    workbook(
        folder / "expenses-faulty.xlsx",
        "Gastos",
        "Relación clasificada de gastos",
        HEADS,
        bad,
        "TOTAL",
        Decimal(-500),
    )
    hours = []
    for name, months, each in (
        ("Elena Marquina Roldán", 36, 30),
        ("Tomás Urrutia Belmonte", 36, 24),
        ("Sara Quiñones Abad", 35, 125),
    ):
        for index in range(months):
            day = datetime.date(2022 + (8 + index) // 12, (8 + index) % 12 + 1, 1)
            hours.append([name, day.strftime("%m/%Y"), each, "T2.1"])
    table_book(folder / "hours.xlsx", "Horas", ["Investigador", "Mes", "Horas imputadas", "Tarea"], hours)
    over = [list(row) for row in hours]
    over[3][2] = 430
    table_book(folder / "hours-faulty.xlsx", "Horas", ["Investigador", "Mes", "Horas imputadas", "Tarea"], over)
    plain(
        folder / "people.csv",
        ["Nombre y apellidos", "Función", "Fecha de alta", "Fecha de baja", "Incluido en la solicitud", "Dedicación"],
        [
            ["Elena Marquina Roldán", "investigadora principal", "01/09/2022", "30/11/2025", "sí", "40 %"],
            ["Tomás Urrutia Belmonte", "investigador", "01/09/2022", "30/11/2025", "sí", "30 %"],
            ["Sara Quiñones Abad", "investigadora predoctoral", "01/10/2022", "30/11/2025", "sí", "100 %"],
            ["Iker Zubeldia Montes", "técnico de laboratorio", "15/01/2024", "30/06/2025", "no", "50 %"],
        ],
    )
    plain(
        folder / "indicators.csv",
        ["Indicador", "Previsto", "Conseguido", "Fuente"],
        [
            ["Artículos en revistas indexadas", 4, 2, "publications.bib"],
            ["Sondas instaladas", 30, 28, "cuaderno de campo"],
            ["Sondas fabricadas", 30, 30, "albaranes"],
            ["Tesis doctorales leídas", 1, 1, "acta"],
        ],
        ",",
    )
    photo(folder / "photos" / "sonda.jpg", (60, 90, 140))
