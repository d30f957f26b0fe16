"""The blind page: a person votes by click and by key, not knowing whose drafts they are, and takes the votes along."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fabai.training.evaluate.blind import page, words
from fabai.training.evaluate.drafting import Drafted

from fabai.report import LANGUAGES

from .conftest import Screen

Open = Callable[..., Screen]
HEADINGS = ("Resultats", "Activitats", "Despeses")


def drafted(place: int, whose: str) -> Drafted:
    text = f"Text {whose} de l'apartat {place}."
    return Drafted(f"{place}:s{place}", HEADINGS[place], text, "", (), None, 1.0, 5, "")


@pytest.fixture
def blind(tmp_path: Path) -> Path:
    pairs = [(drafted(place, "ajustat"), drafted(place, "de base")) for place in range(3)]
    file = tmp_path / "blind.html"
    file.write_text(page("memories <1>", pairs, 0), encoding="utf-8")
    return file


def test_votes_are_cast_kept_and_saved_and_only_then_is_it_told_whose_they_were(screen: Open, blind: Path) -> None:
    one = screen(blind.as_uri(), locale="ca-ES").page
    one.goto(blind.as_uri())
    assert one.locator("h1").inner_text() == words()["ca"].title
    assert one.locator("#end").is_hidden()
    chosen = {}
    for place in range(3):
        card = one.locator(".card:not([hidden])")
        # the first is voted by a click, the others by keys: always for the tuned one, then 'the same'
        sides = card.locator("section").all_inner_texts()
        side = next(number for number, text in enumerate(sides) if "ajustat" in text)
        chosen[card.get_attribute("data-section")] = ("left", "right")[side] if place < 2 else "same"
        if place == 0:
            one.click(f"[data-vote={('left', 'right')[side]}]")
        else:
            one.keyboard.press(str(side + 1) if place == 1 else "0")
    one.reload()
    assert one.locator("#end").is_visible()
    assert one.locator("#sum").inner_text() == words()["ca"].sum.format(tuned=2, base=0, same=1)
    with one.expect_download() as coming:
        one.click("#save")
    table = json.loads(Path(coming.value.path()).read_text(encoding="utf-8"))
    assert table["release"] == "memories <1>"
    assert {row["section"]: row["vote"] for row in table["votes"]} == chosen
    assert table["sum"] == {"tuned": 2, "base": 0, "same": 1}


def test_the_page_speaks_three_languages_and_a_vote_can_be_changed(screen: Open, blind: Path) -> None:
    one = screen(blind.as_uri(), locale="fr-FR").page
    one.goto(blind.as_uri())
    assert one.locator("h1").inner_text() == words()["en"].title
    for language in LANGUAGES:
        one.click(f"[data-language={language}]")
        assert one.locator("h1").inner_text() == words()[language].title
        assert one.evaluate("document.documentElement.lang") == language
    one.click("[data-vote=left]")
    one.click("#back")
    assert one.locator("[data-vote=left]").get_attribute("aria-pressed") == "true"
    one.click("[data-vote=same]")
    one.click("#back")
    assert one.locator("[data-vote=same]").get_attribute("aria-pressed") == "true"
