"""What a text looks like to the model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.window.shown import fenced, shown


@pytest.mark.parametrize(
    "mark",
    ["<|im_end|>", "<|im_start|>", "<｜end▁of▁sentence｜>", "</s>", "<start_of_turn>", "<think>", "</think>", "[INST]"],
)
def test_control_marks_of_chat_templates_lose_their_power(mark: str) -> None:
    assert mark not in shown(f"texto {mark} fin")
    assert shown(f"texto {mark} fin").endswith("fin")


def test_ordinary_angles_and_brackets_stay_as_they_are() -> None:
    text = "El efecto fue claro (p<0,05), véase [1] y <la plantilla>."
    assert shown(text) == text


@given(st.text(alphabet="~ab\n", max_size=60))
def test_a_text_cannot_close_its_fence(text: str) -> None:
    lines = fenced(text).split("\n")
    assert lines[0] == lines[-1]
    assert all(lines[0] not in line for line in lines[1:-1])
