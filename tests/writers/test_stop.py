from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.writers.stop import Stop


def heard(text: str, stops: list[str], cuts: list[int]) -> str:
    """What comes through when the text arrives in pieces."""
    watch = Stop(stops)
    ends = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    pieces = [text[a:b] for a, b in itertools.pairwise(ends)]
    return "".join(watch.feed(piece) for piece in pieces) + watch.rest()


@given(
    text=st.text(alphabet="ab\n#", max_size=40),
    stops=st.lists(st.text(alphabet="ab\n#", min_size=1, max_size=4), max_size=3),
    cuts=st.lists(st.integers(0, 40), max_size=10),
)
def test_the_text_ends_before_the_first_stop_string_however_the_stream_is_cut(
    text: str, stops: list[str], cuts: list[int]
) -> None:
    # the server stops at the string that is complete first; of two that end together, before the longer one
    ends = [(text.index(stop) + len(stop), text.index(stop)) for stop in stops if stop in text]
    first = min(ends)[0] if ends else None
    got = heard(text, stops, list(range(41)))
    expected = text if first is None else text[: min(start for end, start in ends if end == first)]
    assert got == expected
    if first is None:
        assert heard(text, stops, cuts) == text


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_a_stop_string_that_is_split_over_pieces_is_found(size: int) -> None:
    watch = Stop(["\n## "])
    text = "Uno.\nDos.\n## Tres"
    out = "".join(watch.feed(text[at : at + size]) for at in range(0, len(text), size))
    assert out == "Uno.\nDos."
    assert watch.found


def test_what_only_began_like_a_stop_string_is_not_lost() -> None:
    assert heard("Uno.\n#", ["\n## "], [2, 5]) == "Uno.\n#"
