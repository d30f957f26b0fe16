"""The tables of a form filled from what the dossier knows, and what of a report goes out."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.demands import Column, Table
from fabai.dossier.request import response_form
from fabai.form import find_form
from fabai.formats.read import read
from fabai.report import Report, Section
from fabai.store.project import Project
from fabai.submission.document import with_cover
from fabai.submission.outgoing import outgoing, shown
from fabai.submission.tables import filled

from .conftest import DOSSIERS, Opened, account, spent, take


def cells(markdown: str) -> list[list[str]]:
    lines = [line for line in markdown.split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "---" not in line]


def table_of(project: Project, section: str, place: int = 0) -> list[list[str]]:
    spec = project.form.spec(section)
    assert spec is not None
    return cells(filled(project, spec.tables[place], project.language))


def test_work_packages_are_listed_without_their_tasks_with_shares_and_whether_they_are_done(dossier: Opened) -> None:
    with dossier("en-tidemark") as project:
        account(project, "en-tidemark")
        head, first, *rest = table_of(project, "completion")
        assert head == ["Work package", "Lump-sum share", "Completed (yes or no)", "Remarks"]
        assert first == ["WP1 Management", "€42,000.00", "yes", ""]
        assert [row[0].split()[0] for row in rest[:-1]] == ["WP2", "WP3", "WP4", "WP5"]
        assert rest[1][2] == "no"
        assert rest[-1][:2] == ["**Total**", "**€480,000.00**"]


def test_deliverables_know_their_work_package_by_number_and_months_are_numbers(dossier: Opened) -> None:
    with dossier("en-riverlink") as project:
        columns = [Column({"en": name}) for name in ("deliverable", "work package")]
        table = Table((*columns, Column({"en": "due month"}, "count")), filled="deliverables")
        assert ["D2.1 Gauge design files", "WP2", "10"] in cells(filled(project, table, "en"))
        # nothing is known of it but names: the table is left to a person
        bare = Table((columns[0], Column({"en": "dissemination level"})), filled="deliverables")
        assert filled(project, bare, "en") == ""


def test_a_sum_of_nothing_is_not_zero(dossier: Opened) -> None:
    with dossier("en-riverlink") as project:
        account(project, "en-riverlink")
        assert table_of(project, "workpackages")[-1] == ["**Total**", "", "", ""]


def test_researchers_and_their_support_stand_in_their_own_tables_and_an_empty_one_says_so(dossier: Opened) -> None:
    with dossier("es-aguasens") as project:
        take(project, DOSSIERS / "es-aguasens" / "people.csv", "people")
        names = [[row[0] for row in table_of(project, part, place)[1:]] for part in ("b1", "b2") for place in (0, 1)]
        research = ["Elena Marquina Roldán", "Tomás Urrutia Belmonte", "Sara Quiñones Abad"]
        assert names == [research, ["—"], ["—"], ["Iker Zubeldia Montes"]]


def test_a_list_whose_first_people_are_called_researchers_loses_none_of_them_to_its_head(dossier: Opened) -> None:
    with dossier("en-orchard") as project:
        take(project, DOSSIERS / "en-orchard" / "people.csv", "people")
        names = [row[0] for part, place in (("b1", 0), ("b2", 1)) for row in table_of(project, part, place)[1:]]
        assert names == ["Leonor Vidaurre Sáez", "Marcus Attlebury", "Nerea Goñi Larrauri", "Samuel Iriondo Paz"]


def test_people_of_the_proposal_stand_in_for_a_list_that_nobody_gave(dossier: Opened) -> None:
    with dossier("es-aguasens") as project:
        assert table_of(project, "b1")[1][0] == "Elena Marquina Roldán"
    with dossier("ca-hort") as project:
        table = Table((Column({"ca": "nom"}), Column({"ca": "persones-mes"}, "count")), filled="people")
        assert filled(project, table, "ca") == ""


def test_risks_are_those_that_a_source_lists_with_what_is_done_about_them(dossier: Opened) -> None:
    with dossier("en-riverlink") as project:
        text = (
            "# Risks\n\n| Risk | Likelihood | WP | Mitigation |\n|---|---|---|---|\n"
            "| Ice in the gauges | medium | WP2 | new float |\n\n| Other | Table |\n|---|---|\n| a | b |"
        )
        project.add_source("risks.md", text, "0" * 64, "source")
        columns = [Column({"en": name}) for name in ("risk", "work packages", "mitigation")]
        found = cells(filled(project, Table(tuple(columns), filled="risks"), "en"))
        assert found[1:] == [["Ice in the gauges (likelihood: medium)", "WP2", "new float"]]


def test_what_may_stay_empty_and_is_does_not_go_out(dossier: Opened) -> None:
    with dossier("es-brasa") as project:
        report = project.report()
        texts = {"tecnico": "Hecho.", "otros": "Auditoría."}
        report = replace(
            report, sections=tuple(replace(one, text=texts.get(one.spec or "", "")) for one in report.sections)
        )
        assert [one.spec for one in shown(project, report)] == ["tecnico", "economica", "personal", "otros"]


def test_an_answer_stands_under_the_whole_question_where_the_heading_has_a_part_of_it(tmp_path: Path) -> None:
    request = DOSSIERS / "ca-hort" / "request.md"
    form = response_form(read(request), "request.md", "ca", datetime.date(2026, 4, 7))
    with Project.create(tmp_path / "r.fabai", form, "ca", "R") as project:
        report = project.report()
        answered = report.with_section(replace(report.sections[0], text="Pagada el dia 22."))
        first, second, _ = outgoing(project, answered)
        assert first.text.startswith("> La factura T-09")
        assert first.text.endswith("Cal aportar-ne el comprovant.\n\nPagada el dia 22.")
        assert second.text == ""


@pytest.mark.parametrize("name", ["eu-periodic-report", "response"])
def test_what_a_form_says_to_who_writes_is_no_question(name: str) -> None:
    assert [spec.question("en") for spec in find_form(name).sections if spec.question("en")] == []


def test_the_cover_has_the_company_and_the_period_of_the_grant(dossier: Opened) -> None:
    with dossier("es-brasa") as project:
        account(project, "es-brasa")
        meta = with_cover(project, {}).meta
        assert (meta["organisation"], meta["period"]) == ("Hornos Lumbrera SL", "01/09/2024 – 31/08/2025")
        assert with_cover(project, {"period": "hito 2"}).meta["period"] == "hito 2"
    with dossier("en-riverlink") as project:
        assert with_cover(project, {}).meta["period"] == "1 March 2024 – 31 August 2025"


def test_a_list_of_expenses_has_a_caption_and_its_sum(dossier: Opened) -> None:
    with dossier("ca-bosc") as project:
        take(project, spent("ca-bosc"), "expenses")
        sections = [Section(one.id, one.heading["ca"], one.level, spec=one.id) for one in project.form.sections]
        out = outgoing(project, Report("T", "ca", tuple(sections)))
        text = next(one.text for one in out if "118.935,00" in one.text)
        assert text.endswith(": Relació classificada de despeses")
