from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.answer import Target, land, mend, see
from fabai.report import fold

TARGET = Target(
    "Objetivos", 2, "es", following="Plan de trabajo", others=frozenset(map(fold, ("Plan de trabajo", "Presupuesto")))
)


def final(raw: str, target: Target = TARGET) -> str:
    return see(raw, target, final=True).text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<think>\n\n</think>\n\nLa sala abrió en octubre.", "La sala abrió en octubre."),
        ("El usuario pide un resumen.\n</think>\n\nLa sala abrió.", "La sala abrió."),
        ("<think>\nPrimero miro los datos y", ""),
        ("<think>a</think><think>b</think>Texto.", "Texto."),
        (
            "El efecto fue claro (p<0,05) y se usó <la plantilla>.",
            "El efecto fue claro (p<0,05) y se usó <la plantilla>.",
        ),
        ("Texto.\n\n<think>\nY ahora", "Texto."),
        ("Todo el texto.\n</think>", "Todo el texto."),
        ("<thinking aloud> es un título.", "<thinking aloud> es un título."),
    ],
)
def test_reasoning_stays_out_and_what_only_looks_like_it_stays_in(raw: str, text: str) -> None:
    assert final(raw) == text


def test_reasoning_that_never_ends_is_told_from_an_empty_answer() -> None:
    assert see("<think>\nHm", TARGET, final=True).ended == "thinking"
    assert see("", TARGET, final=True).ended == ""


def test_nothing_of_a_tag_is_shown_while_it_comes() -> None:
    raw = "<think>\nHm\n</think>\n\nLa sala abrió."
    shown = [see(raw[:end], TARGET).text for end in range(len(raw) + 1)]
    assert all(not text or "La sala abrió.".startswith(text) for text in shown)


def test_half_a_closing_tag_is_not_shown_either() -> None:
    raw = "El usuario pide un resumen.\n</think>\n\nLa sala abrió."
    assert not any("<" in see(raw[:end], TARGET).text for end in range(len(raw) + 1))


@pytest.mark.parametrize(
    "raw",
    [
        "## Objetivos\n\nUno.",
        "# 2.1 Objetivos\n\nUno.",
        "**Objetivos**\n\nUno.",
        "Objetivos:\nUno.",
        "Objetivos\n---------\n\nUno.",
        "#### Objetivos\n\n## 3. Objetivos\n\nUno.",
        "## Los objetivos del proyecto\n\nUno.",
    ],
)
def test_the_heading_that_the_model_puts_in_front_goes(raw: str) -> None:
    assert final(raw) == "Uno."


@pytest.mark.parametrize(
    "more",
    [
        "\n\n## Otra cosa\n\nDos.",
        "\n\n# Capítulo\n",
        "\n\n### Presupuesto\n\nDos.",
        "\n\n**Plan de trabajo**\n\nDos.",
        "\n\nPlan de trabajo\n\nDos.",
        "\n\nOtro capítulo\n=======\n\nDos.",
    ],
)
def test_a_model_that_runs_on_into_another_section_is_cut_there(more: str) -> None:
    seen = see(f"Uno.{more}\n", TARGET)
    assert seen.text == "Uno."
    assert seen.ended == "heading"


@pytest.mark.parametrize(
    "raw",
    [
        "Uno.\n\n### Objetivo general\n\nDos.",
        "Uno.\n\n```\n# comentario\n```\n\nDos.",
        "Uno: Presupuesto, plan de trabajo y más.",
        "Uno.\n\n| Presupuesto |\n|---|\n| Plan de trabajo |",
        "Uno.\n\n---\n\nDos.",
        "El gasto #1 fue menor.",
    ],
)
def test_subheadings_code_tables_and_running_text_do_not_end_the_section(raw: str) -> None:
    assert see(raw, TARGET, final=True) == see(raw, TARGET, final=True)
    assert final(raw) == raw


def test_any_heading_ends_the_text_of_a_base_model() -> None:
    target = Target("Objetivos", 2, "es", headings=False)
    assert final("Uno.\n\n#### Detalle\n\nDos.", target) == "Uno."


