"""fabai.formats.dialect"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.formats.dialect import EMPTY_SPAN, LIST_BREAK, is_formula, settle, xml_safe

TRICKY = st.text(alphabet="ab 1290$.,\\`*-_:()[]{}<>!#|~^\n\tñç·€", max_size=120)


@pytest.mark.parametrize(
    "text",
    [
        "Cada grupo costó **45$** por sesión y **60$** por taller.",
        "de 20.000$/año a 35.000$/año",
        "de US$5,000 a US$7,500-8,000$ por país",
        "entre $45 por sesión y $60 por taller o 70$ más",
        "unos $5 y 7$ al día",
    ],
)
def test_amounts_in_dollars_are_escaped(text: str) -> None:
    assert settle(text) == text.replace("$", "\\$")


@pytest.mark.parametrize(
    "text",
    [
        r"El índice es $I = \frac{a}{b}$ según la guía.",
        "donde $n$ es el número y $x_1 + x_2 = 3$ la suma",
        r"$$\sum_{i=1}^{n} x_i$$",
        r"$\text{coste total por persona}$",
        "$2 + 2 = 4$ y $5$",
    ],
)
def test_formulas_are_left_as_they_are(text: str) -> None:
    assert settle(text) == text


def test_code_is_never_touched() -> None:
    text = "Con `$a y $b` y\n\n```sh\necho $HOME 45$\n2023. x\n```\n\ny 45\\$ fin"
    assert settle(text) == text


def test_a_year_at_the_start_of_a_line_is_no_list_number() -> None:
    assert settle("2023. Año de consolidación.\n\n1. Uno") == "2023\\. Año de consolidación.\n\n1. Uno"


def test_a_list_right_under_its_introduction_gets_its_blank_line() -> None:
    assert settle("Las fases:\n- una\n- dos") == "Las fases:\n\n- una\n- dos"
    assert settle("hasta finales de\n- más o menos -") == "hasta finales de\n- más o menos -"


def test_the_line_between_two_lists_becomes_what_pandoc_can_read() -> None:
    assert LIST_BREAK not in settle(f"- a\n\n{LIST_BREAK}\n\n- b")


@given(TRICKY)
def test_settling_twice_changes_nothing_more(text: str) -> None:
    once = settle(text)
    assert settle(once) == once


@given(TRICKY)
def test_settling_only_adds_backslashes_and_line_ends(text: str) -> None:
    def bare(value: str) -> str:
        return value.replace("\\", "").replace("\n", "").replace(EMPTY_SPAN, LIST_BREAK)

    assert bare(settle(text)) == bare(text)


@given(st.text())
def test_what_xml_forbids_is_gone(text: str) -> None:
    from lxml import etree

    element = etree.Element("t")
    element.text = xml_safe(text)


def test_case_021_control_characters_leave_the_words_whole() -> None:
    assert (
        xml_safe("Línea con\x0b salto vertical\x08 y marca\uffff final.") == "Línea con salto vertical y marca final."
    )


def test_a_letter_or_figure_beside_the_signs_tells_an_amount() -> None:
    assert not is_formula("S", "5,000 a US", " ")
    assert not is_formula(" ", "x", "2")
    assert is_formula(" ", "x", ",")
