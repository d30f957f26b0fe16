"""Partners: packs go out, files come back into their places, and nothing is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.dossier.changes import changes, decide
from fabai.dossier.merging import merge, partner_of
from fabai.dossier.packs import make_pack
from fabai.dossier.partners import add_partner, contributions, status_of
from fabai.errors import BadSetting, UnknownName
from fabai.form import find_form
from fabai.formats.docx_in import read_docx
from fabai.formats.package import Package
from fabai.store.project import Project
from fabai.store.record import Made

from .conftest import DOSSIERS

BACK = DOSSIERS / "en-riverlink" / "partners"
ASKED = {
    "NMU": ("Northmoor University", ("recommendations", "data")),
    "DHI": ("Delta Hydraulics Institute", ("workpackages",)),
    "FAC": ("Fiume Aperto Cooperative", ("workpackages", "tasks")),
    "SSL": ("Sensoria Systems Ltd", ("workpackages", "resources")),
    "ADV": ("Agência dos Vales", ("exploitation",)),
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project.create(tmp_path / "p.fabai", find_form("eu-periodic-report"), "en", "RIVERLINK")
    for name, (full, sections) in ASKED.items():
        add_partner(made, name, full, sections)
    return made


def take(project: Project, name: str, **more: object) -> tuple[dict[str, str], str]:
    path = BACK / name
    done = merge(project, partner_of(project, path), path, **more)  # type: ignore[arg-type]
    return {piece.section: piece.status for piece in done.contribution.pieces}, " ".join(done.notices)


def text_of(project: Project, section: str) -> str:
    return project.report().find(section).text


def test_five_files_make_one_report_in_the_order_of_the_partners(project: Project) -> None:
    for name in ("SSL.docx", "DHI.docx", "NMU.docx", "FAC.docx", "ADV.docx"):
        status, _ = take(project, name)
        assert set(status.values()) == {"returned"}
    work = text_of(project, "workpackages")
    assert work.index("D2.2 was submitted") < work.index("handbook D4.1") < work.index("230 EUR")
    assert "What this section asks for" not in work
    assert all(state == "returned" for sections in status_of(project).values() for state in sections.values())
    headings = [one.heading for one in project.report()]
    assert len(headings) == len(set(headings))


def test_a_second_round_of_a_shared_section_does_not_join_texts_twice(project: Project, tmp_path: Path) -> None:
    for name in ("DHI.docx", "FAC.docx", "SSL.docx"):
        take(project, name)
    before = text_of(project, "workpackages")
    path = tmp_path / "p-DHI.docx"
    path.write_bytes(make_pack(project, "DHI"))
    sent = read_docx(path).text
    assert "D2.2 was submitted" in sent
    assert "handbook D4.1" not in sent
    assert take_path(project, path)[0] == {"workpackages": "unchanged"}
    package = Package(path.read_bytes())
    for one in package.edit(package.document).iter("{*}t"):
        one.text = (one.text or "").replace("month 24", "month 25")
    path.write_bytes(package.save())
    assert take_path(project, path)[0] == {"workpackages": "returned"}
    assert text_of(project, "workpackages") == before.replace("month 24", "month 25")


def test_renamed_headings_find_their_sections_and_are_told(project: Project) -> None:
    status, said = take(project, "SSL.docx")
    assert status == {"workpackages": "returned", "resources": "returned"}
    assert "came back under 'Money'" in said
    assert text_of(project, "resources").startswith("Equipment cost 52,000.00 EUR")


def test_tracked_changes_are_kept_by_author_and_accepted(project: Project) -> None:
    take(project, "FAC.docx")
    assert "published in month 22." in text_of(project, "workpackages")
    assert "three languages" in text_of(project, "workpackages")
    rows = [item.data for item in project.items().all("partner-change")]
    assert [(row["author"], row["kind"], row["text"], row["section"]) for row in rows if row] == [
        ("Carlo Bruni", "deletion", "21", "workpackages"),
        ("Carlo Bruni", "insertion", "22", "workpackages"),
        ("Rosa Altieri", "insertion", "The handbook was translated into three languages.", "workpackages"),
        ("Carlo Bruni", "deletion", " We regret this very much.", "tasks"),
    ]


def test_the_changes_of_one_author_can_be_refused(project: Project) -> None:
    take(project, "FAC.docx", refuse=["Carlo Bruni"])
    assert "published in month 21." in text_of(project, "workpackages")
    assert "three languages" in text_of(project, "workpackages")
    assert text_of(project, "tasks").endswith("We regret this very much.")


def test_comments_become_notes_also_those_that_stand_nowhere(project: Project) -> None:
    take(project, "FAC.docx")
    notes = [(one.section, one.author, one.text, one.quote) for one in project.workbench.notes()]
    assert notes[0][:2] == ("tasks", "Rosa Altieri (FAC)")
    assert notes[0][3].startswith("Task 4.1 is behind plan")
    assert notes[1] == ("workpackages", "Carlo Bruni (FAC)", "I am away until the 20th.", "")


def test_a_second_file_of_a_partner_is_a_conflict_and_both_texts_are_kept(project: Project) -> None:
    take(project, "ADV.docx")
    status, said = take(project, "ADV-second.docx")
    assert status == {"exploitation": "conflict"}
    assert "another file before (ADV.docx)" in said
    assert text_of(project, "exploitation") == "Two papers were published."
    assert [one.text for one in project.versions("exploitation")] == [
        "Two papers were published.",
        "Two papers and a film were published.",
    ]
    project.accept(project.versions("exploitation")[1].id)
    assert status_of(project)["ADV"]["exploitation"] == "accepted"


def test_the_same_file_twice_changes_nothing(project: Project) -> None:
    take(project, "ADV.docx")
    before = project.report()
    _, said = take(project, "ADV.docx")
    assert "taken in before" in said
    assert project.report() == before
    assert len(contributions(project)) == 1


def test_a_file_of_another_period_is_refused_in_one_sentence(project: Project) -> None:
    with pytest.raises(BadSetting, match="made for another project or an earlier period"):
        take(project, "ADV-first-period.docx")
    status, _ = take(project, "ADV-first-period.docx", anyway=True)
    assert status == {"exploitation": "returned"}


def test_nobodys_file_asks_whose_it_is(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "text.md"
    path.write_text("# Tasks\n\nx\n", encoding="utf-8")
    with pytest.raises(UnknownName, match="nothing tells whose file"):
        partner_of(project, path)


def test_a_section_changed_meanwhile_is_a_conflict(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "p-ADV.docx"
    path.write_bytes(make_pack(project, "ADV"))
    from fabai.store.record import Made

    project.save_version("exploitation", "The coordinator wrote this.", Made("person"))
    status, said = take(project, "ADV.docx")
    assert status == {"exploitation": "conflict"}
    assert "changed meanwhile" in said
    assert text_of(project, "exploitation") == "The coordinator wrote this."
    status, _ = take_path(project, path)
    assert status == {"exploitation": "empty"}


def take_path(project: Project, path: Path) -> tuple[dict[str, str], str]:
    done = merge(project, partner_of(project, path), path)
    return {piece.section: piece.status for piece in done.contribution.pieces}, " ".join(done.notices)


def test_a_pack_holds_guidance_limits_and_commitments_and_reads_back_unchanged(
    project: Project, tmp_path: Path
) -> None:
    from fabai.store.record import Made

    project.save_version("exploitation", "First text.\n\n- one\n- two", Made("person"))
    path = tmp_path / "ADV.docx"
    path.write_bytes(make_pack(project, "ADV"))
    assert "What this section asks for" in read_docx(path).text
    assert take_path(project, path)[0] == {"exploitation": "unchanged"}


def test_text_without_a_place_is_kept_as_a_source(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "NMU.md"
    path.write_text(
        "# Follow-up of recommendations\n\nDone.\n\n# Recipes\n\nSoup.\n\n# Update of the data management "
        "plan\n\nNew.\n",
        encoding="utf-8",
    )
    status, said = take_path(project, path)
    assert status == {"recommendations": "returned", "data": "returned"}
    assert "'Recipes'" in said
    assert [one.text for one in project.sources()] == ["# Recipes\n\nSoup."]


MONTH_FIVE = ("equation_reading", "code_summarization", "model_analysis", "text_reading", "webapp")


@pytest.mark.slow
def test_five_real_parts_make_one_report_without_a_heading_twice(shared: Path, tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.fabai", find_form("generic"), "en", "AutoMATES, month 5") as project:
        outline = "".join(f"# Part {number}\n\n" for number in range(1, 6))
        from fabai.formats.read import read

        source = tmp_path / "outline.md"
        source.write_text(outline, encoding="utf-8")
        project.import_document(read(source), source.name)
        sections = [one.id for one in project.report()]
        for name, section in zip(MONTH_FIVE, sections, strict=True):
            add_partner(project, name, name, [section])
        words = 0
        for name in MONTH_FIVE:
            path = shared / "data" / "grants-en" / f"automates__m05_final_phase1_report_{name}.md"
            words += sum(len(one.text.split()) for one in read(path).sections)
            done = merge(project, partner_of(project, path, name), path)
            assert {piece.status for piece in done.contribution.pieces} == {"returned"}
        report = project.report()
        headings = [one.heading for one in report]
        assert len(headings) == len(set(headings))
        assert len(report) > 40
        assert sum(len(one.text.split()) for one in report) == words
        assert {state for one in status_of(project).values() for state in one.values()} == {"returned"}


def test_a_single_change_is_taken_back_and_accepted_again(project: Project) -> None:
    take(project, "FAC.docx")
    numbered = {one.text: one.number for one in changes(project)}
    assert list(numbered.values()) == [1, 2, 3, 4]
    decide(project, [numbered["22"]], refused=True)
    # the deletion of 21 by the same author still counts
    assert "published in month ." in text_of(project, "workpackages")
    decide(project, [numbered["21"]], refused=True)
    assert "published in month 21." in text_of(project, "workpackages")
    assert "three languages" in text_of(project, "workpackages")
    assert [one.refused for one in changes(project, "FAC")] == [True, True, False, False]
    decide(project, [1, 2], refused=False)
    assert "published in month 22." in text_of(project, "workpackages")
    assert "regret" not in text_of(project, "tasks")


def test_a_change_in_a_text_that_somebody_wrote_over_is_a_conflict(project: Project) -> None:
    take(project, "FAC.docx")
    project.workbench.write("tasks", "Written anew.", Made("person"), project.workbench.standing("tasks").token)
    (piece,) = decide(project, [4], refused=True)
    assert (piece.section, piece.status) == ("tasks", "conflict")
    assert text_of(project, "tasks") == "Written anew."
    assert project.versions("tasks")[-1].text.endswith("We regret this very much.")


def test_a_number_of_no_change_is_refused(project: Project) -> None:
    with pytest.raises(UnknownName, match="no tracked change has the number 7"):
        decide(project, [7], refused=True)