def test_a_loop_is_cut_before_the_second_time() -> None:
    once = "Se celebraron talleres en la biblioteca del barrio. "
    seen = see(f"La sala abrió. {once * 5}", TARGET)
    assert seen.ended == "loop"
    assert seen.text == f"La sala abrió. {once}".rstrip()


def test_sentences_that_come_back_in_turn_are_a_loop_too() -> None:
    turn = "La asociación organizó talleres de lectura.\n\nEl alumnado participó con interés en ellos.\n\n"
    seen = see("Empezamos en otoño con un acto.\n\n" + turn * 3, TARGET)
    assert seen.ended == "loop"
    assert seen.text.count("organizó") == 1


@pytest.mark.parametrize(
    "raw",
    [
        "|---|---|---|---|---|---|---|---|",
        "Uno\n\n| a | 0 |\n|---|---|\n| b | 0 |\n| c | 0 |\n| d | 0 |",
        "......",
        "1 1 1 1",
    ],
)
def test_tables_and_rules_are_no_loops(raw: str) -> None:
    assert see(raw, TARGET).ended == ""


@pytest.mark.parametrize(
    ("cut", "landed"),
    [
        ("Se hizo todo. El resultado fue de un 4,5 y", "Se hizo todo."),
        ("Se hizo todo.", "Se hizo todo."),
        ("Lo dirigió el Sr. Puig. Luego", "Lo dirigió el Sr. Puig."),
        ("Hubo dos:\n\n- El primero.\n- El segun", "Hubo dos:\n\n- El primero."),
        ("Se hizo.\n\nHubo estos:\n\n- El pri", "Se hizo."),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | ", "| a | b |\n|---|---|\n| 1 | 2 |"),
    ],
)
def test_a_text_cut_by_length_lands_on_its_last_whole_sentence(cut: str, landed: str) -> None:
    assert land(cut, "es") == (landed, True)


def test_a_text_without_a_whole_sentence_is_kept_and_said_to_be_partial() -> None:
    assert land("La asociación que en el año", "es") == ("La asociación que en el año", False)


@pytest.mark.parametrize(
    ("raw", "mended"),
    [
        ("```markdown\nUno.\n\n- a\n```", "Uno.\n\n- a"),
        ("Uno:\n- a\n- b", "Uno:\n\n- a\n- b"),
        ("Uno:\n| a |\n|---|\n| b |", "Uno:\n\n| a |\n|---|\n| b |"),
        ("Uno.\n\n\n\nDos.   \n", "Uno.\n\nDos."),
        ("Uno.\n\n```\ncódigo", "Uno.\n\n```\ncódigo\n```"),
        ("a\x07b\x00", "ab"),
        ("![Sala](https://example.org/x.png)", "Sala"),
        ("![Sala](media/image1.png){width=3cm}", "![Sala](media/image1.png){width=3cm}"),
        ("A-Frame[^15] va bien.", "A-Frame va bien."),
        ("Uno[^1].\n\n[^1]: Nota.", "Uno[^1].\n\n[^1]: Nota."),
        ("*Uno dos.\n\nTres *cuatro*.", "Uno dos.\n\nTres *cuatro*."),
        ("*Uno*: dos.", "*Uno*: dos."),
        ("```", ""),
        ("```markdown\nUno.\n\nDos.", "Uno.\n\nDos."),
        ("Uno.\n\n```\nx = 1", "Uno.\n\n```\nx = 1\n```"),
        ("acción", "acción"),
        ("Uno.\r\n\r\nDos.", "Uno.\n\nDos."),
    ],
)
def test_markdown_is_mended(raw: str, mended: str) -> None:
    assert mend(raw, frozenset({"media/image1.png"})) == mended


@given(st.text(alphabet="ab .#*-|`<>/think\n:0", max_size=120))
def test_whatever_comes_the_shown_text_grows_from_what_is_there_and_mending_is_stable(raw: str) -> None:
    seen = see(raw, TARGET, final=True)
    assert len(seen.text) <= len(raw)
    once = mend(seen.text)
    assert mend(once) == once
