"""Figures that the model did not want."""

from __future__ import annotations

import json
from collections.abc import Callable

from fabai.lock.doubt import Doubt
from fabai.writers.base import Usage
from fabai.writers.llamacpp import _Answer


def test_a_figure_with_an_improbable_piece_is_named_with_its_word_and_only_once() -> None:
    doubt = Doubt()
    for piece, probable in (
        ("Año «180", 0.5), (" personas» y ", 1e-9), ("28", 1e-5), (" de", 1.0), (" agosto; ", 1.0), ("28", 1e-6),
        (" de agosto", 1.0), (" 18.", 0.9), ("500", 1e-4), (" €.", 1.0),
    ):  # fmt: skip
        doubt.feed(piece.encode(), probable)
    assert doubt.figures == ("28 de agosto", "18.500")


def test_a_character_that_comes_in_two_pieces_does_not_move_a_figure() -> None:
    doubt = Doubt()
    for piece, probable in ((b"a\xc3", 1.0), (b"\xb1o ", 1.0), (b"12", 0.0), (b" talleres", 1.0)):
        doubt.feed(piece, probable)
    assert doubt.figures == ("12 talleres",)


def test_llama_cpp_tells_the_figures_that_it_did_not_want() -> None:
    said = ((" 12", -0.5), (" talleres y", -1.0), (" 28", -12.0), (" de agosto", -0.1))
    news: list[dict[str, object]] = [
        {"choices": [{"text": text, "logprobs": {"content": [{"bytes": list(text.encode()), "logprob": probable}]}}]}
        for text, probable in said
    ]
    news.append(
        {"choices": [{"text": "", "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 4}}
    )

    def handle(_: str, heard: Callable[[str], bool]) -> None:
        for one in news:
            heard(json.dumps(one))

    answer = _Answer(handle, {}, 5.0)
    *texts, usage = answer.pieces()
    assert "".join(map(str, texts)) == "".join(text for text, _ in said)
    assert isinstance(usage, Usage)
    assert usage.doubtful == ("28 de agosto",)
