"""What cites in a text, and what never does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.formats import ast, pandoc
from fabai.formats.citation import citations
from fabai.formats.dialect import blanked


def cited(text: str) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(text[one.start : one.end], one.keys, one.bracketed) for one in citations(text)]


def test_keys_in_brackets_and_in_a_sentence_are_told_apart() -> None:
    text = "Según @pérez2020 [p. 3] y otros [véase @smith:2019, cap. 2; -@doe]. Fin @a."
    assert cited(text) == [
        ("@pérez2020", ("pérez2020",), False),
        ("[véase @smith:2019, cap. 2; -@doe]", ("smith:2019", "doe"), True),
        ("@a", ("a",), False),
    ]


@pytest.mark.parametrize(
    "text",
    ["ana@example.org", "[ana@example.org]", "`[@key]`", "```\n[@key]\n```", r"\[\@key\]", r"\@key", "3 @ 4", "[@]"],
)
def test_addresses_code_and_escaped_signs_cite_nothing(text: str) -> None:
    assert cited(text) == []


def test_brackets_of_a_link_or_of_other_words_are_no_citation() -> None:
    assert cited("[@ajuntament](https://example.org)") == [("@ajuntament", ("ajuntament",), False)]
    assert cited("[ver abajo; @b]") == [("@b", ("b",), False)]


def test_a_key_in_braces_may_hold_any_sign_but_a_space() -> None:
    assert cited("[@{10.1234/a'b}]") == [("[@{10.1234/a'b}]", ("10.1234/a'b",), True)]


@given(st.text("ab @[]{};`\n.-\\", max_size=40))
def test_code_leaves_every_place_where_it_was(text: str) -> None:
    assert len(blanked(text)) == len(text)
    assert all(blank in (one, " ") for blank, one in zip(blanked(text), text, strict=True))


@pytest.mark.parametrize(
    "text", ["[@a]", "x [-@a, p. 3; see @b, pp. 4-5 and more].", "@a [p. 3] says.", "[@a:b.c].", "(@a)"]
)
def test_the_same_keys_are_read_as_pandoc_reads(text: str) -> None:
    tree = pandoc.to_json(text, pandoc.MARKDOWN)
    found = [part["citationId"] for one in ast.walk(tree["blocks"]) if one["t"] == "Cite" for part in one["c"][0]]
    assert [key for one in citations(text) for key in one.keys] == found
