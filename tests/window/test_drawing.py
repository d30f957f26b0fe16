"""The drawing: every section in its place, in the report's language, asking nothing of the network."""

from __future__ import annotations

import re
from dataclasses import fields
from html import escape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.report import LANGUAGES, Language, Report, Section
from fabai.window.drawing import STATES, drawing_words, fragment, html
from fabai.window.piece import Piece, State, Window

VOID = {"meta", "br", "img", "input", "link", "hr"}


class Checker(HTMLParser):
    """Holds that tags close in order, and collects what is shown and asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.texts.append(data)


def parsed(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    return checker


def report(count: int = 6, language: Language = "es") -> Report:
    sections = tuple(Section(f"s{n}", f"Sección {n}", 1 + n % 2, f"Texto {n}.") for n in range(count))
    return Report("Memoria <2024> & más", language, sections)


def window(count: int = 6, here: int = 3, states: tuple[State, ...] = STATES) -> Window:
    shares = {"full": 1.0, "cut": 0.4, "summary": 0.1, "heading": 0.0, "dropped": 0.0}
    sections = []
    for number in range(count):
        if number != here:
            state = states[number % len(states)]
            tokens = int(1_500 * shares[state])
            sections.append(
                Piece("section", "x" if tokens else "", tokens, 1_500, state, "3 sections before", f"s{number}")
            )
    pieces = (
        Piece("rules", "Reglas.", 200, 200, "full", "always shown"),
        *sections,
        Piece("retrieved", "Un pasaje.", 90, 120, "cut", "found for this section", None, "bases <1>.pdf — Plazos"),
        Piece("instruction", "Escribe.", 20, 20, "full", "always shown"),
    )
    tokens = sum(piece.tokens for piece in pieces) + 15
    return Window(f"s{here}", "fill", 20_000, 2_000, tokens, pieces)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_holds_every_section_state_and_total(language: Language) -> None:
    words = drawing_words(language)
    page = html(window(12), report(12, language), language)
    checker = parsed(page)
    text = " ".join(checker.texts)
    assert all(f"Sección {number}" in text for number in range(12))
    assert all(words.states[state] in text for state in STATES)
    assert words.here in text
    assert ("20,000" if language == "en" else "20.000") in text
    assert dict(checker.tags[0][1]) == {"lang": language}
    assert "bases <1>.pdf — Plazos" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_of_a_table_carries_its_unit_for_pages_too_narrow_for_columns(language: Language) -> None:
    page = html(window(12), report(12, language), language)
    unit = drawing_words(language).unit
    assert page.count('<td class="n"') == page.count(f'<td class="n" data-unit="{escape(unit)}"') > 3
    assert page.count(f'<th class=n scope="col">{escape(unit)}</th>') == 2


def test_the_page_asks_nothing_of_the_network_and_runs_nothing() -> None:
    checker = parsed(html(window(), report(), "es"))
    assert not {"script", "img", "link", "iframe", "object"} & {tag for tag, _ in checker.tags}
    assert all(
        value is None or not value.startswith(("http", "//")) for _, names in checker.tags for value in names.values()
    )
    assert not re.search(r"url\(|@import|http", html(window(), report(), "es"))


def test_every_column_tells_its_reason_to_mouse_keyboard_and_reader() -> None:
    columns = [names for tag, names in parsed(html(window(), report(), "es")).tags if tag == "a"]
    assert len(columns) == 5
    for names in columns:
        assert names["title"] == names["aria-label"]
        assert (names["href"] or "").startswith("#s")
        assert "Sección" in (names["title"] or "")
        assert "trozos de palabra" in (names["title"] or "")


def test_widths_are_by_tokens_and_a_cut_shows_its_share() -> None:
    page = html(window(), report(), "es")
    assert page.count("flex-grow:1500") == 5
    assert 'class="col cut end"' in page
    assert "width:40.0%" in page


def test_the_distance_and_the_kept_end_are_told_on_both_sides() -> None:
    rows = parsed(html(window(states=("cut",)), report(), "es")).texts
    text = " ".join(rows)
    assert "la sección anterior; se muestra su final" in text
    assert "la sección siguiente; se muestra su comienzo" in text
    assert "3 secciones antes; se muestra su final" in text


def test_a_pinned_and_an_excluded_section_say_so() -> None:
    plain = window()
    sections = {piece.section: piece for piece in plain.pieces if piece.kind == "section"}
    pieces = (
        Piece("section", "", 0, 1_500, "heading", "pinned by the writer: shown at the end", "s0"),
        Piece("section", "", 0, 1_500, "dropped", "excluded by the writer", "s1"),
        *(piece for key, piece in sections.items() if key not in ("s0", "s1")),
        Piece("pinned", "Texto 0.", 1_500, 1_500, "full", "pinned by the writer", "s0", "Sección 0"),
    )
    page = html(Window("s3", "fill", 20_000, 2_000, 9_000, pieces), report(), "ca")
    text = " ".join(parsed(page).texts)
    assert "fixada per qui escriu; es repeteix al final" in text
    assert "exclosa per qui escriu" in text
    assert 'class="col full start again"' in page


@pytest.mark.parametrize("count", [1, 2, 2_000])
def test_one_and_two_thousand_sections_are_drawn(count: int) -> None:
    page = html(window(count, here=0), report(count), "es")
    checker = parsed(page)
    assert sum(tag == "a" for tag, _ in checker.tags) == count - 1
    assert len(page) < 2_000_000


def test_a_section_without_text_is_listed_and_takes_no_column() -> None:
    found = report()
    page = html(Window("s0", "fill", 4_000, 500, 900, (Piece("rules", "R.", 9, 9, "full", ""),)), found, "en")
    assert "There are no other sections with text." in page
    checker = parsed(html(window(4), found, "en"))
    assert " ".join(checker.texts).count("no text yet") == 2


def test_the_fragment_stands_alone_inside_another_page() -> None:
    part = fragment(window(), report(), "es")
    assert part.startswith("<style>")
    assert "<html" not in part
    selectors = re.findall(r"(?m)^([^@{}\n]+)\{", part.split("</style>")[0])
    assert all(one.strip().startswith(".fabai-window") for line in selectors for one in line.split(",") if "." in one)


@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from(LANGUAGES))
def test_no_text_can_break_out_of_the_page(heading: str, source: str, language: Language) -> None:
    sections = (Section("a", heading, 1, "x"), Section("b", f"<script>{heading}", 1, ""))
    pieces = (
        Piece("section", "x", 5, 9, "cut", heading, "a"),
        Piece("retrieved", "x", 5, 5, "full", "found", None, f"</td><script>{source}"),
    )
    page = html(
        Window("b", "fill", 256, 16, 10, pieces, (f"<b>{source}",)), Report(heading, language, sections), language
    )
    assert not any(tag in ("script", "b") and not names for tag, names in parsed(page).tags if tag == "script")
    assert page == html(
        Window("b", "fill", 256, 16, 10, pieces, (f"<b>{source}",)), Report(heading, language, sections), language
    )


def test_the_three_languages_have_the_same_words() -> None:
    all_words = [drawing_words(language) for language in LANGUAGES]
    for field in fields(all_words[0]):
        values = [getattr(words, field.name) for words in all_words]
        if isinstance(values[0], dict):
            assert all(value.keys() == values[0].keys() for value in values)
        else:
            assert all(set(re.findall(r"\{\w+\}", value)) == set(re.findall(r"\{\w+\}", values[0])) for value in values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_the_code_is_shown(language: Language) -> None:
    page = re.sub(r"<style>.*?</style>", "", html(window(), report(), language), flags=re.DOTALL)
    assert not re.search(r"token|prompt", re.sub(r"<[^>]*>", " ", page))
    assert not re.search(r'(?:title|aria-label)="[^"]*token', page)
