"""Deadlines: from notification dates, the form's rules and what resolutions say."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from fabai.dossier.commitments import add_proposals, confirm
from fabai.dossier.deadlines import deadlines, nearest
from fabai.dossier.granted import terms_of
from fabai.dossier.lists import set_term
from fabai.dossier.request import deadline_in, questions, response_form
from fabai.dossier.resolution import decided
from fabai.errors import UnknownName
from fabai.form import find_form
from fabai.formats.read import read
from fabai.store.project import Project

from .conftest import DOSSIERS, FAULTY, Opened

TODAY = datetime.date(2025, 10, 1)


def test_a_real_norm_is_capped_by_its_date(shared: Path, tmp_path: Path) -> None:
    """Six months from the notification of 15 May 2025 would be 15 November; the norm ends on 31 October."""
    path = shared / "data" / "calls-ca" / "tramits_ca__isba_9_resolucion_concesion.md"
    with Project.create(tmp_path / "p.fabai", find_form("generic"), "ca", "p") as project:
        add_proposals(project, decided(read(path), path.name, "", "resolution"))
        confirm(project, None, "Ada Soler")
        set_term(project, "notified", "15/05/2025")
        (one,) = deadlines(project, TODAY)
        assert (one.day, one.capped, one.left) == (datetime.date(2025, 10, 31), True, 30)
        set_term(project, "notified", "15/03/2025")
        (one,) = deadlines(project, TODAY)
        assert (one.day, one.capped, one.left) == (datetime.date(2025, 9, 15), False, -16)


def test_months_run_from_the_end_of_the_period_that_was_granted(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        found = {(one.name, one.source): one for one in deadlines(project, TODAY)}
        days = {one.day for (name, _), one in found.items() if name == "report"}
        assert days == {datetime.date(2026, 2, 28)}


def test_an_extended_period_moves_the_deadline(dossier: Opened) -> None:
    with dossier("es-aguasens") as project:
        report = next(one for one in deadlines(project, TODAY) if one.name == "report")
        assert report.day == datetime.date(2026, 2, 28)
        assert nearest(project, datetime.date(2026, 3, 5)) == next(
            one for one in deadlines(project, datetime.date(2026, 3, 5)) if one.day == datetime.date(2026, 2, 28)
        )


def test_a_deadline_whose_event_is_not_known_says_what_it_waits_for(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.fabai", find_form("response"), "es", "p") as project:
        (one,) = deadlines(project, TODAY)
        assert (one.day, one.waits_for) == (None, "notified")
        assert nearest(project, TODAY) is None


def test_a_request_becomes_questions_in_its_order() -> None:
    for name, numbers in (("ca-hort", "123"), ("es-aguasens", "ab"), ("en-riverlink", "12")):
        found = questions(read(DOSSIERS / name / "request.md"))
        assert [one.number for one in found] == list(numbers)
    assert "28 sondas y no 30" in questions(read(DOSSIERS / "es-aguasens" / "request.md"))[0].text


def test_a_request_sets_its_own_deadline() -> None:
    given = {}
    for name in FAULTY:
        deadline = deadline_in(read(DOSSIERS / name / "request.md"), "request.md", TODAY)
        assert deadline is not None
        given[name] = (deadline.days, deadline.working)
    assert given == {"ca-hort": (10, True), "es-aguasens": (15, True), "en-riverlink": (20, False)}


def test_the_form_of_a_request_has_a_response_for_each_question(tmp_path: Path) -> None:
    document = read(DOSSIERS / "ca-hort" / "request.md")
    form = response_form(document, "request.md", "ca", TODAY)
    assert {one.kind for one in form.sections} == {"response"}
    assert all(one.evidence for one in form.sections)
    with Project.create(tmp_path / "p.fabai", form, "ca", "Resposta") as project:
        assert len(project.report()) == 3
        set_term(project, "notified", "2026-03-02")
        assert [one.day for one in deadlines(project, TODAY)] == [datetime.date(2026, 3, 16)]


def test_working_days_leave_out_holidays_and_the_days_that_a_person_adds(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.fabai", find_form("response"), "ca", "p") as project:
        set_term(project, "notified", "01/12/2025")
        # ten working days; 8 December is a holiday in all of Spain, the 6th is a Saturday
        assert [str(one.day) for one in deadlines(project, TODAY)] == ["2025-12-16"]
        set_term(project, "closed", "10/12/2025")
        assert [str(one.day) for one in deadlines(project, TODAY)] == ["2025-12-17"]
        set_term(project, "notified", "01/03/2025")
        assert [str(one.day) for one in deadlines(project, TODAY)] == ["2025-03-14"]
        set_term(project, "place", "ad")
        assert terms_of(project).place == "AD"
        # the Monday of Carnival and the Day of the Constitution
        assert [str(one.day) for one in deadlines(project, TODAY)] == ["2025-03-18"]


def test_a_term_that_ends_on_a_day_off_says_to_which_day_it_runs(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        found = {one.name: one for one in deadlines(project, datetime.date(2026, 2, 1))}
        assert (str(found["report"].day), str(found["report"].until)) == ("2026-02-28", "2026-03-02")
        assert found["payment"].until is None  # a date that the resolution sets is that date


def test_a_place_that_is_unknown_is_refused(dossier: Opened) -> None:
    with dossier("ca-hort") as project, pytest.raises(UnknownName, match="place"):
        set_term(project, "place", "Francia")
