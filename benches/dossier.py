"""How fast and how well a dossier is taken in. Run: python -m benches.dossier

Three measures: 2,000 rows of expenses imported and checked; five partners' files merged; commitments proposed from real
proposals against labels made by hand (tests/data/commitments/labels.toml, documents in ../shared/data). Times are
medians of five runs in fresh projects, reading, checking and writing included. The last line is JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from fabai.dossier.commitment import KINDS, Commitment
from fabai.dossier.expenses import check_lists
from fabai.dossier.granted import terms_of
from fabai.dossier.listing import read_list
from fabai.dossier.lists import add_list, set_term
from fabai.dossier.merging import merge, partner_of
from fabai.dossier.partners import add_partner
from fabai.dossier.proposal import propose
from fabai.form import find_form
from fabai.formats.read import read
from fabai.report import fold
from fabai.store.project import Project

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("FABAI_SHARED", ROOT.parent / "shared")) / "data"
BACK = ROOT / "tests" / "data" / "dossiers" / "en-riverlink" / "partners"
LABELS = ROOT / "tests" / "data" / "commitments" / "labels.toml"
ROWS = 2_000
RUNS = 5
ASKED = {
    "NMU": ["recommendations", "data"],
    "DHI": ["workpackages"],
    "FAC": ["workpackages", "tasks"],
    "SSL": ["workpackages", "resources"],
    "ADV": ["exploitation"],
}


def median(work: Callable[[Path], None]) -> float:
    """Seconds of the middle run, each in a folder of its own."""
    times = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            work(Path(folder))
            times.append(time.perf_counter() - start)
    return statistics.median(times)


def sheet(path: Path) -> None:
    book = Workbook()
    page = book.active
    page.append(
        [
            "Acreedor",
            "NIF",
            "Nº factura",
            "Concepto",
            "Partida",
            "Fecha emisión",
            "Fecha pago",
            "Base imponible",
            "IVA",
            "Importe total",
            "% imputación",
            "Importe imputado",
        ]
    )
    for number in range(ROWS):
        net = 100 + number % 700
        page.append(
            [
                f"Proveedor {number % 150} SL",
                "B12345674",
                f"F-{number}",
                "Material de oficina",
                f"Partida {number % 6}",
                f"{number % 28 + 1:02}/{number % 12 + 1:02}/2025",
                f"2025-12-{number % 28 + 1:02}",
                net,
                round(net * 0.21, 2),
                round(net * 1.21, 2),
                100,
                round(net * 1.21, 2),
            ]
        )
    book.save(path)


def expenses(source: Path) -> tuple[float, int]:
    """Seconds for reading, keeping and checking, and what the checks found."""
    found = 0

    def work(folder: Path) -> None:
        nonlocal found
        with Project.create(folder / "p.fabai", find_form("generic"), "es", "p") as project:
            for name, value in (
                ("start", "2025-01-01"),
                ("end", "2025-11-30"),
                ("pay_by", "2025-12-20"),
                ("tolerance", "10"),
            ):
                set_term(project, name, value)
            for number in range(6):
                set_term(project, f"heading:Partida {number}", "200.000,00")
            add_list(project, read_list(source, "expenses"))
            found = len(check_lists(project, terms_of(project)).violations)

    return median(work), found


def partners() -> float:
    files = [BACK / f"{name}.docx" for name in ASKED]

    def work(folder: Path) -> None:
        with Project.create(folder / "p.fabai", find_form("eu-periodic-report"), "en", "p") as project:
            for name, sections in ASKED.items():
                add_partner(project, name, name, sections)
            for path in files:
                merge(project, partner_of(project, path), path)

    return median(work)


def matched(found: list[Commitment], labels: list[tuple[str, str]]) -> int:
    """Labels that a proposed commitment of the kind has the words of, each commitment used once."""
    free = list(found)
    hits = 0
    for kind, words in labels:
        wanted = fold(words)
        one = next(
            (
                one
                for one in free
                if one.kind == kind
                and (fold(one.text) == wanted or wanted in fold(f"{one.label} {one.text} {one.target}"))
            ),
            None,
        )
        if one is not None:
            free.remove(one)
            hits += 1
    return hits


def commitments() -> list[dict[str, Any]]:
    """Precision and recall by document."""
    rows = []
    for document in tomllib.loads(LABELS.read_text(encoding="utf-8"))["document"]:
        path = SHARED / document["file"]
        found = list(propose(read(path), path.name, ""))
        labels = [(kind, words) for kind in KINDS for words in document.get(kind, ())]
        hits = matched(found, labels)
        rows.append(
            {
                "document": path.stem,
                "language": document.get("language", "en"),
                "first": document.get("first"),
                "labels": len(labels),
                "proposed": len(found),
                "right": hits,
                "precision": round(hits / len(found), 3),
                "recall": round(hits / len(labels), 3),
            }
        )
    return rows


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "gastos.xlsx"
        sheet(source)
        seconds, found = expenses(source)
    print(f"{ROWS:,} rows of expenses imported and checked: {seconds:.2f} s, {found} findings")
    merged = partners()
    print(f"{len(ASKED)} partners' files merged: {merged:.2f} s")
    rows = commitments() if SHARED.is_dir() else []
    for row in rows:
        first = row["first"]
        seen = "rules written with it in view" if first is None else f"{first[0]} of {first[1]} right when first read"
        print(
            f"{row['document']}: precision {row['precision']:.2f}, recall {row['recall']:.2f} ({row['labels']} "
            f"labels; {seen})"
        )
    totals = {name: sum(row[name] for row in rows) for name in ("right", "proposed", "labels")}
    result: dict[str, Any] = {"expenses_s": round(seconds, 3), "partners_s": round(merged, 3), "commitments": rows}
    for language in dict.fromkeys(row["language"] for row in rows if row["first"] is not None):
        unseen = [row for row in rows if row["first"] is not None and row["language"] == language]
        right, proposed = (sum(row["first"][index] for row in unseen) for index in (0, 1))
        result[f"first_precision_{language}"] = round(right / proposed, 3)
        result[f"first_recall_{language}"] = round(right / sum(row["labels"] for row in unseen), 3)
    if rows:
        result["precision"] = round(totals["right"] / totals["proposed"], 3)
        result["recall"] = round(totals["right"] / totals["labels"], 3)
    print(json.dumps(result, ensure_ascii=False))


if __name__ == "__main__":
    main()
