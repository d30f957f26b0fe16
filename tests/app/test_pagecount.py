"""Pages against their limit: a dash until they are counted, then the last count with its time."""

from __future__ import annotations

import pytest
from fabai.app.pagecount import Counted, shown

from fabai.form import Limit
from fabai.formats import libreoffice

from .conftest import Desk

LIMIT = Limit("pages", 5)


def test_a_count_says_when_it_was_made_and_whether_the_text_changed_since() -> None:
    counted = Counted(4, {}, "2026-03-01T10:00:00+00:00", "a")
    assert shown(LIMIT, None, None, "a") == {
        "unit": "pages", "count": None, "maximum": 5, "minimum": None, "when": "", "old": False,
    }  # fmt: skip
    assert not shown(LIMIT, 4, counted, "a")["old"]
    assert shown(LIMIT, 4, counted, "b")["old"]


def test_a_form_without_a_limit_of_pages_counts_none(desk: Desk) -> None:
    assert desk.ask("outline")["pages"] is None


def test_a_section_on_too_many_pages_is_shortened_to_the_words_that_its_pages_hold(desk: Desk) -> None:
    one = desk.ask("outline")["sections"][0]["id"]
    long = "Se hicieron talleres con todas las familias del barrio."
    desk.ask("save", section=one, text=long, token=desk.ask("section", section=one)["token"])
    counted = Counted(9, {one: 9}, "2026-03-01T10:00:00+00:00", "a", {one: Limit("words", 4)})
    desk.house.pages._known[desk.call().place] = counted
    desk.writer.text = "Hubo talleres con familias."
    desk.ask("rewrite", section=one, wish="shorten", text=long, selection=False)
    assert desk.finished()["text"] == "Hubo talleres con familias."
    assert "4 palabras" in desk.writer.asked[-1]
    # the count is of before: what fits by now is held to no words
    desk.ask("rewrite", section=one, wish="shorten", text="Hubo talleres con familias.", selection=False)
    desk.finished()
    assert "4 palabras" not in desk.writer.asked[-1]


@pytest.mark.slow
@pytest.mark.skipif(libreoffice.executable() is None, reason="LibreOffice is not installed")
def test_the_pages_of_the_submission_are_those_of_the_outline(desk: Desk) -> None:
    desk.ask("create", "", title="Paginas", form="cdti-justificacion", language="es")
    before = desk.ask("outline", "paginas")
    assert before["pages"]["count"] is None
    made = desk.ask("pages", "paginas")
    after = desk.ask("outline", "paginas")
    assert 0 < after["pages"]["count"] <= made["count"]
    assert not after["pages"]["old"]
    counted = desk.house.pages.known(desk.call("paginas").place)
    assert counted is not None
    assert set() < set(counted.sections) <= {one["id"] for one in after["sections"]}
    section = next(one["id"] for one in after["sections"] if one["level"] > 0)
    token = desk.ask("section", "paginas", section=section)["token"]
    desk.ask("save", "paginas", section=section, text="A sentence.", token=token)
    assert desk.ask("outline", "paginas")["pages"]["old"]
