"""Finished documents with one fault each, made from a clean one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fabai.demands import Column, Page, Table
from fabai.form import Font, Form, SectionSpec
from fabai.formats.export import export_docx
from fabai.formats.package import Package
from fabai.formats.wordml import Element
from fabai.report import Report, Section

TABLE = Table((Column({"es": "concepto"}), Column({"es": "importe"}, "amount", True)))
FORM = Form(
    "f",
    {"es": "F"},
    ("es",),
    "bases",
    "2026-01-02",
    sections=(
        SectionSpec("a", {"es": "Actividades"}, guidance={"es": "Describa cada actividad con sus fechas y lugares."}),
        SectionSpec("b", {"es": "Gastos"}, tables=(TABLE,)),
    ),
    font=Font(("Calibri",), 10.0),
    page=Page("A4", 2.0, 2.0, 2.0, 2.0, 1.0, footer={"es": "Pág. {page} de {pages}"}),
)
GASTOS = "| Concepto | Importe |\n|---|---:|\n| Pan | 10,50 € |\n| Vino | 1.200,00 € |\n| **Total** | **1.210,50 €** |"
REPORT = Report(
    "Memoria",
    "es",
    (Section("a", "Actividades", 1, "Se hicieron dieciocho talleres con las familias del barrio.", spec="a"),
     Section("b", "Gastos", 1, GASTOS, spec="b")),
)  # fmt: skip


def made(report: Report = REPORT) -> bytes:
    """The report as fabai writes it."""
    return export_docx(report, sources={}, original=None, media={})


@pytest.fixture
def changed() -> Callable[[Callable[[Element], None]], bytes]:
    """The clean document with its body changed."""

    def change(edit: Callable[[Element], None]) -> bytes:
        package = Package(made())
        package.edit(package.document)
        edit(package.body)
        return package.save()

    return change
