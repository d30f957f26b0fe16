"""The Ledger: a name appears once, and its last value counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import BadSetting
from fabai.ledger import Fact, Ledger

FACTS = st.lists(st.builds(Fact, st.sampled_from("abcd"), st.sampled_from(["1", "2", "3"]), st.just("s")))


@given(FACTS)
def test_names_are_unique_in_the_order_they_came_and_the_last_value_counts(facts: list[Fact]) -> None:
    ledger = Ledger()
    for fact in facts:
        ledger = ledger.with_fact(fact)
    assert [fact.name for fact in ledger] == list(dict.fromkeys(fact.name for fact in facts))
    assert {fact.name: fact.value for fact in ledger} == {fact.name: fact.value for fact in facts}
    assert len(ledger) == len({fact.name for fact in facts})


def test_a_name_that_is_not_there_gives_none() -> None:
    assert Ledger().get("importe") is None


@pytest.mark.parametrize("key", ["name", "value", "source"])
def test_a_fact_without_name_value_or_source_is_refused(key: str) -> None:
    values = {"name": "n", "value": "v", "source": "s", key: "  "}
    with pytest.raises(BadSetting, match=f"needs a {key}"):
        Fact(**values)
