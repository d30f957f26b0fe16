"""The lock's automaton, its exports and the checker, held against each other."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from benches.lock_strings import ledger, mutated
from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.report import Language

VALUES = (
    "18.500 €",
    "180 personas",
    "12 talleres",
    "92,5 %",
    "14 de marzo de 2025",
    "Ley 38/2003",
    "-500 €",
    "1 taller",
)


@pytest.fixture(scope="module")
def lock() -> Constraint:
    return Constraint([Fact("dato", value, "s") for value in VALUES], "es")


@pytest.mark.parametrize(
    "text",
    [
        "Participaron 180 personas.", "- 12 talleres\n- 180 personas\n", "**180 personas**, y 12 talleres",
        "En 2025 se hizo", "En 2025, participaron (180 personas)", "mil personas y 180 personas",
        "| Total | 18.500 euros |\n|---|---|\n", "coste de -500 €.", "un 92,5 % de ellas", "la Ley 38/2003, de",
        "mil\n\n180 personas", "Fueron mil\n- 180 personas", "180 personas\n\nmil", "12 talleres\n- mil",
        "en 2025\n\nMil", "12 talleres\nen 2025", "en 2025\n# Mil talleres", "12 talleres\npara mil",
        "[falta: fecha]", "ciento ochenta (180 personas)", "180 personas y mediaban", "**mil personas**: 180 personas",
    ],
)  # fmt: skip
def test_a_whole_value_may_stand_where_text_has_room_for_it(lock: Constraint, text: str) -> None:
    assert lock.automaton.accepts(text)
    assert not lock.slips(text)


@pytest.mark.parametrize(
    "text",
    [
        "180", "1180 personas", "180 perso", "180 personas12", "12 180 personas", "180 personas 12 talleres",
        "mil 180 personas", "EUR 180 personas", "treinta y 12 talleres", "180 personas mil", "180 personas y media",
        "180 personas por ciento", "en 2025 talleres", "en 2025 mil", "18.500 eurosmil", "- - 12 talleres", "- 500 €",
        "x180 personas", "１", "Ⅳ", "²", "180 talleres", "12 personas", "120 talleres", "1 talleres", "18 500 €",
        "38/2003", "personas\u200b", "180\u00ad personas", "sala**mil 180 personas", "#mil 180 personas",
        "en 2025 y medio", "mil** 180 personas", "__mil__ 180 personas", "*treinta* y 12 talleres",
        "180 personas ** mil", "mil\n180 personas", "mil \n 180 personas", "treinta y\n12 talleres",
        "**mil**\n180 personas", "180 personas\nmil", "180 personas\n mil", "**12 talleres**\n y media",
        "12 talleres\n180 personas", "en 2025\ntalleres", "en 2025\n mil",
    ],
)  # fmt: skip
def test_no_other_digit_and_nothing_that_alters_a_value_is_accepted(lock: Constraint, text: str) -> None:
    assert not lock.automaton.accepts(text)


@pytest.mark.parametrize(
    "text", ["May 12 workshops", "On March 180 people", "March 14, 4500 visits", "in 2025 and a half"]
)
def test_nothing_that_reads_as_another_date_is_accepted(text: str) -> None:
    values = ("12 workshops", "180 people", "14 March 2025", "4,500 visits")
    lock = Constraint([Fact("dato", value, "s") for value in values], "en")
    assert not lock.automaton.accepts(text)
    for said in (
        "In May, 12 workshops; since March 14, 4,500 visits.",
        "On 14 March and 12 workshops.",
        "On **14 March** and 12 workshops.",
    ):
        assert lock.automaton.accepts(said)
        assert not lock.slips(said)


@pytest.mark.parametrize("text", ["**mil** 180 personas", "*treinta* *y* 12 talleres", "180 personas ** mil"])
def test_marks_of_bold_do_not_part_a_number_in_words_from_a_value(lock: Constraint, text: str) -> None:
    assert [slip.fault for slip in lock.slips(text)] == ["place"]


@pytest.mark.parametrize("text", ["180 talleres", "12 personas.", "18.500 talleres", "18.500 USD"])
def test_the_checker_tells_a_wrong_noun_from_a_figure_that_is_none(lock: Constraint, text: str) -> None:
    assert [slip.fault for slip in lock.slips(text)] == ["noun"]
    assert [slip.fault for slip in lock.slips(f"9{text}")] == ["figure"]


@pytest.mark.parametrize("language", get_args(Language))
@pytest.mark.parametrize("size", [8, 60])
def test_what_the_automaton_accepts_of_spoilt_sentences_has_no_wrong_figure(language: Language, size: int) -> None:
    lock = Constraint(ledger(size, language), language)
    accepted = [text for text in mutated(lock.forms, language, 4_000, seed=11) if lock.automaton.accepts(text)]
    assert sum(map(lock.checker.figures, accepted)) > 300
    assert {text: slips for text in accepted if (slips := lock.slips(text))} == {}


@pytest.mark.parametrize("language", get_args(Language))
def test_every_form_is_accepted_and_right(language: Language) -> None:
    lock = Constraint(ledger(200, language), language)
    for form in lock.forms:
        for text in (form, f"x {form}.", f"- {form}", f"**{form}**, x", f"({form})\n"):
            assert lock.automaton.accepts(text), text
            assert not lock.slips(text), text


def test_walks_through_the_automaton_that_seek_digits_have_no_wrong_figure() -> None:
    lock = Constraint(ledger(60, "es"), "es")
    automaton, pick, figures = lock.automaton, random.Random(3), 0  # noqa: S311
    for _ in range(300):
        state, text, whole = automaton.start, bytearray(), 0
        for _ in range(90):
            open_ones = [byte for byte in range(256) if automaton.step(state, byte) is not None]
            digits = [byte for byte in open_ones if 48 <= byte <= 57]
            blanks = [32] if 32 in open_ones and pick.random() < 0.3 else []
            byte = pick.choice(digits if digits and pick.random() < 0.8 else blanks or open_ones)
            following = automaton.step(state, byte)
            assert following is not None
            state = following
            text.append(byte)
            whole = len(text) if automaton.final(state) else whole
        said = bytes(text[:whole]).decode()
        figures += lock.checker.figures(said)
        assert not lock.slips(said), said
    assert figures > 300


def test_ten_thousand_facts_make_a_lock() -> None:
    lock = Constraint(ledger(10_000, "es"), "es")
    assert lock.automaton.accepts(f"Fueron {lock.forms[-1]}.")
    assert len(lock.gbnf()) < 2_000_000
