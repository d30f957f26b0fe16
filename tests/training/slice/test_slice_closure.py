"""How BPE builds tokens: our own encoder against the library's, and what must be kept together."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from fabai.training.slice.closure import Ladder, closed, irreplaceable
from fabai.training.slice.families import Family, read_family
from fabai.training.slice.tokenizer import sliced_table
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from .conftest import BUILDERS


@pytest.fixture(scope="module", params=["smollm", "llama3", "llama2"])
def family(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Family:
    """A tokenizer taken apart."""
    build: Callable[[], dict[str, Any]] = BUILDERS[request.param][0]
    path = tmp_path_factory.mktemp("family") / "tokenizer.json"
    path.write_text(json.dumps(build()), encoding="utf-8")
    return read_family(path)


def model_only(family: Family, kept: set[int]) -> Tokenizer:
    """The library's BPE over the kept tokens, without any rule that cuts text first; ids in the old order."""
    ids = {old: new for new, old in enumerate(sorted(kept))}
    table = sliced_table(family, ids)
    return Tokenizer.from_str(
        json.dumps({**table, "normalizer": None, "pre_tokenizer": None, "post_processor": None, "added_tokens": []})
    )


def test_our_encoder_cuts_as_the_library_does_over_any_closed_part_of_the_vocabulary(family: Family) -> None:
    ladder = Ladder(family)
    tokens = sorted(family.vocab.values())
    fixed = {*family.byte_ids, *(token for token in family.added if token in ladder.parents_of or token < 3)}
    letters = st.sampled_from(sorted({char for string in family.vocab for char in string} | {"漢", "é"}))
    strings = st.one_of(st.text(letters, max_size=24), st.sampled_from(sorted(family.vocab)))

    @given(st.lists(st.sampled_from(tokens), max_size=60), st.lists(strings, min_size=1, max_size=8))
    def check(some: list[int], texts: list[str]) -> None:
        kept = closed({*some, *fixed}, ladder)
        alive = bytearray(token in kept for token in range(family.size))
        library = model_only(family, kept)
        order = sorted(kept)
        for text in texts:
            if family.kind == "byte-level" or text not in family.added.values():
                assert ladder.encode(text, alive) == [order[token] for token in library.encode(text).ids]

    check()


def test_a_token_is_built_from_its_parents_and_these_from_theirs(family: Family) -> None:
    ladder = Ladder(family)
    for token, (left, right) in ladder.parents_of.items():
        assert family.strings[left] + family.strings[right] == family.strings[token]
        assert all(len(family.strings[one]) == 1 or one in ladder.parents_of for one in (left, right))


def test_every_token_can_be_spelled_from_what_is_always_kept(family: Family) -> None:
    alive = bytearray(token in family.byte_ids for token in range(family.size))
    ladder = Ladder(family)
    assert not irreplaceable(family)
    for token in family.vocab.values():
        if token not in family.added and token not in family.byte_ids:
            pieces = ladder.encode(family.strings[token], alive)
            assert b"".join(map(family.raw, pieces)) == family.raw(token)
