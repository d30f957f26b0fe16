"""Batches: pads are not learnt, packed rows hold every example once, the longest comes first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabai.training.batch import Collator, Order, bins, pad_id
from fabai.training.examples import Card, Examples, Split
from hypothesis import given
from hypothesis import strategies as st

from fabai.example import IGNORED, encoder, fingerprint

CASES = Path(__file__).parents[1] / "data" / "cases"


def cards(lengths: list[int]) -> list[Card]:
    return [Card(place, f"e{place}", tokens, 1, "es", "fill", "r") for place, tokens in enumerate(lengths)]


@pytest.mark.slow
def test_a_tokenizer_whose_pad_is_its_end_token_still_learns_to_end(smollm2: Path) -> None:
    """Case 052: two lengths in one batch of SmolLM2's."""
    found = encoder(smollm2)
    split = Examples(CASES / "052-end-token-is-learnt" / "ejemplos.jsonl", found, fingerprint(smollm2)).train
    end = found.tokenizer.convert_tokens_to_ids("<|im_end|>")
    assert found.tokenizer.pad_token_id == found.tokenizer.eos_token_id == end == found.end
    pad = pad_id(found.tokenizer, found.end)
    assert pad != end
    batch = Collator(split, pad)([{"places": [0]}, {"places": [1]}])
    assert batch["attention_mask"] is not None
    for labels, mask in zip(batch["labels"], batch["attention_mask"], strict=True):
        length = int(mask.sum())
        assert labels[length - 1] == end
        assert (labels[length:] == IGNORED).all()
        assert int((labels == end).sum()) == 1
    assert batch["labelled"] == sum(card.labelled for card in split.cards)


@pytest.mark.slow
def test_labelled_tokens_are_counted_with_the_end_token(smollm2: Path) -> None:
    """Case 053."""
    path = CASES / "053-accumulation-by-tokens" / "dos.jsonl"
    split = Split(path, encoder(smollm2))
    assert {card.id: card.labelled for card in split.cards} == {"corto": 4, "largo": 502}


@given(lengths=st.lists(st.integers(1, 50), min_size=1, max_size=30), extra=st.integers(0, 40), packing=st.booleans())
def test_every_example_is_in_one_row_and_rows_fit(lengths: list[int], extra: int, packing: bool) -> None:
    most = max(lengths) + extra
    rows = bins(cards(lengths), most, packing)
    assert sorted(place for row in rows for place in row) == list(range(len(lengths)))
    assert all(sum(lengths[place] for place in row) <= most for row in rows)
    if not packing:
        assert all(len(row) == 1 for row in rows)


@given(lengths=st.lists(st.integers(1, 9), min_size=3, max_size=20), seed=st.integers(0, 99), front=st.integers(1, 3))
def test_the_longest_come_first_in_the_first_epoch_and_every_row_comes_once(
    lengths: list[int], seed: int, front: int
) -> None:
    order = Order(lengths, seed, front)
    first = list(order)
    assert [lengths[place] for place in first[:front]] == sorted(lengths, reverse=True)[:front]
    assert first == list(order)
    order.epoch = 1
    assert sorted(first) == sorted(order) == list(range(len(lengths)))


def test_epochs_have_orders_of_their_own() -> None:
    order = Order(list(range(40)), 3407, 1)
    seen = []
    for epoch in range(3):
        order.epoch = epoch
        seen.append(tuple(order))
    assert len(set(seen)) == 3


def test_packed_rows_name_their_lengths_and_learn_no_first_token(byte_model: Path, tmp_path: Path) -> None:
    rows = [{"id": name, "messages": [{"role": "user", "content": name}], "target": name * 5} for name in "ab"]
    path = tmp_path / "train.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    split = Split(path, encoder(byte_model))
    batch = Collator(split, 0)([{"places": [0, 1]}])
    assert batch["lengths"] == [card.tokens for card in split.cards]
    assert batch["attention_mask"] is None
    start = batch["lengths"][0]
    assert batch["labels"][0, 0] == batch["labels"][0, start] == IGNORED
    assert batch["examples"] == ["a", "b"]
