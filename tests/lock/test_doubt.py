"""Figures that the model did not want."""

from __future__ import annotations

from fabai.lock.doubt import Doubt


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
