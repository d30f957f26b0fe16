"""fabai.formats.pandoc, and the round trip of section text through it"""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from fabai.errors import UnreadableFile
from fabai.formats import ast, pandoc
from fabai.formats.pandoc import MARKDOWN
from fabai.formats.read import read
from fabai.formats.sections import render
from fabai.formats.tidy import tidy
from fabai.settings import ReadingLimits

LIMITS = ReadingLimits()


def kinds(text: str) -> list[str]:
    return [element["t"] for element in ast.walk(pandoc.to_json(text, MARKDOWN)["blocks"])]


def again(text: str) -> str:
    return pandoc.to_markdown(pandoc.to_json(text, MARKDOWN)["blocks"])


def test_the_pandoc_that_runs_is_the_bundled_one() -> None:
    assert "pypandoc" in pandoc.executable()


def test_the_first_results_of_a_long_row_are_used_while_the_last_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    used = threading.Event()

    def convert(part: list[str]) -> tuple[list[str], bool]:
        return part, "f" not in part or used.wait(30)

    found = []
    for part, in_time in pandoc.abreast(convert, list("abcdef"), [pandoc._WORTHWHILE] * 6):
        found += part
        used.set()
        assert in_time
    assert found == list("abcdef")


def test_a_failure_is_one_sentence() -> None:
    with pytest.raises(UnreadableFile) as failed:
        pandoc.to_json(r"\section{Uno", "latex")
    assert "\n" not in str(failed.value)
    assert "LaTeX" in str(failed.value)


def test_time_is_bounded() -> None:
    with pytest.raises(UnreadableFile, match=r"longer than 0\.1 s"):
        pandoc.to_json("*a **b " * 30_000, MARKDOWN, replace(LIMITS, seconds=0.1))


def test_memory_is_bounded() -> None:
    with pytest.raises(UnreadableFile, match="more than 40 MiB"):
        pandoc.to_json("palabra *otra* " * 60_000, MARKDOWN, replace(LIMITS, pandoc_heap_mib=40))


def test_the_sandbox_opens_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secreto.tex"
    secret.write_text("NO-DEBE-ENTRAR", encoding="utf-8")
    reading = pandoc.read(f"uno \\input{{{secret}}} dos", "latex")
    assert "NO-DEBE-ENTRAR" not in ast.text(reading.ast["blocks"])
    assert any("secreto.tex" in notice for notice in reading.notices)


def test_notes_with_one_mark_are_told_once() -> None:
    reading = pandoc.read("a[^1] b[^1]\n\n[^1]: uno\n\n[^1]: dos\n", MARKDOWN)
    assert [notice for notice in reading.notices if "share their mark" in notice] == list(reading.notices)


def test_a_raw_block_of_another_format_is_not_honoured() -> None:
    text = "```{=openxml}\n<w:p/>\n```\n\n`<w:br/>`{=openxml}\n\n<script>x</script>\n\n\\newpage"
    assert not {"RawBlock", "RawInline"} & set(kinds(text))


def test_case_018_one_formula_and_every_dollar_kept() -> None:
    text = (
        "Cada grupo costó **45$** por sesión y **60$** por taller.\n\nLa ayuda subió de US$5,000 a US$7,500-8,000$ por "
        "país.\n\nEl índice es $I = \\frac{a}{b}$ según la guía."
    )
    assert kinds(text).count("Math") == 1
    assert "US$5,000 a US$7,500-8,000$ por" in ast.text(pandoc.to_json(text, MARKDOWN)["blocks"])


def test_case_020_typed_numbers_are_text_again() -> None:
    words = ("2023. Año de consolidación.", "1. Se amplía el horario.", "a) Personal contratado", "- guion")
    blocks = [{"t": "Para", "c": [{"t": "Str", "c": one}]} for one in words]
    texts = render(tidy(blocks), LIMITS)
    assert texts[0] == words[0], "a year needs no backslash"
    read_again = pandoc.to_json("\n\n".join(texts), MARKDOWN)["blocks"]
    assert [(block["t"], ast.text(block)) for block in read_again] == [("Para", one) for one in words]


@pytest.mark.parametrize(
    "text",
    [
        "- a\n\n<!-- -->\n\n- b",
        "- a\n  - b\n\n  <!-- -->\n\n  - c",
        "1.  uno\n    - carteles\n    - web\n2.  dos",
        "- a\n\n```\ncódigo\n```\n\n- b",
        "Nota al pie[^1] y otra[^2].\n\n[^1]: Una.\n\n[^2]: Otra.",
        "| a | b |\n|---|--:|\n| x | 5 |\n\n: Pie",
        '![Pie de **figura**](media/a.png){width="50%"}',
        '![](media/a.png){alt="logo"}',
        "[leave no one behind]{lang=en} y H~2~O, m^2^, ~~no~~",
        "Como dice @perez2020 [p. 3] y [@lopez; @ruiz, cap. 2].",
        "> cita\n>\n> - lista",
        "\"comillas\" -- guion... y 'simples'",
        "línea\\\notra",
    ],
)
def test_what_section_text_holds_comes_back_the_same(text: str) -> None:
    once = again(text)
    assert again(once) == once
    assert pandoc.to_json(once, MARKDOWN)["blocks"] == pandoc.to_json(text, MARKDOWN)["blocks"]


WORDS = st.text(alphabet="abñ1290$.,\\`*-_:;()[]{}<>!#|~^@&'\"%=+/€·", min_size=1, max_size=9)
PARAGRAPH = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


# without shrinking: every example runs pandoc several times
@settings(max_examples=12, phases=(Phase.explicit, Phase.generate))
@given(st.lists(PARAGRAPH, min_size=25, max_size=40))
def test_any_words_survive_as_markdown(paragraphs: list[str]) -> None:
    """Whatever signs stand in a paragraph, its Markdown reads as the same paragraph."""
    blocks = tidy([{"t": "Para", "c": [{"t": "Str", "c": one}]} for one in paragraphs])
    texts = render(blocks, LIMITS)
    assert pandoc.to_json("\n\n".join(texts), MARKDOWN)["blocks"] == blocks


def test_real_texts_come_back_the_same(shared: Path) -> None:
    """Markdown of real reports, read into blocks and written, is what a second round gives too."""
    files = sorted((shared / "data" / "grants-en").glob("*.md"))[:6]
    blocks: list[str] = []
    for file in files:
        blocks += [block.markdown for section in read(file).sections for block in section.blocks]
    joined = pandoc.to_json("\n\n".join(blocks), MARKDOWN)["blocks"]
    once = render(tidy(joined), LIMITS)
    twice = render(tidy(pandoc.to_json("\n\n".join(once), MARKDOWN)["blocks"]), LIMITS)
    assert once == twice
    assert len(once) > 100
