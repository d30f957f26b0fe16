"""Texts that share beginnings stand side by side, and none sees another."""

from __future__ import annotations

from fabai.training.evaluate.trie import rows
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=8), min_size=1, max_size=12)


@given(texts=TEXTS, most=st.integers(1, 30))
def test_each_text_is_whole_at_its_own_positions_and_sees_itself_alone(texts: list[list[int]], most: int) -> None:
    found = list(rows(texts, most))
    assert sorted(number for row in found for number in row.texts) == list(range(len(texts)))
    for row in found:
        assert len(row.ids) <= max(most, *(len(texts[number]) for number in row.texts))
        for number, path in zip(row.texts, row.paths, strict=True):
            assert row.ids[list(path)].tolist() == texts[number]
            assert row.positions[list(path)].tolist() == list(range(len(path)))
            for place, at in enumerate(path):
                assert row.seen[at].nonzero()[:, 0].tolist() == sorted(path[: place + 1])


@given(texts=TEXTS)
def test_what_all_texts_share_is_there_once(texts: list[list[int]]) -> None:
    (row,) = rows(texts, 1_000)
    assert len(row.ids) == len({tuple(text[:size]) for text in texts for size in range(1, len(text) + 1)})
