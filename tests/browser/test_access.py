"""For everybody: three languages, light and dark, two sizes of screen, keyboard alone, nothing serious for axe."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from tests.app.serving import Served

from .conftest import ROOT, Screen

Open = Callable[..., Screen]
SCREENS = ("documents", "data", "writing", "review", "annexes", "submission")
PARTS = {"documents": ("files", "partners"), "data": ("commitments", "expenses", "lists", "terms", "facts")}
TABS = ("findings", "facts", "questions", "paragraphs", "versions", "sources", "notes", "window")
WORDS = {one: tomllib.loads((ROOT / "app" / "words" / f"{one}.toml").read_text("utf-8")) for one in ("es", "ca", "en")}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_no_screen_has_a_serious_barrier(
    shared_server: Served, screen: Open, theme: str, width: int, height: int
) -> None:
    one = screen(shared_server.url, width, height, color_scheme=theme).open()
    found = {"grants": one.violations()}
    one.page.click("#fb-new")
    one.page.wait_for_selector("dialog[open]")
    found["new"] = one.violations()
    one.page.keyboard.press("Escape")
    one.new(title=f"Acceso {theme} {width}")
    one.page.click("#fb-draft")
    one.page.wait_for_function("Fabai.milk.get().includes('Refuerzo')")
    for tab in TABS:
        one.tab(tab)
        one.page.wait_for_timeout(200)
        found[tab] = one.violations()
    for place in SCREENS:
        for part in PARTS.get(place, ("",)):
            one.go(place, part).page.wait_for_timeout(300)
            found[f"{place} {part}"] = one.violations()
            assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
    assert {key: value for key, value in found.items() if value} == {}


@pytest.mark.parametrize("language", ["es", "ca", "en"])
def test_every_word_is_in_the_language_of_the_screen(shared_server: Served, screen: Open, language: str) -> None:
    one = screen(shared_server.url, locale={"es": "es-ES", "ca": "ca-ES", "en": "en-GB"}[language]).open()
    assert one.page.evaluate("document.documentElement.lang") == language
    one.new(title=f"Idioma {language}")
    for place in SCREENS:
        for part in PARTS.get(place, ("",)):
            one.go(place, part).page.wait_for_timeout(300)
            shown = one.page.locator("body").inner_text()
            heading = WORDS[language]["review_screen" if place == "review" else place]
            assert heading in shown
            # a word that is missing shows as its key
            keys = [key for key in WORDS[language] if "_" in key and key in shown.split()]
            assert keys == []


def test_the_language_changes_without_losing_the_place(shared_server: Served, screen: Open) -> None:
    one = screen(shared_server.url).open().new(title="Cambio de idioma").type("Se queda.")
    one.page.select_option("#fb-language", "ca")
    one.page.wait_for_function("document.querySelector('#fb-tab-findings').textContent === 'Per corregir'")
    one.page.wait_for_function("Fabai.milk?.get().includes('Se queda.')")
    one.page.reload()
    one.page.wait_for_selector("text=Els meus expedients")


def test_the_words_are_the_same_in_three_files() -> None:
    assert set(WORDS["es"]) == set(WORDS["ca"]) == set(WORDS["en"])
    for key, text in WORDS["es"].items():
        names = sorted(_names(text))
        for language in ("ca", "en"):
            assert sorted(_names(WORDS[language][key])) == names, f"{language}: {key}"


def test_a_grant_is_written_with_the_keyboard_alone(shared_server: Served, screen: Open) -> None:
    one = screen(shared_server.url).open()
    keyboard = one.page.keyboard
    _tab_to(one, "fb-new")
    keyboard.press("Enter")
    one.page.wait_for_selector("dialog[open]")
    _tab_to(one, "fb-new-title")
    keyboard.type("Con teclado")
    _tab_to(one, "fb-new-form")
    keyboard.type("Cuenta")
    for _ in range(12):
        keyboard.press("Tab")
        if one.page.evaluate("document.activeElement.classList.contains('fb-primary')"):
            break
    keyboard.press("Enter")
    one.page.wait_for_selector(".fb-text .fb-doc")
    _tab_to(one, "fb-draft")
    keyboard.press("Enter")
    one.page.wait_for_function("Fabai.milk.get().includes('Refuerzo')")
    before = one.page.evaluate("Fabai.state.section")
    keyboard.press("Alt+PageDown")
    one.page.wait_for_function(f"Fabai.state.section !== {before!r}")
    one.page.wait_for_function("Fabai.milk.get() === ''")
    keyboard.press("Control+Enter")
    one.page.wait_for_function("Fabai.milk.get().includes('Refuerzo')")
    _tab_to(one, "fb-tab-findings")
    keyboard.press("ArrowRight")
    one.page.wait_for_selector("#fb-tab-facts[aria-selected=true]")


def _tab_to(one: Screen, wanted: str) -> None:
    for _ in range(80):
        if one.page.evaluate("document.activeElement.id") == wanted:
            return
        one.page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {wanted}")


def _names(text: Any) -> list[str]:
    import re

    return re.findall(r"\{(\w+)\}", str(text))
