"""Cutting: never over the room, never inside what would break, the gap marked, nothing changed."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.message import Message
from fabai.report import LANGUAGES
from fabai.window.blocks import blocks, spans
from fabai.window.counting import CachedCounter
from fabai.window.cut import GAP, Keep, cut

CASES = Path(__file__).parents[1] / "data" / "cases"


class Words:
    """Counts words and marks; spaces are free."""

    name = "words"

    def count(self, text: str) -> int:
        return len(re.findall(r"\w+|[^\w\s]", text))

    def count_messages(self, messages: Sequence[Message]) -> int:
        return sum(self.count(message.content) for message in messages)


COUNTER = Words()
TABLE = "| Partida | Importe |\n|---|---:|\n" + "".join(f"| gasto {n} | {n}.000 € |\n" for n in range(1, 9))
PIECES = (
    "Una frase corta. Otra frase, del art. 3, algo más larga. Y la última.",
    "Con cita [@ruiz2020, p. 3. Sic] y nota.[^1] Además [un enlace. Con punto](https://ejemplo.org/a. b) y fin.",
    "[^1]: Texto de la nota. Con dos frases.",
    "- Primer punto. Con dos frases.\n- Segundo punto\n    - anidado\n\n    y su párrafo\n- Tercero",
    TABLE.rstrip(),
    "+-----+-----+\n| a   | b   |\n+=====+=====+\n| uno | dos |\n+-----+-----+\n| y   | z   |\n+-----+-----+",
    "```python\nx = 1\n\ny = 'Uno. Dos.'\n```",
    "$$\nE = mc^2. F = ma\n$$",
    "## Título",
    "palabra " * 260,
    "á" * 400,
    "![Una foto. Grande](media/a.png)",
    "Término\n:   Definición. Con dos frases.",
    "> Una cita. En dos frases.",
    "Emoji 👩‍👩‍👧‍👦 y e\u0301 y 🇪🇸. Fin 👍🏽.",
)
MARKDOWN = st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("\n\n".join)
KEEP: st.SearchStrategy[Keep] = st.sampled_from(["start", "end"])


@given(MARKDOWN | st.text(max_size=300), st.integers(0, 120), KEEP, st.sampled_from(LANGUAGES))
def test_a_cut_is_never_over_the_room(text: str, room: int, keep: Keep, language: str) -> None:
    found = cut(text, room, COUNTER, keep, language)  # type: ignore[arg-type]
    assert COUNTER.count(found.text) <= found.tokens <= room or (found.text, found.tokens) == ("", 0)


@given(MARKDOWN, st.integers(0, 120), KEEP)
def test_what_fits_is_whole_and_what_does_not_has_a_gap(text: str, room: int, keep: Keep) -> None:
    found = cut(text, room, COUNTER, keep)
    if COUNTER.count(text) <= room:
        assert (found.text, found.gap) == (text, False)
    else:
        assert found.gap
        assert not found.text or GAP in found.text


@given(MARKDOWN, st.integers(0, 120), KEEP)
def test_the_kept_pieces_are_stretches_of_the_text(text: str, room: int, keep: Keep) -> None:
    found = cut(text, room, COUNTER, keep)
    pieces = [piece.strip() for piece in found.text.split(GAP)]
    # a table that is cut repeats its header, so there each line counts for itself
    lines = {line.strip("| ") for line in text.splitlines()}
    assert all(piece in text or all(line.strip("| ") in lines for line in piece.splitlines()) for piece in pieces)


@given(MARKDOWN, st.integers(0, 120), st.integers(0, 60), KEEP)
def test_more_room_never_keeps_less(text: str, room: int, more: int, keep: Keep) -> None:
    assert cut(text, room, COUNTER, keep).tokens <= cut(text, room + more, COUNTER, keep).tokens


@given(MARKDOWN, st.integers(1, 120), KEEP)
def test_the_same_call_gives_the_same_bytes_with_and_without_a_cache(text: str, room: int, keep: Keep) -> None:
    counter = CachedCounter(COUNTER)
    assert cut(text, room, counter, keep) == cut(text, room, counter, keep) == cut(text, room, COUNTER, keep)


@given(MARKDOWN, st.integers(1, 200), KEEP)
def test_no_protected_span_is_cut_in_two(text: str, room: int, keep: Keep) -> None:
    found = cut(text, room, COUNTER, keep)
    if not found.gap or not found.text:
        return
    kept = found.text.replace(GAP, "")
    for mark, closing in (("```", "```"), ("$$", "$$"), ("[@", "]"), ("](", ")"), ("[^", "]")):
        assert kept.count(mark) == 0 or closing in kept[kept.rindex(mark) + len(mark) :] or kept.count(mark) % 2 == 0
    rows = [line for line in kept.splitlines() if line.startswith("| ") and "gasto" in line]
    assert all(re.fullmatch(r"\| gasto \d \| \d\.000 € \|", row) for row in rows)
    assert kept.count("Primer punto.") == kept.count("Primer punto. Con dos frases.")
    assert kept.count("Texto de la nota.") == kept.count("[^1]: Texto de la nota. Con dos frases.")


@given(st.text(alphabet="a👩\u200d👧e\u0301🇪🇸👍🏽 \u0323", min_size=200, max_size=900), st.integers(5, 60), KEEP)
def test_no_grapheme_is_cut_in_two(text: str, room: int, keep: Keep) -> None:
    class Length(Words):
        def count(self, text: str) -> int:
            return len(text)

    found = cut(text, 3 * room + 20, Length(), keep)
    kept = found.text.replace(GAP, "")
    if found.gap and kept and keep == "end":
        first = kept.lstrip()[:1]
        assert not unicodedata.combining(first)
        assert first not in "\u200d🏽"
    if found.gap and kept and keep == "start":
        following = text[len(kept.rstrip()) :].lstrip(" ")[:1]
        assert text[len(kept.rstrip()) : len(kept.rstrip()) + 1] == " " or following not in "\u200d🏽\u0301\u0323"


def test_a_table_larger_than_the_room_keeps_its_header_and_whole_rows() -> None:
    end = cut(TABLE, 60, COUNTER, "end")
    assert end.text.startswith("| Partida | Importe |\n|---|---:|\n| […] |\n| gasto ")
    assert end.text.rstrip().endswith("| gasto 8 | 8.000 € |")
    start = cut(TABLE, 60, COUNTER, "start")
    assert start.text.startswith("| Partida | Importe |\n|---|---:|\n| gasto 1 | 1.000 € |")
    assert start.text.endswith(" €  |\n\n[…]".replace("  ", " "))


def test_a_table_header_alone_is_not_kept() -> None:
    assert cut(f"Antes del cuadro.\n\n{TABLE}", 24, COUNTER, "start").text == "Antes del cuadro.\n\n[…]"


def test_a_heading_is_not_kept_at_the_end_without_its_text() -> None:
    text = "Primero va esto.\n\n## Título\n\nLuego viene una frase bastante más larga que la de antes."
    assert cut(text, 10, COUNTER, "start").text == "Primero va esto.\n\n[…]"


def test_a_paragraph_goes_whole_before_a_sentence_of_the_next() -> None:
    text = "Uno dos tres. Cuatro cinco.\n\nSeis siete. Ocho nueve diez."
    assert cut(text, 13, COUNTER, "end").text == "[…] Cuatro cinco.\n\nSeis siete. Ocho nueve diez."
    assert cut(text, 10, COUNTER, "end").text == "[…]\n\nSeis siete. Ocho nueve diez."
    assert cut(text, 7, COUNTER, "end").text == "[…] Ocho nueve diez."


def test_a_sentence_is_cut_between_words_only_when_it_is_very_long() -> None:
    short = "palabra " * 60
    assert cut(short, 30, COUNTER).text == ""
    long = "palabra " * 20_000
    found = cut(long, 100, COUNTER)
    assert set(found.text.replace(GAP, "").split()) == {"palabra"}
    assert 95 <= found.tokens <= 100


def test_a_word_without_end_is_cut_between_whole_characters() -> None:
    class Length(Words):
        def count(self, text: str) -> int:
            return len(text)

    found = cut("e\u0301" * 5_000, 300, Length())
    assert 200 < found.tokens <= 300
    assert not unicodedata.combining(found.text.replace(GAP, "").strip()[0])


def test_nothing_is_kept_of_code_that_does_not_fit() -> None:
    text = "Antes.\n\n```\n" + "x = 1\n" * 100 + "```"
    assert cut(text, 40, COUNTER, "end").text == ""
    assert cut(text, 40, COUNTER, "start").text == "Antes.\n\n[…]"


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n\n", "[", "$$", "```", "| |\n|-|", "-", "[^1]:", "+---+", "a\x00b", "\ud800"]
)
@pytest.mark.parametrize("room", [-5, 0, 1, 1_000])
def test_odd_texts_do_not_break_it(text: str, room: int) -> None:
    found = cut(text, room, COUNTER)
    assert found.tokens <= max(room, 0)


def test_every_cut_of_a_long_spanish_section_ends_at_a_sentence() -> None:
    folder = CASES / "040-spanish-abbreviations"
    sentences = json.loads((folder / "sentences.json").read_text(encoding="utf-8"))
    text = (folder / "largo.md").read_text(encoding="utf-8").split("# Antecedentes")[1].split("\n# ")[0].strip()
    counter = CachedCounter(COUNTER)
    for room in range(40, 900, 37):
        assert cut(text, room, counter, "start").text.replace(GAP, "").strip().endswith(tuple(sentences))
        assert cut(text, room, counter, "end").text.replace(GAP, "").strip().startswith(tuple(sentences))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Uno.\nDos.\n\n- a\n- b\n\nTres.", ["paragraph", "list", "paragraph"]),
        ("```\na\n\nb\n```\n\nc", ["code", "paragraph"]),
        ("~~~~\n```\n~~~~", ["code"]),
        ("```\nsin cierre\n\nmás", ["code"]),
        ("$$a$$ y más texto.", ["paragraph"]),
        ("$$\na\n$$ {#eq:1}", ["equation"]),
        ("Título\n======\n\ntexto", ["heading", "paragraph"]),
        ("1. a\n\n   b\n\n2. c", ["list"]),
        ("D. Antonio firmó.", ["paragraph"]),
        ("2024. Fue un año.", ["list"]),
        ("[^1]: nota\n\n    sigue\n\ntexto", ["footnote", "paragraph"]),
        ("| a |\n|---|\n| b |", ["table"]),
        ("| verso uno\n| verso dos", ["lines"]),
    ],
)
def test_blocks_are_told_apart(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in blocks(text)] == kinds


@given(MARKDOWN | st.text(max_size=400))
def test_blocks_are_apart_in_order_and_hold_all_but_white_space(text: str) -> None:
    last = 0
    for block in blocks(text):
        assert last <= block.start < block.end <= len(text)
        assert not text[last : block.start].strip()
        assert all(block.start <= part < block.end for part in block.parts)
        last = block.end
    assert not text[last:].strip()


@given(MARKDOWN | st.text(alphabet="[]()!$`*_@^{}\\ a.<>\n", max_size=300))
def test_spans_are_apart_and_in_order(text: str) -> None:
    last = 0
    for start, end in spans(text):
        assert last <= start < end <= len(text)
        last = end
