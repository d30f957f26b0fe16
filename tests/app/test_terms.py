"""Terms and deadlines on the page: the days left follow what the documents and the person say."""

from __future__ import annotations

import pytest

from fabai.errors import BadSetting, UnknownName

from .conftest import Desk


def test_the_deadline_of_a_grant_follows_its_resolution(hort: Desk) -> None:
    frame = hort.ask("open", "hort")
    assert frame["deadline"] == "2026-02-28"
    shown = hort.ask("terms", "hort")
    assert (shown["deadline"], shown["computed"]) == ("2026-02-28", "2026-02-28")
    assert {one["name"]: one["value"] for one in shown["terms"]}["end"] == "2025-12-31"
    assert next(one for one in shown["named"]["heading"] if one["name"] == "Personal")["source"].startswith("amendment")
    hort.ask("set-term", "hort", name="end", value="31/01/2026")
    assert hort.ask("open", "hort")["deadline"] == "2026-03-31"


def test_a_deadline_that_somebody_typed_stays(hort: Desk) -> None:
    hort.ask("describe", "hort", deadline="2026-01-15")
    hort.ask("set-term", "hort", name="end", value="31/01/2026")
    assert hort.ask("open", "hort")["deadline"] == "2026-01-15"
    assert hort.ask("terms", "hort")["computed"] == "2026-03-31"


@pytest.mark.parametrize(("name", "value"), [("end", "pronto"), ("grant", "mucho"), ("end", "")])
def test_a_value_that_is_none_is_one_sentence(desk: Desk, name: str, value: str) -> None:
    with pytest.raises(BadSetting):
        desk.ask("set-term", name=name, value=value)


def test_a_term_that_a_person_set_is_taken_back_and_the_document_holds_again(hort: Desk) -> None:
    def known() -> dict[str, tuple[str, bool]]:
        shown = hort.ask("terms", "hort")
        named = {f"heading:{one['name']}": (one["value"], one["own"]) for one in shown["named"]["heading"]}
        return {one["name"]: (one["value"], one["own"]) for one in shown["terms"]} | named

    before = known()
    hort.ask("set-term", "hort", name="end", value="31/01/2026")
    hort.ask("set-term", "hort", name="heading:Personal", value="1,00")
    assert known()["end"] == ("2026-01-31", True)
    assert known()["heading:Personal"] == ("1,00", True)
    hort.ask("remove-term", "hort", name="end")
    hort.ask("remove-term", "hort", name="heading:Personal")
    assert known() == before
    assert hort.ask("open", "hort")["deadline"] == "2026-02-28"
    for name in ("end", "heading:Nada", "heading", "sources", "nada"):
        with pytest.raises(UnknownName):
            hort.ask("remove-term", "hort", name=name)
