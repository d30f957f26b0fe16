"""The figures of imported lists are known to the checks, and lead to file, sheet and row in the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from fabai.checks.report import check_report
from fabai.dossier.commitment import Commitment
from fabai.dossier.commitments import add_proposals, confirm, set_outcome, standing
from fabai.dossier.evidence import Attendance, Hours, Indicator
from fabai.dossier.expense import Expense
from fabai.dossier.listing import Entry, Listing
from fabai.dossier.lists import add_list
from fabai.dossier.place import Place
from fabai.dossier.recorded import recorded
from fabai.evidence.trace import trace
from fabai.form import find_form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.store.project import Made, Project

HASH = "ab" * 32


def at(row: int, file: str = "gastos.xlsx", sheet: str = "Gastos") -> Place:
    return Place(file, HASH, sheet, row)


def euros(row: int, total: str, heading: str, creditor: str = "Imprenta") -> Expense:
    return Expense(at(row), creditor, heading=heading, total=Decimal(total))


def indicator(row: int, name: str, unit: str, target: str, achieved: str) -> Indicator:
    return Indicator(at(row, "indicadores.xlsx", "Hoja1"), name, unit, target, achieved)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p.fabai", find_form("generic"), "es", "Memoria") as made:
        made.import_document(Document("Memoria", "es", (DocumentSection("Gasto", 1, (Block(""),)),)), "m.md")
        yield made


def keep(project: Project, *entries: Entry) -> None:
    kinds = {Expense: "expenses", Hours: "hours", Attendance: "attendance", Indicator: "indicators"}
    file = entries[0].place.file
    add_list(project, Listing(kinds[type(entries[0])], file, HASH, entries, ()))  # type: ignore[arg-type]


def unknown(project: Project, text: str) -> list[str]:
    project.accept(project.save_version("s1", text, Made("person")).id)
    found = check_report(project, recorded=recorded(project)).violations
    return [one.quote for one in found if one.rule == "figure-unknown"]


def test_rows_and_sums_of_the_list_of_expenses_are_known_and_another_amount_is_not(project: Project) -> None:
    keep(project, euros(2, "1210.50", "Material"), euros(3, "89.50", "Material"), euros(5, "300", "Viajes"))
    said = "Material costó 1.300 €, de ellos 1.210,50 € de imprenta; en total, 1.600,00 €. Otros 1.301 € son de más."
    assert unknown(project, said) == ["1.301 €"]
    by_figure = {one.figure: one for one in trace(project)}
    assert [(one.kind, one.place, one.sha256) for one in map(by_figure.get, ("1.300 €", "1.600,00 €")) if one] == [
        ("expenses", "Gastos!2-3", HASH), ("expenses", "Gastos!2-3,5", HASH),
    ]  # fmt: skip
    assert (by_figure["1.300 €"].heading, by_figure["1.210,50 €"].fact) == ("Material", "Imprenta")


def test_an_amount_of_another_currency_is_no_evidence(project: Project) -> None:
    keep(project, euros(2, "1210.50", "Material"))
    project.accept(project.save_version("s1", "Costó 1.210,50 USD.", Made("person")).id)
    assert [one.kind for one in trace(project)] == ["none"]


def test_indicators_hours_and_attendance_are_evidence_with_their_rows(project: Project) -> None:
    keep(
        project,
        indicator(4, "Talleres realizados", "talleres", "20", "24"),
        indicator(5, "Asistencia", "%", "80 %", "91 %"),
    )
    keep(
        project,
        Hours(at(2, "horas.xlsx", "Enero"), "Ana", hours=Decimal("120")),
        Hours(at(3, "horas.xlsx", "Enero"), "Ana", hours=Decimal("35.5")),
    )
    keep(
        project,
        *(Attendance(at(row, "firmas.xlsx", "A"), "Taller", attendees=many) for row, many in ((2, 61), (3, 65))),
    )
    text = "Se hicieron 24 talleres de 20, con 126 asistentes y un 91 % de asistencia, en 155,5 horas. Y 33 cosas."
    assert unknown(project, text) == ["33"]
    found = {one.figure: (one.kind, one.source, one.place) for one in trace(project)}
    assert found["24"] == ("indicators", "indicadores.xlsx", "Hoja1!4")
    assert found["91 %"] == ("indicators", "indicadores.xlsx", "Hoja1!5")
    assert found["126"] == ("attendance", "firmas.xlsx", "A!2-3")
    assert found["155,5"] == ("hours", "horas.xlsx", "Enero!2-3")


def test_a_claim_that_all_went_well_is_held_against_a_promise_that_was_missed(project: Project) -> None:
    add_proposals(project, [Commitment("deliverable", "Guía de uso", at(0, "propuesta.docx", ""), ref="E1")])
    confirm(project, None, "Ada Soler")
    project.accept(project.save_version("s1", "El proyecto avanzó sin desviaciones.", Made("person")).id)
    assert not check_report(project, recorded=recorded(project)).violations
    (name,) = standing(project)
    set_outcome(project, name.ref, status="not")
    (finding,) = check_report(project, recorded=recorded(project)).violations
    assert (finding.rule, finding.evidence) == ("claim-contradicted", "E1 Guía de uso")


def test_a_project_without_lists_lists_nothing(project: Project) -> None:
    assert recorded(project) == ((), (), frozenset())
