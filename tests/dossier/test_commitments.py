"""Commitments: what documents promise, what a person decides, and how it went."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.dossier.commitment import Commitment
from fabai.dossier.commitments import (
    add_proposals,
    check_commitments,
    confirm,
    find,
    propose_outcomes,
    proposed,
    reject,
    set_outcome,
    standing,
)
from fabai.dossier.matrix import for_section, markdown, material, matrix_rows, write_matrix
from fabai.dossier.outcome import outcomes, unreported
from fabai.dossier.place import Place
from fabai.dossier.proposal import propose
from fabai.dossier.resolution import decided
from fabai.errors import BadSetting, ExportError, UnknownName
from fabai.form import find_form
from fabai.formats.docx_in import read_docx
from fabai.formats.markdown import parse_markdown
from fabai.formats.read import assemble, read
from fabai.formats.sheet import read_sheets
from fabai.settings import ReadingLimits
from fabai.store.project import Project

from .conftest import DOSSIERS, Opened

LOAD = "grants-en/w3fgen__load_balanced_endpoints_operations.md"
DELIVERY = "grants-en/w3fdelivery__load_balanced_endpoints_operations-milestone_1.md"


def commitments(text: str) -> list[tuple[str, str, str]]:
    limits = ReadingLimits()
    document = assemble(parse_markdown(text.encode(), Path("p.md"), limits), "p", limits)
    return [(one.kind, one.label, one.text) for one in propose(document, "p.md", "")]


def test_labels_lists_and_tables_promise(dossier: Opened) -> None:
    with dossier("es-aguasens") as project:
        by_ref = {one.ref: one for one in standing(project) if one.ref}
        assert by_ref["OE1"].text.startswith("Diseñar una sonda")
        assert (by_ref["E1.1"].kind, by_ref["E1.1"].when) == ("deliverable", "M12")
        assert (by_ref["E2.1"].when, by_ref["E2.1"].bound) == ("M34", "amendment")
        people = {one.text: (one.role, one.target) for one in standing(project) if one.kind == "person"}
        assert people["Tomás Urrutia Belmonte"] == ("investigador", "900 horas")


def test_what_stands_under_background_or_future_plans_binds_nobody() -> None:
    text = "# Background\n\n- We built buoys.\n\n# Objectives\n\n- Warn earlier.\n\n# Future plans\n\n- Sell it.\n"
    assert commitments(text) == [("objective", "", "Warn earlier.")]


def test_an_empty_or_plain_text_promises_nothing() -> None:
    assert commitments("Hello.\n") == []


def test_each_keeps_its_place_and_words(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        one = find(project, "A4")
        assert (one.place.file, one.place.section) == ("proposal.md", "Activitats")
        assert "reg gota a gota" in one.quote
        assert len(one.place.sha256) == 64


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.create(tmp_path / "p.fabai", find_form("generic"), "en", "p")
    path = DOSSIERS / "en-riverlink" / "proposal.md"
    add_proposals(made, propose(read(path), path.name, "sha"))
    return made


def test_a_proposal_binds_nobody_until_a_person_confirms_it(project: Project) -> None:
    assert standing(project) == ()
    first, second, third, *_ = proposed(project)
    confirm(project, [first.number, third.number], "Ada Soler")
    assert [one.key for one in standing(project)] == [first.key, third.key]
    assert {one.decided_by for one in standing(project)} == {"Ada Soler"}
    reject(project, [second.number], "Ada Soler")
    assert second.key not in {one.key for one in (*proposed(project), *standing(project))}


def test_reading_a_document_again_proposes_nothing_twice_and_nothing_rejected(project: Project) -> None:
    path = DOSSIERS / "en-riverlink" / "proposal.md"
    again = propose(read(path), path.name, "sha")
    assert add_proposals(project, again) == ()
    reject(project, [proposed(project)[0].number], "Ada")
    confirm(project, None, "Ada")
    assert add_proposals(project, again) == ()


def test_deciding_needs_a_name_and_a_number_that_exists(project: Project) -> None:
    with pytest.raises(BadSetting, match="say who decides"):
        confirm(project, None, " ")
    with pytest.raises(UnknownName, match="no proposed commitment has the number 99"):
        confirm(project, [99], "Ada")
    with pytest.raises(UnknownName, match="unknown commitment 'D9'"):
        find(project, "D9")


def test_what_nobody_explained_or_proved_is_found(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        assert {one.rule for one in check_commitments(standing(project)).violations} == {"commitment-open"}
        set_outcome(project, "I1", status="achieved")
        set_outcome(project, "I2", status="partly")
        rules = {one.quote[:2]: one.rule for one in check_commitments(standing(project)).violations}
        assert (rules["I1"], rules["I2"]) == ("commitment-unproven", "commitment-unexplained")
        set_outcome(project, "I1", evidence=["attendance.csv"])
        set_outcome(project, "I2", explanation="Quatre persones van marxar.")
        assert not {"I1", "I2"} & {one.quote[:2] for one in check_commitments(standing(project)).violations}


def test_the_matrix_is_a_table_in_every_format(dossier: Opened, tmp_path: Path) -> None:
    with dossier("ca-hort") as project:
        set_outcome(
            project, "I2", status="partly", achieved="21 persones", evidence=["fitxes"], explanation="Van marxar | dos."
        )
        chosen = standing(project)
        rows = matrix_rows(chosen, "ca")
        assert (
            "I2",
            "Persones grans acompanyades",
            "25 persones",
            "21 persones",
            "parcial",
            "fitxes",
            "Van marxar | dos.",
        ) in rows
        assert markdown(chosen, "ca").count("\n") == len(rows) + 1
        for ending in ("docx", "xlsx", "csv", "md"):
            write_matrix(tmp_path / f"m.{ending}", chosen, "ca", "Matriu")
        assert "Van marxar" in read_docx(tmp_path / "m.docx").text
        for ending in ("xlsx", "csv"):
            assert len(read_sheets(tmp_path / f"m.{ending}")[0].rows) == len(rows) + 1
        with pytest.raises(ExportError, match="is written as"):
            write_matrix(tmp_path / "m.odt", chosen, "ca", "")


def test_a_formula_in_a_commitment_stays_words_in_a_list(tmp_path: Path) -> None:
    one = Commitment("activity", "=1+1", Place("p"))
    write_matrix(tmp_path / "m.csv", [one], "en", "")
    assert "'=1+1" in (tmp_path / "m.csv").read_text(encoding="utf-8-sig")


def test_sections_get_the_commitments_that_they_must_account_for(dossier: Opened) -> None:
    with dossier("en-riverlink") as project:
        every = standing(project)
        assert {one.kind for one in for_section(every, "Progress per objective")} >= {"objective"}
        assert {one.kind for one in for_section(every, "Use of resources")} == {"budget"}
        assert for_section(every, "Deviations") == ()
        set_outcome(project, "I2", status="partly", explanation="landslide")
        assert [one.ref for one in for_section(standing(project), "Deviations")] == ["I2"]
        assert "landslide" in material(standing(project), "en")


def test_confirmed_commitments_are_a_source_that_windows_find(dossier: Opened) -> None:
    with dossier("es-aguasens") as project:
        source = next(one for one in project.sources() if one.kind == "matrix")
        assert "Entregable E1.1: Sonda calibrada y su documentación." in source.text
        set_outcome(project, "E1.1", status="achieved", achieved="M12")
        (source,) = [one for one in project.sources() if one.kind == "matrix"]
        assert "Realizado: M12" in source.text or "realizado: M12" in source.text


def test_a_real_delivery_gives_planned_and_actual_days_with_three_explanations(shared: Path, tmp_path: Path) -> None:
    data = shared / "data"
    plan = propose(read(data / LOAD), "plan.md", "")
    found = outcomes(read(data / DELIVERY), "delivery.md", "", plan)
    assert [(one.planned, one.actual, one.unit) for one in found] == [
        (5, 25, "days"),
        (13, 16, "days"),
        (5, 15, "days"),
    ]
    assert (sum(one.planned or 0 for one in found), sum(one.actual or 0 for one in found)) == (23, 56)
    assert [one.explanation.split()[0:3] for one in found] == [
        ["The", "most", "significant"], ["To", "aggregate", "the"], ["The", "decision", "to"],
    ]  # fmt: skip
    silent = unreported(plan, found)
    assert {one.ref for one in silent if one.kind == "milestone"} == {"M2", "M3"}
    assert not {one.key for one in silent} & {one.key for one in found}
    with Project.create(tmp_path / "p.fabai", find_form("generic"), "en", "p") as project:
        add_proposals(project, plan)
        confirm(project, None, "Ada")
        propose_outcomes(project, found)
        confirm(project, None, "Ada")
        one = find(project, "M1 D1")
        assert (one.target, one.achieved, one.status) == ("5 Days", "25 days", "achieved")
        assert one.evidence
        assert "terraform" in one.explanation


def test_a_resolution_gives_grant_period_deadline_tolerance_and_publicity() -> None:
    path = DOSSIERS / "es-aguasens" / "resolution.md"
    found = {one.ref or one.kind: one for one in decided(read(path), path.name, "", "resolution")}
    assert found["grant"].amount == 90_000
    assert (str(found["period"].start), str(found["period"].due)) == ("2022-09-01", "2025-08-31")
    assert (found["report"].target, found["report"].when) == ("tres meses", "end")
    assert found["tolerance"].target == "20 %"
    assert "PID2021-900001OB-I00" in found["publicity"].text
