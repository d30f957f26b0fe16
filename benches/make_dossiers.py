"""Writes the made files of tests/data/dossiers: spreadsheets, pictures, proofs. Run: python -m benches.make_dossiers

The rows are chosen by hand; sums are computed here and must be those of each dossier's report. Everything is fictional.
"""

from __future__ import annotations

import csv
import datetime
import io
import struct
import zlib
from decimal import Decimal
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Font
from PIL import Image
from stdnum.es import cif

ROOT = Path(__file__).parents[1] / "tests" / "data" / "dossiers"
Row = dict[str, Any]


def company(number: int, letter: str = "B") -> str:
    """A tax number with a right check digit."""
    bare = f"{letter}{number:07d}"
    return bare + cif.calc_check_digits(bare)[0]


def expense(
    creditor: str,
    nif: str,
    number: str,
    concept: str,
    heading: str,
    issued: str,
    paid: str,
    base: str,
    rate: int = 21,
    **more: Any,
) -> Row:
    net = Decimal(base)
    vat = (net * rate / 100).quantize(Decimal("0.01"))
    return {
        "creditor": creditor,
        "nif": nif,
        "number": number,
        "concept": concept,
        "heading": heading,
        "issued": datetime.date.fromisoformat(issued),
        "paid": datetime.date.fromisoformat(paid),
        "base": net,
        "vat": vat,
        "total": net + vat,
        "percent": Decimal(100),
        "charged": net + vat,
        **more,
    }


def of_total(total: str, rate: int = 21) -> str:
    """The net amount of which the whole invoice is a round total, to the cent."""
    return str((Decimal(total) * 100 / (100 + rate)).quantize(Decimal("0.01")))


# --------------------------------------------------------------------------------------------------------------- sheets
def workbook(
    path: Path, sheet: str, title: str, heads: dict[str, str], rows: list[Row], total: str, wrong: Decimal = Decimal(0)
) -> None:
    """A list with a title, heads, rows and a total that is computed, with the value that Excel would have saved."""
    book = Workbook()
    page = book.active
    page.title = sheet
    page["A1"] = title
    page["A1"].font = Font(bold=True)
    page.append([])
    page.append(list(heads.values()))
    for row in rows:
        page.append([_cell(row.get(field)) for field in heads])
    sums: list[Any] = ["" for _ in heads]
    sums[0] = total
    for column, field in enumerate(heads):
        if field in ("base", "vat", "total", "charged"):
            sums[column] = float(sum((row[field] for row in rows), Decimal(0)) + (wrong if field == "charged" else 0))
    page.append(sums)
    for row in page.iter_rows(min_row=4, max_row=page.max_row):
        for cell in row:
            if isinstance(cell.value, datetime.date):
                cell.number_format = "dd/mm/yyyy"
            elif isinstance(cell.value, float):
                cell.number_format = "#,##0.00"
    for letter, width in zip("ABCDEFGHIJKLM", (26, 12, 12, 30, 20, 12, 12, 11, 11, 11, 9, 11, 20), strict=True):
        page.column_dimensions[letter].width = width
    _save(book, path)


def _cell(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def _save(book: Workbook, path: Path) -> None:
    moment = datetime.datetime(2026, 1, 1)
    book.properties.created = book.properties.modified = moment
    book.properties.creator = "dossier"
    book.save(path)


def plain(path: Path, heads: list[str], rows: list[list[Any]], separator: str = ";", encoding: str = "utf-8") -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator)
    writer.writerow(heads)
    writer.writerows(rows)
    path.write_bytes(out.getvalue().encode(encoding))


def table_book(path: Path, sheet: str, heads: list[str], rows: list[list[Any]]) -> None:
    book = Workbook()
    page = book.active
    page.title = sheet
    page.append(heads)
    for row in rows:
        page.append(row)
    _save(book, path)


# --------------------------------------------------------------------------------------------------------------- proofs
def photo(path: Path, colour: tuple[int, int, int]) -> None:
    """A small picture with a place, a device and a name in its EXIF data, as a telephone writes them."""
    picture = Image.new("RGB", (320, 240), colour)
    for x in range(0, 320, 8):
        for y in range(0, 240, 8):
            picture.putpixel((x, y), (255 - colour[0], colour[1], 255 - colour[2]))
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x013B] = "Fictional Phones", "FP-1", "Laia P."
    place = exif.get_ifd(0x8825)
    place[1], place[2], place[3], place[4] = "N", (41.0, 55.0, 12.0), "E", (2.0, 11.0, 9.0)
    picture.save(path, "JPEG", quality=70, exif=exif)


