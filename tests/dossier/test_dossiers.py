"""The dossiers: lists and reports pass every rule, the faulty twins fail in exactly what was planted."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from fabai.checks.report import check_report
from fabai.dossier.annexes import add_proof
from fabai.dossier.check import check_dossier
from fabai.dossier.commitments import history, standing
from fabai.dossier.costs import keep_costs
from fabai.dossier.expenses import check_lists, expenses, sums_by_heading
from fabai.dossier.granted import terms_of
from fabai.dossier.lists import attendance, hours, indicators
from fabai.dossier.wording import sentence, words
from fabai.facts.writing import write_number
from fabai.report import LANGUAGES
from fabai.strict import read_toml

from .conftest import DOSSIERS, FAULTY, FORMS, NAMES, Opened, account, planted, spent, take


@pytest.mark.parametrize("name", NAMES)
def test_a_careful_persons_lists_pass_every_rule(dossier: Opened, name: str) -> None:
    with dossier(name) as project:
        take(project, spent(name), "expenses")
        if (DOSSIERS / name / "hours.xlsx").exists():
            take(project, DOSSIERS / name / "hours.xlsx", "hours")
        findings = check_lists(project, terms_of(project))
        assert [one for one in findings.violations if one.severity == "error"] == []
        assert name not in FAULTY or not [one for one in findings.notices if "set NAME VALUE" in one]


@pytest.mark.parametrize("name", FAULTY)
def test_every_planted_fault_is_found_and_nothing_else(dossier: Opened, name: str) -> None:
    with dossier(name) as project:
        take(project, DOSSIERS / name / "expenses-faulty.xlsx", "expenses")
        findings = check_lists(project, terms_of(project))
        found = sorted(
            (int(row[1]) if (row := re.search(r"row (\d+)$", one.evidence)) else 0, one.rule)
            for one in findings.violations
            if one.severity == "error"
        )
        assert found == planted(name)
        for language in LANGUAGES:
            assert all("{" not in sentence(one, language) for one in findings.violations)


@pytest.mark.parametrize("name", NAMES)
def test_the_careful_report_says_what_the_lists_add_up_to(dossier: Opened, name: str) -> None:
    report = (DOSSIERS / name / "report.md").read_text(encoding="utf-8")
    costs = FORMS[name] != "eu-lump-sum-report"  # which reports shares and no costs
    with dossier(name) as project:
        take(project, spent(name), "expenses")
        for heading, (granted, charged) in sums_by_heading(project, terms_of(project)).items():
            assert granted is not None
            for amount in (granted, charged) if costs else (granted,):
                shown = write_number(amount, 2, project.language)
                assert re.search(rf"\| {heading} \|.*{re.escape(shown)}", report), (heading, shown)
        total = sum((one.amount or Decimal(0) for one in expenses(project)), Decimal(0))
        assert not costs or f"{write_number(total, 2, project.language)} " in report
        facts = [one["value"] for one in read_toml(DOSSIERS / name / "brief.toml")["fact"]]
        assert [value for value in facts if value not in report] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_careful_report_agrees_with_its_ledger_lists_and_commitments(dossier: Opened, name: str) -> None:
    with dossier(name) as project:
        take(project, spent(name), "expenses")
        account(project, name)
        keep_costs(project)
        found = check_report(project) + check_dossier(project)
        assert [(one.rule, one.quote) for one in found.violations if one.severity == "error"] == []


def test_an_amendment_wins_and_the_earlier_state_is_kept(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        one = next(one for one in standing(project) if one.ref == "I1")
        assert (one.target, one.bound, one.place.file) == ("90 participants", "amendment", "amendment.md")
        assert [state.commitment.target for state in history(project, "I1")] == ["120 participants", "90 participants"]
        terms = terms_of(project)
        assert (terms.heading["Personal"], terms.heading["Serveis externs"]) == (Decimal(5400), Decimal(3000))


def test_hours_over_a_persons_agreement_are_found(dossier: Opened) -> None:
    with dossier("es-aguasens") as project:
        take(project, DOSSIERS / "es-aguasens" / "hours-faulty.xlsx", "hours")
        found = check_lists(project, terms_of(project)).violations
        assert [(one.rule, one.quote) for one in found] == [("hours-over-agreement", "Elena Marquina Roldán")]
        assert sum(one.hours or 0 for one in hours(project)) == 1080 + 400 + 864 + 4375


def test_attendance_and_indicators_are_rows_with_their_place(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        take(project, DOSSIERS / "ca-hort" / "attendance.csv", "attendance")
        take(project, DOSSIERS / "ca-hort" / "indicators.xlsx", "indicators")
        assert sum(one.attendees or 0 for one in attendance(project)) == 94
        assert [one.achieved for one in indicators(project)] == ["94", "21", "18", "34"]
        assert str(indicators(project)[1].place) == "indicators.xlsx, Indicadors, row 3"


def test_one_call_finds_what_every_part_of_the_dossier_finds(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        assert {one.rule for one in check_dossier(project).violations} == {"commitment-open"}
        take(project, DOSSIERS / "ca-hort" / "expenses-faulty.xlsx", "expenses")
        found = {one.rule for one in check_dossier(project).violations}
        assert {"commitment-open", "expense-nif", "sheet-total"} <= found
        assert "proof-missing" not in found
        add_proof(project, DOSSIERS / "ca-hort" / "proofs" / "A-114.pdf")
        rules = {one.rule for one in check_dossier(project, off=["commitment-open"]).violations}
        assert "proof-missing" in rules
        assert "commitment-open" not in rules


def test_every_rule_has_a_sentence_with_the_same_places_in_each_language() -> None:
    places = re.compile(r"\{\w+\}")
    for language in LANGUAGES:
        assert words(language).keys() == words("es").keys()
        for rule, text in words(language).items():
            assert set(places.findall(text)) == set(places.findall(words("es")[rule])), rule
