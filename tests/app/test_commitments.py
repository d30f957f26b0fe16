"""Commitments on the page: proposed, corrected, decided, accounted for, taken away as a table."""

from __future__ import annotations

from typing import Any

import pytest

from fabai.errors import BadSetting, UsageError
from fabai.formats.read import read

from .conftest import HORT, Desk


def indicator(answer: dict[str, Any], where: str) -> dict[str, Any]:
    return next(one for one in answer[where] if one["kind"] == "indicator")


def test_a_granted_proposal_proposes_and_binds_to_nothing_before_a_person_says_so(desk: Desk) -> None:
    done = desk.keep("proposal", HORT / "proposal.md")
    shown = desk.ask("commitments")
    assert done["proposed"] == len(shown["proposed"]) > 10
    assert shown["commitments"] == []
    one = indicator(shown, "proposed")
    assert one["place"].startswith("proposal.md, ")
    assert one["source"] == desk.ask("sources")["sources"][0]["id"]


def test_a_proposal_is_corrected_and_then_confirmed_with_a_name(desk: Desk) -> None:
    desk.keep("proposal", HORT / "proposal.md")
    one = indicator(desk.ask("commitments"), "proposed")
    changed = {"text": "Participants als tallers d'hort", "target": "90", "amount": "", "due": "2025-12-31"}
    desk.ask("revise-commitment", number=one["number"], **changed)
    desk.ask("decide-commitments", numbers=[one["number"]], confirmed=True)
    (kept,) = desk.ask("commitments")["commitments"]
    assert (kept["text"], kept["target"], kept["due"], kept["by"]) == (
        "Participants als tallers d'hort", "90", "2025-12-31", "Ana Ferrer",
    )  # fmt: skip


def test_nobody_confirms_without_a_name(desk: Desk) -> None:
    desk.keep("proposal", HORT / "proposal.md")
    desk.who = ""
    with pytest.raises(BadSetting, match="who you are"):
        desk.ask("decide-commitments", all=True, confirmed=True)


def test_an_amendment_shows_what_held_before_and_wins_with_history(desk: Desk) -> None:
    for kind in ("proposal", "resolution"):
        desk.keep(kind, HORT / f"{kind}.md")
        desk.ask("decide-commitments", all=True, confirmed=True)
    desk.keep("amendment", HORT / "amendment.md")
    waiting = desk.ask("commitments")["proposed"]
    assert waiting
    assert all(one["amends"] and one["before"] and one["before"] != one["promised"] for one in waiting)
    desk.ask("decide-commitments", all=True, confirmed=True)
    states = desk.ask("commitment-history", key=waiting[0]["key"])["states"]
    assert [one["bound"] for one in states] == ["proposal", "amendment"]
    assert [one["promised"] for one in states] == [waiting[0]["before"], waiting[0]["promised"]]


def test_what_is_rejected_is_not_proposed_again_from_the_same_file(desk: Desk) -> None:
    desk.keep("proposal", HORT / "proposal.md")
    desk.ask("decide-commitments", all=True, confirmed=False)
    assert desk.keep("proposal", HORT / "proposal.md")["proposed"] == 0


def test_each_commitment_says_what_is_still_to_be_told_until_it_is(hort: Desk) -> None:
    one = indicator(hort.ask("commitments", "hort"), "commitments")
    assert "No se ha dicho" in one["finding"]
    told = hort.ask("state-commitment", "hort", key=one["key"], status="partly", achieved="94")
    assert "no se explica" in next(each for each in told["commitments"] if each["key"] == one["key"])["finding"]
    told = hort.ask("state-commitment", "hort", key=one["key"], explanation="Menys places per la sequera.")
    told = hort.ask("state-commitment", "hort", key=one["key"], evidence=["attendance.csv", "Annex 3"])
    now = next(each for each in told["commitments"] if each["key"] == one["key"])
    assert (now["finding"], now["status"], now["evidence"]) == ("", "partly", ["attendance.csv", "Annex 3"])


