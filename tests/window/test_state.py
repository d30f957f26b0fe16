"""The state as JSON."""

from __future__ import annotations

import pytest

from fabai.errors import UnknownName
from fabai.ledger import Fact
from fabai.window.state import Kept, WindowState


def test_a_state_written_as_json_comes_back_equal() -> None:
    state = WindowState("warm", (Kept("s1", 120, 118, "ab", whole=True),), (Fact("a", "1 €", "x"),))
    assert WindowState.from_json(state.to_json()) == state


def test_an_unknown_key_in_a_state_is_named() -> None:
    with pytest.raises(UnknownName, match="kepd"):
        WindowState.from_json('{"mode":"warm","kepd":[]}')
