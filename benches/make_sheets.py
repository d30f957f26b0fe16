"""Writes expenses.csv or expenses.xlsx of the dossiers that have one clean sheet. Run: python -m benches.make_sheets

A line of a dossier's rows.txt is "heading | creditor | tax number's letter and seven digits | number | concept | first
day | times | amount | VAT rate | days to payment". {n} in number or concept counts; {m} is the month. The times after
the first are a month apart. The amount is charged; it holds the VAT, or goes without where the rate is written "21n".
Amounts and names are chosen by hand; check digits and the rest are computed. Everything is fictional.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal

from benches import dossier_ca, dossier_en, dossier_es
from benches.dossier_files import ROOT, Row, company, plain, workbook

HEADS = {
    language: {field: word for field, word in heads.items() if field not in ("percent", "proof", "partner", "quotes")}
    for language, heads in (("ca", dossier_ca.HEADS), ("es", dossier_es.HEADS), ("en", dossier_en.HEADS))
}
TITLES = {
    "ca": ("Despeses", "Relació de despeses"),
    "es": ("Gastos", "Relación de gastos"),
    "en": ("Costs", "List of costs"),
}
_CENT = Decimal("0.01")
IN_EXCEL = ("es-brasa", "ca-nucli", "en-tidemark")


def rows(lines: str) -> Iterator[Row]:
    for line in filter(None, (line.strip() for line in lines.splitlines())):
        heading, creditor, tax, number, concept, first, times, total, rate, later = (
            part.strip() for part in line.split("|")
        )
        start = datetime.date.fromisoformat(first)
        for index in range(int(times)):
            month = start.month - 1 + index
            day = start.replace(year=start.year + month // 12, month=month % 12 + 1)
            charged, share = Decimal(total), Decimal(rate.rstrip("n")) / 100
            base = charged if rate.endswith("n") else (charged / (1 + share)).quantize(_CENT)
            vat = (base * share).quantize(_CENT) if rate.endswith("n") else charged - base
            yield {
                "creditor": creditor,
                "nif": company(int(tax[1:]), tax[0]) if tax else "",
                "number": number.format(n=index + 1, m=f"{day:%Y-%m}"),
                "concept": concept.format(n=index + 1, m=f"{day:%m/%Y}"),
                "heading": heading,
                "issued": day,
                "paid": day + datetime.timedelta(days=int(later)),
                "base": base,
                "vat": vat,
                "total": base + vat,
                "charged": charged,
            }


def _shown(value: object, language: str) -> object:
    if isinstance(value, datetime.date):
        return str(value) if language == "en" else f"{value:%d/%m/%Y}"
    if isinstance(value, Decimal):
        return f"{value:.2f}" if language == "en" else f"{value:.2f}".replace(".", ",")
    return value


def main() -> None:
    for path in sorted(ROOT.glob("*/rows.txt")):
        name, language = path.parent.name, path.parent.name[:2]
        heads = HEADS[language]
        listed = list(rows(path.read_text(encoding="utf-8")))
        folder = ROOT / name
        if name in IN_EXCEL:
            sheet, title = TITLES[language]
            workbook(folder / "expenses.xlsx", sheet, title, heads, listed, "TOTAL")
        else:
            cells = [[_shown(row[field], language) for field in heads] for row in listed]
            plain(folder / "expenses.csv", list(heads.values()), cells, "," if language == "en" else ";")


if __name__ == "__main__":
    main()
