"""Sections that are written with verified figures only."""

from __future__ import annotations

import pytest

from fabai.errors import BadSetting, UnknownName

from .conftest import Desk
from .test_operations import put, section


def test_the_choice_is_kept_for_a_section_and_goes_to_the_model(desk: Desk) -> None:
    desk.writer.locks = True
    desk.ask("set-fact", name="talleres", value="12 talleres", source="Registro")
    one, other = section(desk, 1), section(desk, 2)
    assert desk.ask("figures-only", section=one, on=True) == {"on": True, "figures": 1, "able": None}
    desk.writer.text = "Se celebraron 12 talleres."
    for place in (one, other):
        desk.ask("draft", section=place)
        desk.finished()
    held, free = desk.writer.constraints
    assert held is not None
    assert held.forms
    assert free is None
    assert desk.ask("section", section=one)["figures_only"] == {"on": True, "figures": 1, "able": True}
    assert desk.ask("versions", section=one)["versions"][0]["lock"]
    assert not desk.ask("versions", section=other)["versions"][0]["lock"]
    assert not desk.ask("figures-only", section=one, on=False)["on"]


def test_a_rewriting_is_held_to_the_figures_too_and_says_what_slipped_in(desk: Desk) -> None:
    desk.writer.locks = True
    one = put(desk, "Se celebraron talleres.", 1)
    desk.ask("figures-only", section=one, on=True)
    desk.writer.text = "Se celebraron 40 talleres."
    desk.ask("rewrite", section=one, wish="expand", text="Se celebraron talleres.")
    job = desk.finished(kind="expand")
    assert desk.writer.constraints[-1] is not None
    assert job["note"] == {"key": "unverified", "what": "40"}
    assert desk.ask("versions", section=one)["versions"][0]["partial"]


def test_a_model_that_cannot_keep_to_figures_says_so_and_nothing_is_lost(desk: Desk) -> None:
    one = section(desk, 1)
    desk.ask("figures-only", section=one, on=True)
    desk.ask("draft", section=one)
    job = desk.finished()
    assert (job["state"], job["fault"]) == ("failed", "WriterError")
    assert desk.ask("section", section=one)["figures_only"]["able"] is False
    with pytest.raises(BadSetting, match="cannot keep to verified figures"):
        desk.ask("figures-only", section=section(desk, 2), on=True)
    with pytest.raises(UnknownName):
        desk.ask("figures-only", section="no-such", on=False)