def proof(path: Path, text: str) -> None:
    """A PDF of one page that says what it proves."""
    shown = text.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    stream = b"BT /F1 12 Tf 60 780 Td (" + shown + b") Tj ET"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding "
        b"/WinAnsiEncoding >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    out = b"%PDF-1.4\n"
    places = []
    for number, part in enumerate(parts, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, start)
    path.write_bytes(out)


def faults(path: Path, first: int, found: list[tuple[int, str, str]]) -> None:
    """faults.toml: the row of the sheet, the rule that must find it and what was changed."""
    lines = ["# Planted into expenses-faulty; the clean twin has none. row 0: the fault is of the whole list.\n"]
    for index, rule, why in found:
        row = 0 if index < 0 else first + index
        lines.append(f'[[fault]]\nrow = {row}\nrule = "{rule}"\nwhy = "{why}"\n')
    path.write_text("\n".join(lines), encoding="utf-8")


# ------------------------------------------------------------------------------------------------------------- Catalan
CA_HEADS = {
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


def catalan() -> None:
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
                _later(day, 12),
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
                _later(day, 20),
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
                _later(day, 25),
                of_total(total),
                proof=f"{number.replace('/', '-')}.pdf",
            )
        )
    _settle(rows, {"Personal": "5400", "Materials": "2400", "Comunicació": "1150", "Serveis externs": "2980"})
    workbook(folder / "expenses.xlsx", "Despeses", "Relació de despeses 2025", CA_HEADS, rows, "TOTAL")
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
        folder / "expenses-faulty.xlsx", "Despeses", "Relació de despeses 2025", CA_HEADS, bad, "TOTAL", Decimal(1000)
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


def _later(day: str, days: int) -> str:
    return str(datetime.date.fromisoformat(day) + datetime.timedelta(days=days))


def _settle(rows: list[Row], wanted: dict[str, str]) -> None:
    """Round totals: the cents that net amounts lose go to the VAT, and each heading must add up to what "
    "the report says."""
    for row in rows:
        rest = row["total"].quantize(Decimal(1)) - row["total"]
        for field in ("vat", "total", "charged"):
            row[field] += rest
    for heading, total in wanted.items():
        found = sum(row["charged"] for row in rows if row["heading"] == heading)
        assert found == Decimal(total), (heading, found, total)


# ------------------------------------------------------------------------------------------------------------- Spanish
ES_HEADS = {
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


def spanish() -> None:
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
    _settle(
        rows,
        {
            "Personal": "48000",
            "Material fungible": "13200",
            "Material inventariable": "19650",
            "Viajes y dietas": "4300",
            "Otros gastos": "3800",
        },
    )
    workbook(folder / "expenses.xlsx", "Gastos", "Relación clasificada de gastos", ES_HEADS, rows, "TOTAL")
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
        ES_HEADS,
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


# ------------------------------------------------------------------------------------------------------------- English
EN_HEADS = {
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
EN_ROWS = (
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
EN_NIFS = {"NMU": "", "DHI": "DE136695976", "FAC": "IT00743110157", "SSL": "", "ADV": "PT501442600"}


def english() -> None:
    folder = ROOT / "en-riverlink"
    rows = []
    for number, (partner, heading, total) in enumerate(EN_ROWS, start=1):
        day = datetime.date(2024, 4, 15) + datetime.timedelta(days=30 * number)
        rows.append(
            {
                **expense(
                    f"{partner} accounts",
                    EN_NIFS[partner],
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
    _settle(
        rows,
        {
            "Personnel": "306000",
            "Subcontracting": "18500",
            "Travel": "26200",
            "Equipment": "52000",
            "Other goods and services": "28500",
        },
    )
    heads = {**EN_HEADS, "quotes": "Quotes"}
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
            for partner in EN_NIFS
            for person in (1, 2)
            for month in range(1, 7)
        ],
    )
    photo(folder / "photos" / "gauge.jpg", (90, 110, 150))


def _png(path: Path) -> None:
    """A picture of one colour as PNG, with a text chunk."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    raw = b"".join(b"\0" + b"\x50\x78\x3c" * 16 for _ in range(16))
    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    data = (
        chunk(b"IHDR", header)
        + chunk(b"tEXt", b"Author\0Laia P.")
        + chunk(b"IDAT", zlib.compress(raw))
        + chunk(b"IEND", b"")
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)


def main() -> None:
    for name in (
        "ca-hort/photos",
        "ca-hort/proofs",
        "es-aguasens/photos",
        "en-riverlink/photos",
        "en-riverlink/partners",
    ):
        (ROOT / name).mkdir(parents=True, exist_ok=True)
    catalan()
    spanish()
    english()
    _png(ROOT / "ca-hort" / "photos" / "logotip.png")


if __name__ == "__main__":
    main()
