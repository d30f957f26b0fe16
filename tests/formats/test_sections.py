"""fabai.formats.sections"""

from __future__ import annotations

from typing import Any

from fabai.formats.document import Block
from fabai.formats.pandoc import MARKDOWN, to_json
from fabai.formats.sections import render, sections
from fabai.settings import ReadingLimits

LIMITS = ReadingLimits()


def blocks(text: str) -> list[Any]:
    found: list[Any] = to_json(text, MARKDOWN)["blocks"]
    return found


def test_one_text_for_each_block_with_its_notes() -> None:
    texts = ["Uno[^1].\n\n[^1]: Nota.", "- a\n- b", "```\ncódigo\n```", "| a   |\n|-----|\n| 1   |", "Dos."]
    assert render(blocks("\n\n".join(texts)), LIMITS) == texts


def test_no_block_gives_no_text() -> None:
    assert render([], LIMITS) == []


def test_needless_backslashes_are_left_out_and_needed_ones_stay() -> None:
    text = r"Menos de \< 5 \% y 45\$ a 60\$, \*sin énfasis\*, 2023\. fin"
    assert render(blocks(text), LIMITS) == [r"Menos de < 5 % y 45$ a 60$, \*sin énfasis\*, 2023. fin"]


def test_headings_open_sections_and_children_follow_their_blocks() -> None:
    tree = blocks("Antes.\n\n# Uno[^1]\n\nTexto.\n\n#\n\nMás.\n\n###### Seis\n\n[^1]: Nota del título.")
    found = sections(tree, LIMITS, [(n,) for n in range(len(tree))])
    assert [(one.heading, one.level, one.heading_children) for one in found] == [
        ("", 0, ()),
        ("Uno", 1, (1,)),
        ("Seis", 6, (5,)),
    ]
    assert found[1].blocks == (Block("[^1]\n\n[^1]: Nota del título.", ()), Block("Texto.", (2,)), Block("Más.", (4,)))


def test_two_lists_in_a_row_are_kept_apart() -> None:
    tree = [*blocks("- a"), *blocks("- b"), *blocks("1. c")]
    (section,) = sections(tree, LIMITS)
    assert section.text == "- a\n\n<!-- -->\n\n- b\n\n1.  c"
    assert [one["t"] for one in blocks(section.text)] == ["BulletList", "BulletList", "OrderedList"]
