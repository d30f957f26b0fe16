from __future__ import annotations

import pytest

from fabai.serving.card import Card, cards
from tests.serving.conftest import Cards


def test_each_card_is_told_with_its_memory_and_capability(with_cards: Cards) -> None:
    with_cards("NVIDIA RTX A4000, 16376, 15900, 8.6", "Tesla T4, 15360, [N/A], 7.5", "odd line")
    assert cards() == (
        Card("NVIDIA RTX A4000", 16376 * 2**20, 15900 * 2**20, (8, 6)),
        Card("Tesla T4", 15360 * 2**20, 15360 * 2**20, (7, 5)),
    )


def test_a_driver_that_fails_means_no_card(with_cards: Cards) -> None:
    with_cards()
    assert cards() == ()


@pytest.mark.parametrize(("wish", "names"), [("1", ["b"]), ("1,0", ["b", "a"]), ("", []), ("-1", []), ("0,7,1", ["a"])])
def test_only_the_cards_that_a_program_would_see_count(
    with_cards: Cards, monkeypatch: pytest.MonkeyPatch, wish: str, names: list[str]
) -> None:
    with_cards("a, 1000, 1000, 8.0", "b, 1000, 1000, 8.0")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", wish)
    assert [card.name for card in cards()] == names
