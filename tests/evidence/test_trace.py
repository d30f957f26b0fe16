"""Where every figure comes from, as an auditor asks."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook

from fabai.evidence.sheet import inert, workbook
from fabai.evidence.table import document, rows
from fabai.evidence.trace import Line, trace
from fabai.form import find_form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.ledger import Fact, Origin
from fabai.store.project import Made, Project

HASH = "ab" * 32
TEXT = """El gasto de Personal fue de 12.400,50 € y participaron 126 personas. El total fue de 13.635,06 €.

Según el convenio, la cesión dura 48 meses, y otros 77 € no salen de ninguna parte.

| Partida | Importe |
|---|---:|
| Devolución | -35,20 € |"""


@pytest.fixture
def audited(tmp_path: Path) -> Iterator[Project]:
    facts = [
        Fact(
            "Personal", "12.400,50 €", "gastos", origin=Origin("gastos.xlsx", HASH, None, "Gastos", "B2"),
            confirmed_by="Marta Soler", confirmed="2026-01-02",
        ),
        Fact("Viajes", "1.234,56 €", "gastos", origin=Origin("gastos.xlsx", HASH, None, "Gastos", "B3")),
        Fact("Devolución", "(35,20 €)", "acta", origin=Origin("acta.pdf", "cd" * 32, 4)),
        Fact("participantes", "126", "lista", noun="personas"),
        Fact("total", "", "= suma", derived="{Personal} + {Viajes}"),
    ]  # fmt: skip
    with Project.create(tmp_path / "p.fabai", find_form("generic"), "es", "Memoria", facts=facts) as project:
        project.import_document(Document("Memoria", "es", (DocumentSection("Gasto", 1, (Block(""),)),)), "m.md")
        project.add_source("convenio.pdf", "# Cesión\n\nLa cesión dura 48 meses.", "ef" * 32, "source")
        project.accept(
            project.save_version("s1", TEXT, Made("llamacpp", "llamacpp:qwen3-4b+memorias-2026:x", "w" * 64)).id
        )
        project.review("s1", project.paragraphs("s1")[0].hash, "Joan Vidal")
        yield project


def by_figure(project: Project) -> dict[str, Line]:
    return {line.figure: line for line in trace(project)}


def test_a_figure_leads_to_file_hash_cell_and_to_those_who_answer_for_it(audited: Project) -> None:
    line = by_figure(audited)["12.400,50 €"]
    assert (line.kind, line.fact, line.source, line.sha256, line.place) == (
        "ledger",
        "Personal",
        "gastos.xlsx",
        HASH,
        "Gastos!B2",
    )
    assert (line.confirmed_by, line.confirmed) == ("Marta Soler", "2026-01-02")
    assert line.reviewed_by == "Joan Vidal"
    assert line.section == "1 Gasto"
    assert "12.400,50 €" in line.sentence


def test_a_derived_figure_leads_to_its_formula_and_to_all_that_it_is_computed_from(audited: Project) -> None:
    line = by_figure(audited)["13.635,06 €"]
    assert (line.kind, line.place, line.sha256) == ("derived", "{Personal} + {Viajes}", HASH)
    assert "Gastos, celda B2" in line.source
    assert "Gastos, celda B3" in line.source


def test_counts_pages_signs_and_sources_are_found(audited: Project) -> None:
    found = by_figure(audited)
    assert found["126"].fact == "participantes"
    assert (found["-35,20 €"].fact, found["-35,20 €"].place) == ("Devolución", "p. 4")
    assert found["-35,20 €"].sentence == "Devolución | -35,20 €"
    assert (found["48"].kind, found["48"].source, found["48"].place) == ("source", "convenio.pdf", "Cesión")


def test_figures_without_evidence_come_first(audited: Project) -> None:
    lines = trace(audited)
    assert (lines[0].figure, lines[0].kind) == ("77 €", "none")
    assert all(line.kind != "none" for line in lines[1:])


def test_a_paragraph_that_nobody_reviewed_names_nobody(audited: Project) -> None:
    assert by_figure(audited)["48"].reviewed_by == ""


def test_the_list_of_expenses_is_evidence_by_row_and_by_heading(audited: Project) -> None:
    from datetime import date
    from decimal import Decimal

    from fabai.dossier.expense import Expense
    from fabai.dossier.listing import Listing
    from fabai.dossier.lists import add_list
    from fabai.dossier.place import Place

    rows_ = tuple(
        Expense(
            Place("gastos.xlsx", HASH, "Gastos", number), "Papelería", concept="Material", heading="Material",
            issued=date(2025, 3, 1), base=Decimal(base), charged=Decimal(base),
        )
        for number, base in ((7, "30.00"), (8, "47.00"))
    )  # fmt: skip
    add_list(audited, Listing("expenses", "gastos.xlsx", HASH, rows_, ()))
    line = by_figure(audited)["77 €"]
    assert (line.kind, line.heading, line.place) == ("expenses", "Material", "Gastos!7-8")


def test_no_cell_of_the_spreadsheet_does_anything() -> None:
    texts = [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        '=HYPERLINK("http://x")',
        "-35,20 €",
        "+5",
        "normal",
        "\x07bell",
        "a\ud800b",
    ]
    sheet = load_workbook(io.BytesIO(workbook([["a"], *([one] for one in texts)], "Título: [x]/y*z?")))
    cells = [cell for (cell,) in sheet.active.iter_rows(min_row=2)]  # type: ignore[union-attr]
    assert all(cell.data_type == "s" for cell in cells)
    assert all(not str(cell.value).startswith(("=", "@", "\t", "\r", "+1", "-1")) for cell in cells)
    assert cells[7].value == "-35,20 €"
    assert cells[8].value == "+5"
    assert inert("-cmd|' /C calc'!A0").startswith("'")
    assert len(str(inert("x" * 40_000))) == 32_767


def test_the_table_says_all_of_it_in_the_reports_language(audited: Project) -> None:
    lines = trace(audited)
    table = rows(lines, "es")
    assert len(table) == len(lines) + 1
    assert table[1][4] == "SIN JUSTIFICAR"
    report = document(lines, "Memoria|rara", "es")
    assert "Sin justificar: 1" in report.sections[0].text
    assert report.sections[1].heading == "Cifras sin justificar"
    for language in ("ca", "en"):
        assert len(rows(lines, language)[0]) == len(table[0])
