"""Partners on the page: packs go out, files come back, authors are chosen, clashes are settled."""

from __future__ import annotations

from typing import Any

import pytest

from fabai.errors import BadSetting, UnknownName

from .conftest import DOSSIERS, Desk

BACK = DOSSIERS / "en-riverlink" / "partners"
ASKED = {
    "FAC": ["Work per work package", "Tasks"],
    "NMU": ["Update of the data management plan", "Follow-up of recommendations"],
}


@pytest.fixture
def river(desk: Desk) -> Desk:
    desk.ask("create", "", title="River", form="eu-periodic-report", language="en")
    for short, headings in ASKED.items():
        desk.ask("add-partner", "river", id=short, name=f"Partner {short}", sections=headings)
    return desk


def test_a_partner_gets_a_short_name_and_a_file_to_write_in(river: Desk) -> None:
    shown = river.ask("add-partner", "river", name="Norte Mar Universidad", sections=[])
    assert [one["id"] for one in shown["partners"]] == ["FAC", "NMU", "NMU2"]
    assert {one["status"] for one in shown["partners"][0]["sections"]} == {"asked"}
    assert river.ask("pack", "river", partner="FAC")["filename"] == "river-fac.docx"
    with pytest.raises(BadSetting, match="no section"):
        river.ask("pack", "river", partner="NMU2")
    with pytest.raises(BadSetting, match="a name"):
        river.ask("add-partner", "river", name=" ", sections=[])


def test_a_returned_file_is_shown_by_author_before_it_is_taken_in(river: Desk) -> None:
    shown = river.bring("returned", BACK / "FAC.docx", "river")
    assert shown["partner"] == "FAC"
    assert shown["authors"] or shown["comments"]
    assert river.ask("partners", "river")["files"] == []
    other = river.ask("returned-again", "river", token=shown["token"], partner="NMU")
    assert other["partner"] == "NMU"


def test_what_comes_back_is_taken_in_with_a_status_for_each_partner(river: Desk) -> None:
    done: dict[str, Any] = {}
    for short in ("FAC", "NMU"):
        shown = river.bring("returned", BACK / f"{short}.docx", "river")
        done = river.ask(
            "take-returned", "river", token=shown["token"], partner=shown["partner"], refused=[], single=[], anyway=True
        )
    assert [one["partner"] for one in done["files"]] == ["FAC", "NMU"]
    assert done["taken"]["partner"] == "NMU"
    assert all({section["status"] for section in one["sections"]} != {"asked"} for one in done["partners"])
    headings = [one["heading"] for one in river.ask("outline", "river")["sections"]]
    assert len(headings) == len(set(headings))


def test_a_clash_is_settled_by_a_choice_and_both_texts_stay(river: Desk) -> None:
    section = river.ask("partners", "river")["partners"][0]["sections"][1]["id"]
    token = river.ask("section", "river", section=section)["token"]
    river.ask("save", "river", section=section, text="Ours.", token=token)
    shown = river.bring("returned", BACK / "FAC.docx", "river", partner="FAC")
    done = river.ask("take-returned", "river", token=shown["token"], partner="FAC", refused=[], single=[], anyway=True)
    (clash,) = done["clashes"]
    chosen = {"partner": "FAC", "section": section, "version": clash["version"]}
    settled = river.ask("settle-clash", "river", **chosen, theirs=True)
    assert settled["clashes"] == []
    assert river.ask("section", "river", section=section)["text"].strip() != "Ours."
    versions = river.ask("versions", "river", section=section)["versions"]
    assert len(versions) >= 2
    with pytest.raises(UnknownName, match="versions"):
        river.ask("settle-clash", "river", **{**chosen, "version": 99_999}, theirs=True)


def test_without_partners_a_returned_file_has_no_home(desk: Desk) -> None:
    with pytest.raises(BadSetting, match="no partners"):
        desk.bring("returned", BACK / "FAC.docx")


def test_single_changes_are_refused_before_and_after_a_file_is_taken_in(river: Desk) -> None:
    shown = river.bring("returned", BACK / "FAC.docx", "river")
    assert shown["changes"]
    taken = {"token": shown["token"], "partner": "FAC", "refused": [], "anyway": True}
    (file,) = river.ask("take-returned", "river", **taken, single=[0])["files"]
    listed = {"partner": "FAC", "sha256": file["sha256"]}
    found = river.ask("partner-changes", "river", **listed)["changes"]
    assert [one["refused"] for one in found] == [True] + [False] * (len(shown["changes"]) - 1)
    assert (found[0]["author"], found[0]["text"]) == (shown["changes"][0]["author"], shown["changes"][0]["text"])
    after = river.ask("decide-change", "river", **listed, numbers=[found[0]["number"]], refused=False)["changes"]
    assert not any(one["refused"] for one in after)
    with pytest.raises(UnknownName):
        river.ask("decide-change", "river", **listed, numbers=[9_999], refused=True)