def test_a_commitment_that_no_document_gives_is_added_by_hand(desk: Desk) -> None:
    given = {"kind": "activity", "text": "Jornada oberta", "target": "1", "amount": "", "due": ""}
    (one,) = desk.ask("add-commitment", **given)["commitments"]
    assert (one["text"], one["by"], one["place"]) == ("Jornada oberta", "Ana Ferrer", "Ana Ferrer")
    with pytest.raises(BadSetting, match="promised"):
        desk.ask("add-commitment", **{**given, "text": " "})
    with pytest.raises(BadSetting, match="amount"):
        desk.ask("add-commitment", **{**given, "amount": "mucho"})
    with pytest.raises(UsageError, match="kind"):
        desk.ask("add-commitment", **{**given, "kind": "wish"})


def test_the_table_is_a_file_in_the_language_of_the_report(hort: Desk) -> None:
    made = hort.ask("commitment-table", "hort", kind="docx")
    (path,) = (hort.space.folder / ".fabai" / "exports" / "hort").glob("*.docx")
    assert made["filename"] == "hort-compromisos.docx"
    assert "Previst" in read(path).text
    with pytest.raises(UsageError):
        hort.ask("commitment-table", "hort", kind="exe")


def test_a_report_says_how_commitments_went_and_a_person_confirms_it(hort: Desk) -> None:
    done = hort.keep("outcome", HORT / "report.md", "hort")
    assert done["proposed"] or done["silent"]


@pytest.mark.parametrize("kind", ["objective", "budget"])
def test_what_binds_is_corrected_with_its_history_and_its_file_proposes_the_old_words_no_more(
    hort: Desk, kind: str
) -> None:
    # an objective is known by its number, a budget heading by its words
    one = next(
        each
        for each in hort.ask("commitments", "hort")["commitments"]
        if each["kind"] == kind and each["text"] not in ("Personal", "Serveis externs") and "proposal" in each["place"]
    )
    words = {"text": "Un altre text", "target": one["target"], "amount": one["amount"], "due": ""}
    shown = hort.ask("change-commitment", "hort", key=one["key"], **words)
    new = next(each for each in shown["commitments"] if each["number"] == one["number"])
    assert (new["text"], new["by"], new["place"]) == ("Un altre text", "Ana Ferrer", one["place"])
    assert (new["key"] == one["key"]) == (kind == "objective")
    states = hort.ask("commitment-history", "hort", key=new["key"])["states"]
    assert [each["text"] for each in states] == [one["text"], "Un altre text"]
    hort.keep("proposal", HORT / "proposal.md", "hort")
    assert one["text"] not in {each["text"] for each in hort.ask("commitments", "hort")["proposed"]}
    with pytest.raises(BadSetting, match="words"):
        hort.ask("change-commitment", "hort", key=new["key"], **{**words, "text": " "})
    back = hort.ask("change-commitment", "hort", key=new["key"], **{**words, "text": one["text"]})
    assert one["text"] in {each["text"] for each in back["commitments"]}
    assert len(hort.ask("commitment-history", "hort", key=one["key"])["states"]) == 3


def test_what_binds_is_withdrawn_by_name_and_moves_the_terms_that_it_gave(hort: Desk) -> None:
    before = hort.ask("commitments", "hort")["commitments"]
    one = next(each for each in before if each["kind"] == "budget" and each["text"] == "Personal")
    assert "Personal" in {each["name"] for each in hort.ask("terms", "hort")["named"]["heading"]}
    shown = hort.ask("withdraw-commitment", "hort", key=one["key"])
    assert len(shown["commitments"]) == len(before) - 1
    assert "Personal" not in {each["name"] for each in hort.ask("terms", "hort")["named"]["heading"]}
    hort.who = ""
    with pytest.raises(BadSetting, match="who you are"):
        hort.ask("withdraw-commitment", "hort", key=before[0]["key"])


def test_the_last_commitment_withdrawn_leaves_nothing_for_the_model_to_read(desk: Desk) -> None:
    given = {"kind": "activity", "text": "Jornada oberta", "target": "1", "amount": "", "due": ""}
    (one,) = desk.ask("add-commitment", **given)["commitments"]
    desk.ask("withdraw-commitment", key=one["key"])
    with desk.space.project("memoria") as project:
        assert not any("Jornada" in source.text for source in project.sources())
