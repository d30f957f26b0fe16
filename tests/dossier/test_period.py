"""The next period: what carries over, and that nothing inherited is handed in unread."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.checks.report import check_report
from fabai.dossier.commitments import set_outcome, standing
from fabai.dossier.expenses import expenses
from fabai.dossier.granted import terms_of
from fabai.dossier.lists import set_term
from fabai.dossier.partners import add_partner, partners
from fabai.dossier.period import carry, earlier_reports, period_of
from fabai.errors import BadSetting
from fabai.form import find_form
from fabai.formats.read import read
from fabai.ledger import Fact
from fabai.store.project import Project
from fabai.submission.blocking import blockers

from .conftest import DOSSIERS, Opened, take


def test_structure_texts_facts_and_commitments_carry_over_and_lists_do_not(dossier: Opened, tmp_path: Path) -> None:
    with dossier("en-riverlink") as old:
        old.import_document(read(DOSSIERS / "en-riverlink" / "report.md"), "report.md")
        old.set_fact(Fact("grant agreement", "900123", "resolution.md"))
        set_outcome(old, "D2.2", status="achieved", evidence=["network register"])
        set_outcome(old, "I2", status="partly", explanation="landslide")
        set_term(old, "income:Own funds", "10,000.00")
        set_term(old, "notified", "2024-03-01")
        take(old, DOSSIERS / "en-riverlink" / "expenses.xlsx", "expenses")
        add_partner(old, "DHI", "Delta Hydraulics Institute", ["workpackages"])
        project, carried = carry(old, tmp_path / "next.fabai", 3, None)
        with project:
            assert [(s.id, s.heading, s.text) for s in project.report()] == [
                (s.id, s.heading, s.text) for s in old.report()
            ]
            assert carried.texts == sum(bool(s.text.strip()) for s in old.report()) == 11
            assert project.ledger().get("grant agreement") is not None
            by_ref = {one.ref: one for one in standing(project)}
            assert (by_ref["D2.2"].status, by_ref["D2.2"].evidence) == ("achieved", ("network register",))
            assert (by_ref["I2"].status, by_ref["I2"].explanation, by_ref["I2"].target) == ("", "", "160 volunteers")
            assert expenses(project) == ()
            assert [one.id for one in partners(project)] == ["DHI"]
            assert terms_of(project).notified is None
            assert "Own funds" in terms_of(project).income
            assert period_of(project) == 3
            assert [one.name for one in earlier_reports(project)] == ["en-riverlink.fabai (period 1)"]


def test_a_period_must_follow(dossier: Opened, tmp_path: Path) -> None:
    with dossier("ca-hort") as old:
        with pytest.raises(BadSetting, match="is period 1; the next one is 2 or later"):
            carry(old, tmp_path / "next.fabai", 1)
        assert not (tmp_path / "next.fabai").exists()


def test_inherited_paragraphs_block_until_somebody_reviews_them(dossier: Opened, tmp_path: Path) -> None:
    with dossier("ca-hort") as old:
        old.import_document(read(DOSSIERS / "ca-hort" / "report.md"), "report.md")
        project, _ = carry(old, tmp_path / "next.fabai", 2)
        with project:
            found = [one for section in project.report() for one in project.paragraphs(section.id)]
            assert {one.origin for one in found} == {"inherited"}
            assert {one.rule for one in blockers(project).violations} >= {"blocked-unreviewed-inherited"}
            for section in project.report():
                for paragraph in project.paragraphs(section.id):
                    project.review(section.id, paragraph.hash, "Ada Soler")
            assert "blocked-unreviewed-inherited" not in {one.rule for one in blockers(project).violations}


def test_sentences_of_the_earlier_report_are_found(dossier: Opened, tmp_path: Path) -> None:
    with dossier("ca-hort") as old:
        old.import_document(read(DOSSIERS / "ca-hort" / "report.md"), "report.md")
        project, _ = carry(old, tmp_path / "next.fabai", 2)
        with project:
            found = check_report(project, earlier=earlier_reports(project)).violations
            quotes = [one.quote for one in found if one.rule in ("earlier-phrase", "earlier-period")]
            assert any("18 tallers" in quote for quote in quotes)


@pytest.mark.slow
def test_a_real_report_becomes_the_earlier_period_and_must_be_read_again(shared: Path, tmp_path: Path) -> None:
    """GrFN month 5 as the earlier period: over a hundred inherited paragraphs; month 9 brings its own text."""
    folder = shared / "data" / "grants-en"
    with Project.create(tmp_path / "five.fabai", find_form("generic"), "en", "GrFN, month 5") as old:
        old.import_document(read(folder / "automates__m05_final_phase1_report_GrFN_specification_v0.1.m5.md"), "m5.md")
        project, _ = carry(old, tmp_path / "nine.fabai", 2)
    with project:
        found = [one for section in project.report() for one in project.paragraphs(section.id)]
        inherited = [one for one in found if one.origin == "inherited"]
        assert len(inherited) > 100
        refused = [one for one in blockers(project).violations if one.rule == "blocked-unreviewed-inherited"]
        assert sum(int(one.found) for one in refused) == len(inherited)
        project.import_document(read(folder / "automates__m09_milestone_report_GrFN_specification_v0.1.m9.md"), "m9.md")
        # what is inherited stays in front until somebody takes the new text
        assert [
            one for section in project.report() for one in project.paragraphs(section.id) if one.origin == "inherited"
        ]
        for section in project.report():
            for version in project.versions(section.id)[::-1]:
                if version.made.writer == "import":
                    project.accept(version.id)
                    break
        left = [(s.id, one) for s in project.report() for one in project.paragraphs(s.id) if one.origin == "inherited"]
        for section_id, one in left:
            project.review(section_id, one.hash, "Ada Soler")
        assert "blocked-unreviewed-inherited" not in {one.rule for one in blockers(project).violations}
