"""fabai.formats.tidy"""

from __future__ import annotations

from typing import Any

from fabai.formats import ast
from fabai.formats.tidy import SPACE, tidy

Inline = dict[str, Any]


def word(text: str) -> Inline:
    return {"t": "Str", "c": text}


def para(*inlines: Inline) -> dict[str, Any]:
    return {"t": "Para", "c": list(inlines)}


def span(inner: list[Inline], identifier: str = "", classes: tuple[str, ...] = (), **pairs: str) -> Inline:
    return {"t": "Span", "c": [[identifier, list(classes), [[key, value] for key, value in pairs.items()]], inner]}


def test_emphasis_gives_its_blanks_away_and_joins_its_neighbour() -> None:
    strong = [{"t": "Strong", "c": [SPACE, word("a"), SPACE]}, {"t": "Strong", "c": [word("b")]}, word("c")]
    assert tidy([para(word("x"), *strong)]) == [
        para(word("x"), SPACE, {"t": "Strong", "c": [word("a")]}, SPACE, {"t": "Strong", "c": [word("b")]}, word("c"))
    ]
    assert tidy([para({"t": "Emph", "c": [word("a")]}, {"t": "Emph", "c": [word("b")]})]) == [
        para({"t": "Emph", "c": [word("ab")]})
    ]


def test_spans_stay_for_a_language_and_for_anchors_that_are_linked() -> None:
    link = {"t": "Link", "c": [["", [], []], [word("aquí")], ["#meta", ""]]}
    kept = [span([word("text")], lang="en"), span([], "meta"), link]
    dropped = span([word("fin")], "otra", ("anchor",), style="x")
    assert tidy([para(*kept, dropped)]) == [para(*kept, word("fin"))]


def test_empty_paragraphs_go_and_typed_rules_become_rules() -> None:
    assert tidy([para(), para(SPACE), para(word("---")), para(word("a"), {"t": "LineBreak"})]) == [
        {"t": "HorizontalRule"},
        para(word("a")),
    ]


def test_divisions_open_and_raw_parts_go() -> None:
    inner = [para(word("a")), {"t": "RawBlock", "c": ["html", "<!-- x -->"]}]
    assert tidy([{"t": "Div", "c": [["", ["x"], []], inner]}]) == [para(word("a"))]


def test_a_figure_of_several_pictures_becomes_its_parts() -> None:
    pictures = [{"t": "Image", "c": [["", [], []], [], [name, ""]]} for name in ("a", "b")]
    caption = [None, [{"t": "Plain", "c": [word("Pie")]}]]
    figure = {"t": "Figure", "c": [["", [], []], caption, [{"t": "Plain", "c": pictures}]]}
    assert tidy([figure]) == [para(*pictures), para(word("Pie"))]


def test_words_are_never_lost() -> None:
    blocks = [para(word("a  b\tc"), {"t": "SmallCaps", "c": [word("d")]}, span([word("e")], "x", ("y",)))]
    assert ast.text(tidy(blocks)) == "a b cde"


def test_a_picture_alone_in_a_cell_keeps_its_words_as_such_and_gets_no_caption() -> None:
    picture = {"t": "Image", "c": [["", [], []], [word("logo.png")], ["media/a.png", ""]]}
    (cell,) = tidy([{"t": "Plain", "c": [picture]}])
    assert cell["c"] == [{"t": "Image", "c": [["", [], [["alt", "logo.png"]]], [], ["media/a.png", ""]]}]
